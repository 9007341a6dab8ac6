"""A plain text as a document: it is kept as it came, since code points are its addresses."""

from __future__ import annotations

from annotation.documents.layout import PLAIN_TEXT, TEXT, Layout
from annotation.parsing.fields import LineRefused
from annotation.parsing.incoming import IncomingDocument

LONGEST = 1_000_000
"""Code points, some 170,000 English words: a long novel. A text is shown on one screen and counted from its start."""


def text_document(text: str, field: str, *, title: str = "", url: str = "", licence: str = "") -> IncomingDocument:
    """The document of a text that stands in that field of a record; LineRefused for one that can't be kept.

    Nothing is stripped or normalised. Items that share a text share its document: make it once and give it to each.
    """
    if len(text) > LONGEST:
        raise LineRefused(field, f"The text has {len(text):,} characters; {LONGEST:,} are the most.")
    if "\x00" in text:
        raise LineRefused(field, "The text holds a NUL.")
    try:
        source = text.encode("utf-8")
    except UnicodeEncodeError:
        raise LineRefused(field, "The text holds half of a surrogate pair.") from None
    return IncomingDocument(source, PLAIN_TEXT, Layout(TEXT), title, url, licence)
