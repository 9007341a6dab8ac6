"""The questions and answers of a published dialogue: parallel lists in, annotations out; strict about structure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotation.parsing import fields
from annotation.parsing.fields import MAX_SHORT, LineRefused
from annotation.parsing.incoming import IncomingAnnotation, IncomingResponse
from annotation.protocols.coqa.schemas import Conversation, PublishedAnswer, PublishedQuestion, Turn

QUESTION = "coqa.question/published/1"
ANSWER = "coqa.answer/published/1"
GUESS = "coqa.guess/published/1"

MOST_TURNS = 1_000
"""A dialogue with more is not one: the longest published ones have 29 turns."""


@dataclass(frozen=True)
class Dialogue:
    """What was said about a passage. `additional` is None in a file without that field, as the training set."""

    name: str
    questions: tuple[PublishedQuestion, ...]
    answers: tuple[PublishedAnswer, ...]
    additional: tuple[tuple[PublishedAnswer, ...], ...] | None = None

    @property
    def conversation(self) -> IncomingAnnotation:
        """The conversation as an annotation of the passage."""
        said = []
        for question, answer in zip(self.questions, self.answers, strict=True):
            turn = question.turn_id
            said.append(IncomingResponse("question", QUESTION, _stored(question), turn, "questioner"))
            said.append(IncomingResponse("answer", ANSWER, _stored(answer), turn, "answerer"))
        return IncomingAnnotation(self.name, "converse", tuple(said))

    @property
    def games(self) -> tuple[IncomingAnnotation, ...] | None:
        """Each additional list as an annotation of the conversation; None if there is no such field."""
        if self.additional is None:
            return None
        return tuple(
            IncomingAnnotation(
                f"{self.name}-{place}",
                "guess",
                tuple(IncomingResponse("guess", GUESS, _stored(one), one.turn_id) for one in answers),
            )
            for place, answers in enumerate(self.additional)
        )

    def as_item(self) -> Conversation:
        """The payload of the conversation, on which the prediction game is played."""
        turns = zip(self.questions, self.answers, strict=True)
        return Conversation(
            talk=self.name,
            turns=tuple(Turn(question=one.input_text, answer=other.input_text) for one, other in turns),
        )


def _stored(payload: PublishedQuestion | PublishedAnswer) -> dict[str, Any]:
    return payload.model_dump(mode="json", exclude_defaults=True)


def read_dialogue(record: dict[str, Any], name: str) -> Dialogue:
    """The dialogue in a record.

    LineRefused unless it has at least one turn, its lists are parallel, turn ids are 1 to n in order in each of them,
    and the additional lists are called "0", "1" and so on. Texts and spans are taken as they are.
    """
    asked = fields.need(record, "questions", list)
    if not asked:
        raise LineRefused("questions", "The dialogue has no question.")
    if len(asked) > MOST_TURNS:
        raise LineRefused("questions", f"The dialogue has {len(asked):,} questions; the limit is {MOST_TURNS:,}.")
    questions = tuple(_question(one, f"questions[{place}]", place + 1) for place, one in enumerate(asked))
    answers = _answers(fields.need(record, "answers", list), "answers", len(questions))
    if "additional_answers" not in record:
        return Dialogue(name, questions, answers)
    additional = _additional(fields.need(record, "additional_answers", dict), len(questions))
    return Dialogue(name, questions, answers, additional)


def _additional(lists: dict[str, Any], turns: int) -> tuple[tuple[PublishedAnswer, ...], ...]:
    found = []
    for place in range(len(lists)):
        where = f"additional_answers.{place}"
        if str(place) not in lists:
            raise LineRefused(
                "additional_answers", f'Its lists must be called "0" to "{len(lists) - 1}", without gaps.'
            )
        found.append(_answers(fields.typed(lists[str(place)], list, where), where, turns))
    return tuple(found)


def _answers(given: list[Any], where: str, turns: int) -> tuple[PublishedAnswer, ...]:
    if len(given) != turns:
        raise LineRefused(where, f"The list has {len(given):,} answers to {turns:,} questions.")
    return tuple(_answer(one, f"{where}[{place}]", place + 1) for place, one in enumerate(given))


def _question(given: Any, where: str, turn: int) -> PublishedQuestion:
    one = fields.typed(given, dict, where)
    return PublishedQuestion(
        input_text=fields.need(one, "input_text", str, where, longest=MAX_SHORT),
        turn_id=_turn_id(one, where, turn),
        fields=fields.unknown(one, ("input_text", "turn_id"), where),
    )


def _answer(given: Any, where: str, turn: int) -> PublishedAnswer:
    one = fields.typed(given, dict, where)
    return PublishedAnswer(
        input_text=fields.need(one, "input_text", str, where, longest=MAX_SHORT),
        turn_id=_turn_id(one, where, turn),
        span_start=fields.need(one, "span_start", int, where),
        span_end=fields.need(one, "span_end", int, where),
        span_text=fields.need(one, "span_text", str, where),
        fields=fields.unknown(one, ("input_text", "turn_id", "span_start", "span_end", "span_text"), where),
    )


def _turn_id(record: dict[str, Any], where: str, turn: int) -> int:
    found = fields.need(record, "turn_id", int, where)
    if found != turn:
        raise LineRefused(f"{where}.turn_id", f"Turn ids must be 1, 2, 3 and so on; this is {found:,}, not {turn:,}.")
    return turn
