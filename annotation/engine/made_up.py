"""The screens of work on an item, before anybody has done any: earlier answers are taken from work on it, or made up.

Nothing is written, and nothing is asked of an assignment: a step is what the protocol says that follows some answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from annotation.engine import loading, recording
from annotation.errors import NotFound, PayloadInvalid
from annotation.models import Annotation, Item
from annotation.models.record import RELEASED
from annotation.protocol import Activity, Protocol
from annotation.values.records import Context, GivenAnswer, Step, Waiting
from annotation.values.schemas import ProjectConfig
from annotation.values.sheets import Sheet

TRIES = 20
"""Pieces of work that are made up until every stage was reached: an answer that an item is no good ends one early."""
LONGEST = 120
"""Answers of one of them, whatever the protocol says."""
LATER = 3
"""The turn that stands for later ones, where stages come in turns."""


@dataclass(frozen=True)
class WorkScreen:
    """A step, or the wait for one, as `context.seat` sees it; `made_up`: an answer before it is nobody's."""

    protocol: Protocol
    activity: Activity
    context: Context
    following: Step | Waiting
    made_up: bool

    @property
    def seat(self) -> str:
        """Who sees it."""
        return self.context.seat

    @property
    def is_wait(self) -> bool:
        """Whether another seat has to answer first."""
        return isinstance(self.following, Waiting)

    @property
    def step(self) -> Step:
        """What is answered, by this seat or by another."""
        return self.following.step if isinstance(self.following, Waiting) else self.following

    @property
    def address(self) -> str:
        """What it is called in addresses: that of its step, or of the one waited for."""
        return f"waiting-{self.step.address}" if self.is_wait else self.step.address

    def sheet(self) -> Sheet:
        """Everything that the seat may see there."""
        return self.protocol.sheet(self.context, self.following)


def screens_of(item: Item, activity: str) -> list[WorkScreen]:
    """Every stage of every seat that answers lead to, and the waits for each, in the order of seats and steps.

    A stage that comes in turns is there as it comes first, and in turn LATER if that is reached. Earlier answers are
    those of the newest finished annotation of the item, and made up where it has none.
    """
    protocol = loading.protocol_of(item)
    walk = _Walk(protocol, protocol.activity(activity), _first_context(protocol, item, activity))
    given = _given(item, walk.activity)
    for number in range(TRIES):
        walk.to_the_end({} if number else given, Random(f"{item.external_id} {number}"))
        if walk.has_all_stages or protocol.bots is None:
            break
    seats = walk.activity.seats
    place = walk.activity.place
    return sorted(walk.found.values(), key=lambda one: (seats.index(one.seat), one.is_wait, place(one.step)))


def screen_at(item: Item, activity: str, seat: str, address: str) -> WorkScreen:
    """The one at that address; NotFound if there is none."""
    if activity not in {each.key for each in activities_of(item)}:
        raise NotFound
    for each in screens_of(item, activity):
        if (each.seat, each.address) == (seat, address):
            return each
    raise NotFound


def activities_of(item: Item) -> list[Activity]:
    """The activities in which an item of this kind is worked on."""
    return [each for each in loading.protocol_of(item).activities if each.kind == item.kind]


def _first_context(protocol: Protocol, item: Item, activity: str) -> Context:
    config: ProjectConfig = protocol.config.model_validate(item.project.config, strict=False)
    return Context(loading.item_record(item), activity, config=config, seed=f"{item.project.slug}/{item.external_id}")


def _given(item: Item, activity: Activity) -> dict[str, GivenAnswer]:
    """By address, what the newest finished annotation answers; not what was published in a schema of its own."""
    rows = Annotation.objects.filter(item=item, activity=activity.key, completed_at__isnull=False, purpose__in=RELEASED)
    newest = rows.order_by("completed_at", "pk").last()
    answers = loading.said_of(activity, newest.responses.order_by("pk"), authors={}) if newest else ()
    return {one.address: one for one in answers if one.schema == activity.stage(one.stage).schema_name}


@dataclass
class _Walk:
    """What has been found so far: of each seat the first of each stage and of each wait, and the stages of LATER."""

    protocol: Protocol
    activity: Activity
    start: Context
    found: dict[tuple[str, bool, str, bool], WorkScreen] = field(default_factory=dict)

    @property
    def has_all_stages(self) -> bool:
        seen = {one.step.stage for one in self.found.values() if not one.is_wait}
        return seen >= {stage.key for stage in self.activity.stages}

    def to_the_end(self, given: Mapping[str, GivenAnswer], rng: Random) -> None:
        """Answer step after step, as given or else made up, until nothing follows or no answer is possible."""
        answers: tuple[GivenAnswer, ...] = ()
        made_up = False
        for _ in range(LONGEST):
            here = list(self._screens(answers, made_up=made_up))
            for one in here:
                is_later = one.step.turn == LATER and not one.is_wait
                self.found.setdefault((one.seat, one.is_wait, one.step.stage, is_later), one)
            answered = next((one for one in here if not one.is_wait), None)
            if answered is None:
                return
            answer = given.get(answered.address)
            made_up = made_up or answer is None
            try:
                answer = answer or self._pretended(answered, rng)
            except (PayloadInvalid, LookupError, ValueError):  # of an odd item no answer can be made up
                return
            answers = tuple(sorted((*answers, answer), key=self.activity.place))

    def _screens(self, answers: tuple[GivenAnswer, ...], *, made_up: bool) -> Iterator[WorkScreen]:
        for seat in self.activity.seats:
            context = replace(self.start, seat=seat, answers=answers)
            following = self.protocol.next_step(context)
            if isinstance(following, Step):
                before = tuple(one for one in answers if self.activity.place(one) < self.activity.place(following))
                context = replace(context, answers=before)
            if following is not None:
                yield WorkScreen(self.protocol, self.activity, context, following, made_up)

    def _pretended(self, screen: WorkScreen, rng: Random) -> GivenAnswer:
        """A made-up answer that the protocol accepts; LookupError without bots, PayloadInvalid if it is refused."""
        if self.protocol.bots is None:
            raise LookupError(self.protocol.key)
        stage, step = self.activity.stage(screen.step.stage), screen.step
        payload: Any = recording.validated(stage, self.protocol.bots.pretend(screen.sheet(), rng))
        if problems := self.protocol.check(screen.context, step, payload):
            raise PayloadInvalid(tuple(problems))
        stored = self.protocol.stored(screen.context, step, payload)
        return GivenAnswer(step.stage, stored, stage.schema_name, step.turn, screen.seat, screen.seat)
