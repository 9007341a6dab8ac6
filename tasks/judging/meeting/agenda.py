"""The agenda of a meeting: what differs, largest spread first; what is parked comes last, what is unanimous below."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from annotation import events
from annotation.errors import NotFound, WrongMove
from annotation.i18n import _
from annotation.judging import draw, given_marks, rounds
from annotation.judging.agreed import AgreedResults, agreed_results
from annotation.judging.rubrics import spread_of
from annotation.models import AgendaStep, Consensus, Exhibit, JudgingRound, User
from tasks.engine import pokes
from tasks.engine.transactions import service
from tasks.judging.meeting.voters import FEWEST, at_meeting, chair_only, voters_on

KIND = AgendaStep.Kind


@dataclass(frozen=True)
class AgendaItem:
    """An exhibit (its key) in a meeting; `consensus`: the mark that all have confirmed, "" if there is none."""

    exhibit: int
    place: int
    prompt: str
    consensus: str
    parked: bool


@dataclass(frozen=True)
class Agenda:
    """`items`: what is talked about, in order; `unanimous`: all that got one mark only; `now`: the key of the exhibit
    at which the room is, None if there is nothing to talk about; `since`: when the chair took it there, None if they
    have not."""

    items: tuple[AgendaItem, ...]
    unanimous: tuple[AgendaItem, ...]
    now: int | None
    since: datetime | None

    @property
    def settled(self) -> int:
        """How many have a consensus."""
        return sum(bool(item.consensus) for item in self.items)

    @property
    def place_now(self) -> int | None:
        """The place of the exhibit at which the room is."""
        everything = (*self.items, *self.unanimous)
        return next((item.place for item in everything if item.exhibit == self.now), None)

    def after(self, exhibit: int) -> int | None:
        """What comes after an exhibit (its key): the next open one that is not parked, else one that is."""
        rest = [item for item in self.items if item.exhibit != exhibit and not item.consensus]
        at = next((number for number, item in enumerate(self.items) if item.exhibit == exhibit), 0)
        later = {item.exhibit for item in self.items[at + 1 :]}
        rest.sort(key=lambda item: (item.parked, item.exhibit not in later))
        return rest[0].exhibit if rest else None


def agenda_of(row: JudgingRound) -> Agenda:
    """The agenda as it is now."""
    rubric, given = rounds.rubric_of(row), defaultdict(list)
    for one in given_marks.of_round(row):
        given[one.exhibit].append(one.mark)
    steps = list(AgendaStep.objects.filter(exhibit__round=row).order_by("pk").values_list("exhibit", "kind", "at"))
    pulled = {exhibit for exhibit, kind, _at in steps if kind == KIND.PULLED_IN}
    parked = {exhibit: kind == KIND.PARKED for exhibit, kind, _at in steps if kind in (KIND.PARKED, KIND.RESUMED)}
    agreed = dict(Consensus.objects.filter(exhibit__round=row).values_list("exhibit", "proposal__mark"))
    drawn = draw.judged(row).filter(same_as=None).order_by("place")
    found = []
    for pk, place, prompt in drawn.values_list("pk", "place", "shown__prompt"):
        mark = agreed.get(pk, "")
        item = AgendaItem(pk, place, prompt, mark, parked.get(pk, False) and not mark)
        found.append((spread_of(rubric, given[pk]), item))
    on_it = [(spread, item) for spread, item in found if spread.largest or item.exhibit in pulled]
    on_it.sort(key=lambda each: (each[1].parked, -each[0].largest, -each[0].mean, each[1].place))
    items = tuple(item for _, item in on_it)
    unanimous = tuple(item for spread, item in found if not spread.largest and item.exhibit not in pulled)
    taken = [(exhibit, at) for exhibit, kind, at in steps if kind == KIND.TAKEN_UP]
    now, since = taken[-1] if taken else (items[0].exhibit if items else None, None)
    return Agenda(items, unanimous, now, since)


def is_on_agenda(exhibit: Exhibit) -> bool:
    """Whether the room can talk about it: its first marks differ, or it was pulled in."""
    if AgendaStep.objects.filter(exhibit=exhibit, kind=KIND.PULLED_IN).exists():
        return True
    return len({one.mark for one in given_marks.of_round(exhibit.round, exhibits=[exhibit.pk])}) > 1


def talked_about(exhibit: Exhibit) -> JudgingRound:
    """The round of the exhibit, locked, at its meeting; WrongMove if the exhibit is not on the agenda or is settled."""
    row = exhibit.round = at_meeting(exhibit.round)
    if not is_on_agenda(exhibit):
        raise WrongMove(_("All have given the same mark. Pull it in first."))
    if Consensus.objects.filter(exhibit=exhibit).exists():
        raise WrongMove(_("This is settled: all have confirmed it."))
    return row


@service
def take_up(exhibit: Exhibit, *, by: User, now: datetime) -> None:
    """Have the room go to an exhibit, as the chair; one that was parked is so no more."""
    row = exhibit.round = at_meeting(exhibit.round)
    chair_only(row, by)
    if not is_on_agenda(exhibit):
        raise WrongMove(_("All have given the same mark. Pull it in first."))
    if _is_parked(exhibit):
        _step(exhibit, KIND.RESUMED, by=by, now=now)
    if agenda_of(row).now != exhibit.pk or not AgendaStep.objects.filter(exhibit=exhibit, kind=KIND.TAKEN_UP).exists():
        _step(exhibit, KIND.TAKEN_UP, by=by, now=now)


@service
def park(exhibit: Exhibit, *, by: User, now: datetime) -> int | None:
    """Leave an exhibit for the end, as the chair, and go to the next one, whose key is returned."""
    row = talked_about(exhibit)
    chair_only(row, by)
    if not _is_parked(exhibit):
        _step(exhibit, KIND.PARKED, by=by, now=now)
    agenda = agenda_of(row)
    following = agenda.after(exhibit.pk)
    if following is not None and agenda.now == exhibit.pk:
        then = Exhibit.objects.get(pk=following)
        then.round = row
        if not _is_parked(then):
            _step(then, KIND.TAKEN_UP, by=by, now=now)
            return following
    return None


@service
def pull_in(exhibit: Exhibit, *, by: User, now: datetime) -> None:
    """Put on the agenda what all have marked alike, since a voter or the chair doubts it.

    NotFound for others; WrongMove where fewer than two have judged it. On it already is no error.
    """
    row = exhibit.round = at_meeting(exhibit.round)
    voting = voters_on(exhibit)
    if by.pk not in {rater.person_id for rater in voting} | {row.chair_id}:
        raise NotFound
    if is_on_agenda(exhibit):
        return
    if len(voting) < FEWEST:
        raise WrongMove(_("Only one of you has judged this, so there is nothing to agree on."))
    _step(exhibit, KIND.PULLED_IN, by=by, now=now)


@service
def reveal(exhibit: Exhibit, *, by: User, now: datetime) -> None:
    """Have the names shown beside the marks of an exhibit, as the chair, for good."""
    row = exhibit.round = at_meeting(exhibit.round)
    chair_only(row, by)
    if is_on_agenda(exhibit) and not is_revealed(exhibit):
        _step(exhibit, KIND.REVEALED, by=by, now=now)


def is_revealed(exhibit: Exhibit) -> bool:
    """Whether the names are shown beside the marks."""
    return AgendaStep.objects.filter(exhibit=exhibit, kind=KIND.REVEALED).exists()


def _is_parked(exhibit: Exhibit) -> bool:
    rows = AgendaStep.objects.filter(exhibit=exhibit, kind__in=(KIND.PARKED, KIND.RESUMED)).order_by("pk")
    latest = rows.last()
    return latest is not None and latest.kind == KIND.PARKED


def _step(exhibit: Exhibit, kind: AgendaStep.Kind, *, by: User, now: datetime) -> None:
    AgendaStep.objects.create(exhibit=exhibit, kind=kind, by=by, at=now)
    events.record(f"judging.{kind}", exhibit.round, by=by, now=now, place=exhibit.place)
    pokes.room(exhibit.round_id, by=by)


def open_items(agenda: Agenda) -> Sequence[AgendaItem]:
    """What has no consensus yet."""
    return [item for item in agenda.items if not item.consensus]


def marks_after_meeting(row: JudgingRound) -> AgreedResults:
    """The marks of a round after its meeting, or as far as that is; those of an exhibit are those of its copies."""
    consensus = dict(Consensus.objects.filter(exhibit__round=row).values_list("exhibit", "proposal__mark"))
    pulled = AgendaStep.objects.filter(exhibit__round=row, kind=AgendaStep.Kind.PULLED_IN)
    doubted = set(pulled.values_list("exhibit", flat=True))
    for copy, earlier in draw.judged(row).filter(same_as__isnull=False).values_list("pk", "same_as"):
        if earlier in consensus:
            consensus[copy] = consensus[earlier]
        if earlier in doubted:
            doubted.add(copy)
    return agreed_results(rounds.rubric_of(row), given_marks.of_round(row), consensus, doubted)
