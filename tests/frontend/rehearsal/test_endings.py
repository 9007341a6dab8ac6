"""Rehearsals that end otherwise than they should: what is said, and that nothing is left of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings

from annotation import clock
from annotation.models import Job, Role, User
from frontend.leads.setup import rehearsals
from frontend.rehearsal import job as rehearsal
from frontend.rehearsal import played
from tasks.background import long_jobs
from tests.builders import load, open_with, project, questions, write_lines
from tests.people import join

RATES = {"wrong": 0.0, "late": 0.0, "abandoned": 0.0, "returned": 0.0}
FOUND = {"lost": 0, "refused": "", "formats": [], "taken": 5, "courses": dict.fromkeys(rehearsals.COURSES, 0)}


def asked(of):
    """A rehearsal that waits to begin."""
    by = User.objects.filter(memberships__project=of, memberships__role=Role.LEAD).first() or join(
        of, "lena-ends", Role.LEAD
    )
    given = {"items": 1, "rates": RATES}
    return long_jobs.ask(of, rehearsal.KIND, subject="1", asked=given, by=by, now=clock.now())


def problems(of, **activity):
    """What the page of a rehearsal with this activity says that a lead should see to."""
    row = asked(of)
    result = FOUND | {"activities": [{"activity": "annotate", "done": 1, "disputed": 0, "open": 0, **activity}]}
    row.state, row.report = Job.State.DONE, row.report | {"result": result | {"too_long": "late" in activity}}
    return [one.text for one in rehearsals.page_of(row, {})["problems"]]


@pytest.fixture
def lights(db, tmp_path):
    made = project("rehearsed-endings")
    open_with(made, tmp_path, questions(1))
    return made


def test_a_process_that_dies_leaves_nothing_and_the_page_has_words_for_it(lights, monkeypatch, client, capsys):
    killed = Path(settings.GOLDFINCH_DATA) / "rehearsals" / "987654321" / "of-a-killed-one"
    killed.mkdir(parents=True)
    monkeypatch.setattr(rehearsal.sys, "executable", "/bin/false")
    row = asked(lights)
    long_jobs.run(row.pk)
    row.refresh_from_db()
    client.force_login(lights.memberships.get(role=Role.LEAD).user)
    page = client.get(f"/projects/{lights.slug}/rehearsals/{row.pk}/").content.decode()
    assert row.state == Job.State.FAILED
    assert "a mistake in the program" in page
    assert "The rehearsal ended with 1" in capsys.readouterr().err
    assert not list(killed.parent.parent.iterdir())


def test_a_rehearsal_is_stopped_also_while_its_bots_say_nothing(lights, tmp_path, monkeypatch):
    slow = tmp_path / "slow"
    slow.write_text(f"#!/bin/sh\nsleep 4\ntouch {tmp_path}/ended\n")
    slow.chmod(0o755)
    monkeypatch.setattr(rehearsal.sys, "executable", str(slow))
    row, write = asked(lights), rehearsal.write_copy

    def write_and_stop(*args, **kwargs):
        long_jobs.cancel(Job.objects.get(pk=row.pk), by=User.objects.get(username="lena-ends"), now=clock.now())
        return write(*args, **kwargs)

    monkeypatch.setattr(rehearsal, "write_copy", write_and_stop)
    long_jobs.run(row.pk)
    row.refresh_from_db()
    assert row.state == Job.State.CANCELLED
    assert not (tmp_path / "ended").exists()
    assert not list((Path(settings.GOLDFINCH_DATA) / "rehearsals").iterdir())


def test_bots_whose_time_is_up_are_said_to_be(db, tmp_path, monkeypatch):
    made = project("rehearsed-too-long")
    load(made, write_lines(tmp_path / "lights.jsonl", questions(3)))
    monkeypatch.setattr(played, "LONGEST", 0)
    found = played.play(made, {"rates": RATES}, progress=lambda done, total: None)
    assert (found["too_long"], found["taken"], found["lost"]) == (True, 1, 0)
    assert found["activities"][0]["open"] == 2


def test_work_for_which_time_was_up_is_not_blamed_on_the_people(lights):
    [text] = problems(lights, open=2, late=True)
    assert text.startswith("The bots were stopped after a quarter of an hour")


def test_an_item_that_wants_more_people_than_the_project_has_is_said(lights):
    for name in ("dora", "emil"):
        join(lights, name)
    assert problems(lights, wants=2) == []
    lights.memberships.filter(user__username="emil").update(no_new_work_since=clock.now())
    [text] = problems(lights, wants=2)
    assert "some questions want 2 people each, and the project has 1 who may work" in text


def test_a_format_that_does_not_come_out_the_same_again_is_not_written(db, tmp_path, monkeypatch):
    made = project("rehearsed-formats")
    load(made, write_lines(tmp_path / "lights.jsonl", questions(1)))
    again = played.rebuild.rebuild
    monkeypatch.setattr(played.rebuild, "rebuild", lambda release, folder: _spoiled(again, release, folder))
    found = played.play(made, {"rates": RATES}, progress=lambda done, total: None)
    assert {one["items"] for one in found["formats"]} == {None}
    assert all("is not the file that was frozen" in one["why"] for one in found["formats"])


def _spoiled(again, release, folder):
    """Rebuild a release whose record was changed on the disk."""
    kept = played.releases.folder_of(release) / "members.jsonl"
    kept.chmod(0o644)
    kept.write_bytes(kept.read_bytes() + b"\n")
    again(release, folder)
