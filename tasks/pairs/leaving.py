"""Leave a partner by the button: who does so again within a day is asked why, and many times without a reason are a
case for a lead.

Only that counts: not a lost connection, time that ran out, a report, a flag, an end without a partner who is lost or
quiet, or work that counts as finished. A case has no effect by itself (ParlAI blocks such people).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from operator import or_

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation import events, membership
from annotation.documents.words import says_something
from annotation.engine import recording
from annotation.errors import NotEligible
from annotation.models import Case, CaseKind, CaseState, Event, Project, User
from tasks.engine import assignments, leases, skip_and_return
from tasks.engine.no_work import NoWork
from tasks.engine.transactions import service
from tasks.models import Assignment, Ticket
from tasks.models.states import IN_LOBBY, AssignmentState, PartnerState
from tasks.pairs import lobby, presence, turn_time

DAY = timedelta(hours=24)
MANY = 5
"""So many leaves without a reason within a day are a case."""
LEFT = "assignment.left"
"""The kind of the event of a leave, with the `reason` and the `text`."""


class LeaveReason(models.TextChoices):
    """Why somebody leaves a partner. NONE: they were asked and don't say; OTHER is a reason only with a text."""

    TIME = "time", _("I have to go")
    TECHNICAL = "broken", _("It doesn’t display properly")
    PARTNER = "partner", _("It doesn’t work with this partner")
    HARD = "hard", _("Too hard for me")
    TOPIC = "topic", _("Not my subject")
    LANGUAGE = "language", _("Not my language")
    SENSITIVE = "sensitive", _("I would rather not")
    OTHER = "other", _("Something else: in my words")
    NONE = "none", _("No reason")


WITHOUT_WORDS = frozenset(LeaveReason.values) - {LeaveReason.OTHER, LeaveReason.NONE}
"""Reasons that need no text."""


@dataclass(frozen=True)
class Leave:
    """One leave: when, from which item, and what the person said."""

    at: datetime
    item: int
    reason: str
    text: str

    @property
    def explained(self) -> bool:
        """Whether a reason was given."""
        return self.reason in WITHOUT_WORDS or says_something(self.text)


def why_end(held: Assignment, *, now: datetime) -> str:
    """Why this person may end work in progress without its partner: `partner_lost`, `partner_quiet`; otherwise ""."""
    found = presence.of_partners(held, now=now)
    if found is not None and found.state == PartnerState.LOST:
        return "partner_lost"
    turn = turn_time.turn_under_way(held, now=now)
    return "partner_quiet" if turn is not None and turn.state == "quiet" else ""


def is_left_behind(held: Assignment, *, now: datetime) -> bool:
    """Whether a partner who is there could not go on if this person left now."""
    if len(assignments.activity_of(held).seats) == 1 or held.state != AssignmentState.LEASED:
        return False
    return len(leases.leased_seats(held)) > 1 and not why_end(held, now=now) and not assignments.is_enough(held)


@contextmanager
def recorded(held: Assignment, *, by: User, reason: str, text: str, now: datetime) -> Iterator[None]:
    """Lock the person and then the work, which the block leaves; record that if a partner is left behind by it."""
    if len(assignments.activity_of(held).seats) == 1:
        yield
        return
    membership.lock_person(by, held.task.item.project)
    assignments.lock(held)
    behind = is_left_behind(held, now=now)
    yield
    if behind:
        _record(held, by=by, reason=reason, text=text, now=now)


def times_left(held: Assignment, *, now: datetime) -> int:
    """How often the person has left a partner in the project within a day, if they are to say why this time; else 0."""
    if not is_left_behind(held, now=now):
        return 0
    return len(leaves(held.annotator, held.task.item.project, since=now - DAY))


def leaves(person: User, project: Project, *, since: datetime, until: datetime | None = None) -> list[Leave]:
    """The person's leaves in the project after `since`, up to and including `until`, in order."""
    return leaves_of(project, [(person.pk, since, until)])[0]


