"""Qualifications with and without a course, for their pictures; runs inside the site."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from annotation.models import Project, Role, User
from qualification import tries
from qualification.courses import editing, pieces, sitting
from qualification.courses.content import ExamBlock
from qualification.courses.real_items import ItemName, RealItem, Reference, StepAnswer
from qualification.models import Qualification
from tasks.items import setting_aside
from tests.builders import Worker, questions
from tests.factories.qualification import CourseVersionFactory, GrantFactory, QualificationFactory
from tests.qualification.courses.building import (
    block,
    course,
    prepare,
    real_item,
    rejected_for_exams,
    sit,
    three_blocks,
)
from tests.qualification.courses.crowds import a_crowd_that_passed_an_item_on
from tests.screens.camera import SIZES

Person, Making = Callable[..., User], Callable[..., Project]
"""Make a member of a project, and a project with items."""


def furnish(person: Person, project: Making, *, now: datetime) -> None:
    """A qualification without a course and some with one, in projects whose work needs them."""
    _qualified(person, project, now=now)
    _with_a_course(person, project, now=now)
    _passed_on(person, project, now=now)
    _to_try(person, project, now=now)


def _qualified(person: Person, project: Making, *, now: datetime) -> None:
    """A project whose work needs a qualification: Ola has it, Ivo works there without it, and Nora has none."""
    reefs = project("reefs", "Coral reefs", questions(4, start=90), now=now)
    person(reefs, "lotte", Role.LEAD)
    Worker(person(reefs, "ivo"), reefs).claim(now=now)
    about = "You get it in a **call of twenty minutes** with a lead.\n\n* Write to a lead to set a time."
    made = QualificationFactory(project=reefs, title="Reading tables", about=about, needed_for=["annotate"])
    GrantFactory(qualification=made, user=person(reefs, "ola"))
    _course(made, [person(reefs, name) for name in ("pia", "rui")], now=now)
    QualificationFactory(project=reefs, key="drawing", title="Drawing boxes")
    for size in SIZES:
        person(reefs, f"nora-{size}")


def _course(qualification: Qualification, people: list[User], *, now: datetime) -> None:
    """A course that one has passed and one has not, and a draft in which items are missing."""
    CourseVersionFactory(qualification=qualification, course=three_blocks(minutes=40, extension=10))
    for user, fail in zip(people, ((), ("background",)), strict=True):
        prepare(user, qualification, now=now)
        sit(user, qualification, fail=fail, now=now)
    draft = editing.edit(qualification, by=None, now=now)
    editing.remove(draft, "reading", "reading-5", edits=0, by=None, now=now)
    missing = pieces.with_piece(editing.read(draft), pieces.TUTORIAL, _item_of_another_project())
    editing.save(draft, missing, edits=1, by=None, now=now, what="item", title="The wreck")


def _item_of_another_project() -> RealItem:
    """An item of the work as a set-up file carries it into a project that has no such item."""
    said = StepAnswer(step="question", format="nq.question/1", answer={"verdict": "bad", "reasons": ["ambiguous"]})
    name, references = ItemName(kind="question", id="wreck-17"), (Reference(answers=(said,)),)
    about = {"title": "The wreck", "activity": "annotate", "item": name, "references": references}
    return RealItem(kind="item", key="wreck", explanations={"question": "It means **two** wrecks."}, **about)


def _with_a_course(person: Person, project: Making, *, now: datetime) -> None:
    """A project with a course of two blocks, the second of which leads into extra training, and a tutorial that ends
    on the real screen, as the first block begins there.
    """
    cliffs = project("cliffs", "White cliffs", questions(6, start=900), now=now)
    lead = person(cliffs, "lotte", Role.LEAD)
    ivo = Worker(person(cliffs, "ivo"), cliffs)
    rejected = [rejected_for_exams(ivo, by=lead, now=now) for _each in range(4)]
    why = {"question": "“Who” can be **any of three people** here: the question does not say when."}
    about: dict[str, Any] = {"concept": "about task", "explanations": why}
    worked = [real_item(each, f"screen-{n}", **about) for n, each in enumerate(rejected)]
    made = QualificationFactory(project=cliffs, title="Reading pages", needed_for=["annotate"])
    screen = ExamBlock(key="screen", title="The real screen", draw=1, mark="1/2", pool=tuple(worked[1:]))
    wanted = course(screen, block("background"), block("task", extra=True), minutes=30, extension=10)
    wanted = wanted.model_copy(update={"tutorial": (*wanted.tutorial, worked[0])})
    CourseVersionFactory(qualification=made, course=wanted)
    for size in SIZES:
        person(cliffs, f"cora-{size}")


def _passed_on(person: Person, project: Making, *, now: datetime) -> None:
    """A course that many have sat, one item of which is known; Amir may try again soon, and Nils may not."""
    forests = project("kelp-forests", "Kelp forests", questions(2, start=960), now=now)
    person(forests, "lotte", Role.LEAD)
    made = QualificationFactory(project=forests, title="Reading maps", needed_for=["annotate"])
    version = CourseVersionFactory(qualification=made, course=three_blocks(minutes=40, wait_hours=24))
    a_crowd_that_passed_an_item_on(version, first=now - timedelta(days=20))
    for name, failed in (("ada", 0), ("amir", 1), ("nils", 2)):
        user = person(forests, name)
        for ago in range(failed, 0, -1):
            at = now - timedelta(hours=25 * (ago - 1) + 1)
            prepare(user, made, now=at)
            sit(user, made, fail=("background", "task"), now=at)
        if not failed:
            prepare(user, made, now=now)
            sit(user, made, now=now)


def _to_try(person: Person, project: Making, *, now: datetime) -> None:
    """Items that are set aside for an expert, who has begun one, and a lead whose trials are not finished."""
    dunes = project("dunes", "Shifting dunes", questions(8, start=980), now=now)
    lead, expert = person(dunes, "tilda", Role.LEAD), person(dunes, "edda", Role.EXPERT)
    items = list(dunes.items.order_by("position")[:6])
    setting_aside.set_aside(items[:4], by=lead, reason="For the exam.", now=now)
    tries.begin_trial(items[0], "annotate", by=expert, now=now)
    for ago, item in enumerate(items[4:], start=1):
        tries.begin_trial(item, "annotate", by=lead, now=now - timedelta(hours=5 * ago))
    made = QualificationFactory(project=dunes, title="Reading sand", needed_for=["annotate"])
    version = CourseVersionFactory(qualification=made, course=three_blocks(minutes=40))
    sitting.issue_trial(lead, made, version, now=now)
