"""Validate chosen boxes and spans: whether they exist on the page, and whether their quotes match its bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from annotation.documents.layout import PUBLISHED_SIMPLIFIED, Candidate, Layout
from annotation.errors import Problem
from annotation.i18n import _
from annotation.protocols.nq.schemas import QUOTE_LENGTH, BoxAnswer, SpanAnswer
from annotation.values.records import DocumentRecord

OTHER_BOX = _("The text of the chosen box has changed. Reload the page and choose again.")
OTHER_WORDS = _("The words of this span have changed. Reload the page and mark it again.")


def squeezed(text: str) -> str:
    """The text stripped, with white space collapsed; U+FEFF counts as white space, as in browsers."""
    return " ".join(text.replace("\ufeff", " ").split())


def beginning_of_text(text: str) -> str:
    """The first QUOTE_LENGTH characters of a box's visible text, squeezed."""
    return squeezed(text)[:QUOTE_LENGTH].rstrip()


def begins(text: str, quote: str) -> bool:
    """Whether a visible text begins with a quote.

    Half of `beginning(text)` is enough to tell boxes apart, and a screen may count characters differently (surrogates)
    or know only an excerpt.
    """
    whole, given = beginning_of_text(text), beginning_of_text(quote)
    return whole.startswith(given) and 2 * len(given) >= len(whole)


@dataclass(frozen=True)
class CheckedPage:
    """A page with its layout: both from the record, or both synthesised for a record without a page (simplified)."""

    source: bytes
    layout: Layout

    @classmethod
    def from_document(cls, document: DocumentRecord) -> CheckedPage:
        """The page of a document."""
        from annotation import html

        layout = document.layout
        if layout.version == PUBLISHED_SIMPLIFIED:
            return cls(*html.synthesise([token.text for token in layout.tokens], layout.candidates))
        return cls(document.source, layout)

    def visible_text(self, start_byte: int, end_byte: int) -> str:
        """The visible text of a range of bytes; "" if there is no such range."""
        from annotation import html

        try:
            return squeezed(html.cut(self.source, start_byte, end_byte))
        except ValueError:  # a published layout may have offsets beyond its page
            return ""


def box_problems(document: DocumentRecord, answer: BoxAnswer) -> Iterator[Problem]:
    """Yield a problem if there is no such box, or its text does not begin with the quote."""
    page = CheckedPage.from_document(document)
    if answer.candidate >= len(page.layout.candidates):
        yield Problem("candidate", "no_such_box", _("There is no such box on this page. Choose one of its boxes."))
        return
    box = page.layout.candidates[answer.candidate]
    text = page.visible_text(box.start_byte, box.end_byte)
    if not begins(text, answer.quote):
        yield Problem("quote", "other_text", OTHER_BOX, (beginning_of_text(text), answer.quote))


def span_problems(document: DocumentRecord, candidate: int, spans: Sequence[SpanAnswer]) -> Iterator[Problem]:
    """Yield a problem per span that is empty, outside the box, at a tag, out of order, overlapping or misquoted."""
    page = CheckedPage.from_document(document)
    box = page.layout.candidates[candidate]
    before = box.start_token
    for index, span in enumerate(spans):
        problem = _span_problem(f"spans.{index}", page, box, span, before)
        if problem:
            yield problem
        before = max(before, span.end)


def _span_problem(field: str, page: CheckedPage, box: Candidate, span: SpanAnswer, before: int) -> Problem | None:
    if span.start >= span.end:
        return Problem(field, "empty", _("This span has no words. Mark at least one."))
    if not (box.start_token <= span.start and span.end <= box.end_token):
        return Problem(field, "outside", _("This span is not inside the chosen box."))
    if span.start < before:
        return Problem(field, "overlap", _("This span overlaps the one before it, or comes before it."))
    first, last = page.layout.tokens[span.start], page.layout.tokens[span.end - 1]
    if first.html or last.html:
        return Problem(field, "at_a_tag", _("A span must begin and end with a whole word."))
    words = page.visible_text(first.start, last.end)
    if not span.quote.strip() or squeezed(span.quote) != words:
        return Problem(field, "other_text", OTHER_WORDS, (words, span.quote))
    return None


def shown_box_problems(document: DocumentRecord, answer: BoxAnswer) -> Iterator[Problem]:
    """Yield a problem if the rendering does not show the box, or its text there does not begin with the quote."""
    from annotation import html

    try:
        shown = document.rendering(answer.candidate).text
    except (ValueError, html.PageRefused):
        shown = ""
    if not squeezed(shown):
        yield Problem("candidate", "not_shown", _("This box is not shown on the page. Choose another one."))
    elif not begins(shown, answer.quote):
        yield Problem("quote", "not_as_shown", OTHER_BOX, (beginning_of_text(shown), answer.quote))


def shown_span_problems(document: DocumentRecord, candidate: int, spans: Iterable[SpanAnswer]) -> Iterator[Problem]:
    """Yield a problem for each span whose quote differs from the words that the rendering shows there."""
    rendering = document.rendering(candidate)
    for index, span in enumerate(spans):
        words = squeezed(rendering.quote(span.start, span.end))
        if words != squeezed(span.quote):
            yield Problem(f"spans.{index}", "not_as_shown", OTHER_WORDS, (words, span.quote))
