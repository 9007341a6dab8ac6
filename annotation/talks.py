"""Conversations of two people: whose word it is, how they end, what their pages show, and who answers again later.

For protocols: docs/protocols.md, "The page kit". The templates are frontend/templates/work/layouts/talk.html and
work/talk/.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from typing import Any, Literal

from pydantic import Field

from annotation.parsing.incoming import IncomingItem
from annotation.values.records import AnnotationRecord, Context, GivenAnswer, ItemRecord, Step, Waiting
from annotation.values.schemas import Payload
from annotation.values.sheets import Sheet

LONGEST_REASON = 500
"""Most characters of a reason to end."""


class Ended(Payload):
    """Said instead of opening a turn. `done`: a wish to end, to which the partner agrees or not; `exhausted`: the end,

    since nothing is left to say, with the reason.
    """

    kind: Literal["ended"]
    why: Literal["done", "exhausted"]
    reason: str = Field(default="", max_length=LONGEST_REASON)


class Closing(Payload):
    """The partner's word on a wish to end: agreed, or to go on."""

    agreed: bool


@dataclass(frozen=True)
class SpokenLine:
    """What was said at a stage of a turn."""

    stage: str
    text: str


@dataclass(frozen=True)
class ShownTurn:
    """A turn with its reply, as pages show it.

    `number` counts such turns from 1; `turn` is that of their responses, which also counts those in which somebody only
    wanted to end.
    """

    number: int
    turn: int
    lines: tuple[SpokenLine, ...]

    @classmethod
    def with_texts(cls, number: int, turn: int, **texts: str) -> ShownTurn:
        """The turn in which these texts were said, by the keys of their stages."""
        return cls(number, turn, tuple(SpokenLine(stage, text) for stage, text in texts.items()))


@dataclass(frozen=True, kw_only=True)
class TalkSheet(Sheet):
    """The turns so far. `alone`: there is no partner; `flags`: the stage whose answers this person may flag, or ""."""

    turns: tuple[ShownTurn, ...] = ()
    alone: bool = False
    flags: str = ""

    @property
    def number(self) -> int:
        """The number of the turn that is under way."""
        return len(self.turns) + 1


@dataclass(frozen=True)
class Talk:
    """The shape of a conversation: in each turn one seat opens and the other replies, until both agree to end.

    `opening`, `reply` and `closing` are the keys of the stages, `opener` and `replier` the seats; `most`: replies after
    which it is over. `text(payload)`: what was said, in words. `proposes(reply)`: whether a reply already says that its
    author would end, so that a wish to end needs no answer; `ends(opening, reply)`: whether a turn is the last.
    """

    opening: str
    reply: str
    closing: str
    opener: str
    replier: str
    most: int
    text: Callable[[Any], str]
    proposes: Callable[[Any], bool] = lambda reply: False
    ends: Callable[[Any, Any], bool] = lambda opening, reply: False

    def turns(self, answers: Iterable[GivenAnswer]) -> tuple[ShownTurn, ...]:
        """The turns that have a reply, in order."""
        given = {(entry.stage, entry.turn): entry.payload for entry in answers}
        turns = sorted(turn for stage, turn in given if stage == self.reply and (self.opening, turn) in given)
        return tuple(
            ShownTurn.with_texts(number, turn, **{at: self.text(given[at, turn]) for at in (self.opening, self.reply)})
            for number, turn in enumerate(turns, start=1)
        )

    def following(self, answers: Iterable[GivenAnswer], *, alone: str = "") -> Step | None:
        """What has to be said next and by which seat, or None once the conversation is over.

        `alone`: the seat of a person who plays both parts; nobody else has to agree to the end.
        """
        given = {(entry.stage, entry.turn): entry.payload for entry in answers}
        replies, proposed = 0, False
        for turn in count(1):
            opening = given.get((self.opening, turn))
            if opening is None:
                return Step(self.opening, turn, alone or self.opener)
            if isinstance(opening, Ended):
                if alone or proposed or opening.why == "exhausted":
                    return None
                closing = given.get((self.closing, turn))
                if closing is None:
                    return Step(self.closing, turn, self.replier)
                if closing.agreed:
                    return None
                continue
            reply = given.get((self.reply, turn))
            if reply is None:
                return Step(self.reply, turn, alone or self.replier)
            replies += 1
            proposed = self.proposes(reply)
            if replies == self.most or self.ends(opening, reply):
                return None
        raise AssertionError("a conversation has a next step or an end")


def step_or_waiting(step: Step | None, seat: str) -> Step | Waiting | None:
    """What `next_step` returns to a seat, where this is to be answered next by whoever has it."""
    return step if step is None or step.seat == seat else Waiting(step)


def first_unanswered(steps: Iterable[Step], context: Context) -> Step | Waiting | None:
    """The first of these steps that nobody has answered, as `next_step` returns it; None once all are answered."""
    given = {(entry.stage, entry.turn) for entry in context.answers}
    return step_or_waiting(next((step for step in steps if (step.stage, step.turn) not in given), None), context.seat)


def item_to_answer_again(item: ItemRecord, annotation: AnnotationRecord, kind: str, payload: Payload) -> IncomingItem:
    """An item under `item` by which more people answer what was said in this annotation.

    The same annotation always gives it the same id. Let its activity exclude the conversation's, and `overlap` say how
    many people a split gets.
    """
    made_by = annotation.external_id or annotation.id_hex
    return IncomingItem(
        line=0,
        kind=kind,
        external_id=sha256(f"{made_by}\n{kind}".encode()).hexdigest()[:24],
        split=item.split,
        payload=payload.model_dump(mode="json"),
        parent=(item.kind, item.external_id),
    )
