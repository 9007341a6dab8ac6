"""A course as its candidate sees it: the steps, the blocks with their points, and what comes next, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from annotation import clock, registry
from annotation.models import User
from frontend.courses.notices import exam_notice
from frontend.markdown import document
from qualification import granting
from qualification.courses import standing
from qualification.courses.content import Course
from qualification.courses.grading import BlockResult
from qualification.courses.standing import CourseStanding, NextStep
from qualification.marks import BlockPoints
from qualification.models import Attempt, AttemptPurpose, AttemptState, GrantState, Outcome, Qualification

HEADINGS: dict[str, Any] = {
    Outcome.ADMITTED: _("You have passed"),
    Outcome.EXTRA_TRAINING: _("Almost: one part needs another look"),
    Outcome.AGAIN: _("Not passed yet"),
    Outcome.NOT_ADMITTED: _("Not passed"),
}
"""What a page about an attempt says, by its outcome."""


@dataclass(frozen=True)
class BlockRow:
    """A block of an exam: points as text, of how many, the points needed; shares of 100 for the bar; None without one.

    `state`: `passed`, `failed`, `kept` (passed in an earlier attempt) or `ahead`.
    """

    title: str
    about: str
    state: str
    points: str = ""
    of: int = 0
    needed: str = ""
    width: int = 0
    at: int = 0


@dataclass(frozen=True)
class CourseStep:
    """One step of the course: its title, what it is, its state (`done`, `now`, `ahead`), and how to take it.

    `url` with `posts`: the button sends a form there; without: it is a link.
    """

    title: str
    about: str
    state: str
    url: str = ""
    button: str = ""
    posts: bool = False


def points_for_people(points: BlockPoints) -> str:
    """Points as people read them: at most two decimals, rounded down, without zeros at the end."""
    found = points.rounded_down(2)
    return number_format(found.normalize() if found % 1 else int(found))


def block_rows(course: Course, attempt: Attempt | None, passed: frozenset[str] = frozenset()) -> list[BlockRow]:
    """The blocks of a course with their results in an attempt; `passed`: those that were passed before."""
    results = {each["block"]: BlockResult.read(each) for each in (attempt.blocks if attempt else ())}
    return [_row(block, results.get(block.key), block.key in passed) for block in course.blocks]


def _row(block: Any, result: BlockResult | None, kept: bool) -> BlockRow:
    if result is None:
        return BlockRow(block.title, block.about, "kept" if kept else "ahead")
    return BlockRow(
        block.title,
        block.about,
        "passed" if result.passed else "failed",
        points_for_people(result),
        result.of,
        points_for_people(BlockPoints(result.needed, result.of)),
        round(100 * result.points / result.of),
        round(100 * result.needed / result.of),
    )


def work_of(user: User, qualification: Qualification) -> list[tuple[str, str]]:
    """The activities that need the qualification: title, and where the person may begin one."""
    known = registry.get(qualification.project.protocol)
    keys = granting.required_by(qualification)
    return [(gettext(known.activity(key).title), key) for key in keys]


def steps_of(stands: CourseStanding, qualification: Qualification) -> list[CourseStep]:
    """The steps, those that are done, that which is next, and those after it."""
    place = [qualification.project.slug, qualification.key]
    done = {
        NextStep.BEGIN: 0, NextStep.READ: 0, NextStep.TUTORIAL: 1,
    }.get(stands.next, 2)  # fmt: skip
    steps = [_guidelines_step(stands, place, done)]
    if stands.course.tutorial:
        steps.append(_tutorial_step(stands, place, done))
    steps.append(_exam_step(stands, place, done))
    return steps


def _guidelines_step(stands: CourseStanding, place: list[str], done: int) -> CourseStep:
    begins = stands.next == NextStep.BEGIN
    return CourseStep(
        gettext("Guidelines"),
        gettext("What the work is, and how it is done well."),
        "done" if done > 0 else "now",
        reverse("begin_course" if begins else "course_guidelines", args=place),
        gettext("Begin") if begins else gettext("Read") if not done else gettext("Read again"),
        posts=begins,
    )


def _tutorial_step(stands: CourseStanding, place: list[str], done: int) -> CourseStep:
    n = len(stands.course.tutorial)
    left = len(stands.to_do) if stands.next in (NextStep.TUTORIAL, NextStep.TRAINING) else 0
    about = ngettext(
        "%(n)s worked item, with explanations; nothing counts here.",
        "%(n)s worked items, with explanations; nothing counts here.",
        n,
    ) % {"n": n}
    state = "now" if left else "done" if done > 1 else "ahead"
    first = stands.to_do[0].key if left else stands.course.tutorial[0].key
    if stands.next == NextStep.TRAINING:
        about = ngettext(
            "%(n)s worked item about what failed, then the exam.",
            "%(n)s worked items about what failed, then the exam.",
            left,
        ) % {"n": left}
    begun = 0 < left < n
    url = reverse("course_tutorial", args=[*place, first]) if state != "ahead" else ""
    button = gettext("Go on") if begun else gettext("Begin") if left else gettext("Look again")
    return CourseStep(gettext("Tutorial") if stands.next != NextStep.TRAINING else gettext("Extra training"),
                      about, state, url, button)  # fmt: skip


def _exam_step(stands: CourseStanding, place: list[str], done: int) -> CourseStep:
    about = exam_in_words(stands)
    if stands.open is not None:
        return CourseStep(gettext("Exam"), about, "now", reverse("exam", args=[stands.open.uuid]), gettext("Go on"))
    if stands.next == NextStep.EXAM:
        return CourseStep(
            gettext("Exam"), about, "now", reverse("begin_exam", args=place), gettext("Begin the exam"), posts=True
        )
    over = stands.sat is not None and stands.next == NextStep.NONE
    return CourseStep(gettext("Exam"), about, "done" if over else "ahead")


def exam_in_words(stands: CourseStanding) -> str:
    """How many items, how long, whether it is paid, and how many attempts are left."""
    course = stands.course
    n = sum(course.block(key).draw for key in stands.to_sit)
    words = [ngettext("%(n)s item", "%(n)s items", n) % {"n": n}]
    if course.minutes:
        words.append(ngettext("%(n)s minute", "%(n)s minutes", course.minutes) % {"n": course.minutes})
    else:
        words.append(gettext("no time limit"))
    words.append(gettext("paid") if course.paid else gettext("not paid"))
    left = stands.left + (stands.open is not None)
    if stands.next != NextStep.NONE:
        words.append(ngettext("%(n)s attempt left", "%(n)s attempts left", left) % {"n": left})
    return " · ".join(words)


def concepts_to_explain(stands: CourseStanding) -> list[tuple[str, Any]]:
    """After the last attempt: what the tutorial says about each concept that failed."""
    sat = stands.sat
    if sat is None or stands.left or sat.outcome != Outcome.NOT_ADMITTED:
        return []
    return [
        (item.concept, document(item.note).html)
        for item in standing.training_items(stands.course, sat)
        if item.concept and item.note
    ]


def attempt_page(attempt: Attempt, course: Course, *, answered: int) -> dict[str, Any]:
    """What the page of an open attempt shows around its item."""
    place = answered
    block = attempt.form[place][0]
    keys = list(dict.fromkeys(key for key, _item in attempt.form))
    return {
        "attempt": attempt,
        "place": place,
        "number": place + 1,
        "of": len(attempt.form),
        "parts": _parts(course, keys, keys.index(block)),
        "block": course.block(block),
        "timed": exam_notice(attempt, course, place, now=clock.now()),
        "paid": course.paid,
        "trial": attempt.purpose == AttemptPurpose.TRIAL,
    }


def _parts(course: Course, keys: Sequence[str], now: int) -> list[tuple[str, str]]:
    return [
        (course.block(key).title, "done" if n < now else "now" if n == now else "ahead") for n, key in enumerate(keys)
    ]


def took(attempt: Attempt) -> timedelta | None:
    """How long an attempt took."""
    return attempt.finished_at - attempt.issued_at if attempt.finished_at else None


def course_page(user: User, qualification: Qualification, *, now: datetime) -> dict[str, Any] | None:
    """All that the page of a course shows; None where there is nothing to take or to look at."""
    stands = standing.of_person(user, qualification, now=now)
    if stands is None:
        return None
    sat = stands.sat
    grant = stands.grant if stands.grant is not None and stands.grant.state == GrantState.ACTIVE else None
    return {
        "project": qualification.project,
        "qualification": qualification,
        "about": document(qualification.about).html,
        "stands": stands,
        "next": stands.next.value,
        "steps": steps_of(stands, qualification),
        "sat": sat,
        "heading": HEADINGS[sat.outcome] if sat is not None else "",
        "blocks": block_rows(stands.course, sat, stands.passed),
        "took": took(sat) if sat is not None else None,
        "granted": grant,
        "suspended": stands.grant is not None and stands.grant.state == GrantState.SUSPENDED,
        "explained": concepts_to_explain(stands),
        "work": work_of(user, qualification) if grant else [],
        "expired": sat is not None and sat.state == AttemptState.EXPIRED,
    }
