"""The columns of DuReader as a Hugging Face dataset, a row for each question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotation.protocol_tools import DatasetTable
from annotation.protocols.dureader.writing import release_row
from annotation.values.records import ReleaseRecord

COLUMNS = {
    "question_id": "int64",
    "question": "string",
    "question_type": "string",
    "fact_or_opinion": "string",
    "documents": [{"title": "string", "paragraphs": ["string"], "is_selected": "bool"}],
    "answers": ["string"],
    "yesno_answers": ["string"],
    "entity_answers": [["string"]],
}


def rows(record: ReleaseRecord) -> Iterator[dict[str, Any]]:
    """The question with its documents and answers; None for what its row does not have."""
    row = release_row(record)
    documents = [
        {key: document.get(key) for key in ("title", "paragraphs", "is_selected")} for document in row["documents"]
    ]
    yield {key: row.get(key) for key in COLUMNS} | {"documents": documents}


TABLE = DatasetTable(COLUMNS, rows, task="question-answering")
