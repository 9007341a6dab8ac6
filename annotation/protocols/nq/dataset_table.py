"""The columns of NQ as a Hugging Face dataset, one row for each question: those of `natural_questions` on the hub."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotation.documents.layout import PUBLISHED_SIMPLIFIED, Layout
from annotation.protocol_tools import DatasetTable
from annotation.protocols.nq import writing
from annotation.protocols.nq.schemas import Example
from annotation.values.records import ReleaseRecord

OFFSETS = ("start_token", "end_token", "start_byte", "end_byte")
HUB_SPAN = dict.fromkeys(OFFSETS, "int64")
HUB_COLUMNS = {
    "id": "string",
    "document": {
        "title": "string",
        "url": "string",
        "html": "string",
        "tokens": {"token": ["string"], "is_html": ["bool"], "start_byte": ["int64"], "end_byte": ["int64"]},
    },
    "question": {"text": "string", "tokens": ["string"]},
    "long_answer_candidates": {name: ["int64"] for name in OFFSETS} | {"top_level": ["bool"]},
    "annotations": {
        "id": ["string"],
        "long_answer": [HUB_SPAN | {"candidate_index": "int64"}],
        "short_answers": [{name: ["int64"] for name in OFFSETS} | {"text": ["string"]}],
        "yes_no_answer": ["int64"],
    },
}
"""The hub's sequences of objects are objects of lists. Offsets that are not known, of a page that was imported in the
simplified layout, are -1."""
YES_NO = {"NONE": -1, "NO": 0, "YES": 1}
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


def hub_rows(record: ReleaseRecord) -> Iterator[dict[str, Any]]:
    """The question with its page, boxes and annotations."""
    item, document = record.item, record.item.documents[0]
    layout, example = document.layout, Example.from_stored(item.payload)
    has_bytes = layout.version != PUBLISHED_SIMPLIFIED
    tokens, boxes = layout.tokens, layout.candidates
    written = [writing.annotation_of(one, item, document, layout) for one in record.annotations]
    asked = example.question_tokens
    yield {
        "id": item.external_id,
        "document": {
            "title": document.title,
            "url": document.url,
            "html": document.source.decode("utf-8") if has_bytes else "",
            "tokens": {
                "token": [token.text for token in tokens],
                "is_html": [token.html == 1 for token in tokens],
                "start_byte": [token.start if has_bytes else -1 for token in tokens],
                "end_byte": [token.end if has_bytes else -1 for token in tokens],
            },
        },
        "question": {
            "text": example.question_text,
            "tokens": list(example.question_text.split() if asked is None else asked),
        },
        "long_answer_candidates": {
            **{
                name: [getattr(box, name) if has_bytes or name.endswith("token") else -1 for box in boxes]
                for name in OFFSETS
            },
            "top_level": [box.top_level == 1 for box in boxes],
        },
        "annotations": {
            "id": [str(one["annotation_id"]) for one in written],
            "long_answer": [_hub_span(one["long_answer"], "candidate_index") for one in written],
            "short_answers": [_hub_spans(one["short_answers"], layout) for one in written],
            "yes_no_answer": [YES_NO[one["yes_no_answer"]] for one in written],
        },
    }


def _hub_span(span: dict[str, Any], *more: str) -> dict[str, int]:
    return {name: span.get(name, -1) for name in (*OFFSETS, *more)}


def _hub_spans(spans: list[dict[str, Any]], layout: Layout) -> dict[str, list[Any]]:
    """Spans as lists of their offsets, with their text: the tokens that are no tags, with spaces between them."""
    found: dict[str, list[Any]] = {name: [span.get(name, -1) for span in spans] for name in OFFSETS}
    return found | {"text": [layout.words(span.get("start_token", 0), span.get("end_token", 0)) for span in spans]}


def rows(record: ReleaseRecord) -> Iterator[dict[str, Any]]:
    """The question with its page and annotations, in the columns of the simplified layout."""
    written = writing.simplified(record.item, record.annotations)
    about = {"example_id": str(written["example_id"]), "document_title": record.item.documents[0].title}
    yield written | about


EARLIER = DatasetTable(COLUMNS, rows, task="question-answering")
TABLE = DatasetTable(HUB_COLUMNS, hub_rows, task="question-answering", earlier=EARLIER)
