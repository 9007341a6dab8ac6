"""Whether the partners of shared work are still there, as polls and sockets of their pages and their answers tell.

Work whose people have all been away too long is ended: by a job, and by whoever finds nothing left in a lobby.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max, Q

from annotation import events, projects
from annotation.models import Event, Project, Response, User
from tasks.engine import assignments, clocks, leases, pokes, transitions
from tasks.engine.clocks import Clock
from tasks.engine.transactions import service
from tasks.models import Assignment, Ticket
from tasks.models.states import AssignmentState, PartnerState

SEEN_EVERY = timedelta(seconds=4.5)
"""A poll is written no more often than this: less than the 5 s between two polls, so that one that is early counts."""
UNSURE = timedelta(seconds=15)
"""After three polls that did not come, the others are told that the connection may be interrupted."""
LOST = timedelta(seconds=90)
"""After so long, the others may end the work or find somebody else (ParlAI waits about 80 s for a reconnection)."""
STOPPED = "stopped"
"""The reason recorded with the assignments of work that a flag has ended; the same for everybody."""
ALL_LOST = timedelta(minutes=10)
"""When everybody has been away for so long, the work ends (`end_abandoned`), unless the project keeps it longer
(`kept_minutes`)."""
OVER = {"partner_left": PartnerState.GONE, "all_lost": PartnerState.ALL_GONE, STOPPED: PartnerState.STOPPED}
"""What each reason recorded with the end of shared work makes of the partner."""
TOLD_FOR = timedelta(days=7)
"""For so long, a person is told on their home page that shared work ended while they were away."""
CALLED_BACK = timedelta(hours=1)
"""For so long, a person whose partner has left is offered their old place in line."""


@dataclass(frozen=True)
class Presence:
    """How long a partner has been away, not counting pauses, and their state.

    `signing_in`: their page is open, but their sign-in has ended.
    """

    state: PartnerState
    away: timedelta = timedelta()
    signing_in: bool = False


def note(held: Assignment, *, now: datetime) -> None:
    """The person's page has polled, so they are signed in."""
    if held.signing_in_at is not None or held.seen_at is None or now - held.seen_at >= SEEN_EVERY:
        held.seen_at, held.signing_in_at = now, None
        Assignment.objects.filter(pk=held.pk, state=AssignmentState.LEASED).update(seen_at=now, signing_in_at=None)


def note_signing_in(held: Assignment, *, now: datetime) -> None:
    """The person's page says that its sign-in has ended, which is no sign that they are here."""
    seldom = Q(signing_in_at=None) | Q(signing_in_at__lte=now - SEEN_EVERY)
    Assignment.objects.filter(seldom, pk=held.pk, state=AssignmentState.LEASED).update(signing_in_at=now)


def note_all(held: Collection[int], *, now: datetime) -> None:
    """The pages of these assignments (keys) are open, as their sockets tell: signed in or not, unlike a poll."""
    Assignment.objects.filter(pk__in=held, state=AssignmentState.LEASED).update(seen_at=now)


def of_all(held: Collection[int], *, now: datetime) -> dict[int, PartnerState]:
    """For each of these assignments (keys) that is still open, the state of its partners as `of_partners` has it.

    One query however many there are, and three more if somebody has not been heard of.
    """
    watched = Assignment.objects.filter(pk__in=held, state=AssignmentState.LEASED)
    together = Assignment.objects.filter(annotation__in=watched.values("annotation"), state=AssignmentState.LEASED)
    seats: dict[int, list[Assignment]] = {}
    for row in together.only("annotation", "annotator", "seen_at", "claimed_at"):
        seats.setdefault(row.annotation_id, []).append(row)
    rows = [row for each in seats.values() for row in each]
    seen = {row.pk: row.seen_at or row.claimed_at for row in rows}
    quiet = [row for row in rows if now - seen[row.pk] >= UNSURE]
    clocks: dict[int, Clock] = {}
    if quiet:
        said = Response.objects.filter(annotation__in={row.annotation_id for row in quiet})
        last = {each[:2]: each[2] for each in said.values_list("annotation", "author").annotate(Max("created_at"))}
        for row in quiet:
            seen[row.pk] = max(seen[row.pk], last.get((row.annotation_id, row.annotator_id), seen[row.pk]))
        clocks = _clocks(quiet, since=min(seen[row.pk] for row in quiet))
    found = {}
    for row in rows:
        others = [seen[other.pk] for other in seats[row.annotation_id] if other.pk != row.pk]
        if row.pk in held and others:
            found[row.pk] = _state(clocks.get(row.annotation_id, Clock()).passed(min(others), now))
    return found


def _clocks(rows: Collection[Assignment], *, since: datetime) -> dict[int, Clock]:
    """The clock of each of their annotations (keys)."""
    of = dict(Assignment.objects.filter(pk__in=[row.pk for row in rows]).values_list("annotation", "lease__project"))
    found = clocks.clocks(of.values(), since=since)
    return {annotation: found[project] for annotation, project in of.items()}


