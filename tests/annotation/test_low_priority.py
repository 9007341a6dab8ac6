"""Imports and exports started from a shell run at low priority, so that people at work go first."""

from __future__ import annotations

import os

import pytest
from django.core.management import CommandError, call_command

from annotation.management.base import NICE

SHELL = """
import os
from django.core.management import execute_from_command_line
try:
    execute_from_command_line(["manage.py", %r, "--help"])
finally:
    print("nice", os.nice(0))
"""


OTHERS = pytest.mark.in_test_all(
    shown_by="tests/annotation/test_low_priority.py::test_a_command_that_reads_or_writes_much_lowers_its_priority"
)
COMMANDS = ("import_release", "export_release", "rebuild_release", "report")


@pytest.mark.parametrize("command", ["import_items", *(pytest.param(each, marks=OTHERS) for each in COMMANDS)])
def test_a_command_that_reads_or_writes_much_lowers_its_priority(fork_server_of_all, tmp_path, command):
    words = ["shell", "--no-imports", "-c", SHELL % command]
    said = fork_server_of_all.start("manage", *words, out=tmp_path / "said").ended()
    assert said.splitlines()[-1] == f"nice {min(os.nice(0) + NICE, 19)}"


def test_called_from_other_code_it_leaves_that_process_as_it_is(db):
    before = os.nice(0)
    with pytest.raises(CommandError):
        call_command("import_items", "nowhere", "nothing.jsonl")
    assert os.nice(0) == before
