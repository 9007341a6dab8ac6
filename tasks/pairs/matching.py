"""Who in the lobby can be seated with whom, and in which seats; the offers that are made to them; and seating them."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet

from annotation import projects, randomness, registry
from annotation.engine import recording
from annotation.errors import NotEligible
from annotation.membership import lock_person
from annotation.models import Item, Project, Response, User
from annotation.protocol import Activity
from tasks.engine import claiming, clocks, leases, queues, resuming, transitions
from tasks.engine.eligibility import SESSION, Seeker, free_tasks, refusal_for, still_free, why_not_claim
from tasks.engine.transactions import service
from tasks.models import Assignment, Lease, Queue, Task, Ticket
from tasks.models.states import QueueState, TaskState, TicketState
from tasks.pairs import flag_rates, pauses


@service
def seat(
    project: Project, activity: str, people: Sequence[User], *, now: datetime, item: Item | None = None
) -> tuple[Assignment, ...]:
    """Give these people a task that is free for all of them, in the order of the activity's seats; () if none is.

    Lock order: membership rows by the people's keys (so that two seatings can't deadlock), queues, task. Raises
    NotEligible with the reason of the first person who may not work here.
    """
    found = registry.get(project.protocol).activity(activity)
    if len(people) != len(found.seats) or len({person.pk for person in people}) != len(people):
        raise ValueError(f"{activity} seats {len(found.seats)} different people.")
    for person in sorted(people, key=lambda person: person.pk):
        roles, consented, sees = lock_person(person, project)
        refused = why_not_claim(person, project, activity, roles=roles, consented=consented, sees=sees)
        if refused:
            raise refusal_for(refused)
    opened = [
        queue
        for queue in resuming.queues_of(project, activity, by=people[0], now=now, locked=True)
        if queue.state == QueueState.OPEN
    ]
    if any(project.leases.filter(activity=activity, annotator__in=people, closed_at__isnull=True)):
        raise NotEligible(reason="at_work")
    for queue in opened:
        queues.fill(queue, now=now, at_most=queues.AT_MOST_IN_A_CLAIM)
    chosen = _free_for_all(project, opened, people, item=item, now=now) if opened else None
    return _take(chosen, opened, people, now=now) if chosen else ()


def _free_for_all(
    project: Project, opened: list[Queue], people: Sequence[User], *, item: Item | None, now: datetime
) -> tuple[Task, int] | None:
    """The first task that each of them may be given, locked, and the first slot of an annotation with free seats."""
    activity, tried = registry.get(project.protocol).activity(opened[0].activity), list[int]()
    rows = free_for_all(project, opened, people, item=item, now=now).select_related("item")
    while (task := rows.exclude(pk__in=tried).select_for_update(of=("self",)).first()) is not None:
        places = free_places(task, len(activity.seats))
        if places and still_free(task, project.protocol, activity):
            return task, places[0]
        tried.append(task.pk)
    return None


def free_for_all(
    project: Project, opened: Sequence[Queue], people: Sequence[User], *, now: datetime, item: Item | None = None
) -> QuerySet[Task]:
    """The tasks of these queues that each of these people may be given, in order; some may have no group of seats.

    Unlike returned work of one person, an item is not given again to somebody who has talked about it with a partner
    who left: they know it, and the next partner's talk begins anew.
    """
    activity = registry.get(project.protocol).activity(opened[0].activity)
    by_file = projects.draws_as_imported(project, activity.key)
    first, *others = [
        Seeker(person, project, tuple(opened), activity, project.protocol, now - SESSION, None, item, by_file)
        for person in people
    ]
    rows = free_tasks(first)
    for seek in others:
        rows = rows.filter(pk__in=free_tasks(seek).order_by().values("pk"))
    said = Response.objects.filter(annotation=OuterRef("annotation"))
    met = Assignment.objects.filter(Exists(said), annotator__in=people, task__activity=activity.key)
    return rows.exclude(item__in=met.values("task__item"))


def free_places(task: Task, seats: int) -> list[int]:
    """The first slot of each annotation whose seats are all free."""
    held = transitions.held_slots(task)
    return [first for first in range(0, task.slots or 0, seats) if held.isdisjoint(range(first, first + seats))]


def _take(
    chosen: tuple[Task, int], opened: list[Queue], people: Sequence[User], *, now: datetime
) -> tuple[Assignment, ...]:
    task, first = chosen
    queue = next(queue for queue in opened if queue.pk == task.queue_id)
    seats = registry.get(queue.project.protocol).activity(queue.activity).seats
    annotation = recording.open_annotation(
        item_id=task.item_id,
        author=None,
        activity=task.activity,
        round=task.round,
        guidelines_id=queue.guidelines,
        now=now,
    )
    task.queue, annotation.item = queue, task.item
    task.item.project = queue.project
    held = []
    for place, (person, name) in enumerate(zip(people, seats, strict=True)):
        lease = leases.open_lease(annotator=person, queue=queue, now=now)
        row = claiming.hold_slot(task, first + place, lease=lease, annotation=annotation, now=now, seat=name)
        held.append(resuming.attach_relations(row, lease=lease, by=person))
    if len(transitions.held_slots(task)) >= (task.slots or 0):
        transitions.task(task, TaskState.FULL, by=None, now=now)
    return tuple(held)


DAY = timedelta(days=1)
LATELY = 10
"""So many of a person's latest seats in an activity count when roles are balanced."""


