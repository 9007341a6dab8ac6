"""The holds of tries, which no queue has given: for their own sake, or as items of an exam or a tutorial."""

from __future__ import annotations

import uuid as uuids
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Unpack

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from annotation import clock, membership
from annotation.engine.committing import AnswerSent, Committed
from annotation.engine.drafts import PageLoad
from annotation.engine.work import Hold, Work
from annotation.errors import AlreadyClosed
from annotation.models import Draft, Project, Role, User
from annotation.models.case import FlagReason
from annotation.worktime import spans
from frontend.courses.notices import CourseNotice, exam_notice, tutorial_notice
from frontend.requests import AuthedRequest
from frontend.work import page_time
from frontend.work.holds.any_hold import AnyHold
from qualification import tries
from qualification.courses import editing, sitting, working
from qualification.courses.content import Course
from qualification.models import Attempt, AttemptPurpose, CourseVersion, Enrolment, Try
from tasks.engine.submitting import CommitOutcome
from tasks.items import reports


@dataclass(frozen=True)
class TryHold(AnyHold):
    """A try that was loaded with its annotation, item and project. It has no end, and its time is not counted."""

    held: Try
    author: User

    abilities = frozenset({"report"})
    searched = False

    @property
    def person(self) -> User:
        return self.author

    @property
    def project(self) -> Project:
        return self.annotation.item.project

    @property
    def traced(self) -> Try:
        return self.held

    @property
    def in_hand(self) -> bool:
        return self.annotation.completed_at is None

    @property
    def is_sent(self) -> bool:
        return not self.in_hand

    @property
    def state(self) -> str:
        return "open" if self.in_hand else "finished"

    @property
    def end_url(self) -> str:
        """Once it is finished, the page that says what became of it; until then, where it was begun."""
        at = [self.project.slug, self.annotation.item_id]
        return self.begun_url if self.in_hand else reverse("tried", args=[*at, self.uuid])

    @property
    def begun_url(self) -> str:
        """The page of the item; for an expert, who has none, that of the references to write."""
        if Role.LEAD in membership.roles_of(self.person, self.project):
            return reverse("item", args=[self.project.slug, self.annotation.item_id])
        return reverse("references", args=[self.project.slug])

    def work(self) -> Work:
        return tries.work_of_try(self.held)

    def as_hold(self) -> Hold:
        return tries.hold_of_try(self.held)

    def why_closed(self) -> AlreadyClosed:
        return AlreadyClosed()

    def instead(self, request: AuthedRequest, work: Work) -> HttpResponse | None:
        return None if self.in_hand else redirect(self.end_url)

    def commit(
        self, step: str, payload: dict[str, Any], *, left: dict[str, Any] | None, **sent: Unpack[AnswerSent]
    ) -> CommitOutcome:
        done = self._write(step, payload, **sent)
        return CommitOutcome(done.work, done.work.following, replayed=done.repeated)

    def _write(self, step: str, payload: dict[str, Any], **sent: Unpack[AnswerSent]) -> Committed:
        """Write the answer, and what follows from it where the try belongs to something."""
        return tries.commit_try(self.held, step, payload, **sent)

    def save_draft(
        self, step: str, data: dict[str, Any], *, tab: PageLoad, seq: int, seen: int, now: datetime
    ) -> Draft:
        return tries.save_try(self.held, step, data, tab=tab, seq=seq, seen=seen, now=now)

    def take_over(self, *, client: uuids.UUID, now: datetime) -> None:
        tries.take_over_try(self.held, client=client)

    def save_place(self, *, client: uuids.UUID, step: str, view: dict[str, Any], now: datetime) -> None:
        tries.leave_try(self.held, client=client, step=step, view=view, now=now)

    def report(self, *, reason: FlagReason, text: str, now: datetime) -> None:
        reached = self.work().steps
        where = {"activity": self.annotation.activity, "stage": reached[-1].stage if reached else ""}
        reports.report_item(self.annotation.item, by=self.person, reason=reason, text=text, now=now, **where)

    def hold_back(self, *, why: str, now: datetime) -> None:
        """Nothing: whoever is given the item finds the same."""

    def screen_fields(self, work: Work, step: str, *, now: datetime) -> dict[str, Any]:
        is_lead = Role.LEAD in membership.roles_of(self.person, self.project)
        return {"trial_of": self.begun_url, "is_reference": not is_lead}


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

    def _write(self, step: str, payload: dict[str, Any], **sent: Unpack[AnswerSent]) -> Committed:
        sitting.end_if_over(self.sat, now=sent["now"])
        return working.commit_in_exam(self.held, step, payload, **sent)

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

    def _write(self, step: str, payload: dict[str, Any], **sent: Unpack[AnswerSent]) -> Committed:
        return working.commit_in_tutorial(self.held, step, payload, **sent)

    def notice(self, *, now: datetime) -> CourseNotice:
        return tutorial_notice(self.taken, self.course, self.held.course_item)
