"""The courses that a person can take or is taking, as home lists them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation.models import User
from frontend.my_time import worked_in
from qualification.courses import standing
from qualification.courses.standing import CourseStanding, NextStep
from qualification.models import Qualification

WORDS: dict[NextStep, Any] = {
    NextStep.BEGIN: _("Not begun"),
    NextStep.READ: _("Next: the guidelines"),
    NextStep.TUTORIAL: _("Next: the tutorial"),
    NextStep.TRAINING: _("Next: extra training"),
    NextStep.EXAM: _("Next: the exam"),
    NextStep.GO_ON: _("An exam is going on"),
    NextStep.WAIT: _("Waiting for the next attempt"),
}
"""What comes next in a course."""


@dataclass(frozen=True)
class OfferedCourse:
    """One course: the address of its page, what comes next in words, whether an exam is open, and its end if any."""

    row: Qualification
    url: str
    words: Any
    is_open: bool
    ends_at: datetime | None
    next_at: datetime | None


def courses_for(user: User, *, now: datetime) -> list[OfferedCourse]:
    """Those in which something is left to do; one statement where there is none."""
    rows = Qualification.objects.select_related("project").filter(
        project__in=worked_in(user), course_versions__published_at__isnull=False
    )
    stands = [(row, standing.of_person(user, row, now=now)) for row in rows.distinct().order_by("title", "pk")]
    found = [_offered(row, each) for row, each in stands if each is not None and each.next != NextStep.NONE]
    return sorted(found, key=lambda each: not each.is_open)


def _offered(row: Qualification, stands: CourseStanding) -> OfferedCourse:
    address = reverse("course", args=[row.project.slug, row.key])
    opened = stands.open
    url = reverse("exam", args=[opened.uuid]) if opened else address
    ends_at = opened.ends_at if opened else None
    return OfferedCourse(row, url, WORDS[stands.next], opened is not None, ends_at, stands.wait_until)
