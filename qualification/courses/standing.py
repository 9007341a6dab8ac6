"""Where somebody stands in a course: what they have done, and what comes next. Read only."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction

from annotation.models import User
from qualification.courses import editing, grading
from qualification.courses.content import Course, CourseItem
from qualification.courses.grading import BlockResult
from qualification.models import (
    Attempt,
    AttemptPurpose,
    AttemptState,
    CourseVersion,
    Enrolment,
    Grant,
    Outcome,
    Qualification,
    TutorialAnswer,
)


class NextStep(enum.Enum):
    """What somebody does next in a course."""

    BEGIN = "begin"
    READ = "read"
    TUTORIAL = "tutorial"
    TRAINING = "training"
    EXAM = "exam"
    GO_ON = "go_on"
    """An attempt is open."""
    WAIT = "wait"
    NONE = "none"
    """Admitted, not admitted, or a lead has decided."""


@dataclass(frozen=True)
class CourseStanding:
    """Where somebody stands.

    `course`: what they have begun, or would begin. `attempts`: those that count, the first one first. `sat`: the last
    of them that is over. `passed`: keys of blocks that are passed and stay so. `to_sit`: keys of the blocks of the next
    form. `wait_until`: when the next attempt may begin, if that is later. `to_do`: items of the tutorial to be answered
    before the exam. `grant`: the last grant, whatever became of it.
    """

    version: CourseVersion
    course: Course
    enrolment: Enrolment | None
    attempts: tuple[Attempt, ...]
    passed: frozenset[str]
    to_do: tuple[CourseItem, ...]
    wait_until: datetime | None
    grant: Grant | None
    next: NextStep

    @property
    def sat(self) -> Attempt | None:
        """The last attempt that is over."""
        return next((row for row in reversed(self.attempts) if row.state != AttemptState.OPEN), None)

    @property
    def open(self) -> Attempt | None:
        """The attempt that is going on."""
        return next((row for row in self.attempts if row.state == AttemptState.OPEN), None)

    @property
    def left(self) -> int:
        """How many attempts are left."""
        return max(0, self.course.attempts - len(self.attempts))

    @property
    def to_sit(self) -> tuple[str, ...]:
        """The blocks of the next form: those that are not passed yet."""
        return tuple(block.key for block in self.course.blocks if block.key not in self.passed)


def of_person(user: User, qualification: Qualification, *, now: datetime) -> CourseStanding | None:
    """Where the person stands; None where there is no course that they have begun or could begin."""
    rows = Enrolment.objects.filter(user=user, course__qualification=qualification).select_related("course")
    enrolment = rows.order_by("-begun_at", "-pk").first()
    version = enrolment.course if enrolment else editing.published(qualification)
    if version is None:
        return None
    course = editing.read(version)
    attempts = counting(user, qualification)
    grant = Grant.objects.filter(user=user, qualification=qualification).order_by("-pk").first()
    return _standing(version, course, enrolment, attempts, grant, now)


def counting(user: User, qualification: Qualification) -> tuple[Attempt, ...]:
    """The person's attempts at the exam that count, the first one first."""
    rows = Attempt.objects.filter(user=user, qualification=qualification, purpose=AttemptPurpose.EXAM, voided_at=None)
    return tuple(rows.order_by("n"))


def _standing(
    version: CourseVersion,
    course: Course,
    enrolment: Enrolment | None,
    attempts: tuple[Attempt, ...],
    grant: Grant | None,
    now: datetime,
) -> CourseStanding:
    passed = passed_blocks([row for row in attempts if row.course_id == version.pk])
    last = next((row for row in reversed(attempts) if row.state != AttemptState.OPEN), None)
    training = last is not None and last.outcome == Outcome.EXTRA_TRAINING
    to_do = _to_do(course, enrolment, last if training else None)
    wait_until = _wait_until(course, last, now)
    stands = CourseStanding(version, course, enrolment, attempts, passed, to_do, wait_until, grant, NextStep.NONE)
    step = _next_step(stands, training=training)
    return CourseStanding(version, course, enrolment, attempts, passed, to_do, wait_until, grant, step)


def _next_step(stands: CourseStanding, *, training: bool) -> NextStep:
    if stands.open is not None:
        return NextStep.GO_ON
    sat = stands.sat
    decided = stands.grant is not None and not stands.grant.undone
    if decided or (sat is not None and sat.outcome in (Outcome.ADMITTED, Outcome.NOT_ADMITTED)) or not stands.left:
        return NextStep.NONE
    if stands.enrolment is None:
        return NextStep.BEGIN
    if stands.enrolment.read_at is None:
        return NextStep.READ
    if stands.to_do:
        return NextStep.TRAINING if training else NextStep.TUTORIAL
    return NextStep.WAIT if stands.wait_until else NextStep.EXAM


def passed_blocks(attempts: Sequence[Attempt]) -> frozenset[str]:
    """The blocks that are passed in one of these attempts."""
    read = [BlockResult.read(each) for row in attempts for each in row.blocks]
    return frozenset(each.block for each in read if each.passed)


def training_items(course: Course, attempt: Attempt) -> tuple[CourseItem, ...]:
    """The tutorial items about what failed in that attempt; the whole tutorial where none is about it."""
    points = [Fraction(each) for each in attempt.marks]
    missed = grading.failed_concepts(course, attempt.form, points)
    return tuple(item for item in course.tutorial if item.concept in missed) or course.tutorial


def _to_do(course: Course, enrolment: Enrolment | None, failed: Attempt | None) -> tuple[CourseItem, ...]:
    """What of the tutorial is left before the exam: once each, and of extra training once more since that attempt."""
    items = training_items(course, failed) if failed is not None else course.tutorial
    if enrolment is None or not items:
        return tuple(items)
    rows = TutorialAnswer.objects.filter(enrolment=enrolment)
    if failed is not None and failed.finished_at is not None:
        rows = rows.filter(at__gt=failed.finished_at)
    done = set(rows.values_list("item", flat=True))
    return tuple(item for item in items if item.key not in done)


def _wait_until(course: Course, last: Attempt | None, now: datetime) -> datetime | None:
    """Until when one waits between two attempts; at that moment one may begin."""
    if last is None or last.finished_at is None or last.outcome != Outcome.AGAIN:
        return None
    until = last.finished_at + timedelta(hours=course.wait_hours)
    return until if now < until else None
