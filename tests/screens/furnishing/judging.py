"""Judging rounds in each of their states, over a project whose items are all answered; runs inside the site."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from annotation.judging import drawing, rounds
from annotation.judging.rubrics import Rubric, preset
from annotation.judging.rules import Rules
from annotation.models import JudgingRound, Project, Role, User
from tasks.judging import defects, raters, working
from tasks.judging.meeting import agreeing, room, voters
from tasks.measuring import answer_metrics, judging_rounds
from tests.builders import Worker
from tests.screens.camera import SIZES

WHY = "It names the keeper, but says nothing of the light that was asked about."


CHECKS = (("named", "It names the keeper", False), ("light", "It names the light", False), ("dates", "Dates", True))
SCORES = preset(
    "Scores",
    "How well does the passage answer it?",
    ("1", "1 · Poor", "It does not."),
    ("2", "2 · Fair", "In part."),
    ("3", "3 · Good", "It does."),
    ordinal=True,
    checks=CHECKS,
)


def furnish(person: Callable[..., User], project: Project, *, now: datetime) -> None:
    """A draft, one that Rita judges in each size, one whose raters meet, and a closed one with its results."""
    lead = person(project, "lotte", Role.LEAD)
    ritas = [person(project, f"rita-{size}", Role.EXPERT) for size in SIZES]
    others = [person(project, name, Role.EXPERT) for name in ("rolf", "runa", "remy")]

    def drawn(title: str, people: Sequence[User], **rules: Any) -> JudgingRound:
        return _round(project, title, people, by=lead, now=now, **rules)

    drawn("A draft", others)
    closed = _sealed(drawn("How good are the long answers?", others), by=lead, now=now)
    for person_, marks in zip(others, ("CCdCCWCdCCCdC", "CCdCCWCCCCdC", "CWCCWCdCCCCd"), strict=True):
        _judge_all(closed, person_, marks, now=now)
    judging_rounds.keep(closed, now=now)
    scored = _sealed(drawn("Scores from 1 to 3", others[:2], rubric=SCORES), by=lead, now=now)
    for person_, marks in zip(others, ("3213321233", "3223311132"), strict=False):
        _judge_all(scored, person_, marks, now=now)
    judging_rounds.keep(scored, now=now)
    answer_metrics.keep_uploaded(
        scored, {"A model as judge": dict(enumerate((3.0, 2.5, 1, 3, 2, 2, 1, 1.5, 3, 2)))}, by=lead, now=now
    )
    answer_metrics.keep(scored, now=now)
    asked = rounds.rubric_of(closed).model_copy(update={"checks": SCORES.checks})
    week = _sealed(drawn("Long answers of this week", ritas, sample=6, rubric=asked), by=lead, now=now)
    defects.flag(week.exhibits.get(place=1), why="The passage is cut off after its first line.", by=lead, now=now)
    raters.name(week, others[1], by=lead, now=now)
    working.replace_rater(week.raters.get(person=others[1]), others[2], reason="She is ill.", by=lead, now=now)
    _sealed(drawn("Judged by a lead", [lead], sample=None), by=lead, now=now)
    met = _sealed(drawn("Long answers, with a meeting", [*ritas, others[0]], meeting=True), by=lead, now=now)
    voters.choose_chair(met, ritas[0], by=lead, now=now)
    for person_, marks in zip((*ritas, others[0]), ("CWCdCCCWCC", "CCdCCCCCCC", "WCCdCCCWCC"), strict=True):
        _judge_all(met, person_, marks, now=now)
    _at_meeting(met, [*ritas, others[0]], now=now)


def _round(
    project: Project,
    title: str,
    people: Sequence[User],
    *,
    by: User,
    now: datetime,
    rubric: Rubric | None = None,
    **rules: Any,
) -> JudgingRound:
    kind = drawing.kind_of(project, "long")
    wanted = Rules(**{"kind": "long", "sample": 10, **rules})
    asked = rubric or kind.rubric()
    row = rounds.make(project, title=title, rubric=asked, rules=wanted, by=by, now=now, seed="16")
    for each in people:
        raters.name(row, each, by=by, now=now)
    return row


def _sealed(row: JudgingRound, *, by: User, now: datetime) -> JudgingRound:
    rounds.seal(row, by=by, now=now)
    row.refresh_from_db()
    return row


def _judge_all(row: JudgingRound, by: User, marks: str, *, now: datetime) -> None:
    """Marks are written without spaces, by place: C, Cd, W; they begin anew after the last."""
    given = [mark + "d" * (after == "d") for mark, after in zip(marks, f"{marks[1:]} ", strict=True) if mark != "d"]
    worker = Worker(by, row.project)
    for work in working.work_in(working.begin(row, by=by, now=now)).select_related("annotation__exhibit"):
        mark = given[work.annotation.exhibit.place % len(given)]
        said = {"mark": mark, "part": "", "comment": WHY if mark == "W" else ""}
        if rounds.rubric_of(row).checks:
            place = work.annotation.exhibit.place
            said["checks"] = {"named": place % 3 > 0, "dates": [place % 4, 4]}
            said["checks"] |= {"light": mark == "3"} if place % 2 else {}
        worker.commit(work, "judge", said, now=now)
    working.lock(row, by=by, now=now)


def _at_meeting(row: JudgingRound, people: Sequence[User], *, now: datetime) -> None:
    """All are there, and the chair has proposed a mark for the first exhibit that they differ about."""
    row.refresh_from_db()
    for each in people:
        room.enter(row, by=each, now=now)
    exhibit = row.exhibits.select_related("round__project").get(place=0)
    agreeing.argue(exhibit, text="The second sentence answers it.", key=row.uuid, by=people[1], now=now)
    proposal = agreeing.propose(exhibit, mark="Cd", reason="It follows, but is not said.", by=people[0], now=now)
    agreeing.confirm(exhibit, number=proposal.number, by=people[2], now=now)
