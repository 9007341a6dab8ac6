"""Notes for the import report on content that is kept although `check` would refuse it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from annotation.parsing.whole_files import quoted_beginning
from annotation.protocols.squad.schemas import PublishedAnswer, Question


def of_paragraph(title: str, place: int, context: str) -> Iterator[str]:
    """A paragraph without text."""
    if not context.strip():
        yield f"Paragraph {place + 1} of {quoted_beginning(title)} has no text."


def of_question(question: Question, answers: Sequence[PublishedAnswer], context: str) -> Iterator[str]:
    """Whatever may surprise a reader or scorer. Repeated answers are normal: several people gave the same one."""
    if not question.question.strip():
        yield "the question is empty."
    elif question.question != question.question.strip():
        yield "the question has leading or trailing white space."
    if question.is_impossible and answers:
        yield "it is impossible but has an answer."
    if question.is_impossible is False and not answers and "answers" not in question.absent:
        yield "it is not impossible but has no answer."
    if question.plausible_answers and not question.is_impossible:
        yield "it has plausible answers but is not impossible."
    for answer in (*answers, *(question.plausible_answers or ())):
        there = context[max(0, answer.answer_start) :]
        if not answer.text.strip():
            yield "an answer is empty."
        elif answer.answer_start < 0 or not there.startswith(answer.text):
            yield f"the answer {quoted_beginning(answer.text)} is not at offset {answer.answer_start:,}."