def why_not_enter(person: User, project: Project, activity: str) -> str | None:
    """Why this person may not be in the lobby, or None: the reasons of a claim, and `at_work` in the activity."""
    mine = Lease.objects.filter(annotator=person, project=project, activity=activity, closed_at__isnull=True)
    return why_not_claim(person, project, activity) or ("at_work" if mine.exists() else None)


def open_queues(project: Project, activity: str) -> list[Queue]:
    """The queues that hand out work, in id order."""
    found = list(Queue.objects.filter(project=project, activity=activity, state=QueueState.OPEN).order_by("pk"))
    for queue in found:
        queue.project = project
    return found


def seeker(project: Project, activity: Activity, *, by: User, now: datetime) -> Seeker | None:
    """The parameters of a search for what one person may be given, or None if no queue is open."""
    opened = open_queues(project, activity.key)
    return Seeker(by, project, tuple(opened), activity, project.protocol, now - SESSION) if opened else None


def first_group(
    project: Project, activity: Activity, line: Sequence[Ticket], *, promised: int, now: datetime
) -> tuple[Ticket, ...]:
    """The first people in line who can be seated together, first come first served; () if nobody can.

    `promised`: how many groups have been told that they were found for each other and are not seated yet; each of them
    needs a place of its own. Where many people wait who can't be seated with each other (there is little left, or they
    have met too often today), this asks the database once per possible group. In a pause nobody is found for anybody.
    """
    opened = open_queues(project, activity.key)
    if len(line) < len(activity.seats) or not opened or pauses.ends_at(project.pk, now=now):
        return ()
    people = [ticket.annotator_id for ticket in line]
    met, apart = _met_lately(project, activity.key, people, since=now - DAY), flag_rates.kept_apart(people)
    at_most = projects.activity_config(project, activity.key).same_partner_a_day
    for group in itertools.combinations(line, len(activity.seats)):
        pairs = list(itertools.combinations(sorted(ticket.annotator_id for ticket in group), 2))
        if all(met[pair] < at_most and pair not in apart for pair in pairs) and _has_place(
            project, opened, group, promised, now=now
        ):
            return group
    return ()


def _has_place(project: Project, opened: list[Queue], group: Sequence[Ticket], promised: int, *, now: datetime) -> bool:
    """Whether more places are free for all of them than are promised to others."""
    rows = free_for_all(project, opened, [ticket.annotator for ticket in group], now=now)
    free = 0
    for task in rows.iterator(chunk_size=promised + 1):
        free += len(free_places(task, len(group)))
        if free > promised:
            return True
    return False


