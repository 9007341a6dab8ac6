"""Paragraphs in a table: a row for each paragraph, or for each question about one."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import orjson

from annotation.parsing import fields
from annotation.parsing.fields import MAX_SHORT, LineRefused
from annotation.parsing.incoming import ImportSource, RefusedLine
from annotation.parsing.json_lines import read_json_lines

COLUMNS = ("title", "context", "question", "id")
"""Title of the article and text of the paragraph; to be answered: a question, and its id if it has one."""


def read_rows(source: ImportSource) -> tuple[list[tuple[int, dict[str, Any]]], list[RefusedLine]]:
    """The articles in SQuAD's layout, each with the number of its first row, and the rows that are refused.

    Rows of a title are one article, and rows of a text in it one paragraph, wherever they stand.
    """
    articles: dict[str, tuple[int, dict[str, dict[str, Any]]]] = {}
    refused = []
    for number, record in read_json_lines(source, source.records()):
        if isinstance(record, RefusedLine):
            refused.append(record)
            continue
        try:
            title, context, question = _row(record)
        except LineRefused as error:
            refused.append(RefusedLine(number, error.field, error.reason))
            continue
        _first, paragraphs = articles.setdefault(title, (number, {}))
        paragraph = paragraphs.setdefault(context, {"context": context, "qas": []})
        paragraph["qas"] += [question] if question else []
    made = [
        (number, {"title": title, "paragraphs": list(paragraphs.values())})
        for title, (number, paragraphs) in articles.items()
    ]
    return made, refused


def _row(record: dict[str, Any]) -> tuple[str, str, dict[str, Any] | None]:
    """Title, text, and the question if there is one; without an id it gets one by what it says."""
    if unknown := next((key for key in record if key not in COLUMNS), None):
        raise LineRefused(unknown, f"There is no such column. The columns are: {', '.join(COLUMNS)}.")
    title = fields.need(record, "title", str, longest=MAX_SHORT)
    context = fields.need(record, "context", str)
    if "question" not in record:
        if "id" in record:
            raise LineRefused("question", "There is an id, and no question.")
        return title, context, None
    question = fields.need(record, "question", str, longest=MAX_SHORT)
    made = sha256(orjson.dumps([title, context, question])).hexdigest()[:24]
    return title, context, {"id": fields.need({"id": made} | record, "id", str), "question": question}
