"""Words marked in plain texts: the payload of a span, and its validation. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import Field

from annotation.documents.words import boundaries, is_visible
from annotation.errors import Problem
from annotation.i18n import _
from annotation.values.schemas import Payload

Index = Annotated[int, Field(ge=0, le=2**31)]


class MarkedSpan(Payload):
    """Code points `start` (inclusive) to `end` (exclusive) of a passage, and their text; `passage` counts from 0."""

    passage: Index
    start: Index
    end: Index
    quote: str


def problems_of(spans: Iterable[MarkedSpan], passages: Sequence[str], *, field: str = "spans") -> list[Problem]:
    """Problems of the spans of one answer, at most one per span.

    `passages` are the texts in which they were marked, in the sheet's order. The field of a problem is `field` with the
    span's index (`spans.0`).
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
    """What is wrong with a span that somebody sends; None if it has its passage's text and cuts no character.

    `earlier`: the spans of the same answer, which it must not overlap. What a release compares is `moved` alone: what
    may be marked is asked when it is sent, so that older work stays releasable.
    """
    problem = moved(span, passages, field=field)
    if problem:
        return problem
    text = passages[span.passage]
    words = text[span.start : span.end]
    if not is_visible(words):
        return Problem(field, "empty", _("This span has no words. Mark at least one."))
    if words != words.strip() or not is_visible(words[0]):
        return Problem(field, "blank", _("A span must begin and end with a word, not with a space."))
    cuts = boundaries(text).cuts_character
    if cuts(span.start) or cuts(span.end):
        return Problem(field, "cut", _("A span must have whole characters. Mark the rest of this one, too."))
    if any(one.passage == span.passage and one.start < span.end and span.start < one.end for one in earlier):
        return Problem(field, "overlap", _("This span overlaps another one."))
    return None


def moved(span: MarkedSpan, passages: Sequence[str], *, field: str = "spans") -> Problem | None:
    """Why a span is not a place in these passages, or does not have their text; None if it is and has."""
    if span.passage >= len(passages) or span.end > len(passages[span.passage]):
        return Problem(
            field, "no_such_place", _("The text has no such place. Reload the page and mark the words again.")
        )
    words = passages[span.passage][span.start : span.end]
    if words != span.quote:
        message = _("The text at this place has changed. Reload the page and mark the words again.")
        return Problem(field, "other_text", message, (words, span.quote))
    return None
