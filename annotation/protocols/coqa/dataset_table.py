"""The columns of CoQA as a Hugging Face dataset: one row for each conversation, with the published fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotation.protocol_tools import DatasetTable
from annotation.protocols.coqa import writing
from annotation.values.records import ReleaseRecord

QUESTION = {"input_text": "string", "turn_id": "int32", "bad_turn": "string"}
ANSWER = {"span_start": "int32", "span_end": "int32", "span_text": "string", **QUESTION}
COLUMNS = {
    "id": "string",
    "source": "string",
    "filename": "string",
    "story": "string",
    "questions": [QUESTION],
    "answers": [ANSWER],
    "additional_answers": [[ANSWER]],
}


def rows(record: ReleaseRecord) -> Iterator[dict[str, Any]]:
    """The conversations about a passage that the published layout has."""
    for one in writing.dialogues("coqa", [record]):
        more = one.get("additional_answers", {})
        yield one | {"additional_answers": [more[place] for place in sorted(more, key=lambda key: (len(key), key))]}


TABLE = DatasetTable(COLUMNS, rows, task="question-answering")