def _met_lately(project: Project, activity: str, people: Sequence[int], *, since: datetime) -> Counter[tuple[int, int]]:
    """How often each two of these people (keys, the smaller first) have talked since then, if only for one answer."""
    said = Response.objects.filter(annotation=OuterRef("annotation"))
    rows = Assignment.objects.filter(
        Exists(said), annotator__in=people, claimed_at__gt=since, task__queue__project=project, task__activity=activity
    )
    together: dict[int, set[int]] = {}
    for annotation, person in rows.values_list("annotation", "annotator"):
        together.setdefault(annotation, set()).add(person)
    return Counter(pair for met in together.values() for pair in itertools.combinations(sorted(met), 2))


def in_seats(project: Project, activity: Activity, group: Sequence[Ticket]) -> list[Ticket]:
    """These people in the order of the activity's seats, so that each gets the role that they have had less often.

    If that decides nothing, the role that they prefer, then the one that they did not have last, then a draw.
    """
    had = {ticket.pk: _seats_lately(project, activity.key, ticket.annotator) for ticket in group}

    def cost(order: Sequence[Ticket]) -> tuple[int, int, int, int]:
        taken = list(zip(order, activity.seats, strict=True))
        often = sum(had[ticket.pk].count(seat) for ticket, seat in taken)
        unwished = sum(ticket.prefers not in ("", seat) for ticket, seat in taken)
        again = sum(had[ticket.pk][:1] == [seat] for ticket, seat in taken)
        return often, unwished, again, randomness.number(*(ticket.pk for ticket in order))

    cheapest = min(itertools.permutations(group), key=cost)
    return list(cheapest)


def _seats_lately(project: Project, activity: str, person: User) -> list[str]:
    """The person's latest seats in the activity, the last one first."""
    mine = Assignment.objects.filter(annotator=person, task__queue__project=project, task__activity=activity)
    return list(mine.order_by("-claimed_at", "-pk").values_list("seat", flat=True)[:LATELY])


READY = timedelta(seconds=20)
"""How long people who were found for each other have to say that they are here (protocols: 20 s ready check)."""
MISSES = 1
"""Who misses one offer more than this is removed."""
NONE = {"offer": None, "offered_at": None, "confirmed_at": None}
"""The columns of a ticket without an offer."""


# Offers: call what follows under the lobby's lock (`tasks.pairs.lobby`).


def group_of(ticket: Ticket) -> list[Ticket]:
    """The tickets of the people who were found for each other, this one among them."""
    return list(Ticket.objects.filter(offer=ticket.offer).select_related("project", "annotator").order_by("pk"))


def end_overdue(project: Project, activity: str, *, now: datetime) -> None:
    """Who has said that they are here keeps their place; who has not goes to the end of the line, or out.

    In a pause all offers end, and everybody keeps their place.
    """
    paused = pauses.ends_at(project.pk, now=now) is not None
    offered = Ticket.objects.filter(project=project, activity=activity, state=TicketState.OFFERED)
    overdue = offered if paused else offered.filter(offered_at__lte=now - READY)
    for ticket in overdue.select_related("project", "annotator").order_by("pk"):
        if paused or ticket.confirmed_at or not _ran_out(ticket, now=now):
            back_in_line(ticket, now=now)
            continue
        misses = ticket.misses + 1
        transitions.ticket(ticket, TicketState.MISSED, by=None, now=now, misses=misses, **NONE)
        if misses > MISSES:
            transitions.ticket(ticket, TicketState.REMOVED, by=None, now=now, reason="missed", ended_at=now)
        else:
            transitions.ticket(ticket, TicketState.WAITING, by=None, now=now, in_line_since=now)


def _ran_out(ticket: Ticket, *, now: datetime) -> bool:
    """Whether an offer has lasted its time, leaving out pauses: if the server was down, nobody could answer."""
    since = ticket.offered_at or now
    return clocks.clock(ticket.project_id, since=since).passed(since, now) >= READY


def back_in_line(ticket: Ticket, *, now: datetime) -> None:
    """The offer is over, and the person keeps their place."""
    transitions.ticket(ticket, TicketState.WAITING, by=None, now=now, **NONE)
