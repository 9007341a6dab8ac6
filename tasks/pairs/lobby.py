"""The lobby of an activity: people wait for partners, are found for each other, say that they are here, and are seated.

Whoever touches the lobby (enters, polls, confirms, leaves) also makes the moves that are due for everybody in it, under
the lobby's lock. So no background job is needed, and nobody waits while a possible partner waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import Q

from annotation import events, randomness, registry
from annotation.errors import NotEligible, NotFound
from annotation.models import Project, User
from annotation.protocol import Activity
from tasks.engine import clocks, leases, queues, transitions
from tasks.engine.clocks import Clock
from tasks.engine.eligibility import lacks_qualification, refusal_for
from tasks.engine.no_work import NoWork, why_no_work
from tasks.engine.transactions import service
from tasks.models import Ticket
from tasks.models.states import IN_LOBBY, TicketState
from tasks.pairs import matching, presence

ABSENT = timedelta(seconds=30)
"""Somebody whose page has not polled for so long is no longer here."""
SILENT = timedelta(minutes=3)
"""Who waits without input for so long is asked whether they are still here."""
ANSWERED = timedelta(seconds=60)
"""How long they have to say so."""
SEEN_EVERY = timedelta(seconds=5)
"""A poll that changes nothing else is written no more often than this."""


def lobby_activity(project: Project, key: str) -> Activity:
    """The activity, if it has a lobby; otherwise NotFound."""
    found = next((each for each in registry.get(project.protocol).activities if each.key == key), None)
    if found is None or found.picks != "pair":
        raise NotFound(f"{project.slug} has no lobby for {key}.")
    return found


def last_ticket(project: Project, activity: str, *, by: User) -> Ticket | None:
    """The person's latest visit to this lobby, open or ended."""
    rows = Ticket.objects.filter(project=project, activity=activity, annotator=by)
    return rows.select_related("project", "annotator", "assignment").order_by("-pk").first()


def enter(
    project: Project, activity: str, *, by: User, now: datetime, since: datetime | None = None
) -> Ticket | NoWork:
    """Get in line, or come back to one's place in it; NoWork if there is nothing that this person could be given.

    `since`: the place in line of somebody whose partner was lost, which is before those who came later. A person is in
    one lobby at a time: entering another one leaves the first. NotEligible with the reasons of
    `matching.why_not_enter`.
    """
    wanted = lobby_activity(project, activity)
    refused = matching.why_not_enter(by, project, activity)
    if refused:
        raise refusal_for(refused)
    nothing = _why_nothing(project, wanted, by=by, now=now)
    if nothing is not None:
        return nothing
    elsewhere = Ticket.objects.filter(annotator=by, state__in=IN_LOBBY).exclude(project=project, activity=activity)
    for ticket in elsewhere.select_related("project"):
        leave(ticket, by=by, now=now, reason="elsewhere")
    return _get_in_line(project, wanted, by=by, now=now, since=since or now)


@service
def _get_in_line(project: Project, activity: Activity, *, by: User, now: datetime, since: datetime) -> Ticket:
    _lock(project)
    mine = Ticket.objects.filter(annotator=by, state__in=IN_LOBBY).first()
    if mine is None:
        refused = matching.why_not_enter(by, project, activity.key)
        if refused:
            raise refusal_for(refused)
        last = last_ticket(project, activity.key, by=by)
        mine = Ticket.objects.create(
            prefers=last.prefers if last else "",
            project=project,
            activity=activity.key,
            annotator=by,
            entered_at=now,
            in_line_since=since,
            seen_at=now,
            active_at=now,
        )
        events.record("ticket.entered", mine, by=by, now=now)
    elif (mine.project_id, mine.activity) != (project.pk, activity.key):
        raise NotEligible(reason="waits_elsewhere")
    Ticket.objects.filter(pk=mine.pk).update(seen_at=now)
    _advance(project, activity, now=now)
    return _read(mine)


def idle(ticket: Ticket, *, now: datetime, clock: Clock | None = None) -> timedelta:
    """How long the page of somebody in the lobby has had no input, not counting pauses (read if not given)."""
    since = _last_input(ticket)
    clock = clock or clocks.clock(ticket.project_id, since=since)
    return max(clock.passed(since, now), timedelta())


def _last_input(ticket: Ticket) -> datetime:
    return ticket.active_at or ticket.entered_at


