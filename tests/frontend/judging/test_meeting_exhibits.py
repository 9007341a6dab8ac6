"""What a meeting sees of an exhibit is what its raters saw."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from annotation.judging import drawing, rounds
from annotation.judging.rules import Rules
from annotation.models import Role
from tasks.judging import raters, working
from tests.frontend.judging.test_systems_found import lamps as lamps_in
from tests.people import NOON, join
from tests.tasks.judging.judged_rounds import RaterAtWork


def test_opinions_and_what_was_said_to_checks_are_in_the_room_too(db, tmp_path):
    lamps, lena = lamps_in(tmp_path, 2)
    rules = Rules(kind="answers", of_an_item="all", meeting=True)
    rubric = drawing.kind_of(lamps, "answers").rubric()
    row = rounds.make(lamps, title="Lamps", rubric=rubric, rules=rules, by=lena.user, now=NOON)
    people = [join(lamps, name, Role.EXPERT) for name in ("erin", "egon")]
    for person in people:
        raters.name(row, person, by=lena.user, now=NOON)
    rounds.seal(row, by=lena.user, now=NOON)
    for person, mark in zip(people, "15", strict=True):
        worker = RaterAtWork(person, lamps)
        for work in working.work_in(working.begin(row, by=person, now=NOON)):
            worker.judge(work, mark, **({"checks": {"opinion": True}} if mark == "5" else {}))
        working.lock(row, by=person, now=NOON)
    erin = Client()
    erin.force_login(people[0])
    with_opinion = next(each.place for each in row.exhibits.order_by("place") if each.shown["details"])
    page = erin.get(reverse("meeting_exhibit", args=[row.uuid, with_opinion])).content.decode()
    assert '<dt class="quiet">Opinion</dt>' in page
    assert '<dt dir="auto">The opinion is right</dt><dd>yes 1, no 0, open 1</dd>' in page
    assert "What supports it is there</dt><dd>" not in page
