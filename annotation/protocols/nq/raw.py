"""Reading raw questions with their pages: JSON Lines in Goldfinch's own layout."""

from __future__ import annotations

import posixpath
from hashlib import sha256
from typing import Any

from annotation.parsing import fields
from annotation.parsing.fields import LineRefused
from annotation.parsing.incoming import ImportSource, IncomingDocument, IncomingItem
from annotation.protocols.nq.pages import Cut, Pages
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
"""All fields of a line; question_text and one of document_html and document_file are required."""

DEFAULT_SPLIT = "train"


def read_raw(source: ImportSource, number: int, record: dict[str, Any], pages: Pages) -> IncomingItem:
    """The item in one raw line, or LineRefused."""
    for key in record:
        if key not in KEYS:
            raise LineRefused(key, f"There is no such field. The fields are: {', '.join(KEYS)}.")
    question = fields.need(record, "question_text", str)
    if not question.strip():
        raise LineRefused("question_text", "The question is empty.")
    title = fields.typed(record.get("document_title", ""), str, "document_title")
    url = fields.typed(record.get("document_url", ""), str, "document_url")
    tokens = fields.texts(record, "question_tokens") if "question_tokens" in record else None
    split = source.split or fields.typed(record.get("split", DEFAULT_SPLIT), str, "split")
    cut = _page(source, record, pages)
    if "example_id" in record:
        example_id = fields.need(record, "example_id", int)
    else:
        example_id = made_id(question, cut.source)
    payload = Example(
        question_text=question,
        question_tokens=None if tokens is None else tuple(tokens),
        page_lang=cut.lang,
        page_dir=cut.dir,
        images=cut.images,
    )
    return IncomingItem(
        line=number,
        kind="example",
        external_id=str(example_id),
        split=fields.split_name(split, "split"),
        payload=payload.model_dump(mode="json", exclude_defaults=True),
        documents=(
            IncomingDocument(cut.source, "text/html", cut.layout, title or cut.title, url, rendering=cut.rendering),
            *cut.pictures,
        ),
        notes=cut.notes,
    )


def _page(source: ImportSource, record: dict[str, Any], pages: Pages) -> Cut:
    from annotation.html import PageRefused

    field = "document_file" if "document_file" in record else "document_html"
    if field == "document_file" and "document_html" in record:
        raise LineRefused(field, "The page is given twice: as document_html and as document_file.")
    given = fields.need(record, field, str)
    if field == "document_html":
        data, folder = given.encode(), ""
    else:
        try:
            data, folder = source.resource(given), posixpath.dirname(given)
        except LookupError as error:
            raise LineRefused(field, str(error.args[0])) from None
    try:
        cut = pages.raw(data, source, folder)
    except PageRefused as error:
        raise LineRefused(field, error.reason) from None
    if not any(not token.html for token in cut.layout.tokens):
        raise LineRefused(field, "The page has no visible words.")
    return cut


def made_id(question: str, page: bytes) -> int:
    """An example id for a line without one: the same question on the same page always has the same (64 bits)."""
    digest = sha256(question.encode() + b"\n" + sha256(page).digest()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)
