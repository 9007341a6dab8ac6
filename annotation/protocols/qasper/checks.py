"""Validates questions and answers against their paper: what the schema can't refuse."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from annotation.documents.spans import MarkedSpan, problem_of
from annotation.documents.text import sentences
from annotation.documents.words import length_of, plain_words, says_something
from annotation.errors import Problem
from annotation.i18n import _
from annotation.protocols.qasper import schemas
from annotation.protocols.qasper.papers import PaperText

FEWEST_WORDS, MOST_WORDS = 3, 60
"""Limits of a question."""
MOST_ANSWER_WORDS = 60
ALIKE = 0.7
"""Jaccard index of their content words at which two questions of one writer count as very similar."""
STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be by can could did do does for from has have how in is it its of on or that the their them"
        " there they this to was were what when where which who why will with would",
    )
)
"""Stop words, ignored when questions are compared."""

OTHER_TEXT = _("The paper’s text at this place has changed. Reload the page and choose again.")


def of_questions(payload: schemas.Questions, paper: schemas.Paper) -> Iterator[Problem]:
    """The problems of each question; fields are `questions.0`, `questions.1`, ..."""
    if not paper.abstract.strip():
        yield Problem("", "no_abstract", _("This paper has no abstract, so no one can ask about it."))
    abstract = {plain_words(span.text_in(paper.abstract)) for span in sentences(paper.abstract)}
    seen: list[str] = []
    for place, question in enumerate(payload.questions):
        plain = plain_words(question.text)
        like = None if question.kept else next((one for one in seen if similarity(one, plain) >= ALIKE), None)
        for code, message in _of_question(question.text, plain in abstract, plain in seen, like is not None):
            yield Problem(f"questions.{place}", code, message)
        seen.append(plain)


def similarity(one: str, other: str) -> float:
    """Jaccard index of the content words of two texts from `plain_words`, 0..1; 0 if one has none."""
    a, b = set(one.split()) - STOP_WORDS, set(other.split()) - STOP_WORDS
    return len(a & b) / len(a | b) if a and b else 0.0


def _of_question(text: str, copied: bool, twice: bool, alike: bool) -> Iterator[tuple[str, str]]:
    n, in_characters = length_of(text)
    if n < FEWEST_WORDS:
        few, few_characters = _("A question has at least 3 words."), _("A question has at least 3 characters.")
        yield "too_short", few_characters if in_characters else few
    elif n > MOST_WORDS:
        many, many_characters = _("A question has at most 60 words."), _("A question has at most 60 characters.")
        yield "too_long", many_characters if in_characters else many
    elif copied:
        yield "copied", _("This is a sentence of the abstract. Ask in your own words.")
    elif twice:
        yield "twice", _("You have asked this question already.")
    elif alike:
        message = _("Very similar to a question of yours above. Change it, or keep it if it has a different answer.")
        yield "alike", message


def of_answer(payload: Any, text: PaperText) -> list[Problem]:
    """The problems of an answer to a question on this paper. Evidence comes first, because spans depend on it."""
    evidence = getattr(payload, "evidence", ())
    problems = list(_of_evidence(evidence, text))
    if problems:
        return problems
    match payload:
        case schemas.Extractive():
            return list(_of_spans(payload, text))
        case schemas.YesNo():
            return list(_of_yes_no(payload))
        case schemas.Abstractive():
            return list(_of_text(payload.text))
    return []


def _of_evidence(units: Iterable[schemas.EvidenceUnit], text: PaperText) -> Iterator[Problem]:
    sentences_seen: set[tuple[int, int]] = set()
    floats_seen: set[int] = set()
    for place, unit in enumerate(units):
        field = f"evidence.{place}"
        if isinstance(unit, schemas.FloatUnit):
            if unit.index >= len(text.captions):
                yield Problem(field, "no_such_float", _("The paper has no such figure or table."))
            elif unit.index in floats_seen:
                yield Problem(field, "twice", _("This figure or table is already chosen."))
            elif text.captions[unit.index] != unit.quote:
                yield Problem(field, "other_text", OTHER_TEXT, (text.captions[unit.index], unit.quote))
            floats_seen.add(unit.index)
            continue
        if unit.paragraph >= len(text.blocks) or not unit.start < unit.end <= len(
            text.blocks[unit.paragraph].sentences
        ):
            yield Problem(field, "no_such_sentences", _("The paper has no such sentences."))
            continue
        chosen = {(unit.paragraph, sentence) for sentence in range(unit.start, unit.end)}
        if chosen & sentences_seen:
            yield Problem(field, "twice", _("One of these sentences is already chosen."))
        elif (words := text.run(unit.paragraph, unit.start, unit.end)) != unit.quote:
            yield Problem(field, "other_text", OTHER_TEXT, (words, unit.quote))
        sentences_seen |= chosen


def runs(units: Iterable[schemas.EvidenceUnit]) -> list[tuple[int, int, int]]:
    """The chosen sentences in paper order, adjacent ones merged: (paragraph, first sentence, end), half-open."""
    chosen = sorted((u.paragraph, u.start, u.end) for u in units if isinstance(u, schemas.SentencesUnit))
    joined: list[tuple[int, int, int]] = []
    for paragraph, start, end in chosen:
        if joined and joined[-1][0] == paragraph and start <= joined[-1][2]:
            joined[-1] = (paragraph, joined[-1][1], max(end, joined[-1][2]))
        else:
            joined.append((paragraph, start, end))
    return joined


def _of_spans(payload: schemas.Extractive, text: PaperText) -> Iterator[Problem]:
    places = [(paragraph, *text.run_span(paragraph, start, end)) for paragraph, start, end in runs(payload.evidence)]
    seen: list[MarkedSpan] = []
    for place, span in enumerate(span.marked for span in payload.spans):
        field = f"spans.{place}"
        if not any(p == span.passage and start <= span.start and span.end <= end for p, start, end in places):
            message = _("These words are outside the evidence. Add their sentence to the evidence.")
            yield Problem(field, "outside", message)
        elif problem := problem_of(span, text.paragraphs, field=field, earlier=seen):
            yield problem
        seen.append(span)


def _of_yes_no(payload: schemas.YesNo) -> Iterator[Problem]:
    if payload.by_absence and payload.value:
        yield Problem("by_absence", "yes_by_absence", _("“The paper does not mention it” can only mean No."))
    elif payload.by_absence and payload.evidence:
        message = _("You chose evidence and said that the paper does not mention it. Remove one or the other.")
        yield Problem("by_absence", "absence_with_evidence", message)
    elif not payload.by_absence and not payload.evidence:
        message = _("Choose the evidence, or say that the answer is no because the paper does not mention it.")
        yield Problem("evidence", "no_evidence", message)


def _of_text(text: str) -> Iterator[Problem]:
    n, in_characters = length_of(text)
    if not says_something(text):
        yield Problem("text", "empty", _("Write the answer."))
    elif n > MOST_ANSWER_WORDS:
        many, many_characters = _("An answer has at most 60 words."), _("An answer has at most 60 characters.")
        yield Problem("text", "too_long", many_characters if in_characters else many)