def poll(ticket: Ticket, *, now: datetime, idle: timedelta | None = None) -> Ticket:
    """The page is still open: note that, make the moves that are due, and return the ticket as it now is.

    `idle`: for how long it has had no input, if it knows. Cheap where nothing is due: two reads, and a write every
    SEEN_EVERY. An input of somebody who had none for SILENT is written at once: others may be about to dismiss them.
    """
    if ticket.state not in IN_LOBBY or not _something_due(ticket, now=now, idle=idle):
        return ticket
    ticket = _touch(ticket, now=now, idle=idle)
    if ticket.state == TicketState.WAITING:
        activity = lobby_activity(ticket.project, ticket.activity)
        if lacks_qualification(ticket.annotator, ticket.project, activity.key):
            return leave(ticket, by=None, now=now, reason="not_eligible")
        if _why_nothing(ticket.project, activity, by=ticket.annotator, now=now) is not None:
            return leave(ticket, by=None, now=now, reason="nothing_left")
    return ticket


def _something_due(ticket: Ticket, *, now: datetime, idle: timedelta | None) -> bool:
    answers = idle is not None and idle < SILENT <= now - _last_input(ticket)
    overdue = Ticket.objects.filter(state=TicketState.OFFERED, offered_at__lte=now - matching.READY)
    here = overdue.filter(project=ticket.project_id, activity=ticket.activity)
    return answers or now - ticket.seen_at >= SEEN_EVERY or here.exists()


@service
def _touch(ticket: Ticket, *, now: datetime, idle: timedelta | None) -> Ticket:
    _lock(ticket.project)
    mine = Ticket.objects.filter(pk=ticket.pk, state__in=IN_LOBBY)
    mine.update(seen_at=now)
    if idle is not None:
        mine.filter(Q(active_at=None) | Q(active_at__lt=now - idle)).update(active_at=now - idle)
    _advance(ticket.project, lobby_activity(ticket.project, ticket.activity), now=now)
    return _read(ticket)


@service
def confirm(ticket: Ticket, *, by: User, now: datetime) -> Ticket:
    """Say "I'm here", in line or in the ready check; the last one to say it there has all of them seated. Idempotent.

    Too late, it changes nothing more: the offer is over, and the ticket says where the person is now.
    """
    _lock(ticket.project)
    activity = lobby_activity(ticket.project, ticket.activity)
    Ticket.objects.filter(pk=ticket.pk, state__in=IN_LOBBY).update(seen_at=now, active_at=now)
    matching.end_overdue(ticket.project, ticket.activity, now=now)
    mine = _read(ticket)
    if mine.state == TicketState.OFFERED and mine.confirmed_at is None:
        Ticket.objects.filter(pk=mine.pk).update(confirmed_at=now)
        events.record("ticket.confirmed", mine, by=by, now=now)
        group = matching.group_of(mine)
        if all(each.confirmed_at for each in group):
            _seat(ticket.project, activity, group, now=now)
    _advance(ticket.project, activity, now=now)
    return _read(ticket)


@service
def prefer(ticket: Ticket, seat: str, *, by: User, now: datetime) -> None:
    """Say which seat this person would rather have, "" for either; it stays so in later visits.

    It only decides where people have had the seats equally often (`matching.in_seats`). NotFound without such a seat.
    """
    if seat and seat not in lobby_activity(ticket.project, ticket.activity).seats:
        raise NotFound(f"{ticket.activity} has no seat {seat}.")
    if Ticket.objects.filter(pk=ticket.pk, state__in=IN_LOBBY).exclude(prefers=seat).update(prefers=seat):
        events.record("ticket.preferred", ticket, by=by, now=now, seat=seat)


@service
def leave(ticket: Ticket, *, by: User | None, now: datetime, reason: str = "button") -> Ticket:
    """Leave the lobby; whoever was found for this person is back in line, in their old place. Idempotent.

    `reason`: `button`, `alone`, `elsewhere`, or, where the person did not ask for it, `absent`, `silent`,
    `nothing_left`, `refusal_for`.
    """
    _lock(ticket.project)
    mine = _read(ticket)
    if mine.state not in IN_LOBBY:
        return mine
    _dismiss(mine, by=by, now=now, reason=reason, ended_at=now)
    _advance(ticket.project, lobby_activity(ticket.project, ticket.activity), now=now)
    return mine


