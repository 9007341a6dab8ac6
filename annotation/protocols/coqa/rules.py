"""The rules of CoQA: whose turn it is, which questions and answers are possible, and what a conversation leads to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotation.documents.spans import problem_of
from annotation.documents.words import says_something
from annotation.errors import Problem
from annotation.i18n import _
from annotation.parsing.incoming import IncomingItem
from annotation.protocols.coqa import schemas, talk
from annotation.protocols.coqa.overlap import words_of_passage
from annotation.protocols.coqa.talk import exchanges, rationale_of, released_text
from annotation.talks import Ended, first_unanswered, item_to_answer_again, step_or_waiting
from annotation.values.records import AnnotationRecord, Context, ItemRecord, Step, Waiting
from annotation.values.schemas import ProjectConfig


def next_step(context: Context) -> Step | Waiting | None:
    """What this seat says next, Waiting while the partner has the word, or None once all is said."""
    if context.activity == "guess":
        return _next_of_game(context)
    alone = "one" if context.activity == "converse_alone" else ""
    return step_or_waiting(talk.TALK.following(context.answers, alone=alone), context.seat)


def _next_of_game(context: Context) -> Step | Waiting | None:
    """Each turn is guessed, then judged."""
    # Tests that look for the first step have no item.
    turns = len(schemas.Conversation.from_stored(context.item.payload).turns) if context.item is not None else 1
    steps = (Step(stage, turn, context.seat) for turn in range(1, turns + 1) for stage in ("guess", "verdict"))
    return first_unanswered(steps, context)


def check(context: Context, step: Step, payload: Any) -> list[Problem]:
    """What is wrong with a question, an answer or a guess, which the schema has accepted."""
    if isinstance(payload, schemas.Asked):
        return _of_text(payload.text, _("Write a question."))
    if isinstance(payload, Ended):
        return _of_end(context, payload)
    if isinstance(payload, schemas.Answered | schemas.Unknown):
        return _of_answer(context, step, payload)
    if isinstance(payload, schemas.Verdict) and payload.mistyped and not says_something(payload.mistyped):
        return [Problem("mistyped", "blank", _("Write what you meant to type, or leave it empty."))]
    return []


def stored(context: Context, step: Step, payload: Any) -> Any:
    """A question with the words that it shares with the passage, whatever the browser has found."""
    if not isinstance(payload, schemas.Asked):
        return payload
    return payload.model_copy(update={"overlap": words_of_passage(payload.text, context.item.text)})


def _of_text(text: str, message: Any) -> list[Problem]:
    return [] if says_something(text) else [Problem("text", "blank", message)]


def _of_end(context: Context, payload: Ended) -> list[Problem]:
    allowed = talk.may_end(len(talk.TALK.turns(context.answers)))
    if payload.why == "done" and allowed != "done":
        return [Problem("why", "too_early", _("You can propose to end after ten answered turns. Ask on."))]
    if payload.why == "exhausted" and not allowed:
        message = _("You can end because nothing is left to ask after five answered turns. Ask on.")
        return [Problem("why", "too_early", message)]
    if payload.why == "exhausted" and not says_something(payload.reason):
        return [Problem("reason", "no_reason", _("Say why nothing is left to ask about this passage."))]
    return []


def _of_answer(context: Context, step: Step, payload: schemas.Answered | schemas.Unknown) -> list[Problem]:
    found: list[Problem] = []
    if isinstance(payload, schemas.Answered):
        found += _of_text(payload.text, _("Write the answer as you would say it."))
        problem = problem_of(payload.rationale, (context.item.text,), field="rationale")
        found += [problem] if problem else []
        if payload.kind != talk.kind_of(payload.text):
            found.append(Problem("text", "other_kind", _("Yes and no are written “yes” and “no”. Send it again.")))
    if payload.may_end and not (
        context.activity == "converse" and len(talk.TALK.turns(context.answers)) + 1 >= schemas.FEWEST_TURNS
    ):
        found.append(Problem("may_end", "too_early", _("You can propose to end with the tenth answer. Go on.")))
    return found


def follow_ups(item: ItemRecord, annotation: AnnotationRecord) -> Sequence[IncomingItem]:
    """The conversation as an item for the prediction game, if it is whole or accepted; it always gets the same id.

    Those of the training set are there, too, but nobody is asked to play them (`overlap` of the activity).
    """
    turns = talk.TALK.turns(annotation.answers)
    if item.kind != "passage" or (len(turns) < schemas.FEWEST_TURNS and not annotation.accepted):
        return ()
    payload = schemas.Conversation(
        talk=annotation.external_id or annotation.id_hex,
        turns=tuple(
            schemas.Turn(question=question.text, answer=answer.text)
            for question, answer in (one.lines for one in turns)
        ),
    )
    return (item_to_answer_again(item, annotation, "conversation", payload),)


def needs_acceptance(item: ItemRecord, annotation: AnnotationRecord, config: ProjectConfig) -> bool:
    """Whether a conversation ended before its tenth turn, since the passage has nothing left, in every project."""
    return talk.ran_out(annotation)


def is_enough(item: ItemRecord, annotation: AnnotationRecord, config: ProjectConfig) -> bool:
    """Whether it has so many answered turns that it is a conversation, even if somebody leaves in the middle."""
    return annotation.activity == "converse" and len(exchanges(annotation)) >= schemas.FEWEST_TURNS


def turns_of(item: ItemRecord) -> Sequence[schemas.Turn]:
    """The questions and original answers of a conversation; a passage has none of its own."""
    return schemas.Conversation.from_stored(item.payload).turns if item.kind == "conversation" else ()


@dataclass(frozen=True)
class QuestionView:
    """A question for read-only display, or ("") why the questioner would end: `why` and `reason`."""

    text: str
    why: str = ""
    reason: str = ""


@dataclass(frozen=True)
class AnswerView:
    """An answer for read-only display, with its rationale ("" for none)."""

    text: str
    rationale: str
    may_end: bool = False


def view(stage: str, payload: Any, item: ItemRecord) -> Any:
    """What the read-only template of a stage shows of a response, ours or published."""
    if isinstance(payload, Ended):
        return QuestionView("", payload.why, payload.reason)
    if isinstance(payload, schemas.Asked | schemas.PublishedQuestion):
        return QuestionView(talk.asked_text(payload))
    if isinstance(payload, schemas.PublishedAnswer | schemas.Answered | schemas.Unknown):
        may_end = not isinstance(payload, schemas.PublishedAnswer) and payload.may_end
        return AnswerView(released_text(payload), rationale_of(payload).words, may_end)
    return payload