def of_partners(held: Assignment, *, now: datetime) -> Presence | None:
    """The presence of whoever has been away longest; None if the work is over for another reason, or has one seat."""
    if held.state != AssignmentState.LEASED:
        over = OVER.get(why_over(held))
        return Presence(over) if over else None
    partners = leases.leased_seats(held)[1:]
    if not partners:
        return None
    last = min(last_sign(row) for row in partners)
    signing_in = any(row.signing_in_at is not None and now - row.signing_in_at < UNSURE for row in partners)
    clock = clocks.clock(held.task.item.project_id, since=last) if now - last >= UNSURE else Clock()
    away = clock.passed(last, now)
    return Presence(_state(away), away, signing_in)


def _state(away: timedelta) -> PartnerState:
    if away >= UNSURE:
        return PartnerState.LOST if away >= LOST else PartnerState.UNSURE
    return PartnerState.HERE


def last_sign(row: Assignment) -> datetime:
    """The last poll, or the last answer (a page without scripts does not poll), or else the beginning."""
    said = Response.objects.filter(annotation=row.annotation_id, author=row.annotator_id).aggregate(
        at=Max("created_at")
    )["at"]
    return max(at for at in (row.seen_at, said, row.claimed_at) if at is not None)


def why_over(held: Assignment) -> str:
    """Why this assignment was returned, if not by its person alone: `partner_left`, `all_lost`, `stopped`; or ""."""
    if held.state != AssignmentState.RETURNED:
        return ""
    rows = Event.objects.filter(subject=events.name(held), kind=f"assignment.{AssignmentState.RETURNED}")
    reasons = {event.data.get("reason") for event in rows}
    return next((why for why in OVER if why in reasons), "")


def ended_while_away(person: User, *, now: datetime) -> list[Assignment]:
    """Shared work of the last seven days that ended while no page of this person's was open, oldest first.

    Not what they have followed by other work in its project, or by a visit to a lobby there: they know of it.
    """
    rows = Assignment.objects.filter(
        annotator=person,
        state__in=(AssignmentState.RETURNED, AssignmentState.SUBMITTED),
        closed_at__gt=now - TOLD_FOR,
    ).exclude(seat=pokes.ALONE)
    found = rows.select_related("task__item__project", "lease", "annotation").order_by("closed_at", "pk")
    return [
        row
        for row in found
        if _was_away(row) and (why_over(row) or assignments.ended_early(row)) and not _followed(row)
    ]


def _was_away(row: Assignment) -> bool:
    """Whether no page of the person's had been heard of for a while when this was closed."""
    return row.closed_at is not None and row.closed_at - last_sign(row) >= UNSURE


def _followed(row: Assignment) -> bool:
    later = Assignment.objects.filter(
        annotator=row.annotator_id, lease__project=row.lease.project_id, claimed_at__gte=row.closed_at
    )
    project, since = row.task.item.project_id, row.closed_at
    visits = Ticket.objects.filter(annotator=row.annotator_id, project=project, entered_at__gte=since)
    return later.exclude(pk=row.pk).exists() or visits.exists()


def end_abandoned(*, now: datetime, project: Project | None = None, activity: str | None = None) -> int:
    """End the shared work (of one activity, if given) that nobody has been at for ALL_LOST; returns how much."""
    ago = now - ALL_LOST
    held = Assignment.objects.filter(state=AssignmentState.LEASED, claimed_at__lte=ago).exclude(seat="one")
    held = held.filter(Q(seen_at=None) | Q(seen_at__lte=ago), annotation__completed_at=None)
    if project is not None:
        held = held.filter(task__queue__project=project, task__activity=activity)
    found = held.select_related("task__item__project", "annotation", "annotator", "lease__queue__project")
    first = {row.annotation_id: row for row in found.order_by("-pk")}
    return sum(_end(row, now=now) for row in first.values())


@service
def _end(held: Assignment, *, now: datetime) -> bool:
    """End it unless somebody has come back; what was said is kept, and the item is free for others."""
    assignments.lock(held)
    held.refresh_from_db(fields=["seen_at"])
    rows = leases.leased_seats(held) if held.state == AssignmentState.LEASED else []
    config = projects.activity_config(held.task.item.project, held.task.activity)
    kept = timedelta(minutes=config.kept_minutes)
    if not rows:
        return False
    last = max(last_sign(row) for row in rows)
    if clocks.clock(held.task.item.project_id, since=last).passed(last, now) < kept:
        return False
    assignments.finish_if_enough(held, now=now)
    for row in rows:
        row.annotation = held.annotation
        transitions.assignment(row, AssignmentState.RETURNED, by=None, now=now, reason="all_lost")
        leases.close_and_settle(row.lease, now=now)
    return True
