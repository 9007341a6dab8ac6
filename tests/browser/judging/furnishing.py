"""Projects whose items are answered, ready to be judged; `furnish` runs inside the site."""

from __future__ import annotations

import json
from pathlib import Path

from annotation import clock
from annotation.models import JudgingRound, Project, Role, User
from tasks.judging import working
from tasks.measuring import judging_rounds
from tests import signed_in
from tests.builders import GOOD, Worker, open_with, project, questions
from tests.signed_in import member
from tests.tasks.judging.judged_rounds import CHOSEN, NO_SHORT, RaterAtWork


def boxes(slug: str, folder: str, raters: list[str], *, count: int) -> None:
    """An NQ project whose questions all have the same long answer, with a lead and these experts."""
    made = project(slug)
    open_with(made, Path(folder), questions(count))
    worker = Worker(member(made, f"{slug}-annotator"), made)
    now = clock.now()
    for _ in range(count):
        work = worker.claim(now=now)
        for stage, answer in (("question", GOOD), ("long_answer", CHOSEN), ("short_answer", NO_SHORT)):
            worker.commit(work, stage, answer, now=now)
    people(slug, raters)


def people(slug: str, raters: list[str]) -> None:
    """A lead of the project, and its experts."""
    made = Project.objects.get(slug=slug)
    member(made, f"{slug}-lead", role=Role.LEAD)
    for name in raters:
        member(made, name, role=Role.EXPERT)


def judge(slug: str, name: str, marks: dict[str, str], other: str) -> None:
    """Somebody judges the whole round of a project and locks: these marks by prompt, else the other one."""
    row, person, now = JudgingRound.objects.get(project__slug=slug), User.objects.get(username=name), clock.now()
    worker = RaterAtWork(person, row.project)
    lease = working.begin(row, by=person, now=now)
    for held in working.work_in(lease).select_related("annotation__exhibit"):
        exhibit = held.annotation.exhibit
        assert exhibit is not None
        worker.judge(held, marks.get(exhibit.shown["prompt"], other), now=now)
    working.lock(row, by=person, now=now)


def measure() -> None:
    """What the job does."""
    judging_rounds.measure_due(now=clock.now())


def session(name: str) -> None:
    """Print the key of a new session of this person."""
    print("SESSION", signed_in.session_of(User.objects.get(username=name)))


def state(slug: str) -> None:
    """Print the state of the round of a project, as JSON."""
    row = JudgingRound.objects.get(project__slug=slug)
    print("STATE", json.dumps({"state": row.state, "exhibits": row.exhibits.count(), "sha256": row.sha256}))
