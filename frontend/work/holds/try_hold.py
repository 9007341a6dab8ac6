"""The hold of a try: work that no queue has given, for its own sake, which counts nowhere."""

from __future__ import annotations

import uuid as uuids
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from annotation import membership
from annotation.engine.committing import Committed
from annotation.engine.drafts import PageLoad
from annotation.engine.work import Hold, Work
from annotation.errors import AlreadyClosed
from annotation.models import Annotation, Draft, Project, Role, User
from annotation.models.case import FlagReason
from annotation.worktime.spans import BookedWork
from frontend.requests import AuthedRequest
from frontend.work.holds.any_hold import AnyHold
from qualification import tries
from qualification.models import Try
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
    def uuid(self) -> uuids.UUID:
        return self.held.uuid

    @property
    def person(self) -> User:
        return self.author

    @property
    def annotation(self) -> Annotation:
        return self.held.annotation

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
    def hides(self) -> bool:
        return False

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
        self,
        step: str,
        payload: dict[str, Any],
        *,
        key: uuids.UUID,
        seen: int,
        now: datetime,
        tab: PageLoad | None,
        left: dict[str, Any] | None,
    ) -> CommitOutcome:
        done = self._write(step, payload, key=key, seen=seen, now=now, tab=tab)
        return CommitOutcome(done.work, done.work.following, replayed=done.repeated)

    def _write(self, step: str, payload: dict[str, Any], *, now: datetime, **page: Any) -> Committed:
        """Write the answer, and what follows from it where the try belongs to something. `page`: key, seen and tab."""
        return tries.commit_try(self.held, step, payload, now=now, **page)

    def save_draft(
        self, step: str, data: dict[str, Any], *, tab: PageLoad, seq: int, seen: int, now: datetime
    ) -> Draft:
        return tries.save_try(self.held, step, data, tab=tab, seq=seq, seen=seen, now=now)

    def take_over(self, *, client: uuids.UUID, now: datetime) -> None:
        tries.take_over_try(self.held, client=client)

    def save_place(self, *, client: uuids.UUID, step: str, view: dict[str, Any], now: datetime) -> None:
        tries.leave_try(self.held, client=client, step=step, view=view, now=now)

    def renewed(self, *, now: datetime) -> datetime | None:
        return None

    def ends_at(self) -> datetime | None:
        return None

    def booked(self, work: Work, step: str) -> BookedWork | None:
        return None

    def report(self, *, reason: FlagReason, text: str, now: datetime) -> None:
        reached = self.work().steps
        where = {"activity": self.annotation.activity, "stage": reached[-1].stage if reached else ""}
        reports.report_item(self.annotation.item, by=self.person, reason=reason, text=text, now=now, **where)

    def hold_back(self, *, why: str, now: datetime) -> None:
        """Nothing: whoever is given the item finds the same."""

    def screen_fields(self, work: Work, step: str, *, now: datetime) -> dict[str, Any]:
        is_lead = Role.LEAD in membership.roles_of(self.person, self.project)
        return {"trial_of": self.begun_url, "is_reference": not is_lead}
