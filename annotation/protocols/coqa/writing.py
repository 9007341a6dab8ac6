"""Write dialogues in the layout of CoQA and as a dataset, after checking that our rationales still match the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from annotation.documents.spans import moved
from annotation.errors import ReleaseRefused
from annotation.i18n import _
from annotation.parsing.envelopes import Envelope
from annotation.protocol import Format
from annotation.protocol_tools import DatasetTable
from annotation.protocols.coqa.comparing import worth_a_look
from annotation.protocols.coqa.schemas import (
    FEWEST_TURNS,
    Answered,
    Asked,
    Conversation,
    Ended,
    Passage,
    PublishedAnswer,
    PublishedQuestion,
)
from annotation.protocols.coqa.talk import (
    Answer,
    Exchange,
    asked_text,
    exchanges,
    guesses,
    ran_out,
    rationale_of,
    released_text,
)
from annotation.values.records import AnnotationRecord, ReleaseRecord, Step

BAD = {"bad_turn": "true"}
"""As published files have it: a string, and never "false"."""


class Talk(NamedTuple):
    """A conversation about a passage: its turns, the games that were played on it, and why it is not released ("").

    `games` are complete: they have a guess for each turn. None: there is no item for games.
    """

    annotation: AnnotationRecord
    turns: list[Exchange]
    games: list[AnnotationRecord] | None
    incomplete: int
    left_out: str

    @property
    def partial(self) -> bool:
        """Whether it is ours and too short for a release, and no lead has accepted it."""
        return _is_partial(self.annotation, self.turns)

    @property
    def name(self) -> str:
        """The id of the dialogue."""
        return self.annotation.external_id or self.annotation.id_hex

    @property
    def answers(self) -> list[tuple[Exchange, tuple[str, ...]]]:
        """The answers to each turn, the original one first; none if it is too short for a release or was not played."""
        if self.partial or not self.games:
            return []
        games = [guesses(game) for game in self.games]
        return [
            (one, tuple(map(released_text, (one.answer, *(game[turn] for game in games)))))
            for turn, one in enumerate(self.turns, start=1)
        ]


def dialogues(format: str, records: Iterable[ReleaseRecord]) -> Iterator[dict[str, Any]]:
    """One dialogue for each conversation about each passage, in order; imported values are written unchanged.

    Conversations that the layout can't represent are left out, and `notes` reports them: those with fewer than 10 turns
    that no lead has accepted and, outside the training set, those without a complete game, since the official script
    stops at a dialogue without additional answers. ReleaseRefused if a rationale does not match the text, a game is
    another conversation's, or one person made a conversation outside the training set. KeyError for a format that is
    not one of FORMATS.
    """
    if format not in {one.key for one in FORMATS}:
        raise KeyError(format)
    for record in records:
        for talk in talks_of(record):
            if not talk.left_out:
                yield _dialogue(talk, record)


def talks_of(record: ReleaseRecord) -> list[Talk]:
    """The conversations about a passage, with their games; ReleaseRefused if those are of other turns."""
    children = {Conversation.from_stored(child.item.payload).talk: child for child in record.children}
    found = []
    for annotation in record.annotations:
        name = annotation.external_id or annotation.id_hex
        turns = exchanges(annotation)
        known_as = (annotation.external_id, annotation.inside, annotation.id_hex)
        child = next((children[one] for one in known_as if one in children), None)
        games = None if child is None else child.annotations
        if child is not None:
            said = [(asked_text(one.question), released_text(one.answer)) for one in turns]
            played_on = Conversation.from_stored(child.item.payload).turns
            if said != [(one.question, one.answer) for one in played_on]:
                raise ReleaseRefused(f"Conversation {name} is not the one on which its games were played.")
        numbers = list(range(1, len(turns) + 1))
        complete = None if games is None else [one for one in games if sorted(guesses(one)) == numbers]
        incomplete = len(games or ()) - len(complete or ())
        found.append(Talk(annotation, turns, complete, incomplete, _why_left_out(annotation, turns, complete, record)))
    return found


def _why_left_out(
    annotation: AnnotationRecord, turns: list[Exchange], games: list[AnnotationRecord] | None, record: ReleaseRecord
) -> str:
    if annotation.imported:
        return ""
    if _is_partial(annotation, turns):
        few = f"it has {len(turns)} of at least {FEWEST_TURNS} turns"
        return (
            f"{few}; it ended because nothing was left to ask, and no lead has accepted it"
            if ran_out(annotation)
            else few
        )
    if record.item.split != "train" and not games:
        return "it has no additional answers"
    return ""


def _is_partial(annotation: AnnotationRecord, turns: list[Exchange]) -> bool:
    return not annotation.imported and len(turns) < FEWEST_TURNS and not annotation.accepted


def _dialogue(talk: Talk, record: ReleaseRecord) -> dict[str, Any]:
    """A record with its keys in the order of the published files; ReleaseRefused if one person made it out of place."""
    if talk.annotation.activity == "converse_alone" and record.item.split != "train":
        raise ReleaseRefused(f"Conversation {talk.name} was made by one person, but is not of the training set.")
    passage, story = Passage.from_stored(record.item.payload), record.item.documents[0].text
    written: dict[str, Any] = {
        "source": passage.source,
        "id": talk.name,
        "filename": passage.filename,
        "story": story,
        "questions": [
            _question(one.question, turn) | _bad(talk, "question", one.turn)
            for turn, one in enumerate(talk.turns, start=1)
        ],
        "answers": [
            _answer(one.answer, turn, talk, story) | _bad(talk, "answer", one.turn)
            for turn, one in enumerate(talk.turns, start=1)
        ],
    }
    # A published dialogue has the field if its file had it, even without a list; ours if anybody played.
    if talk.games or (talk.games is not None and talk.annotation.imported):
        written["additional_answers"] = {
            str(place): [_answer(said, turn, talk, story) for turn, said in sorted(guesses(game).items())]
            for place, game in enumerate(talk.games)
        }
    return written | _name(passage, talk) | passage.fields


def _name(passage: Passage, talk: Talk) -> dict[str, str]:
    """The last key of published records, which repeats the filename; absent where it was absent."""
    if passage.name is None and talk.annotation.imported:
        return {}
    return {"name": passage.filename if passage.name is None else passage.name}


def _bad(talk: Talk, stage: str, turn: int) -> dict[str, str]:
    """The field of a question or answer of ours on which a flag was upheld, as published files have it."""
    return BAD if Step(stage, turn).address in talk.annotation.flagged else {}


def _question(question: Asked | PublishedQuestion, turn: int) -> dict[str, Any]:
    if isinstance(question, PublishedQuestion):
        return {"input_text": question.input_text, "turn_id": question.turn_id} | question.fields
    return {"input_text": question.text, "turn_id": turn}


def _answer(answer: Answer, turn: int, talk: Talk, story: str) -> dict[str, Any]:
    if isinstance(answer, Answered) and (problem := moved(answer.rationale, (story,), field="rationale")):
        raise ReleaseRefused(f"Turn {turn} of conversation {talk.name}: {problem.message}")
    start, end, quote = rationale_of(answer)
    return {
        "span_start": start,
        "span_end": end,
        "span_text": quote,
        "input_text": released_text(answer),
        "turn_id": turn,
    } | (answer.fields if isinstance(answer, PublishedAnswer) else {})


def counted(record: ReleaseRecord) -> Iterator[tuple[str, str, Sequence[AnnotationRecord]]]:
    """The passage with its conversations, and each conversation with its games, as far as the layout has them."""
    talks = [talk for talk in talks_of(record) if not talk.left_out]
    if talks:
        yield "passage", record.item.external_id, [talk.annotation for talk in talks]
    for talk in talks:
        yield "conversation", "", talk.games or ()


def notes(record: ReleaseRecord) -> Iterator[str]:
    """What the layout can't represent: conversations that are left out, how they were made and ended, and verdicts."""
    for talk in talks_of(record):
        name = f"Conversation {talk.name} about passage {record.item.external_id}"
        if talk.left_out:
            yield f"{name} is left out: {talk.left_out}."
        if talk.incomplete:
            yield f"{name}: {talk.incomplete} of its games left out because turns are missing."
        if talk.left_out:
            continue
        if talk.annotation.activity == "converse_alone":
            yield f"{name} was made by one person, who asked and answered."
        for said in talk.annotation.answers:
            if isinstance(said.payload, Ended) and said.payload.why == "exhausted":
                yield f"{name} ended because nothing was left to ask: {said.payload.reason}"
        if talk.annotation.accepted:
            yield f"{name} has {len(talk.turns)} turns, and a lead has accepted it."
        for turn, one in enumerate(talk.turns, start=1):
            for stage in ("question", "answer"):
                if _bad(talk, stage, one.turn):
                    yield f"{name}: a lead has found the {stage} of turn {turn} bad (bad_turn)."
        for sentence in worth_a_look(talk.turns, talk.games or ()):
            yield f"{name}: {sentence}."


FORMATS = (
    Format(
        key="coqa",
        former=("v1.0",),
        title=_("CoQA"),
        pattern="coqa-{split}-v1.0.json",
        kind="passage",
        child_kind="conversation",
        activity="guess",
        root_activities=("converse", "converse_alone"),
        without_children=True,  # so that notes and figures also have the conversations that are left out
        container=Envelope("data", before={"version": "1.0"}),
        notes=notes,
        counted=counted,
    ),
)


QUESTION = {"input_text": "string", "turn_id": "int32", "bad_turn": "string"}
ANSWER = {"span_start": "int32", "span_end": "int32", "span_text": "string", **QUESTION}
COLUMNS = {
    "id": "string",
    "source": "string",
    "filename": "string",
    "story": "string",
    "questions": [QUESTION],
    "answers": [ANSWER],
    "additional_answers": [[ANSWER]],
}


def rows(record: ReleaseRecord) -> Iterator[dict[str, Any]]:
    """The conversations about a passage that the published layout has."""
    for one in dialogues("coqa", [record]):
        more = one.get("additional_answers", {})
        yield one | {"additional_answers": [more[place] for place in sorted(more, key=lambda key: (len(key), key))]}


TABLE = DatasetTable(COLUMNS, rows, task="question-answering")
