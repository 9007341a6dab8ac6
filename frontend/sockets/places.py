"""What an open socket listens to, and whether its person may still do so."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.sessions.models import Session

from annotation.models import JudgingRound, Membership, Rater, Role, RoundState
from tasks.engine.eligibility import WORKERS
from tasks.models.states import PartnerState
from tasks.pairs import presence


@dataclass(frozen=True)
class SocketPlace:
    """Where a socket is: a person's own assignment, the meeting of a judging round (`room`), or an activity's lobby
    (both are None).

    `session`: the key of the sign-in. `password`: its hash when the socket opened; another one ends sign-ins. `topic`:
    see `tasks.engine.pokes`. All others are keys of rows.
    """

    session: str = field(repr=False)
    password: str = field(repr=False)
    person: int
    project: int
    topic: str
    assignment: int | None = None
    room: int | None = None

    @property
    def kind(self) -> str:
        """The poke that says that what is listened to has changed."""
        if self.room is not None:
            return "room"
        return "work" if self.assignment is not None else "lobby"


@dataclass(frozen=True)
class SeenPlaces:
    """The places that are still allowed, and how the partners are at each assignment (`presence.Presence.state`)."""

    allowed: frozenset[SocketPlace]
    partners: dict[int, PartnerState]


def look(places: Collection[SocketPlace], *, now: datetime) -> SeenPlaces:
    """Read the current rights of all these places: three to eight queries however many there are.

    A place is allowed while its sign-in lasts, its person is active and a member of the project (one who works, for an
    assignment), and its assignment is open; in a meeting as long as it lasts and the person takes part.
    """
    sessions = Session.objects.filter(session_key__in={each.session for each in places}, expire_date__gt=now)
    signed_in = set(sessions.values_list("session_key", flat=True))
    members = Membership.objects.filter(
        user__in={each.person for each in places},
        project__in={each.project for each in places},
        user__is_active=True,
        ended_at__isnull=True,
    ).values_list("user", "user__password", "project", "role")
    roles: dict[tuple[int, str, int], set[str]] = {}
    for user, password, project, role in members:
        roles.setdefault((user, password, project), set()).add(role)
    meetings = _meetings({each.room for each in places if each.room is not None})
    partners = presence.of_all({each.assignment for each in places if each.assignment is not None}, now=now)

    def is_allowed(place: SocketPlace) -> bool:
        held = roles.get((place.person, place.password, place.project), set())
        if place.room is not None:
            at_it = place.person in meetings.get(place.room, ()) or Role.LEAD in held
            return place.session in signed_in and bool(held) and place.room in meetings and at_it
        open_work = place.assignment in partners and not held.isdisjoint(WORKERS)
        return place.session in signed_in and (open_work if place.assignment is not None else bool(held))

    return SeenPlaces(frozenset(filter(is_allowed, places)), partners)


def _meetings(rounds: Collection[int]) -> dict[int, set[int]]:
    """Which of these rounds are at their meeting, and who has a place there: the raters who locked, and the chair."""
    if not rounds:
        return {}
    rows = JudgingRound.objects.filter(pk__in=rounds, state=RoundState.MEETING).values_list("pk", "chair")
    found = {pk: {chair} - {None} for pk, chair in rows}
    raters = Rater.objects.filter(round__in=found, locked_at__isnull=False)
    for pk, person in raters.values_list("round", "person"):
        found[pk].add(person)
    return found
