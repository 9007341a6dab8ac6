"""Write original and simplified NQ records, after checking that our own quotes still match the bytes of the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from annotation.documents.layout import PUBLISHED_SIMPLIFIED, Layout
from annotation.errors import ReleaseRefused
from annotation.protocols.nq import checks, schemas
from annotation.protocols.nq.schemas import Example, Published
from annotation.values.records import AnnotationRecord, DocumentRecord, ItemRecord, latest_payload

BYTES = ("start_byte", "end_byte")


def original(item: ItemRecord, annotations: tuple[AnnotationRecord, ...]) -> dict[str, Any]:
    """An item in the original layout: nine keys and the unknown ones that it was imported with, sorted."""
    document = item.documents[0]
    layout, example = document.layout, Example.from_stored(item.payload)
    published = example.published or Published(origin="nq")
    if published.origin != "nq" or layout.version == PUBLISHED_SIMPLIFIED:
        raise ReleaseRefused(
            f"Question {item.external_id} was imported in the simplified layout, which has neither the page nor "
            "byte offsets; it can only be released in the simplified layout."
        )
    tokens = example.question_tokens
    record: dict[str, Any] = {
        "annotations": [annotation_of(one, item, document, layout) for one in annotations],
        "document_html": document.source.decode("utf-8"),
        "document_title": document.title,
        "document_tokens": [
            {"end_byte": end, "html_token": html == 1, "start_byte": start, "token": text}
            for text, start, end, html in layout.tokens
        ],
        "document_url": document.url,
        "example_id": _example_id(item, published),
        "long_answer_candidates": [
            {
                "end_byte": end_byte,
                "end_token": end_token,
                "start_byte": start_byte,
                "start_token": start_token,
                "top_level": top_level == 1,
            }
            for start_byte, end_byte, start_token, end_token, top_level in layout.candidates
        ],
        "question_text": example.question_text,
        "question_tokens": list(example.question_text.split() if tokens is None else tokens),
    }
    _add(record["document_tokens"], published.tokens)
    _add(record["long_answer_candidates"], published.candidates)
    return dict(sorted((_without(record, published, annotations) | published.record).items()))


def simplified(item: ItemRecord, annotations: tuple[AnnotationRecord, ...]) -> dict[str, Any]:
    """An item in the simplified layout, as the official simplify_nq_example derives it from the original."""
    document = item.documents[0]
    layout, example = document.layout, Example.from_stored(item.payload)
    if not layout.tokens:
        raise ReleaseRefused(f"Question {item.external_id}: its page has no tokens, so there is no simplified text.")
    published = example.published or Published(origin="nq")
    came_simplified = published.origin == "nq-simplified"
    written = [annotation_of(one, item, document, layout) for one in annotations]
    record: dict[str, Any] = {
        "question_text": example.question_text,
        "example_id": _example_id(item, published),
        "document_url": document.url,
        # Tokens are separated by a space, so one inside a token (`<Th colspan="2">`) becomes `_`.
        "document_text": " ".join(token.text.replace(" ", "_") for token in layout.tokens),
        "long_answer_candidates": [
            {"end_token": one.end_token, "start_token": one.start_token, "top_level": one.top_level == 1}
            for one in layout.candidates
        ],
        "annotations": [
            one if came_simplified and said_by.imported else _without_bytes(one)
            for one, said_by in zip(written, annotations, strict=True)
        ],
    }
    _add(record["long_answer_candidates"], published.candidates)
    record = _without(record, published, annotations)
    # The official script drops unknown keys of an original record, but keeps those of candidates and annotations.
    return record | published.record if came_simplified else record


def _example_id(item: ItemRecord, published: Published) -> int | str:
    return item.external_id if published.text_id else int(item.external_id)


def _without(record: dict[str, Any], published: Published, annotations: tuple[AnnotationRecord, ...]) -> dict[str, Any]:
    """Drop the keys that were absent on import, except `annotations` if there are some by now."""
    absent = {key for key in published.absent if key != "annotations" or not annotations}
    return {key: value for key, value in record.items() if key not in absent}


def _add(objects: list[dict[str, Any]], extras: Mapping[str, Mapping[str, Any]]) -> None:
    for index, extra in extras.items():
        objects[int(index)].update(extra)


def _without_bytes(annotation: dict[str, Any]) -> dict[str, Any]:
    spans = [_drop(span) for span in annotation["short_answers"]]
    return annotation | {"long_answer": _drop(annotation["long_answer"]), "short_answers": spans}


def _drop(span: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in span.items() if key not in BYTES}


def annotation_of(
    annotation: AnnotationRecord, item: ItemRecord, document: DocumentRecord, layout: Layout
) -> dict[str, Any]:
    """An annotation in the original layout: an imported one unchanged, our own with byte offsets from the layout."""
    long, short = latest_payload(annotation.answers, "long_answer"), latest_payload(annotation.answers, "short_answer")
    if isinstance(long, schemas.PublishedLongAnswer) and isinstance(short, schemas.PublishedShortAnswer):
        return {
            "annotation_id": int(annotation.external_id),
            "long_answer": _published_span(long, {"candidate_index": long.candidate_index}),
            "short_answers": [_published_span(span, {}) for span in short.short_answers],
            "yes_no_answer": short.yes_no_answer,
        } | short.published
    written: dict[str, Any] = {
        "annotation_id": annotation.id64,
        "long_answer": {"candidate_index": -1} | _offsets(-1, -1, -1, -1),
        "short_answers": [],
        "yes_no_answer": "NONE",
    }
    if not isinstance(long, schemas.BoxAnswer):
        return written
    _must_quote(checks.box_problems(document, long), item)
    box = layout.candidates[long.candidate]
    written["long_answer"] = {"candidate_index": long.candidate} | _offsets(*box[:4])
    if isinstance(short, schemas.SpansAnswer):
        _must_quote(checks.span_problems(document, long.candidate, short.spans), item)
        written["short_answers"] = [
            _offsets(layout.tokens[span.start].start, layout.tokens[span.end - 1].end, span.start, span.end)
            for span in short.spans
        ]
    elif isinstance(short, schemas.YesAnswer | schemas.NoAnswer):
        written["yes_no_answer"] = short.kind.upper()
    return written


def _offsets(start_byte: int | None, end_byte: int | None, start_token: int, end_token: int) -> dict[str, int | None]:
    """The offsets of a span in the order of the published files."""
    return {"end_byte": end_byte, "end_token": end_token, "start_byte": start_byte, "start_token": start_token}


def _published_span(span: schemas.PublishedSpan, index: dict[str, int]) -> dict[str, Any]:
    """The span as imported; absent keys stay absent."""
    values = index | _offsets(span.start_byte, span.end_byte, span.start_token, span.end_token)
    return {key: value for key, value in values.items() if value is not None} | span.published


def _must_quote(problems: Iterable[Any], item: ItemRecord) -> None:
    for problem in problems:
        raise ReleaseRefused(f"Question {item.external_id}, {problem.field}: {problem.message}")
