"""The room of a meeting as one person sees it, all of it from what is stored: nothing is lost with a page."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse

from annotation import randomness
from annotation.judging import given_marks, rounds
from annotation.judging.results import GivenMark
from annotation.judging.rubrics import Rubric
from annotation.models import Argument, Exhibit, JudgingRound, MeetingMark, Proposal, Rater, Removal, RoundState, User
from annotation.values.exhibits import ShownExhibit
from tasks.judging.meeting import agenda, agreeing, lasting, room, voters
from tasks.judging.meeting.agenda import Agenda, AgendaItem

SHORT = 3
"""Characters of a key that can stand for its mark."""


@dataclass(frozen=True)
class AgendaLine:
    """A line of the agenda; `state`: settled, parked or open; `here`: the room is there; `shown`: this page is."""

    prompt: str
    url: str
    state: str
    mark: str
    here: bool
    shown: bool


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
    at: datetime


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
    """The exhibit that a page shows, and what the room has done with it; `long`: it has been there for some minutes."""

    exhibit: Exhibit
    shown: ShownExhibit
    on_agenda: bool
    parked: bool
    revealed: bool
    votes: list[VoteCount]
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
        """Changes when more of the page is to be replaced than its parts."""
        item = self.item
        about = [item.exhibit.pk, item.settled, item.on_agenda, item.votes_here] if item else []
        if item and self.chairs:
            about.append(item.proposal is not None)
        return " ".join(str(each) for each in [*about, self.over, self.chairs, self.speaks, self.leads, self.chair])


def room_of(row: JudgingRound, *, by: User, now: datetime, place: int | None = None) -> MeetingRoom:
    """The room for this person, at the exhibit with this place, or where the room is."""
    found, over = agenda.agenda_of(row), row.state != RoundState.MEETING
    shown = row.exhibits.select_related("item").filter(**({"pk": found.now} if place is None else {"place": place}))
    exhibit = shown.first()
    if exhibit is not None:
        exhibit.round = row
    here = exhibit.pk if exhibit else None
    speaks = row.chair_id == by.pk or voters.voters_of(row).filter(person=by).exists()
    return MeetingRoom(
        round=row,
        rubric=rounds.rubric_of(row),
        over=over,
        lines=[_line(row, item, found, here) for item in found.items],
        below=[_line(row, item, found, here) for item in found.unanimous],
        settled=found.settled,
        item=_item(exhibit, found, by=by, now=now) if exhibit else None,
        astray=here != found.now,
        chairs=row.chair_id == by.pk and not over,
        speaks=speaks and not over,
        leads=voters.leads(row, by),
        chair=row.chair.get_username() if row.chair else "",
        watching=[] if over else _watching(row, now=now),
        url=reverse("meeting", args=[row.uuid])
        if place is None
        else reverse("meeting_exhibit", args=[row.uuid, place]),
        socket_url="" if over else reverse("socket_of_room", "frontend.sockets.admission", args=[row.uuid]),
    )


def _watching(row: JudgingRound, *, now: datetime) -> list[str]:
    voting = voters.voters_of(row).values("person")
    here = User.objects.filter(pk__in=room.here(row, now=now)).exclude(pk__in=voting)
    return list(here.order_by("username").values_list("username", flat=True))


def _line(row: JudgingRound, item: AgendaItem, listed: Agenda, here: int | None) -> AgendaLine:
    return AgendaLine(
        prompt=item.prompt,
        url=reverse("meeting_exhibit", args=[row.uuid, item.place]),
        state="settled" if item.consensus else "parked" if item.parked else "open",
        mark=short(rounds.rubric_of(row), item.consensus),
        here=item.exhibit == listed.now,
        shown=item.exhibit == here,
    )


def _item(exhibit: Exhibit, listed: Agenda, *, by: User, now: datetime) -> MeetingItem:
    row, first = exhibit.round, {one.rater: one for one in given_marks.of_round(exhibit.round, exhibits=[exhibit.pk])}
    rubric, revealed = rounds.rubric_of(row), agenda.is_revealed(exhibit)
    raters = {rater.number: rater for rater in Rater.objects.filter(round=row).select_related("person")}
    names = {rater.person_id: rater.person.get_username() for rater in raters.values()}
    latest = dict(MeetingMark.objects.filter(exhibit=exhibit).order_by("pk").values_list("rater__person", "mark"))
    alone = {raters[number].person_id: one.mark for number, one in first.items()}
    proposal = agreeing.standing(exhibit)
    confirming = agreeing.confirmed_by(proposal) if proposal else frozenset()
    present, consensus = room.here(row, now=now), getattr(exhibit, "consensus", None)
    removed = set(Removal.objects.filter(rater__round=row).values_list("rater", flat=True))
    voting = [raters[number] for number in sorted(first) if consensus or raters[number].pk not in removed]
    item = next((each for each in listed.items if each.exhibit == exhibit.pk), None)
    following = listed.after(exhibit.pk)
    there = {each.exhibit: each.place for each in listed.items}
    said = list(_arguments(exhibit, alone, latest, names, revealed=revealed))
    return MeetingItem(
        exhibit=exhibit,
        shown=ShownExhibit.model_validate(exhibit.shown, strict=False),
        on_agenda=item is not None,
        parked=item is not None and item.parked,
        revealed=revealed,
        votes=list(_votes(rubric, first, raters, revealed=revealed)),
        arguments=said,
        my_first=title(rubric, alone.get(by.pk, "")),
        my_now=latest.get(by.pk, ""),
        proposal=proposal,
        proposed=title(rubric, proposal.mark) if proposal else "",
        proposed_short=short(rubric, proposal.mark) if proposal else "",
        voters=[
            VoterLine(
                name=rater.person.get_username(),
                mine=rater.person_id == by.pk,
                chairs=rater.person_id == row.chair_id,
                confirms=rater.pk in confirming,
                here=rater.person_id in present,
            )
            for rater in voting
        ],
        confirms=any(rater.person_id == by.pk and rater.pk in confirming for rater in voting),
        settled=consensus is not None,
        settled_by=consensus.voters if consensus else 0,
        missing=[rater.person.get_username() for rater in voting if rater.person_id not in present],
        long=listed.now == exhibit.pk and lasting.is_long(listed.since or (said[0].at if said else None), now=now),
        following=str(there[following]) if following is not None else "",
        key=str(randomness.handle()),
    )


def _votes(
    rubric: Rubric, first: dict[int, GivenMark], raters: dict[int, Rater], *, revealed: bool
) -> Iterator[VoteCount]:
    counts = Counter(one.mark for one in first.values())
    by_mark = defaultdict(list)
    for number, one in sorted(first.items()):
        by_mark[one.mark].append(raters[number].person.get_username())
    for mark in rubric.marks:
        names = tuple(by_mark[mark.key]) if revealed else ()
        yield VoteCount(short(rubric, mark.key), mark.title, range(counts[mark.key]), names)


def _arguments(
    exhibit: Exhibit, alone: dict[int, str], latest: dict[int, str], names: dict[int, str], *, revealed: bool
) -> Iterator[ArgumentLine]:
    rubric = rounds.rubric_of(exhibit.round)
    for said in Argument.objects.filter(exhibit=exhibit).order_by("pk"):
        first, changed = alone.get(said.author_id, ""), latest.get(said.author_id, "")
        yield ArgumentLine(
            key=said.pk,
            text=said.text,
            first=short(rubric, first),
            now=short(rubric, changed) if changed != first else "",
            name=names.get(said.author_id, "") if revealed else "",
            chair=said.author_id not in names,
            at=said.at,
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
