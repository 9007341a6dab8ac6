"""Exams on the real work screen for tests: a course with an item of the work, and somebody at it."""

from __future__ import annotations

from contextlib import contextmanager
from random import Random
from typing import Any

import orjson
import pytest
from django.urls import resolve, reverse

from annotation import clock, randomness, registry
from annotation.models import Annotation, Item, Project, User
from frontend.bots.bot import Bot
from qualification.courses import editing, real_items
from qualification.courses.content import Course, CourseItem, ExamBlock
from qualification.courses.real_items import RealItem
from qualification.models import Qualification
from tasks.items import setting_aside
from tests.factories.qualification import CourseVersionFactory, QualificationFactory
from tests.frontend.leads.items.test_trying import ALONE, browser, opened, played, try_it
from tests.people import NOON
from tests.qualification.courses.building import seed_that_draws

CLIENT = randomness.handle()
EXAMINABLE = [each for each in ALONE if registry.get(each[0]).activity(each[1]).can_be_examined]
"""The protocol and the activity of everything that an exam can ask."""


def tried(lena: User, item: Item, activity: str, seed: int = 7) -> Annotation:
    """What a lead answers who tries the item on the real screen."""
    lead = browser(lena)
    page = try_it(lead, item, activity)
    played(lena, page, Random(seed))
    rows = Annotation.with_trials.select_related("item__project", "item__root")
    return rows.get(held_try__uuid=resolve(page).kwargs["uuid"])


def with_reference(protocol: str, activity: str) -> tuple[Project, User, Annotation]:
    made, lena = opened(protocol, activity)
    kind = registry.get(protocol).activity(activity).kind
    return made, lena, tried(lena, made.items.filter(kind=kind).last(), activity)


def examined(made: Project, *items: CourseItem, lead: User, **rules: Any) -> Qualification:
    """A qualification whose exam asks these items, one in each attempt, once they are set aside."""
    names = {each.item.id for each in items if isinstance(each, RealItem)}
    names |= {each.item.id for each in rules.get("tutorial", ()) if isinstance(each, RealItem)}
    rows = list(made.items.filter(external_id__in=names))
    setting_aside.set_aside(rows, by=lead, reason="For the exam.", now=NOON)
    row = QualificationFactory(project=made)
    block = ExamBlock(key="task", title="The task", draw=1, mark="1", pool=items)
    CourseVersionFactory(qualification=row, course=Course(blocks=(block,), attempts=1, **rules))
    return row


@contextmanager
def drawing_the_first(row: Qualification):
    """Attempts that begin meanwhile ask the first item of the pool."""
    pool = editing.read(row.course_versions.get()).blocks[0].pool
    seed = seed_that_draws(pool[0].key, block="task", pool=pool)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(randomness, "seed", lambda: seed)
        yield


def begun(person: User, row: Qualification):
    """Somebody's browser and the address of their exam, which asks the first item of the pool."""
    candidate, place = browser(person), [row.project.slug, row.key]
    candidate.post(reverse("begin_course", args=place))
    candidate.post(reverse("course_guidelines", args=place))
    with drawing_the_first(row):
        return candidate, candidate.post(reverse("begin_exam", args=place))["Location"]


def agreeing(person: User, reference: Annotation):
    """A bot that answers as the reference does."""
    said = {one.step: one.answer for one in real_items.reference_of(reference).answers}

    def think(sheet, where, rng):
        step = where.split()[-1] if where.split()[-1] in said else sheet.stage
        return said[step]

    return Bot(person, Random(1), think=think)


def answered(bot: Bot, page: str) -> str:
    """Answer to the end; where the last answer leads."""
    while True:
        address, fields = bot.answered(page)
        reply = bot.client.post(address, fields)
        assert reply.status_code == 302, reply.content
        if reply["Location"] != page:
            return reply["Location"]


def draft_of(page: str, verdict: str, seq: int = 1) -> tuple[str, dict[str, Any]]:
    """How a page saves what was chosen in the first stage: the address and the fields."""
    uuid = resolve(page).kwargs["uuid"]
    data = orjson.dumps({"verdict": verdict, "reasons": ["ambiguous"]}).decode()
    fields = {"data": data, "client": str(CLIENT), "seq": seq, "seen": 0, "after": "", "base": 0}
    return reverse("draft", args=[uuid, "question"]), fields


def at(monkeypatch, when):
    monkeypatch.setattr(clock, "now", lambda: when)
