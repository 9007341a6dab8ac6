"""The columns of SQuAD as a Hugging Face dataset, a row for each question: those of `squad_v2` on the hub."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotation.protocol_tools import DatasetTable
from annotation.protocols.squad import writing
from annotation.protocols.squad.schemas import Paragraph, Question
from annotation.values.records import ReleaseRecord

COLUMNS = {
    "id": "string",
    "title": "string",
    "context": "string",
    "question": "string",
    "answers": {"text": ["string"], "answer_start": ["int32"]},
}
"""A question without answers is impossible."""


def rows(record: ReleaseRecord) -> Iterator[dict[str, Any]]:
    """The questions about a paragraph."""
    context, title = record.item.documents[0].text, Paragraph.from_stored(record.item.payload).title
    for child in record.children:
        answers = writing.answers_of(child, context)
        yield {
            "id": child.item.external_id,
            "title": title,
            "context": context,
            "question": Question.from_stored(child.item.payload).question,
            "answers": {"text": [one.text for one in answers], "answer_start": [one.answer_start for one in answers]},
            "is_impossible": writing.is_impossible(child),
        }


EARLIER = DatasetTable(COLUMNS | {"is_impossible": "bool"}, rows, task="question-answering")
TABLE = DatasetTable(COLUMNS, rows, task="question-answering", earlier=EARLIER)
