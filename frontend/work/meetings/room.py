"""The room of a meeting as one person sees it, all of it from what is stored: nothing is lost with a page."""

from __future__ import annotations

import hashlib
import uuid
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse

from annotation import randomness
from annotation.judging.rubrics import Rubric
from annotation.models import JudgingRound, Proposal, RoundState, User
from annotation.values.exhibits import ShownExhibit
from frontend.work.meetings.alike import CheckLine, ExhibitFacts, MeetingFacts, MeetingReader, check_lines
from tasks.judging.meeting import room, voters
from tasks.judging.meeting.agenda import AgendaItem

SHORT = 3
"""Characters of a key that can stand for its mark."""


@dataclass(frozen=True)
class AgendaLine:
    """A line of the agenda; `state`: settled, parked or open; `here`: the room is there; `shown`: this page is."""

    round: uuid.UUID
    place: int
    prompt: str
    state: str
    mark: str
    here: bool
    shown: bool

    @property
    def url(self) -> str:
        """The page of the room at the exhibit."""
        return reverse("meeting_exhibit", args=[self.round, self.place])


@dataclass(frozen=True)
class VoteCount:
    """How many gave a mark first; `names`: who, once names are revealed."""

    short: str
    title: str
    seats: range
    names: tuple[str, ...]


@dataclass(frozen=True)
class ArgumentLine:
    """What somebody said; `first` and `now`: what they marked alone and would mark now, "" for none.

    `name`: "" until names are revealed; `chair`: it is somebody without a vote who is in the chair.
    """

    key: int
    text: str
    first: str
    now: str
    name: str
    chair: bool


@dataclass(frozen=True)
class VoterLine:
    """Somebody who votes on the exhibit."""

    name: str
    mine: bool
    chairs: bool
    confirms: bool
    here: bool


@dataclass(frozen=True)
class MeetingItem:
    """The exhibit (its key and place) that a page shows, and what the room has done with it.

    `long`: the room has been there for some minutes.
    """

    pk: int
    place: int
    shown: ShownExhibit
    on_agenda: bool
    parked: bool
    revealed: bool
    votes: list[VoteCount]
    checks: list[CheckLine]
    arguments: list[ArgumentLine]
    my_first: str
    my_now: str
    proposal: Proposal | None
    proposed: str
    proposed_short: str
    voters: list[VoterLine]
    confirms: bool
    settled: bool
    settled_by: int
    missing: list[str]
    long: bool
    following: str
    key: str

    @property
    def confirmed(self) -> int:
        """How many confirm the proposal that stands."""
        return sum(line.confirms for line in self.voters)

    @property
    def votes_here(self) -> bool:
        """Whether the person who looks has a vote on it."""
        return any(line.mine for line in self.voters)


@dataclass(frozen=True)
class MeetingRoom:
    """A meeting; `item`: what the page shows, None if there is nothing to talk about; `astray`: it is not where the
    room is; `watching`: who is in the room without a vote."""

    round: JudgingRound
    rubric: Rubric
    over: bool
    lines: list[AgendaLine]
    below: list[AgendaLine]
    settled: int
    item: MeetingItem | None
    astray: bool
    chairs: bool
    speaks: bool
    leads: bool
    chair: str
    watching: list[str]
    url: str
    socket_url: str

    @property
    def shape(self) -> str:
        """Changes when more of the page is to be replaced than its parts; letters and digits."""
        item = self.item
        about: list[Any] = [item.pk, item.settled, item.on_agenda, item.votes_here] if item else []
        if item and self.chairs:
            about.append(item.proposal is not None)
        about += [self.over, self.chairs, self.speaks, self.leads, self.chair]
        return _digest(about)

    @property
    def agenda(self) -> str:
        """Changes when the agenda is to be replaced; letters and digits."""
        return _digest([self.lines, self.below, self.over])


def _digest(what: object) -> str:
    return hashlib.sha256(repr(what).encode()).hexdigest()[:16]


def room_of(row: JudgingRound, *, by: User, now: datetime, place: int | None = None) -> MeetingRoom:
    """The room for this person, at the exhibit with this place, or where the room is."""
    reader, over = MeetingReader(row), row.state != RoundState.MEETING
    facts = reader.meeting()
    found, chairs = facts.agenda, row.chair_id == by.pk
    at = found.place_now if place is None else place
    about = None if at is None else reader.exhibit(at)
    here = about.pk if about else None
    present = room.here(row, now=now)
    return MeetingRoom(
        round=row,
        rubric=facts.rubric,
        over=over,
        lines=[_line(row, facts, item, here) for item in found.items],
        below=[_line(row, facts, item, here) for item in found.unanimous],
        settled=found.settled,
        item=_item(row, facts, about, by=by, present=present, now=now) if about else None,
        astray=here != found.now,
        chairs=chairs and not over,
        speaks=(chairs or by.pk in facts.voters) and not over,
        leads=voters.leads(row, by),
        chair=row.chair.get_username() if row.chair else "",
        watching=[] if over else _watching(present - facts.voters),
        url=reverse("meeting", args=[row.uuid])
        if place is None
        else reverse("meeting_exhibit", args=[row.uuid, place]),
        socket_url="" if over else reverse("socket_of_room", "frontend.sockets.admission", args=[row.uuid]),
    )


