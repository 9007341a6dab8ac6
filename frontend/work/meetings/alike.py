"""What is the same for everybody in a meeting, read once for each change and not once for each person.

After a confirmation everybody's page is fetched at the same time, and most of a room takes the same statements for all
of them. What they read is kept in the memory of this process under the number of events of the round, which grows with
all that happens in a meeting and is read from the database each time: nothing older than that is ever shown. What is
kept are facts, among them whose mark is whose. What of these a person may see is decided for each of them, in `room`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from django.core.cache import caches
from django.db.models import CharField, Count, Max, QuerySet
from django.utils.translation import gettext

from annotation import events
from annotation.db.compiled import Param, Prepared
from annotation.judging import given_marks, rounds
from annotation.judging.checks import AnsweredYesNo, CheckedMark, check_results
from annotation.judging.rubrics import CheckAnswer, Rubric
from annotation.models import Argument, Event, Exhibit, JudgingRound, MeetingMark, Proposal, Rater, Removal
from annotation.values.exhibits import ShownExhibit
from tasks.judging.meeting import agenda, agreeing
from tasks.judging.meeting.agenda import Agenda

CACHE = "rooms"
LONGEST = 60
"""Seconds; names of accounts, which are no part of a round, may be so old."""
Found = TypeVar("Found")
_READING = threading.Lock()


class SeatedRater(NamedTuple):
    """A rater (key and number) and who that is; `votes`: they have locked and were not removed."""

    pk: int
    number: int
    person: int
    name: str
    votes: bool


class SaidWords(NamedTuple):
    """An argument (its key), the key of who said it, and when."""

    pk: int
    author: int
    text: str
    at: datetime


@dataclass(frozen=True)
class MeetingFacts:
    """The whole of a meeting. `raters`: all of the round, by number."""

    rubric: Rubric
    agenda: Agenda
    raters: Mapping[int, SeatedRater]

    @property
    def voters(self) -> frozenset[int]:
        """The keys of the people who vote in the meeting."""
        return frozenset(each.person for each in self.raters.values() if each.votes)


@dataclass(frozen=True)
class ExhibitFacts:
    """One exhibit (its key and place) in a meeting.

    `first`: marks by the number of the rater, and `checks` what they said beside them. `latest`: what people would
    mark now, by key. `confirming`: keys of raters. `settled_by`: how many have confirmed the consensus, 0 if there is
    none.
    """

    pk: int
    place: int
    shown: ShownExhibit
    revealed: bool
    first: Mapping[int, str]
    checks: Mapping[int, Mapping[str, CheckAnswer]]
    latest: Mapping[int, str]
    said: tuple[SaidWords, ...]
    proposal: Proposal | None
    confirming: frozenset[int]
    settled_by: int


class MeetingReader:
    """Reads a meeting as it is now; what nobody has changed since somebody read it is not read again."""

    def __init__(self, row: JudgingRound) -> None:
        n, last = _happened.first(subject=events.name(row)) or (0, 0)
        self._row, self._key = row, f"{row.uuid}:{row.pk}:{n}:{last}"

    def meeting(self) -> MeetingFacts:
        """What concerns all of it."""
        return _kept(self._key, lambda: _meeting(self._row))

    def exhibit(self, place: int) -> ExhibitFacts | None:
        """What concerns the exhibit with this place; None if there is no such one."""
        return _kept(f"{self._key}:{place}", lambda: _exhibit(self._row, place))


def _kept(key: str, read: Callable[[], Found]) -> Found:
    """What is kept, or else what this reads; one thread reads, and those that come meanwhile wait for it."""
    kept = caches[CACHE]
    found: Found | None = kept.get(key)
    if found is None:
        with _READING:
            found = kept.get(key)
            if found is None:
                found = read()
                kept.set(key, found, LONGEST)
    return found


@Prepared
def _happened() -> QuerySet[Event, Any]:
    """The number of events and the last one: on PostgreSQL an event may be committed after one with a larger key."""
    rows = Event.objects.filter(subject=Param("subject", CharField())).order_by().values("subject")
    return rows.annotate(n=Count("pk"), last=Max("pk")).values_list("n", "last")


def _meeting(row: JudgingRound) -> MeetingFacts:
    removed = set(Removal.objects.filter(rater__round=row).values_list("rater", flat=True))
    raters = {
        rater.number: SeatedRater(
            rater.pk,
            rater.number,
            rater.person_id,
            rater.person.get_username(),
            rater.locked_at is not None and rater.pk not in removed,
        )
        for rater in Rater.objects.filter(round=row).select_related("person").order_by("number")
    }
    return MeetingFacts(rounds.rubric_of(row), agenda.agenda_of(row), raters)


def _exhibit(row: JudgingRound, place: int) -> ExhibitFacts | None:
    exhibit = Exhibit.objects.filter(round=row, place=place).select_related("consensus").first()
    if exhibit is None:
        return None
    exhibit.round = row
    proposal, consensus = agreeing.standing(exhibit), getattr(exhibit, "consensus", None)
    given = given_marks.of_round(row, exhibits=[exhibit.pk])
    said = Argument.objects.filter(exhibit=exhibit).order_by("pk").values_list("pk", "author", "text", "at")
    return ExhibitFacts(
        pk=exhibit.pk,
        place=exhibit.place,
        shown=ShownExhibit.model_validate(exhibit.shown, strict=False),
        revealed=agenda.is_revealed(exhibit),
        first={one.rater: one.mark for one in given},
        checks={one.rater: one.checks for one in given},
        latest=dict(MeetingMark.objects.filter(exhibit=exhibit).order_by("pk").values_list("rater__person", "mark")),
        said=tuple(SaidWords(*each) for each in said),
        proposal=proposal,
        confirming=agreeing.confirmed_by(proposal) if proposal else frozenset(),
        settled_by=consensus.voters if consensus else 0,
    )


class CheckLine(NamedTuple):
    """A check by its title, and what was said to it in words."""

    title: str
    said: str


def check_lines(rubric: Rubric, about: ExhibitFacts) -> Iterator[CheckLine]:
    """What was said to each check that anybody has answered, in their order."""
    given = [CheckedMark(mark, "", about.checks[number]) for number, mark in about.first.items()]
    found = check_results(rubric, given)
    for check in rubric.checks:
        said = found[check.key].all
        if said.unanswered == len(given):
            continue
        if isinstance(said, AnsweredYesNo):
            words = gettext("yes %(yes)s, no %(no)s, open %(open)s")
            counts = {"yes": said.yes, "no": said.no, "open": said.unanswered}
        else:
            words = gettext("%(n)s of %(m)s in all, open %(open)s")
            counts = {"n": said.n, "m": said.m, "open": said.unanswered}
        yield CheckLine(check.title, words % counts)
