"""Notes for the import report on content that is kept although `check` would refuse it, or scorers may trip over it."""

from __future__ import annotations

from collections.abc import Iterator

from annotation.parsing.whole_files import quoted_beginning
from annotation.protocols.coqa.published import Dialogue
from annotation.protocols.coqa.schemas import FEWEST_TURNS, MOST_TURNS, Passage, PublishedAnswer, PublishedQuestion
from annotation.protocols.coqa.scoring import DOMAINS
from annotation.protocols.coqa.talk import UNKNOWN

GAMES = 3
"""CoQA: three additional answers to each question of the development and test sets."""


def of_passage(passage: Passage, story: str) -> Iterator[str]:
    """A source that the official script does not know, a second name, and white space around the text."""
    if passage.source not in DOMAINS:
        source = quoted_beginning(passage.source)
        yield f"the official script does not know the source {source}; score it with --domains."
    if passage.name is not None and passage.name != passage.filename:
        yield f"its name is {quoted_beginning(passage.name)}, unlike its filename."
    if not story.strip():
        yield "its passage has no text."
    elif story != story.strip():
        yield "its passage has leading or trailing white space."


def of_dialogue(dialogue: Dialogue, story: str, split: str) -> Iterator[str]:
    """Whatever may surprise a reader or scorer; flagged turns and blanks at the ends of a rationale are normal."""
    turns = len(dialogue.questions)
    if not FEWEST_TURNS <= turns <= MOST_TURNS:
        yield f"it has {turns:,} turns; ours have {FEWEST_TURNS} to {MOST_TURNS}."
    if dialogue.additional is None:
        if split != "train":
            yield "it has no additional answers, so that the official script can’t read it."
    elif split == "train":
        yield "it has additional answers, unlike the training set."
    elif len(dialogue.additional) < GAMES:
        yield f"the number of its lists of additional answers is {len(dialogue.additional)} instead of {GAMES}."
    for question in dialogue.questions:
        for note in _of_text(question):
            yield f"in turn {question.turn_id} the question {note}"
    for name, answers in [("answer", dialogue.answers), *_named(dialogue)]:
        for answer in answers:
            for note in (*_of_text(answer), *_of_span(answer, story)):
                yield f"in turn {answer.turn_id} the {name} {note}"


def _named(dialogue: Dialogue) -> list[tuple[str, tuple[PublishedAnswer, ...]]]:
    return [(f"additional answer {place}", answers) for place, answers in enumerate(dialogue.additional or ())]


def _of_text(payload: PublishedQuestion | PublishedAnswer) -> Iterator[str]:
    if not payload.input_text.strip():
        yield "is empty."
    elif payload.input_text != payload.input_text.strip():
        yield "has leading or trailing white space."
    # The files have the string "true" or nothing.
    if payload.fields.get("bad_turn", "true") != "true":
        yield f"has bad_turn {quoted_beginning(str(payload.fields['bad_turn']))}."


def _of_span(answer: PublishedAnswer, story: str) -> Iterator[str]:
    start, end = answer.span_start, answer.span_end
    unknown = answer.input_text.strip().lower() == UNKNOWN
    if (start, end, answer.span_text) == (-1, -1, UNKNOWN):
        if not unknown:
            yield "has no rationale."
    elif start < 0 or story[start:end] != answer.span_text:
        yield f"has the rationale {quoted_beginning(answer.span_text)}, which is not at {start:,} to {end:,}."
    elif unknown:
        yield "is unknown, but has a rationale."
