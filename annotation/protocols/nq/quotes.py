"""Validate a chosen box or span, and compare its quote with the text at its bytes and on the screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from annotation.documents.layout import PUBLISHED_SIMPLIFIED, Candidate, Layout
from annotation.errors import Problem
from annotation.i18n import _
from annotation.protocols.nq.schemas import QUOTE_LENGTH, BoxAnswer, SpanAnswer
from annotation.records import DocumentRecord

OTHER_BOX = _("The text of the chosen box has changed. Reload the page and choose again.")
OTHER_WORDS = _("The words of this span have changed. Reload the page and mark it again.")


def squeezed(text: str) -> str:
    """The text with each run of white space as one blank, and none at the ends; for browsers U+FEFF is white too."""
    return " ".join(text.replace("\ufeff", " ").split())


def beginning(text: str) -> str:
    """What is kept of a box's visible text."""
    return squeezed(text)[:QUOTE_LENGTH].rstrip()


def begins(text: str, quote: str) -> bool:
    """Whether a quote is how a visible text begins.

    At least half of what is kept of the text must be there: a screen may count characters in another way (surrogates)
    or know an excerpt only, and half of it tells boxes apart as well.
    """
    whole, given = beginning(text), beginning(quote)
    return whole.startswith(given) and 2 * len(given) >= len(whole)


@dataclass(frozen=True)
class Page:
    """A page and the layout whose bytes fit it: those of the record, or those made for a record without a page."""

    source: bytes
    layout: Layout

    @classmethod
    def of(cls, document: DocumentRecord) -> Page:
        """The page of a document."""
        from annotation import html

        layout = document.layout
        if layout.version == PUBLISHED_SIMPLIFIED:
            return cls(*html.synthesise([token.text for token in layout.tokens], layout.candidates))
        return cls(document.source, layout)

    def cut(self, start_byte: int, end_byte: int) -> str:
        """The visible text of a range of bytes; "" where there is no such range."""
        from annotation import html

        try:
            return squeezed(html.cut(self.source, start_byte, end_byte))
        except ValueError:  # a published layout may state bytes that its page does not have
            return ""


def box_problems(document: DocumentRecord, answer: BoxAnswer) -> Iterator[Problem]:
    """At most one problem: no such box, or one that does not begin with the quote."""
    page = Page.of(document)
    if answer.candidate >= len(page.layout.candidates):
        yield Problem("candidate", "no_such_box", _("There is no such box on this page. Choose one of its boxes."))
        return
    box = page.layout.candidates[answer.candidate]
    text = page.cut(box.start_byte, box.end_byte)
    if not begins(text, answer.quote):
        yield Problem("quote", "other_text", OTHER_BOX, (beginning(text), answer.quote))


def span_problems(document: DocumentRecord, candidate: int, spans: Sequence[SpanAnswer]) -> Iterator[Problem]:
    """Spans that are empty, out of the box, at a tag, out of order, overlapping, or that cut other words."""
    page = Page.of(document)
    box = page.layout.candidates[candidate]
    before = box.start_token
    for index, span in enumerate(spans):
        problem = _span_problem(f"spans.{index}", page, box, span, before)
        if problem:
            yield problem
        before = max(before, span.end)


def _span_problem(field: str, page: Page, box: Candidate, span: SpanAnswer, before: int) -> Problem | None:
    if span.start >= span.end:
        return Problem(field, "empty", _("This span has no words. Mark at least one."))
    if not (box.start_token <= span.start and span.end <= box.end_token):
        return Problem(field, "outside", _("This span is not inside the chosen box."))
    if span.start < before:
        return Problem(field, "overlap", _("This span overlaps or precedes the one before it."))
    first, last = page.layout.tokens[span.start], page.layout.tokens[span.end - 1]
    if first.html or last.html:
        return Problem(field, "at_a_tag", _("A span begins and ends with a whole word."))
    words = page.cut(first.start, last.end)
    if not span.quote.strip() or squeezed(span.quote) != words:
        return Problem(field, "other_text", OTHER_WORDS, (words, span.quote))
    return None


def shown_box_problems(document: DocumentRecord, answer: BoxAnswer) -> Iterator[Problem]:
    """At most one problem: a box that no screen shows, or that does not begin with the quote there."""
    from annotation import html

    try:
        shown = document.rendering(answer.candidate).text
    except (ValueError, html.PageRefused):
        shown = ""
    if not squeezed(shown):
        yield Problem("candidate", "not_shown", _("This box is not shown on the page. Choose another one."))
    elif not begins(shown, answer.quote):
        yield Problem("quote", "not_as_shown", OTHER_BOX, (beginning(shown), answer.quote))


def shown_span_problems(document: DocumentRecord, candidate: int, spans: Iterable[SpanAnswer]) -> Iterator[Problem]:
    """Spans whose words are not the words that the screen shows at their place."""
    rendering = document.rendering(candidate)
    for index, span in enumerate(spans):
        words = squeezed(rendering.quote(span.start, span.end))
        if words != squeezed(span.quote):
            yield Problem(f"spans.{index}", "not_as_shown", OTHER_WORDS, (words, span.quote))
