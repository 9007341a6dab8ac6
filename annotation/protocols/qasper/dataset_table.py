"""The columns of QASPER as a Hugging Face dataset: one row for each paper, as in the published layout."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotation.protocol_tools import DatasetTable
from annotation.protocols.qasper import writing
from annotation.values.records import ReleaseRecord

ANSWER = {
    "unanswerable": "bool",
    "extractive_spans": ["string"],
    "yes_no": "bool",
    "free_form_answer": "string",
    "evidence": ["string"],
    "highlighted_evidence": ["string"],
}
COLUMNS = {
    "id": "string",
    "title": "string",
    "abstract": "string",
    "full_text": [{"section_name": "string", "paragraphs": ["string"]}],
    "figures_and_tables": [{"file": "string", "caption": "string"}],
    "qas": [
        {
            "question": "string",
            "question_id": "string",
            "nlp_background": "string",
            "topic_background": "string",
            "paper_read": "string",
            "search_query": "string",
            "question_writer": "string",
            "answers": [{"answer": ANSWER, "annotation_id": "string", "worker_id": "string"}],
        }
    ],
}


def rows(record: ReleaseRecord) -> Iterator[dict[str, Any]]:
    """The paper with its questions and their answers."""
    yield writing.paper(record) | {"id": record.item.external_id}


TABLE = DatasetTable(COLUMNS, rows, task="question-answering")
