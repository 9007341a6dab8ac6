"""What the work screen says above an item of a course: which item of which part it is, and how much time is left."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from qualification.courses.content import Course
from qualification.models import Attempt, AttemptPurpose, Enrolment


@dataclass(frozen=True)
class CourseNotice:
    """Where one is in a course. `number` of `of`, from 1. `seconds`: the time left, and of the `whole`; None without
    a limit. `extension`: the minutes that can be added. Addresses are "" where there is nothing to do.
    """

    title: str
    number: int
    of: int
    back: str
    exam: bool = False
    trial: bool = False
    paid: bool = False
    seconds: int | None = None
    whole: int | None = None
    extension: int = 0
    extend_url: str = ""
    hand_in_url: str = ""


def exam_notice(attempt: Attempt, course: Course, place: int, *, now: datetime) -> CourseNotice:
    """At a place of the form of an attempt."""
    ends = attempt.ends_at
    return CourseNotice(
        title=course.block(attempt.form[place][0]).title,
        number=place + 1,
        of=len(attempt.form),
        back=reverse("exam", args=[attempt.uuid]),
        exam=True,
        trial=attempt.purpose == AttemptPurpose.TRIAL,
        paid=course.paid,
        seconds=None if ends is None else max(0, round((ends - now).total_seconds())),
        whole=None if ends is None else round((ends - attempt.issued_at).total_seconds()),
        extension=course.extension if ends and attempt.extended_at is None else 0,
        extend_url=reverse("extend_exam", args=[attempt.uuid]),
        hand_in_url=reverse("hand_in_exam", args=[attempt.uuid]),
    )


def tutorial_notice(enrolment: Enrolment, course: Course, key: str) -> CourseNotice:
    """At an item of the tutorial."""
    qualification = enrolment.course.qualification
    keys = [each.key for each in course.tutorial]
    return CourseNotice(
        title=qualification.title,
        number=keys.index(key) + 1,
        of=len(keys),
        back=reverse("course_tutorial", args=[qualification.project.slug, qualification.key, key]),
        paid=course.paid,
    )