def _watching(people: frozenset[int]) -> list[str]:
    if not people:
        return []
    return list(User.objects.filter(pk__in=people).order_by("username").values_list("username", flat=True))


def _line(row: JudgingRound, facts: MeetingFacts, item: AgendaItem, here: int | None) -> AgendaLine:
    return AgendaLine(
        round=row.uuid,
        place=item.place,
        prompt=item.prompt,
        state="settled" if item.consensus else "parked" if item.parked else "open",
        mark=short(facts.rubric, item.consensus),
        here=item.exhibit == facts.agenda.now,
        shown=item.exhibit == here,
    )


def _item(
    row: JudgingRound, facts: MeetingFacts, about: ExhibitFacts, *, by: User, present: frozenset[int], now: datetime
) -> MeetingItem:
    """What of an exhibit this person may see, where the people with the keys `present` are in the room."""
    rubric, raters, listed, proposal = facts.rubric, facts.raters, facts.agenda, about.proposal
    alone = {raters[number].person: mark for number, mark in about.first.items()}
    voting = [raters[number] for number in sorted(about.first) if about.settled_by or raters[number].votes]
    item = next((each for each in listed.items if each.exhibit == about.pk), None)
    following = listed.after(about.pk)
    there = {each.exhibit: each.place for each in listed.items}
    began = listed.since or next((each.at for each in about.said), None)
    return MeetingItem(
        pk=about.pk,
        place=about.place,
        shown=about.shown,
        on_agenda=item is not None,
        parked=item is not None and item.parked,
        revealed=about.revealed,
        votes=list(_votes(facts, about)),
        checks=list(check_lines(rubric, about)),
        arguments=list(_arguments(facts, about, alone)),
        my_first=title(rubric, alone.get(by.pk, "")),
        my_now=about.latest.get(by.pk, ""),
        proposal=proposal,
        proposed=title(rubric, proposal.mark) if proposal else "",
        proposed_short=short(rubric, proposal.mark) if proposal else "",
        voters=[
            VoterLine(
                name=rater.name,
                mine=rater.person == by.pk,
                chairs=rater.person == row.chair_id,
                confirms=rater.pk in about.confirming,
                here=rater.person in present,
            )
            for rater in voting
        ],
        confirms=any(rater.person == by.pk and rater.pk in about.confirming for rater in voting),
        settled=about.settled_by > 0,
        settled_by=about.settled_by,
        missing=[rater.name for rater in voting if rater.person not in present],
        long=listed.now == about.pk and room.is_long(began, now=now),
        following=str(there[following]) if following is not None else "",
        key=str(randomness.handle()),
    )


def _votes(facts: MeetingFacts, about: ExhibitFacts) -> Iterator[VoteCount]:
    by_mark = defaultdict(list)
    for number, given in sorted(about.first.items()):
        by_mark[given].append(facts.raters[number].name)
    for mark in facts.rubric.marks:
        seats, names = range(len(by_mark[mark.key])), tuple(by_mark[mark.key]) if about.revealed else ()
        yield VoteCount(short(facts.rubric, mark.key), mark.title, seats, names)


def _arguments(facts: MeetingFacts, about: ExhibitFacts, alone: Mapping[int, str]) -> Iterator[ArgumentLine]:
    names = {rater.person: rater.name for rater in facts.raters.values()}
    for said in about.said:
        first, changed = alone.get(said.author, ""), about.latest.get(said.author, "")
        yield ArgumentLine(
            key=said.pk,
            text=said.text,
            first=short(facts.rubric, first),
            now=short(facts.rubric, changed) if changed != first else "",
            name=names.get(said.author, "") if about.revealed else "",
            chair=said.author not in names,
        )


def title(rubric: Rubric, key: str) -> str:
    """What a mark is called; "" for none."""
    return rubric.mark(key).title if key else ""


def short(rubric: Rubric, key: str) -> str:
    """The key of a mark, if it is short enough to be read as its name, else its title; "" for none."""
    return key if len(key) <= SHORT else title(rubric, key)


def lead_page(row: JudgingRound) -> dict[str, Any]:
    """What a lead can decide in a meeting: who is in the chair, and whom nobody waits for any more."""
    return {"may_chair": voters.may_chair(row), "removable": list(voters.voters_of(row))}
