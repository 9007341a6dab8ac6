"""The hold of an assignment: work of a queue, under a lease."""

from __future__ import annotations

import uuid as uuids
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Unpack

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from annotation.engine.committing import AnswerSent
from annotation.engine.drafts import PageLoad
from annotation.engine.work import Hold, Work
from annotation.errors import AlreadyClosed, Refused
from annotation.models import Draft, Project, Purpose, User
from annotation.models.case import FlagReason
from annotation.worktime import spans
from frontend.errors import refused as refusal_page
from frontend.requests import AuthedRequest
from frontend.work import revoked, search, unsent
from frontend.work.held import block_parts, reopened_by_lead
from frontend.work.holds.any_hold import AnyHold
from frontend.work.messages import ENOUGH, FINISHED_TOGETHER, flash_once
from tasks import corrections
from tasks.engine import assignments, leases, submitting, tabs
from tasks.engine.submitting import CommitOutcome
from tasks.items import reports
from tasks.models import Assignment
from tasks.models.states import AssignmentState, TaskState
from tasks.pairs import presence

IN_HAND = (AssignmentState.LEASED, AssignmentState.EXPIRED)
"""States in which the material may still be shown: the work is open, or may be resumed."""


def in_hand(assignment: Assignment) -> bool:
    """Whether the work is open, may be resumed, or was committed in a block that is still open.

    Expired work can't be resumed once it was finished under a later lease, or its item withdrawn; what is still sent
    for it is kept.
    """
    if assignment.state == AssignmentState.EXPIRED:
        return assignment.annotation.completed_at is None and assignment.task.state != TaskState.CANCELLED
    return assignment.state in IN_HAND or assignments.in_open_block(assignment)


@dataclass(frozen=True)
class AssignmentHold(AnyHold):
    """An assignment that was loaded by `frontend.access.own_assignment`, or claimed."""

    assignment: Assignment

    abilities = frozenset({"renew", "skip", "unskip", "give_back", "report", "messages", "reconsider"})
    abilities |= {"partner", "flag", "chat", "socket"}
    searched = True

    @property
    def person(self) -> User:
        return self.assignment.annotator

    @property
    def project(self) -> Project:
        return self.assignment.task.item.project

    @property
    def traced(self) -> Assignment:
        return self.assignment

    @property
    def in_hand(self) -> bool:
        return in_hand(self.assignment)

    @property
    def is_sent(self) -> bool:
        return self.assignment.state == AssignmentState.SUBMITTED

    @property
    def state(self) -> str:
        return self.assignment.state

    @property
    def hides(self) -> bool:
        return revoked.hides(self.assignment)

    @property
    def end_url(self) -> str:
        return self._dispute_url()

    def work(self) -> Work:
        return assignments.work_of(self.assignment)

    def as_hold(self) -> Hold:
        return assignments.hold_of(self.assignment)

    def why_closed(self) -> AlreadyClosed:
        return assignments.why_closed(self.assignment)

    def instead(self, request: AuthedRequest, work: Work) -> HttpResponse | None:
        """Closed work leads home, or to what became of the partner, and revoked work gets 410."""
        if self.in_hand:
            lasts = self.assignment.state != AssignmentState.EXPIRED
            return None if lasts else unsent.page_of_expired(request, self.assignment, work)
        why = self.why_closed()
        if isinstance(why, revoked.AWAY):
            return refusal_page(request, why, status=410)
        if presence.why_over(self.assignment):
            return redirect("partner", self.uuid)
        if self.is_sent and len(work.activity.seats) > 1:
            flash_once(request, ENOUGH if assignments.ended_early(self.assignment) else FINISHED_TOGETHER)
        return redirect("home")

    def commit(
        self, step: str, payload: dict[str, Any], *, left: dict[str, Any] | None, **sent: Unpack[AnswerSent]
    ) -> CommitOutcome:
        return submitting.commit(self.assignment, step, payload, by=self.person, left=left, **sent)

    def save_draft(
        self, step: str, data: dict[str, Any], *, tab: PageLoad, seq: int, seen: int, now: datetime
    ) -> Draft:
        return submitting.save_draft(self.assignment, step, data, by=self.person, tab=tab, seq=seq, seen=seen, now=now)

    def take_over(self, *, client: uuids.UUID, now: datetime) -> None:
        tabs.take_over(self.assignment, client=client, by=self.person, now=now)

    def save_place(self, *, client: uuids.UUID, step: str, view: dict[str, Any], now: datetime) -> None:
        tabs.save_place(self.assignment, client=client, step=step, view=view, now=now)

    def renewed(self, *, now: datetime) -> datetime | None:
        return leases.renew(self.assignment.lease, now=now)

    def ends_at(self) -> datetime | None:
        lease = self.assignment.lease
        return lease.expires_at if lease.closed_at is None else None

    def booked(self, work: Work, step: str) -> spans.BookedWork | None:
        return spans.place_of(work, self.annotation, step, since=self.assignment.claimed_at)

    def report(self, *, reason: FlagReason, text: str, now: datetime) -> None:
        reports.report(self.assignment, by=self.person, reason=reason, text=text, now=now)

    def hold_back(self, *, why: str, now: datetime) -> None:
        reports.hold_back(self.assignment, why=why, now=now)

    def query(self) -> str:
        opening = search.opening_of(self.assignment)
        return opening.data["query"] if opening else ""

    def results_url(self) -> str:
        return search.results_url(self.assignment)

    def may_replace(self, work: Work, step: str, *, now: datetime) -> bool:
        return corrections.may_replace(self.assignment, work, step, now=now)

    def replace(
        self, step: str, payload: dict[str, Any], *, key: uuids.UUID, seen: int, now: datetime
    ) -> CommitOutcome:
        return corrections.replace(self.assignment, step, payload, by=self.person, key=key, seen=seen, now=now)

    def may_stop(self) -> bool:
        return not assignments.next_in_block(self.assignment)

    def way_on(self) -> tuple[str, str]:
        way = revoked.way_on(self.assignment)
        return way.next_url, way.next_by

    def away(self, request: AuthedRequest, refused: Exception) -> revoked.Away | None:
        return revoked.away_of(request, refused, self.assignment) if isinstance(refused, Refused) else None

    def screen_fields(self, work: Work, step: str, *, now: datetime) -> dict[str, Any]:
        held = work.activity.block
        return {
            "block": block_parts(self.assignment, work) if held else (),
            "block_ends": self.assignment.lease.expires_at if held else None,
            "reopened": reopened_by_lead(self.assignment),
            "dispute_url": self._dispute_url(),
        }

    def _dispute_url(self) -> str:
        """The dispute to which an expert writes an answer of their own."""
        if self.annotation.purpose != Purpose.REFERENCE:
            return ""
        task = self.assignment.task
        return reverse("dispute", args=[self.project.slug, task.activity, task.item_id])
