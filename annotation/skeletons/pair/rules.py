"""Whose word it is, what each seat sees, what can be said, and what a finished talk leads to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotation.documents.spans import problem_of
from annotation.documents.words import language_by_script, says_something
from annotation.errors import NotFound, Problem
from annotation.i18n import _
from annotation.parsing.incoming import IncomingItem
from annotation.skeletons.pair.schemas import FEWEST, MOST, Asked, Exchange, NotSaid, Talked, Told
from annotation.talks import Ended, ShownTurn, Talk, TalkSheet, first_unanswered, item_to_answer_again, step_or_waiting
from annotation.values.records import AnnotationRecord, Context, ItemRecord, Step, Waiting
from annotation.values.sheets import PassageSheet, Sheet


def said_text(payload: Any) -> str:
    """What was said, in words."""
    return "–" if isinstance(payload, NotSaid) else str(payload.text)


TALK = Talk(
    opening="ask",
    reply="tell",
    closing="closing",
    opener="asker",
    replier="teller",
    most=MOST,
    text=said_text,
)


@dataclass(frozen=True, kw_only=True)
class AskSheet(TalkSheet):
    """For the asker: the topic, never the text. `may_end`: they may propose to end."""

    may_end: bool


@dataclass(frozen=True, kw_only=True)
class TellSheet(PassageSheet, TalkSheet):
    """For the teller, with what was asked as `prompt`."""


@dataclass(frozen=True, kw_only=True)
class ClosingSheet(PassageSheet, TalkSheet):
    """For the teller: the asker would end here."""


@dataclass(frozen=True, kw_only=True)
class WaitingSheet(PassageSheet, TalkSheet):
    """For whoever waits; the asker gets no text. `pending`: what they have asked; `seat`: who waits."""

    seat: str
    pending: str


@dataclass(frozen=True, kw_only=True)
class AgainSheet(PassageSheet, TalkSheet):
    """For somebody who answers a talk of others again: what was asked in turn `number` of `of`, as `prompt`.

    `turns` are their own answers; nothing of what was told originally.
    """

    of: int


def next_step(context: Context) -> Step | Waiting | None:
    """What this seat says next, or that it waits."""
    if context.activity != "again":
        return step_or_waiting(TALK.following(context.answers), context.seat)
    turns = len(talked_of(context.item).exchanges) if context.item is not None else 1
    return first_unanswered((Step("again", turn, context.seat) for turn in range(1, turns + 1)), context)


def sheet(context: Context, step: Step | Waiting) -> Sheet:
    """What the person in `context.seat` sees at a step, or while the other one is at it."""
    at = step.step if isinstance(step, Waiting) else step
    if context.activity == "again":
        return _again(context, at)
    common = {"stage": at.stage, "turns": TALK.turns(context.answers), "prompt": context.item.payload["topic"]}
    text = text_of(context.item) if context.seat == "teller" else ""
    with_text = common | {"text": text, "lang": language_by_script(text)}
    asked = context.answer_to("ask", at.turn)
    pending = asked.text if isinstance(asked, Asked) else ""
    if isinstance(step, Waiting):
        return WaitingSheet(seat=context.seat, pending=pending, **with_text)
    if at.seat != context.seat or (at.stage == "ask") != (asked is None):
        raise NotFound
    if at.stage == "ask":
        return AskSheet(may_end=len(common["turns"]) >= FEWEST, **common)
    if isinstance(asked, Ended) != (at.stage == "closing"):
        raise NotFound
    return ClosingSheet(**with_text) if at.stage == "closing" else TellSheet(**with_text | {"prompt": pending})


def _again(context: Context, at: Step) -> AgainSheet:
    exchanges = talked_of(context.item).exchanges
    if not 1 <= at.turn <= len(exchanges):
        raise NotFound
    own = {entry.turn: said_text(entry.payload) for entry in context.answers if entry.turn < at.turn}
    turns = tuple(
        ShownTurn.with_texts(turn, turn, ask=exchanges[turn - 1].asked, again=text)
        for turn, text in sorted(own.items())
    )
    return AgainSheet(
        stage="again",
        prompt=exchanges[at.turn - 1].asked,
        text=text_of(context.item),
        lang=language_by_script(text_of(context.item)),
        turns=turns,
        alone=True,
        of=len(exchanges),
    )


def check(context: Context, step: Step, payload: Any) -> list[Problem]:
    """What is wrong with it for this item, which the schema has accepted."""
    found: list[Problem] = []
    if isinstance(payload, Asked | Told) and not says_something(payload.text):
        found.append(Problem("text", "blank", _("Write something.")))
    if isinstance(payload, Ended) and (payload.why != "done" or len(TALK.turns(context.answers)) < FEWEST):
        found.append(Problem("why", "too_early", _("You can propose to end after three turns. Go on.")))
    if isinstance(payload, Told) and (problem := problem_of(payload.span, (text_of(context.item),), field="span")):
        found.append(problem)
    return found


def follow_ups(item: ItemRecord, annotation: AnnotationRecord) -> Sequence[IncomingItem]:
    """What was asked in a finished talk, for others to answer again."""
    if annotation.activity != "talk":
        return ()
    exchanges = tuple(
        Exchange(asked=one.lines[0].text, told=one.lines[1].text) for one in TALK.turns(annotation.answers)
    )
    return (item_to_answer_again(item, annotation, "talked", Talked(exchanges=exchanges)),)


def text_of(item: ItemRecord) -> str:
    """The text of a topic, or of the topic that was talked about."""
    return (item.root or item).documents[0].text


def talked_of(item: ItemRecord) -> Talked:
    """The typed payload of a talk that is answered again; NotFound for another kind of item."""
    if item.kind != "talked":
        raise NotFound
    return Talked.from_stored(item.payload)


def told(annotation: AnnotationRecord) -> dict[int, str]:
    """What was told in each turn of a talk, or of a talk that was answered again."""
    return {one.turn: said_text(one.payload) for one in annotation.answers if one.stage in ("tell", "again")}
