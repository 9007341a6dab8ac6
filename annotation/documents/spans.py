"""Words that were marked in plain texts: the payload of one span, and why a span is impossible. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import Field

from annotation.documents.words import inside_word
from annotation.errors import Problem
from annotation.i18n import _
from annotation.schemas import Payload

Index = Annotated[int, Field(ge=0, le=2**31)]


class MarkedSpan(Payload):
    """Code points start (inclusive) to end (exclusive) of one passage, and their text; `passage`: its place from 0."""

    passage: Index
    start: Index
    end: Index
    quote: str


def problems_of(spans: Iterable[MarkedSpan], passages: Sequence[str], *, field: str = "spans") -> list[Problem]:
    """What is wrong with spans that stand together in one answer, of each at most one thing.

    `passages` are the texts in which they were marked, as in the sheet's. Problems are told by `field` and the place
    of the span in it (`spans.0`).
    """
    found: list[Problem] = []
    seen: list[MarkedSpan] = []
    for place, span in enumerate(spans):
        problem = problem_of(span, passages, field=f"{field}.{place}", earlier=seen)
        if problem:
            found.append(problem)
        seen.append(span)
    return found


def problem_of(
    span: MarkedSpan, passages: Sequence[str], *, field: str = "spans", earlier: Iterable[MarkedSpan] = ()
) -> Problem | None:
    """Why this span is impossible, or None: it lies in its passage, carries its words, and is whole words.

    `earlier`: the spans of the same answer that it must not overlap.
    """
    if span.passage >= len(passages) or span.end > len(passages[span.passage]):
        return Problem(
            field, "no_such_place", _("The text has no such place. Reload the page and mark the words again.")
        )
    text = passages[span.passage]
    words = text[span.start : span.end]
    if not words.strip():
        return Problem(field, "empty", _("This span has no word. Mark at least one."))
    if words != span.quote:
        message = _("The text has other words at this place now. Reload the page and mark them again.")
        return Problem(field, "other_text", message, (words, span.quote))
    if words != words.strip():
        return Problem(field, "blank", _("A span begins and ends with a word, not with a blank."))
    if inside_word(text, span.start) or inside_word(text, span.end):
        return Problem(field, "cut", _("A span has whole words. Mark the rest of this word too."))
    if any(one.passage == span.passage and one.start < span.end and span.start < one.end for one in earlier):
        return Problem(field, "overlap", _("This span overlaps another one."))
    return None
