"""Read raw questions with their pages: JSON Lines in Goldfinch's own layout."""

from __future__ import annotations

import posixpath
import re
from hashlib import sha256
from typing import Any

from annotation.documents.words import says_something
from annotation.parsing import fields
from annotation.parsing.fields import MAX_SHORT, LineRefused
from annotation.parsing.incoming import ImportSource, IncomingDocument, IncomingItem
from annotation.parsing.sources import MAX_LINE
from annotation.protocols.nq.pages import Pages, ParsedPage
from annotation.protocols.nq.schemas import Example

KEYS = (
    "question_text",
    "question_tokens",
    "document_html",
    "document_file",
    "document_title",
    "document_url",
    "example_id",
    "split",
)
"""The allowed keys of a line; question_text is required, and so is either document_html or document_file."""

DEFAULT_SPLIT = "train"


def read_raw(source: ImportSource, number: int, record: dict[str, Any], pages: Pages) -> IncomingItem:
    """The item in a raw line; raises LineRefused."""
    for key in record:
        if key not in KEYS:
            raise LineRefused(key, f"There is no such field. The fields are: {', '.join(KEYS)}.")
    question = fields.need(record, "question_text", str, longest=MAX_SHORT)
    if not says_something(question):
        raise LineRefused("question_text", "The question is empty.")
    title = fields.typed(record.get("document_title", ""), str, "document_title", longest=MAX_SHORT)
    url = fields.typed(record.get("document_url", ""), str, "document_url", longest=MAX_SHORT)
    tokens = fields.texts(record, "question_tokens") if "question_tokens" in record else None
    split = source.split or fields.typed(record.get("split", DEFAULT_SPLIT), str, "split")
    page = _page(source, record, pages)
    if "example_id" in record:
        example_id = _id(record, source)
    else:
        example_id = derived_id(question, page.source)
    payload = Example(
        question_text=question,
        question_tokens=None if tokens is None else tuple(tokens),
        page_lang=page.lang,
        page_dir=page.dir,
        images=page.images,
    )
    return IncomingItem(
        line=number,
        kind="example",
        external_id=str(example_id),
        split=fields.split_name(split, "split"),
        payload=payload.model_dump(mode="json", exclude_defaults=True),
        documents=(
            IncomingDocument(page.source, "text/html", page.layout, title or page.title, url),
            *page.pictures,
        ),
        notes=page.notes,
    )


def _page(source: ImportSource, record: dict[str, Any], pages: Pages) -> ParsedPage:
    from annotation.html import PageRefused

    field = "document_file" if "document_file" in record else "document_html"
    if field == "document_file" and "document_html" in record:
        raise LineRefused(field, "The page is given twice: as document_html and as document_file.")
    given = fields.need(record, field, str, longest=MAX_LINE)
    if field == "document_html":
        data, folder = given.encode(), ""
    else:
        try:
            data, folder = source.resource(given), posixpath.dirname(given)
        except LookupError as error:
            raise LineRefused(field, str(error.args[0])) from None
    try:
        return pages.raw(data, source, folder)
    except PageRefused as error:
        raise LineRefused(field, error.reason) from None


def _id(record: dict[str, Any], source: ImportSource) -> int:
    """The stated id; in a table, all values are texts."""
    said = record["example_id"]
    if isinstance(said, str) and source.form.is_table and re.fullmatch(r"-?[0-9]{1,20}", said):
        return fields.typed(int(said), int, "example_id")
    return fields.need(record, "example_id", int)


def derived_id(question: str, page: bytes) -> int:
    """A 64-bit example id for a line without one: a hash of question and page, so importing again gives the same id."""
    digest = sha256(question.encode() + b"\n" + sha256(page).digest()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)
