"""Whoever asked a question judges no answer to it."""

from __future__ import annotations

from annotation.judging import drawing, rounds
from annotation.judging.rules import Rules
from annotation.models import Role
from tasks.judging import raters
from tests.people import NOON, join
from tests.tasks.test_blocks import asked

NO = {"kind": "yes_no", "value": False, "evidence": [], "by_absence": True}


def test_who_asked_is_left_out_and_a_rater_who_did_not_judges_all(papers, wendy, adam):
    wendy.commit(wendy.claim(), "questions", asked("Which corpus was it?", "Is the code open?"))
    for work in list(adam.claim().lease.assignments.order_by("pk")):
        adam.commit(work, "answer", NO)
    lead = join(papers, "lena", Role.LEAD)
    join(papers, "wendy", Role.EXPERT)
    row = rounds.make(
        papers,
        title="Answers",
        rubric=drawing.kind_of(papers, "answers").rubric(),
        rules=Rules(kind="answers", of_an_item="all"),
        by=lead,
        now=NOON,
    )
    named = [raters.name(row, person, by=lead, now=NOON) for person in (wendy.user, lead)]
    rounds.seal(row, by=lead, now=NOON)
    row.refresh_from_db()
    assert raters.left_out(row, wendy.user) == dict.fromkeys(row.exhibits.values_list("pk", flat=True), raters.ASKED)
    assert [len(raters.given_to(row, rater)) for rater in named] == [0, 2]
