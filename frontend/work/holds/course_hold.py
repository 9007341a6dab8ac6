"""The holds of items of an exam or a tutorial that are worked on in the real work screen."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.urls import reverse

from annotation import clock
from annotation.engine.committing import Committed
from annotation.engine.drafts import PageLoad
from annotation.engine.work import Work
from annotation.errors import AlreadyClosed
from annotation.models import Draft
from annotation.worktime import spans
from frontend.courses.notices import CourseNotice, exam_notice, tutorial_notice
from frontend.work import page_time
from frontend.work.holds.try_hold import TryHold
from qualification.courses import editing, sitting, working
from qualification.courses.content import Course
from qualification.models import Attempt, AttemptPurpose, CourseVersion, Enrolment


class CourseHold(TryHold):
    """A try that belongs to a course: its time is booked on the course, and its screen says where one is."""

    time_kind = spans.COURSE

    @property
    def version(self) -> CourseVersion:
        """The version of the course."""
        raise NotImplementedError

    @cached_property
    def course(self) -> Course:
        """What the course consists of."""
        return editing.read(self.version)

    def booked(self, work: Work, step: str) -> spans.BookedWork | None:
        if not self.course.paid:
            return None
        since = self.annotation.opened_at
        return spans.BookedWork(self.project.pk, None, self.time_kind, since, lambda: page_time.BY_THE_CLOCK)

    def notice(self, *, now: datetime) -> CourseNotice:
        """What the screen says above the work."""
        raise NotImplementedError

    def screen_fields(self, work: Work, step: str, *, now: datetime) -> dict[str, Any]:
        return {"in_course": self.notice(now=now)}


@dataclass(frozen=True)
class ExamHold(CourseHold):
    """A place of the form of an attempt, which has the only clock."""

    sat: Attempt

    time_kind = spans.EXAM

    @property
    def version(self) -> CourseVersion:
        return self.sat.course

    @property
    def in_hand(self) -> bool:
        over = sitting.is_closed(self.sat, clock.now()) or sitting.is_outdated(self.sat)
        return self.annotation.completed_at is None and not over

    @property
    def is_sent(self) -> bool:
        return self.annotation.completed_at is not None

    @property
    def end_url(self) -> str:
        return reverse("exam", args=[self.sat.uuid])

    def why_closed(self) -> AlreadyClosed:
        return AlreadyClosed() if self.is_sent else sitting.ExamOver()

    def _write(self, step: str, payload: dict[str, Any], *, now: datetime, **page: Any) -> Committed:
        sitting.end_if_over(self.sat, now=now)
        return working.commit_in_exam(self.held, step, payload, now=now, **page)

    def save_draft(
        self, step: str, data: dict[str, Any], *, tab: PageLoad, seq: int, seen: int, now: datetime
    ) -> Draft:
        return working.save_in_exam(self.held, step, data, tab=tab, seq=seq, seen=seen, now=now)

    def booked(self, work: Work, step: str) -> spans.BookedWork | None:
        return None if self.sat.purpose == AttemptPurpose.TRIAL else super().booked(work, step)

    def notice(self, *, now: datetime) -> CourseNotice:
        return exam_notice(self.sat, self.course, self.held.form_place or 0, now=now)


@dataclass(frozen=True)
class TutorialHold(CourseHold):
    """An item of a tutorial: marked as soon as it is finished."""

    taken: Enrolment

    @property
    def version(self) -> CourseVersion:
        return self.taken.course

    @property
    def end_url(self) -> str:
        qualification = self.version.qualification
        return reverse("course_tutorial", args=[self.project.slug, qualification.key, self.held.course_item])

    def _write(self, step: str, payload: dict[str, Any], *, now: datetime, **page: Any) -> Committed:
        return working.commit_in_tutorial(self.held, step, payload, now=now, **page)

    def notice(self, *, now: datetime) -> CourseNotice:
        return tutorial_notice(self.taken, self.course, self.held.course_item)
