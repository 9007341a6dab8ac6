"""Notes for the import report about published annotations that `check` would refuse; they are imported unchanged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from annotation.documents.layout import Layout
from annotation.parsing.incoming import IncomingAnnotation


def oddity_notes(annotations: Iterable[IncomingAnnotation], layout: Layout) -> Iterator[str]:
    """One sentence for each thing that `check` would refuse."""
    for annotation in annotations:
        payloads = {response[0]: response[2] for response in annotation.responses}
        for sentence in _in_annotation(payloads["long_answer"], payloads["short_answer"], layout):
            yield f"Annotation {annotation.external_id}: {sentence}"


def _in_annotation(long: dict[str, Any], short: dict[str, Any], layout: Layout) -> Iterator[str]:
    offsets = [long["start_token"], long["end_token"], long["start_byte"], long["end_byte"]]
    index, null = long["candidate_index"], all(offset == -1 for offset in offsets if offset is not None)
    if index != -1 or not null:
        yield from _in_box(long, layout)
    spans, yes_no = short["short_answers"], short["yes_no_answer"].upper()
    if short["yes_no_answer"] != yes_no:
        yield "the yes/no label is not in capitals."
    if null and (spans or yes_no != "NONE"):
        yield "it has a short answer but no long answer."
    if spans and yes_no != "NONE":
        yield "it has yes or no as well as spans."
    before = long["start_token"]
    for place, span in enumerate(spans, start=1):
        yield from (f"short answer {place}: {sentence}" for sentence in _in_span(span, layout))
        if not null and not long["start_token"] <= span["start_token"] <= span["end_token"] <= long["end_token"]:
            yield f"short answer {place}: it is not inside the long answer."
        elif span["start_token"] < before:
            yield f"short answer {place}: it overlaps the one before it, or comes before it."
        before = span["end_token"]


def _in_box(long: dict[str, Any], layout: Layout) -> Iterator[str]:
    if not 0 <= long["candidate_index"] < len(layout.candidates):
        yield "the long answer is not one of the page's candidates."
        return
    candidate = layout.candidates[long["candidate_index"]]
    same = (long["start_token"], long["end_token"]) == (candidate.start_token, candidate.end_token)
    # Simplified files have no byte offsets to compare.
    for byte, ours in ((long["start_byte"], candidate.start_byte), (long["end_byte"], candidate.end_byte)):
        same = same and (byte is None or byte == ours)
    if not same:
        yield "the long answer's offsets are not those of its candidate."


def _in_span(span: dict[str, Any], layout: Layout) -> Iterator[str]:
    start, end = span["start_token"], span["end_token"]
    if not 0 <= start < end <= len(layout.tokens):
        yield "its tokens are not a range of the page."
        return
    first, last = layout.tokens[start], layout.tokens[end - 1]
    if first.html or last.html:
        yield "it begins or ends at a tag."
    for byte, ours in ((span["start_byte"], first.start), (span["end_byte"], last.end)):
        if byte is not None and byte != ours:
            yield "its bytes and its tokens do not match."
            return
