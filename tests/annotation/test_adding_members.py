"""`add_member` takes several people at once, all or none, and quick commands import no pages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Membership, User

ROOT = Path(__file__).parents[2]


def members(project):
    return sorted(Membership.objects.filter(project=project).values_list("user__username", "role"))


def test_several_people_and_those_in_a_file_become_members_with_a_password_each(nq, tmp_path, capsys):
    file = tmp_path / "names.txt"
    file.write_text("\ufeffcem\n\n  dora@example.org \nana\n", encoding="utf-8")
    before = members(nq)
    call_command("add_member", nq.slug, "ana", "ben", role="annotator", file=file)
    names = ["ana", "ben", "cem", "dora@example.org"]
    assert members(nq) == sorted([*before, *((name, "annotator") for name in names)])
    said = capsys.readouterr().out
    assert re.findall(r"^(\S+) is now annotator", said, re.MULTILINE) == ["ana", "ben", "cem", "dora@example.org"]
    for name, password in zip(names, re.findall(r"Password .*: (\S+)", said), strict=True):
        assert User.objects.get(username=name).check_password(password)
    call_command("add_member", nq.slug, "ana", role="expert")
    assert "Password" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("names", "file", "reason"),
    [
        (["ana", "not a name"], None, "'not a name' is not a valid user name"),
        (["x" * 151], None, "at most 150 characters"),
        ([], None, "Give at least one user name"),
        (["ana"], "missing.txt", r"missing\.txt can't be read"),
    ],
)
def test_nobody_is_added_if_one_name_is_impossible(nq, tmp_path, names, file, reason):
    before = members(nq)
    with pytest.raises(CommandError, match=reason):
        call_command("add_member", nq.slug, *names, role="annotator", file=file and tmp_path / file)
    assert members(nq) == before
    assert not User.objects.filter(username="ana").exists()


IMPORTED = "frontend.views", "celery", "turbohtml"
SCRIPT = f"""
import sys
from django.core.management import execute_from_command_line
ended = []
for words in (["states"], ["add_member", "nowhere", "ana", "--role", "lead"]):
    try:
        execute_from_command_line(["manage.py", *words])
    except BaseException as why:
        ended.append(type(why).__name__)
    print("imported", *[name for name in {IMPORTED!r} if name in sys.modules])
print("ended", *ended)
"""


def test_a_quick_command_imports_neither_pages_nor_their_libraries(tmp_path):
    env = os.environ | {"GOLDFINCH_DATA": str(tmp_path), "DJANGO_SETTINGS_MODULE": "frontend.settings"}
    run = subprocess.run([sys.executable, "-c", SCRIPT], cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    said = [line for line in run.stdout.splitlines() if line.startswith(("imported", "ended"))]
    assert said[:2] == ["imported", "imported"]
    assert len(said[2].split()) == 2  # the second is refused: no project is called so