def leaves_of(project: Project, wanted: Sequence[tuple[int, datetime, datetime | None]]) -> list[list[Leave]]:
    """The same of several people at once, each after and up to a time of their own; in the order they are asked for."""
    if not wanted:
        return []
    within = [
        Q(annotator=person, closed_at__gt=since) & (Q() if until is None else Q(closed_at__lte=until))
        for person, since, until in wanted
    ]
    rows = Assignment.objects.filter(reduce(or_, within), task__queue__project=project).select_related("task")
    held = {events.name(row): row for row in rows}
    found = [
        (held[one.subject], Leave(one.at, held[one.subject].task.item_id, one.data["reason"], one.data["text"]))
        for one in Event.objects.filter(kind=LEFT, subject__in=held).order_by("pk")
    ]
    return [
        [said for row, said in found if row.annotator_id == person and _is_within(row, since, until)]
        for person, since, until in wanted
    ]


def _is_within(row: Assignment, since: datetime, until: datetime | None) -> bool:
    return row.closed_at is not None and since < row.closed_at and (until is None or row.closed_at <= until)


def _record(held: Assignment, *, by: User, reason: str, text: str, now: datetime) -> None:
    """Record that this person has left a partner behind, and open a case if that makes too many without a reason.

    Leaves that a case was opened about don't count towards the next one.
    """
    said = Leave(now, held.task.item_id, reason, text)
    project = held.task.item.project
    cases = Case.objects.filter(kind=CaseKind.LEAVES, about=by, annotation__item__project=project)
    last = cases.order_by("-pk").first()
    since = max(now - DAY, last.at) if last else now - DAY
    unexplained = [one for one in (*leaves(by, project, since=since), said) if not one.explained]
    events.record(LEFT, held, by=by, now=now, reason=reason, text=text)
    is_open = last is not None and last.state == CaseState.OPEN
    if not said.explained and len(unexplained) >= MANY and not is_open:
        recording.open_case_of_leaves(held.annotation, about=by, now=now)


def label_of(reason: str) -> str:
    """A reason in words; one that no page offers, as it was sent."""
    return str(LeaveReason(reason).label) if reason in LeaveReason.values else reason


@service
def end(held: Assignment, *, by: User, now: datetime) -> None:
    """End work whose partner is lost or quiet: what was said is kept, and the item is free for others. Idempotent.

    NotEligible (`partner_is_here`) if the partner has come back in the meantime.
    """
    assignments.lock(held)
    if held.state != AssignmentState.LEASED:
        return
    reason = why_end(held, now=now)
    if not reason:
        raise NotEligible(reason="partner_is_here")
    skip_and_return.give_back_one(held, by=by, now=now, reason=reason, counts=True)


def why_not_find_another(held: Assignment, *, now: datetime) -> str | None:
    """Why this person may not go back to their old place in line, or None: `partner_is_here`, or `too_late`."""
    if held.state == AssignmentState.LEASED:
        return None if why_end(held, now=now) else "partner_is_here"
    found = presence.of_partners(held, now=now)
    if found is None or found.state == PartnerState.STOPPED or held.closed_at is None:
        return "too_late"
    if now - held.closed_at > presence.CALLED_BACK:
        return "too_late"
    return None


def find_another(held: Assignment, *, by: User, now: datetime) -> Ticket | NoWork:
    """Go back to the lobby, in the place in line from which the person was seated; ends the work if it has not ended.

    Whoever is back there already stays. NotEligible with the reason of `why_not_find_another`, or of the lobby.
    """
    project, activity = held.task.item.project, held.task.activity
    seated = Ticket.objects.filter(assignment=held).first()
    since = seated.in_line_since if seated else held.claimed_at
    refused = why_not_find_another(held, now=now)
    if refused:
        back = lobby.last_ticket(project, activity, by=by)
        if back is not None and back.state in IN_LOBBY and back.in_line_since == since:
            return back
        raise NotEligible(reason=refused)
    end(held, by=by, now=now)
    return lobby.enter(project, activity, by=by, now=now, since=since)
