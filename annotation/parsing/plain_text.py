"""Plain text documents, stored unchanged, since spans address their code points."""

from __future__ import annotations

from annotation.documents.layout import PLAIN_TEXT, TEXT, Layout
from annotation.parsing.fields import MAX_TEXT, LineRefused, typed
from annotation.parsing.incoming import IncomingDocument

LONGEST = MAX_TEXT


def text_document(text: str, field: str, *, title: str = "", url: str = "", licence: str = "") -> IncomingDocument:
    """The document of a text; LineRefused, naming `field`, if it can't be stored.

    Nothing is stripped or normalised. Items that share a text share its document: create it once and pass it to each.
    """
    typed(text, str, field, longest=LONGEST)
    if "\x00" in text:
        raise LineRefused(field, "The text contains a NUL character.")
    try:
        source = text.encode("utf-8")
    except UnicodeEncodeError:
        raise LineRefused(field, "The text contains an unpaired surrogate.") from None
    return IncomingDocument(source, PLAIN_TEXT, Layout(TEXT), title, url, licence)
