"""A project whose questions have long answers, and people who judge them."""

from __future__ import annotations

import pytest

from annotation.judging import drawing, rounds
from annotation.judging.rules import Rules
from annotation.models import Role
from tasks.judging import raters, working
from tests.builders import GOOD, Worker, open_with, project, questions, reload
from tests.people import NOON, join

CHOSEN = {
    "kind": "box",
    "candidate": 0,
    "quote": "The first harbour light was lit in 1823 at Cordouan, a tower on a reef.",
}
NO_SHORT = {"kind": "none"}


def answer(worker: Worker, *, short: dict = NO_SHORT) -> None:
    """Claim a question and choose the first paragraph of its page."""
    work = worker.claim()
    worker.commit(work, "question", GOOD)
    worker.commit(work, "long_answer", CHOSEN)
    worker.commit(work, "short_answer", short)


@pytest.fixture
def lights(db, tmp_path):
    return answered_by_ada(tmp_path)


def answered_by_ada(folder):
    """Four questions; Ada has found a long answer to three of them, and none to the fourth."""
    made = project()
    open_with(made, folder, questions(4))
    ada = Worker(join(made, "ada"), made)
    for _ in range(3):
        answer(ada)
    ada.finish_without_answer()
    return made


@pytest.fixture
def lead(lights):
    return join(lights, "lena", Role.LEAD)


@pytest.fixture
def experts(lights):
    return [join(lights, name, Role.EXPERT) for name in ("erin", "egon")]


def rubric_of(lights, kind="long"):
    return drawing.kind_of(lights, kind).rubric()


def draft(lights, lead, **rules):
    """A draft of a round over long answers."""
    wanted = Rules(**{"kind": "long", **rules})
    return rounds.make(
        lights, title="Long answers", rubric=rubric_of(lights, wanted.kind), rules=wanted, by=lead, now=NOON, seed="7"
    )


@pytest.fixture
def sealed(lights, lead, experts):
    """A sealed round over all long answers, with two experts."""
    made = draft(lights, lead)
    for expert in experts:
        raters.name(made, expert, by=lead, now=NOON)
    rounds.seal(made, by=lead, now=NOON)
    made.refresh_from_db()
    return made


class RaterAtWork(Worker):
    """A rater, through the services."""

    def judge(self, work, mark, *, now=NOON, **more):
        """Give a mark to what they hold."""
        return self.commit(work, "judge", {"mark": mark, "part": "", "comment": "", **more}, now=now)

    def judge_all(self, row, marks, *, now=NOON):
        """Begin, and give these marks in the rater's order."""
        lease = working.begin(row, by=self.user, now=now)
        for work, mark in zip(working.work_in(lease), marks, strict=True):
            self.judge(reload(work), mark, now=now)
