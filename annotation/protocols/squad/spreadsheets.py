"""Paragraphs in a table: a row for each paragraph, or for each question about one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import orjson

from annotation.errors import ImportRefused
from annotation.parsing import fields
from annotation.parsing.fields import MAX_SHORT, LineRefused, read_json_lines
from annotation.parsing.incoming import ImportSource, RefusedLine

COLUMNS = ("title", "context", "question", "id")
"""Title of the article and text of the paragraph; to be answered: a question, and its id if it has one."""


@dataclass(frozen=True)
class ArticleLines:
    """Where an article stands: its line; in a table its first row, and the rows of its paragraphs and questions."""

    first: int
    rows: list[tuple[int, list[int]]] = field(default_factory=list)
    """Of each paragraph its first row, and those of its questions."""

    def of_paragraph(self, place: int) -> int:
        """The line of the paragraph at a place from 0."""
        return self.rows[place][0] if self.rows else self.first

    def of_question(self, place: int, number: int) -> int:
        """The line of its question with a number from 0."""
        return self.rows[place][1][number] if self.rows else self.first

    def __iter__(self) -> Iterator[int]:
        """All lines of the article, in order."""
        return iter(sorted({self.first}.union(*({first, *asked} for first, asked in self.rows))))


def read_rows(source: ImportSource) -> tuple[list[tuple[ArticleLines, dict[str, Any]]], list[RefusedLine]]:
    """The articles in SQuAD's layout, each with its rows, and the rows that are refused (`grouped`).

    ImportRefused for a column that is not read.
    """
    refused, rows = [], []
    for number, record in read_json_lines(source, source.records()):
        if isinstance(record, RefusedLine):
            refused.append(record)
            continue
        if unknown := next((key for key in record if key not in COLUMNS), None):
            raise ImportRefused(
                f"{source.name} has a column {unknown}, which is not read. Those that are read: {', '.join(COLUMNS)}."
                " Rename it or take it out."
            )
        try:
            rows.append((number, *_row(record)))
        except LineRefused as error:
            refused.append(RefusedLine(number, error.field, error.reason))
    return grouped(rows), refused


def grouped(
    rows: Iterable[tuple[int, str, str, dict[str, Any] | None]],
) -> list[tuple[ArticleLines, dict[str, Any]]]:
    """The articles of rows (number, title, text, question or None), each with its rows.

    Rows of a title are one article, and rows of a text in it one paragraph, wherever they stand.
    """
    articles: dict[str, dict[str, tuple[dict[str, Any], tuple[int, list[int]]]]] = {}
    for number, title, context, question in rows:
        new: dict[str, Any] = {"context": context, "qas": []}
        paragraph, (_first, asked) = articles.setdefault(title, {}).setdefault(context, (new, (number, [])))
        if question:
            paragraph["qas"].append(question)
            asked.append(number)
    return [_made(title, list(paragraphs.values())) for title, paragraphs in articles.items()]


def _made(
    title: str, paragraphs: list[tuple[dict[str, Any], tuple[int, list[int]]]]
) -> tuple[ArticleLines, dict[str, Any]]:
    rows = [lines for _paragraph, lines in paragraphs]
    return ArticleLines(rows[0][0], rows), {"title": title, "paragraphs": [each for each, _lines in paragraphs]}


def _row(record: dict[str, Any]) -> tuple[str, str, dict[str, Any] | None]:
    """Title, text, and the question if there is one; without an id it gets one by what it says."""
    title = fields.need(record, "title", str, longest=MAX_SHORT)
    context = fields.need(record, "context", str)
    if "question" not in record:
        if "id" in record:
            raise LineRefused("question", "There is an id, and no question.")
        return title, context, None
    question = fields.need(record, "question", str, longest=MAX_SHORT)
    made = sha256(orjson.dumps([title, context, question])).hexdigest()[:24]
    return title, context, {"id": fields.need({"id": made} | record, "id", str), "question": question}
