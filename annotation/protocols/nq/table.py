"""The columns of NQ as a Hugging Face dataset: those of the simplified layout, one row for each question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotation.protocol_tools import DatasetTable
from annotation.protocols.nq import writing
from annotation.values.records import ReleaseRecord

SPAN = {"start_token": "int32", "end_token": "int32"}
COLUMNS = {
    "example_id": "string",
    "question_text": "string",
    "document_title": "string",
    "document_url": "string",
    "document_text": "string",
    "long_answer_candidates": [SPAN | {"top_level": "bool"}],
    "annotations": [
        {
            "annotation_id": "uint64",
            "long_answer": SPAN | {"candidate_index": "int32"},
            "short_answers": [SPAN],
            "yes_no_answer": "string",
        }
    ],
}


def rows(record: ReleaseRecord) -> Iterator[dict[str, Any]]:
    """The question with its page and annotations."""
    written = writing.simplified(record.item, record.annotations)
    about = {"example_id": str(written["example_id"]), "document_title": record.item.documents[0].title}
    yield written | about


TABLE = DatasetTable(COLUMNS, rows, task="question-answering")