def _why_nothing(project: Project, activity: Activity, *, by: User, now: datetime) -> NoWork | None:
    """Why there is nothing in the activity that this person may be given, or None; looks twice, as a claim does.

    Not inside a transaction: nobody may hold a lobby while waiting for the tasks of overdue leases.
    """
    seek = matching.seeker(project, activity, by=by, now=now)
    if seek is None:
        return NoWork("not_open")
    free = matching.free_for_all(project, seek.queues, [by], now=now)
    if free.exists():
        return None
    leases.expire_overdue(now=now, project=project, activity=activity.key)
    presence.end_abandoned(now=now, project=project, activity=activity.key)
    for queue in seek.queues:
        queues.fill(queue, now=now, at_most=queues.AT_MOST_IN_A_CLAIM)
    return None if free.all().exists() else why_no_work(seek)


def _lock(project: Project) -> None:
    """Lock the lobbies of the project, before any other lock; waiting there never blocks a row that refers to it."""
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)


def _read(ticket: Ticket) -> Ticket:
    return Ticket.objects.select_related("project", "annotator", "assignment").get(pk=ticket.pk)


def _in_lobby(project: Project, activity: str) -> list[Ticket]:
    """The open tickets, in line order."""
    rows = Ticket.objects.filter(project=project, activity=activity, state__in=IN_LOBBY)
    return list(rows.select_related("project", "annotator").order_by("in_line_since", "pk"))


def _advance(project: Project, activity: Activity, *, now: datetime) -> None:
    """Make the moves that are due: overdue offers end, who is absent or silent leaves, then new groups are found."""
    matching.end_overdue(project, activity.key, now=now)
    line = [ticket for ticket in _in_lobby(project, activity.key) if ticket.state == TicketState.WAITING]
    times = [at for ticket in line for at in (ticket.seen_at, _last_input(ticket))]
    clock = clocks.clock(project.pk, since=min(times, default=now))
    for ticket in line:
        if clock.passed(ticket.seen_at, now) >= ABSENT:
            _dismiss(ticket, by=None, now=now, reason="absent", ended_at=ticket.seen_at)
        elif idle(ticket, now=now, clock=clock) >= SILENT + ANSWERED:
            _dismiss(ticket, by=None, now=now, reason="silent", ended_at=now)
    while group := _next_group(project, activity, now=now):
        offer = randomness.handle()
        for ticket in group:
            transitions.ticket(ticket, TicketState.OFFERED, by=None, now=now, offer=offer, offered_at=now)


def _next_group(project: Project, activity: Activity, *, now: datetime) -> Sequence[Ticket]:
    """The next people to be found for each other; those who may no longer work here are dismissed on the way."""
    while True:
        tickets = _in_lobby(project, activity.key)
        line = [ticket for ticket in tickets if ticket.state == TicketState.WAITING]
        promised = len({ticket.offer for ticket in tickets if ticket.offer})
        group = matching.first_group(project, activity, line, promised=promised, now=now)
        if not _dismiss_who_may_not(group, now=now):
            return group


def _dismiss_who_may_not(group: Sequence[Ticket], *, now: datetime) -> bool:
    """Dismiss those of a group who may not be in the lobby any more; returns whether there were any."""
    gone = [each for each in group if matching.why_not_enter(each.annotator, each.project, each.activity)]
    for ticket in gone:
        _dismiss(_read(ticket), by=None, now=now, reason="not_eligible", ended_at=now)
    return bool(gone)


def _dismiss(ticket: Ticket, *, by: User | None, now: datetime, reason: str, ended_at: datetime) -> None:
    """End a visit; the others of an offer are back in line."""
    for other in matching.group_of(ticket) if ticket.offer else ():
        if other.pk != ticket.pk:
            matching.back_in_line(other, now=now)
    transitions.ticket(ticket, TicketState.LEFT, by=by, now=now, reason=reason, ended_at=ended_at, **matching.NONE)


def _seat(project: Project, activity: Activity, group: Sequence[Ticket], *, now: datetime) -> None:
    """Seat people who have all said that they are here; if that is no longer possible, they are back in line."""
    if _dismiss_who_may_not(group, now=now):
        return
    ordered = matching.in_seats(project, activity, group)
    try:
        held = matching.seat(project, activity.key, [ticket.annotator for ticket in ordered], now=now)
    except NotEligible:  # since a moment ago
        held = ()
    if not held:
        for ticket in group:
            matching.back_in_line(ticket, now=now)
    for ticket, row in zip(ordered, held, strict=False):
        transitions.ticket(ticket, TicketState.SEATED, by=None, now=now, ended_at=now, **matching.NONE)
        Ticket.objects.filter(pk=ticket.pk).update(assignment=row)
