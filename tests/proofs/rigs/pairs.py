"""Stateful property test (Hypothesis) of shared work: four people meet, talk, drop out and return in any order."""

from __future__ import annotations

import itertools
import uuid
from collections import Counter
from datetime import datetime, timedelta
from random import Random
from typing import Any, ClassVar

import pytest
from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from annotation import randomness
from annotation.errors import NotEligible, Refused
from annotation.models import Annotation, Project, Response, User
from annotation.values.records import Waiting
from tasks.engine import assignments, leases, skip_and_return, submitting
from tasks.models import Assignment, Ticket
from tasks.models.states import IN_LOBBY, PARTNER_MOVES, AssignmentState, PartnerState, TicketState
from tasks.pairs import leaving, lobby, presence
from tests.builders import reload
from tests.people import NOON

PEOPLE = 4
BEAT = timedelta(seconds=5)
"""How often an open page polls."""
PAUSES = (1, 5, 20)
"""Lengths of pauses in beats: above the ready check and `UNSURE`, and above `LOST`."""
RESTART = timedelta(seconds=30)
"""A room ends at most so long after a partner is lost, if whoever remains chooses to end it."""
PERSON = st.integers(0, PEOPLE - 1)


class Pairs(RuleBasedStateMachine):
    """The people, who of them has a page open, and what the server has acknowledged.

    A subclass names the project and the people; `met` counts what happened, over all schedules.
    """

    project: ClassVar[Project]
    people: ClassVar[list[User]]
    met: ClassVar[Counter[str]]

    def __init__(self) -> None:
        super().__init__()
        self.now: datetime = NOON
        self.away: set[int] = set()
        self.sent: dict[uuid.UUID, tuple[int, int, str, dict[str, Any]]] = {}
        self.told: dict[int, list[str]] = {}
        self.texts = itertools.count(1)
        self.seen: dict[int, PartnerState] = {}
        self.chance, drawn = pytest.MonkeyPatch(), Random(1)
        self.chance.setattr(randomness, "handle", lambda: uuid.UUID(int=drawn.getrandbits(128)))
        self.transaction = transaction.atomic()
        self.transaction.__enter__()

    def teardown(self) -> None:
        """Whoever is still here ends what a lost partner has left; without anybody, time ends it."""
        try:
            self.every_room_ends()
        finally:
            self.chance.undo()
            transaction.set_rollback(True)
            self.transaction.__exit__(None, None, None)

    # What people do

    @initialize()
    def two_sit_down(self) -> None:
        """Schedules begin with a talk: a lobby by chance takes all of the steps."""
        self.find_each_other(0, 1)

    @rule(drawn=st.integers(0, 2**32 - 1))
    def acts(self, drawn: int) -> None:
        """One rule for all that people do, drawn evenly: Hypothesis alone prefers few rules and low numbers."""
        rng = Random(drawn)
        does = rng.choice(("meets", "says", "says", "drops", "drops", "chooses", "leaves", "waits"))
        person, other = rng.sample(range(PEOPLE), 2)
        if does in ("drops", "leaves") and (seated := self.seated()):
            person = rng.choice(seated)
        number, also = rng.randrange(6), rng.random() < 0.5
        self.met[does] += 1
        pause = PAUSES[number % len(PAUSES)]
        match does:
            case "meets":
                self.find_each_other(person, other)
            case "says":
                self.talk_on(1 + number % 2, again=also)
            case "drops":
                self.drop_for(person, pause, chooses=also, another=number > 2)
            case "chooses":
                self.choose(person, another=also)
            case "leaves":
                (self.leave_the_lobby if also else self.leave_the_room)(person)
            case "waits":
                self.drop_or_return(person, drops=also)
                self.time_passes(pause)

    def find_each_other(self, first: int, second: int) -> None:
        """Both enter, and say that they are here, with whomever they were found for."""
        for person in (first, second):
            self.enter(person)
        for person in (first, second):
            self.says_to_be_here(person)

    def talk_on(self, answers: int, again: bool) -> None:
        """Everybody who is there says what they can, in turn."""
        for number in range(answers):
            for person in range(PEOPLE):
                self.say(person, again and not number)

    def enter(self, person: int) -> None:
        if person in self.away:
            return
        try:
            lobby.enter(self.project, "talk", by=self.people[person], now=self.now)
        except NotEligible as refused:
            self.met[f"not in the lobby: {refused.reason}"] += 1

    def says_to_be_here(self, person: int) -> None:
        ticket = self.ticket(person)
        if ticket is not None and ticket.state == TicketState.OFFERED and person not in self.away:
            now_is = lobby.confirm(ticket, by=self.people[person], now=self.now).state
            self.met["seated"] += now_is == TicketState.SEATED

    def leave_the_lobby(self, person: int) -> None:
        ticket = self.ticket(person)
        if ticket is not None and ticket.state in IN_LOBBY:
            lobby.leave(ticket, by=self.people[person], now=self.now)

    def say(self, person: int, again: bool) -> None:
        """Answer one's step; `again`: the acknowledgement was lost, and the page sends the same once more."""
        row = self.held(person)
        if row is None or person in self.away:
            return
        work = assignments.work_of(row)
        if isinstance(work.following, Waiting):
            self.speak_out_of_turn(row)
            return
        address, number = work.following.address, next(self.texts)
        payload = {"text": f"text {number}"}
        if address.startswith("tell"):
            payload |= {"reason": f"reason {number}"}
        key = randomness.handle()
        for repeated in (False, True)[: 1 + again]:
            done = submitting.commit(
                reload(row), address, payload, by=self.people[person], key=key, seen=work.seen_at(address), now=self.now
            )
            assert done.replayed == repeated
            self.met["replayed"] += repeated
        self.told.setdefault(row.annotation_id, []).append(payload["text"])
        self.met["finished"] += done.following is None

    def speak_out_of_turn(self, row: Assignment) -> None:
        """A forged request for the partner's step is refused, whichever turn it names."""
        seen = row.annotation.responses.count()
        theirs = "tell" if row.seat == "asker" else "ask"
        for address in (f"{theirs}-{turn}" for turn in (1, 2, 3)):
            with pytest.raises(Refused):
                submitting.commit(
                    reload(row), address, {"text": "forged"}, by=row.annotator, key=uuid.uuid4(), seen=seen,
                    now=self.now,
                )  # fmt: skip
        self.met["out of turn"] += 1

    def drop_or_return(self, person: int, drops: bool) -> None:
        """A closed lid or a cut connection: no page polls. Or the person is back, and every page catches up."""
        (self.away.add if drops else self.away.discard)(person)
        self.polls()

    def drop_for(self, person: int, beats: int, chooses: bool, another: bool) -> None:
        """One is away for a time, and perhaps is not waited for; then they are back."""
        self.drop_or_return(person, drops=True)
        self.time_passes(beats)
        if chooses:
            for other in range(PEOPLE):
                self.choose(other, another)
        self.drop_or_return(person, drops=False)
        self.time_passes(1)

    def leave_the_room(self, person: int) -> None:
        row = self.held(person)
        if row is not None and person not in self.away:
            skip_and_return.give_back(row, by=self.people[person], now=self.now)
            self.met["left"] += 1

    def choose(self, person: int, another: bool) -> None:
        """End the work with a lost partner, or find somebody else; refused while the partner is here."""
        row = self.last(person)
        if row is None or person in self.away:
            return
        found = presence.of_partners(row, now=self.now)
        may = found is not None and (found.state == "lost" or (another and found.state == "gone"))
        refused = ""
        try:
            (leaving.find_another if another else leaving.end)(row, by=self.people[person], now=self.now)
        except NotEligible as error:
            refused = error.reason
        assert not may or refused != "partner_is_here", "a lost partner could not be left behind"
        if may and not refused:
            self.met["another" if another else "ended"] += 1
            assert reload(row).state != AssignmentState.LEASED, "the room is still open"

    def time_passes(self, beats: int) -> None:
        for _ in range(beats):
            self.now += BEAT
            self.polls()
            self.presence_moves_as_the_table_says()
        leases.expire_overdue(now=self.now)

    def polls(self) -> None:
        """What the open pages of those who are there do every five seconds."""
        here = [user for person, user in enumerate(self.people) if person not in self.away]
        waiting = Ticket.objects.filter(annotator__in=here, state__in=IN_LOBBY).select_related("project", "annotator")
        for ticket in waiting:
            lobby.poll(ticket, now=self.now)
        for row in Assignment.objects.filter(annotator__in=here, state=AssignmentState.LEASED):
            presence.note(row, now=self.now)

    # What must hold after every step

    @invariant()
    def nothing_is_lost_doubled_or_out_of_order(self) -> None:
        stored: dict[int, list[str]] = {}
        for annotation, payload in Response.objects.order_by("pk").values_list("annotation", "payload"):
            stored.setdefault(annotation, []).append(payload["text"])
        assert stored == self.told

    @invariant()
    def a_room_is_open_for_both_or_for_neither(self) -> None:
        for room in Annotation.objects.all():
            states = sorted(room.assignments.values_list("state", flat=True))
            assert len(states) == 2
            leased = states.count(AssignmentState.LEASED)
            assert leased in (0, 2), f"a room is open for one of two: {states}"
            assert (room.completed_at is not None) == (states == [AssignmentState.SUBMITTED] * 2)

    @invariant()
    def a_person_is_in_one_place(self) -> None:
        leased = Assignment.objects.filter(state=AssignmentState.LEASED).values_list("annotator", flat=True)
        waiting = Ticket.objects.filter(state__in=IN_LOBBY).values_list("annotator", flat=True)
        assert max(Counter([*leased, *waiting]).values(), default=0) <= 1

    def presence_moves_as_the_table_says(self) -> None:
        for row in Assignment.objects.filter(state=AssignmentState.LEASED):
            found = presence.of_partners(reload(row), now=self.now)
            assert found is not None
            before, self.seen[row.pk] = self.seen.get(row.pk, PartnerState.HERE), found.state
            if before != found.state:
                assert found.state in PARTNER_MOVES[before], f"{before} to {found.state}"
                self.met[f"{before} to {found.state}"] += 1

    # How it ends

    def every_room_ends(self) -> None:
        """One of each room goes away; the other waits for the end of the grace, and may then end it."""
        for row in Assignment.objects.filter(state=AssignmentState.LEASED).order_by("annotation", "seat"):
            self.away.add(self.person(row.annotator_id))
            partner = Assignment.objects.filter(annotation=row.annotation_id).exclude(pk=row.pk).get()
            self.away.discard(self.person(partner.annotator_id))
        self.now += presence.LOST + RESTART
        self.polls()
        for row in Assignment.objects.filter(state=AssignmentState.LEASED).order_by("annotation", "seat"):
            here = reload(row)
            if self.person(here.annotator_id) not in self.away and here.state == AssignmentState.LEASED:
                assert leaving.why_not_find_another(here, now=self.now) is None, "a room never ends"
                leaving.end(here, by=here.annotator, now=self.now)
        assert not Assignment.objects.filter(state=AssignmentState.LEASED).exists(), "a room never ends"
        self.nothing_is_lost_doubled_or_out_of_order()
        self.a_room_is_open_for_both_or_for_neither()

    # Who is where

    def person(self, key: int) -> int:
        return [user.pk for user in self.people].index(key)

    def seated(self) -> list[int]:
        """Those who have open work."""
        leased = Assignment.objects.filter(state=AssignmentState.LEASED).order_by("pk")
        return [self.person(key) for key in leased.values_list("annotator", flat=True)]

    def ticket(self, person: int) -> Ticket | None:
        return lobby.last_ticket(self.project, "talk", by=self.people[person])

    def held(self, person: int) -> Assignment | None:
        """The open work of the person."""
        found = Assignment.objects.filter(annotator=self.people[person], state=AssignmentState.LEASED).first()
        return reload(found) if found else None

    def last(self, person: int) -> Assignment | None:
        """The latest work of the person, open or ended."""
        found = Assignment.objects.filter(annotator=self.people[person]).order_by("-pk").first()
        return reload(found) if found else None
