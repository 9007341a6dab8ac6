"""Several protocols' demos may have the same people: nobody is replaced, and the log-ins say what each project does."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from annotation import registry
from annotation.protocol_tools import Demo
from frontend.management.commands.demo import Command, people_of_demos
from tests.factories.people import UserFactory

pytestmark = pytest.mark.django_db


def test_somebody_in_the_demos_of_two_protocols_is_shown_once_with_what_each_project_says_of_them(tmp_path):
    one, other = (
        Demo(slug, title, tmp_path / "items.jsonl", lambda sheet, _external_id, says: says, people=people)
        for slug, title, people in (
            ("talks", "Talks about passages", {"hana": "is in the middle of a talk", "ilya": "hana’s partner"}),
            ("papers", "Questions about papers", {"hana": "has a third paper open", "bob": "writer"}),
        )
    )
    assert people_of_demos([one, other]) == {
        "hana": "Talks about passages: is in the middle of a talk; Questions about papers: has a third paper open",
        "ilya": "hana’s partner",
        "bob": "writer",
    }


def test_the_log_ins_keep_everybody_whom_two_demos_share(monkeypatch, settings, tmp_path):
    first, *_others = [each for each in registry.all_protocols() if each.demo and each.demo.people]
    (name, why), *_more = first.demo.people.items()
    again = replace(
        first.demo, slug="again", title="The same people again", people={name: "does other work", "zoe": "new"}
    )
    both = [SimpleNamespace(demo=demo) for demo in (first.demo, again)]
    monkeypatch.setattr(registry, "all_protocols", lambda: both)
    command, logins = Command(), tmp_path / "demo-logins.txt"
    for username in command.who():
        UserFactory(username=username)
    command._write_logins(logins)
    lines = {line.split()[0]: line for line in logins.read_text().splitlines()}
    assert [*lines] == ["nina", *first.demo.people, "zoe", "erin", "lena"]
    assert lines[name].endswith(f"   {first.demo.title}: {why}; The same people again: does other work")
    assert lines["zoe"].endswith("   new")
