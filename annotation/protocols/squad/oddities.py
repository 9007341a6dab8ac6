"""Sentences for the import report about content that imports keep, although `check` would refuse it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.protocols.squad.schemas import PublishedAnswer, Question

VERSIONS = ("1.1", "v2.0")
"""What published files say of their version."""


def of_file(around: Mapping[str, Any]) -> Iterator[str]:
    """Fields beside the list of articles, which releases leave out."""
    for key, value in around.items():
        if key != "version":
            yield f"The file has a field {beginning(key)} beside its articles; releases leave it out."
        elif value not in VERSIONS:
            yield f"The version of the file is {beginning(str(value))}; a release says 1.1 or v2.0."


def of_paragraph(title: str, place: int, context: str) -> Iterator[str]:
    """A paragraph without a text."""
    if not context.strip():
        yield f"Paragraph {place + 1} of {beginning(title)} has no text."


def of_question(question: Question, answers: Sequence[PublishedAnswer], context: str) -> Iterator[str]:
    """What readers and scorers may not expect. The same answer several times is normal: several people gave it."""
    if not question.question.strip():
        yield "there is no question."
    elif question.question != question.question.strip():
        yield "white space stands around the question."
    if question.is_impossible and answers:
        yield "it is impossible, and has an answer."
    if question.is_impossible is False and not answers and "answers" not in question.absent:
        yield "it is not impossible, and has no answer."
    if question.plausible_answers and not question.is_impossible:
        yield "there are plausible answers to a question that is not impossible."
    for answer in (*answers, *(question.plausible_answers or ())):
        there = context[max(0, answer.answer_start) :]
        if not answer.text.strip():
            yield "an answer has no word."
        elif answer.answer_start < 0 or not there.startswith(answer.text):
            yield f"the answer {beginning(answer.text)} does not stand at {answer.answer_start:,}."


def beginning(text: str) -> str:
    """The first words of a text in quotes, for a sentence about it."""
    return f"“{text[:40]}…”" if len(text) > 40 else f"“{text}”"
