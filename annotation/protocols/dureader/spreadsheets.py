"""Questions in a table, as spreadsheets save it: a row for each question, with its documents in columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.errors import ImportRefused
from annotation.parsing.fields import LineRefused

MOST_DOCUMENTS = 5
OF_QUESTION = ("question_id", "question", "question_type", "fact_or_opinion")
OF_DOCUMENTS = tuple((f"title_{n}", f"text_{n}") for n in range(1, MOST_DOCUMENTS + 1))
COLUMNS = (*OF_QUESTION, *(name for pair in OF_DOCUMENTS for name in pair))


def row_of_cells(cells: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The row of DuReader's layout that these cells of the file `name` say; each line of a text is a paragraph of its
    document. LineRefused for half a document, ImportRefused for a column that is not read.
    """
    if unknown := next((key for key in cells if key not in COLUMNS), None):
        read = ", ".join((*OF_QUESTION, *OF_DOCUMENTS[0]))
        raise ImportRefused(
            f"{name} has a column {unknown}, which is not read. Those that are read: {read}, and so on up to"
            f" {OF_DOCUMENTS[-1][1]}. Rename it or take it out."
        )
    row = {key: cells[key].strip() for key in OF_QUESTION if key in cells}
    if row.get("question_id", "").isascii() and row.get("question_id", "").isdigit():
        row["question_id"] = int(row["question_id"])
    return row | {"documents": [_document(cells, *pair) for pair in OF_DOCUMENTS if any(key in cells for key in pair)]}


def _document(cells: Mapping[str, Any], title: str, text: str) -> dict[str, Any]:
    for key in (title, text):
        if key not in cells:
            raise LineRefused(key, "A document has a title and a text. One of the two cells is empty.")
    paragraphs = [line.strip() for line in cells[text].splitlines() if line.strip()]
    return {"title": cells[title].strip(), "paragraphs": paragraphs}
