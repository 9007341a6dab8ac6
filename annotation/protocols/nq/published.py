"""Read published NQ records, original and simplified, without loss, so that a release can restore every field.

What `check` would refuse is imported unchanged, with a note for the import report.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from annotation.documents.layout import PUBLISHED, PUBLISHED_SIMPLIFIED, Candidate, Layout, Token
from annotation.parsing import fields
from annotation.parsing.fields import MAX_SHORT, LineRefused, need, typed
from annotation.parsing.incoming import IncomingAnnotation, IncomingDocument, IncomingItem
from annotation.parsing.sources import MAX_LINE
from annotation.protocols.nq.pages import Pages, ParsedPage
from annotation.protocols.nq.schemas import Example, Published

ORIGINAL_KEYS = (
    "annotations",
    "document_html",
    "document_title",
    "document_tokens",
    "document_url",
    "example_id",
    "long_answer_candidates",
    "question_text",
    "question_tokens",
)
SIMPLIFIED_KEYS = (
    "question_text",
    "example_id",
    "document_url",
    "document_text",
    "long_answer_candidates",
    "annotations",
)
MAY_BE_ABSENT = ("annotations", "document_title", "document_url", "question_tokens")
"""Keys missing from some published files: the README's example, the simplified test file of the Kaggle challenge."""

TOKEN_KEYS = ("end_byte", "html_token", "start_byte", "token")
CANDIDATE_KEYS = ("end_byte", "end_token", "start_byte", "start_token", "top_level")
SIMPLIFIED_CANDIDATE_KEYS = ("end_token", "start_token", "top_level")
ANNOTATION_KEYS = ("annotation_id", "long_answer", "short_answers", "yes_no_answer")
TAG = re.compile(r"</?(?:H[1-6]|P|Ul|Ol|Li|Dl|Dt|Dd|Table|Tr|Th|Td)(?:_[^>]*)?>")
"""A token of a simplified record that represents a tag: `<P>`, `</P>`, `<Th_colspan="2">`."""
_ID = re.compile(r"0|-?[1-9][0-9]{0,18}")
"""A number that is written in one way only, so that a release can restore it."""
SPAN_KEYS = ("end_byte", "end_token", "start_byte", "start_token")


def read_published(number: int, record: dict[str, Any], split: str, pages: Pages) -> IncomingItem:
    """The item in a published record, with its annotations; raises LineRefused."""
    simplified = "document_html" not in record
    if simplified and "document_text" not in record:
        raise LineRefused("", "The line has neither document_html (original) nor document_text (simplified).")
    keys = SIMPLIFIED_KEYS if simplified else ORIGINAL_KEYS
    absent = tuple(key for key in keys if key in MAY_BE_ABSENT and key not in record)
    question = need(record, "question_text", str, longest=MAX_SHORT)
    if not question:
        raise LineRefused("question_text", "The question is empty.")
    url = "" if "document_url" in absent else need(record, "document_url", str, longest=MAX_SHORT)
    title, tokens = "", None
    if not simplified:
        title = "" if "document_title" in absent else need(record, "document_title", str, longest=MAX_SHORT)
        tokens = None if "question_tokens" in absent else tuple(fields.texts(record, "question_tokens"))
    page, token_extras, candidate_extras = (_simplified if simplified else _original)(record, pages)
    annotations = () if "annotations" in absent else tuple(_annotations(record))
    payload = Example(
        question_text=question,
        question_tokens=tokens,
        page_lang=page.lang,
        page_dir=page.dir,
        published=Published(
            origin="nq-simplified" if simplified else "nq",
            text_id=isinstance(record.get("example_id"), str),
            absent=absent,
            record=fields.unknown(record, keys),
            tokens=token_extras,
            candidates=candidate_extras,
        ),
    )
    return IncomingItem(
        line=number,
        kind="example",
        external_id=str(_example_id(record)),
        split=split,
        payload=payload.model_dump(mode="json", exclude_defaults=True),
        documents=(IncomingDocument(page.source, page.media_type, page.layout, title, url),),
        annotations=annotations,
        notes=(*page.notes, *oddity_notes(annotations, page.layout)),
    )


def _example_id(record: dict[str, Any]) -> int:
    """The id, a number or a number as text (the Kaggle challenge's test file)."""
    given = record.get("example_id")
    if isinstance(given, str) and _ID.fullmatch(given):
        return int(typed(int(given), int, "example_id"))
    return int(need(record, "example_id", int))


def _original(record: dict[str, Any], pages: Pages) -> tuple[ParsedPage, dict[str, Any], dict[str, Any]]:
    token_extras: dict[str, dict[str, Any]] = {}
    tokens = []
    for index, raw in _objects(record, "document_tokens", TOKEN_KEYS, token_extras):
        name = f"document_tokens[{index}]"
        text, html = need(raw, "token", str, name), need(raw, "html_token", bool, name)
        tokens.append(Token(text, need(raw, "start_byte", int, name), need(raw, "end_byte", int, name), html))
    candidate_extras: dict[str, dict[str, Any]] = {}
    candidates = []
    for index, raw in _objects(record, "long_answer_candidates", CANDIDATE_KEYS, candidate_extras):
        name = f"long_answer_candidates[{index}]"
        start_byte, end_byte = need(raw, "start_byte", int, name), need(raw, "end_byte", int, name)
        candidates.append(Candidate(start_byte, end_byte, *_tokens_and_top(raw, name)))
    data = need(record, "document_html", str, longest=MAX_LINE).encode()
    page = pages.original(data, Layout(PUBLISHED, tuple(tokens), tuple(candidates)))
    return page, token_extras, candidate_extras


def _tokens_and_top(raw: dict[str, Any], name: str) -> tuple[int, int, bool]:
    return need(raw, "start_token", int, name), need(raw, "end_token", int, name), need(raw, "top_level", bool, name)


def _simplified(record: dict[str, Any], pages: Pages) -> tuple[ParsedPage, dict[str, Any], dict[str, Any]]:
    text = need(record, "document_text", str, longest=MAX_LINE)
    candidate_extras: dict[str, dict[str, Any]] = {}
    candidates = []
    for index, raw in _objects(record, "long_answer_candidates", SIMPLIFIED_CANDIDATE_KEYS, candidate_extras):
        candidates.append(Candidate(-1, -1, *_tokens_and_top(raw, f"long_answer_candidates[{index}]")))
    # Only U+0020 separates tokens here; other white space is part of them.
    tokens = tuple(Token(token, -1, -1, bool(TAG.fullmatch(token))) for token in text.split(" "))
    try:
        page = pages.simplified(text.encode(), Layout(PUBLISHED_SIMPLIFIED, tokens, tuple(candidates)))
    except ValueError as error:
        raise LineRefused("long_answer_candidates", str(error)) from None
    return page, {}, candidate_extras


def _objects(
    record: dict[str, Any], key: str, known: Sequence[str], extras: dict[str, dict[str, Any]]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (index, object) for a list of objects; unknown keys are collected in `extras`, by index."""
    keys = frozenset(known)
    for index, raw in enumerate(need(record, key, list)):
        if type(raw) is not dict or raw.keys() != keys:
            fields.typed(raw, dict, f"{key}[{index}]")
            if extra := fields.unknown(raw, known, f"{key}[{index}]"):
                extras[str(index)] = extra
        yield index, raw


def _annotations(record: dict[str, Any]) -> Iterator[IncomingAnnotation]:
    seen = set()
    for index, raw in enumerate(need(record, "annotations", list)):
        name = f"annotations[{index}]"
        fields.typed(raw, dict, name)
        annotation_id = fields.unsigned(raw, "annotation_id", name)
        if annotation_id in seen:
            raise LineRefused(f"{name}.annotation_id", "The id occurs twice.")
        seen.add(annotation_id)
        long = _long(need(raw, "long_answer", dict, name), f"{name}.long_answer")
        shorts = [
            _span(fields.typed(short, dict, f"{name}.short_answers[{place}]"), f"{name}.short_answers[{place}]")
            for place, short in enumerate(need(raw, "short_answers", list, name))
        ]
        yes_no = need(raw, "yes_no_answer", str, name)
        if yes_no.upper() not in ("YES", "NO", "NONE"):
            raise LineRefused(f"{name}.yes_no_answer", "This is not YES, NO or NONE.")
        short = {
            "short_answers": shorts,
            "yes_no_answer": yes_no,
            "published": fields.unknown(raw, ANNOTATION_KEYS, name),
        }
        yield IncomingAnnotation(
            external_id=str(annotation_id),
            activity="annotate",
            responses=(
                ("long_answer", "nq.long_answer/published/1", long),
                ("short_answer", "nq.short_answer/published/1", short),
            ),
        )


def _long(raw: dict[str, Any], name: str) -> dict[str, Any]:
    span = _span(raw, name)
    return span | {
        "candidate_index": need(raw, "candidate_index", int, name),
        "published": {key: value for key, value in span["published"].items() if key != "candidate_index"},
    }


def _span(raw: dict[str, Any], name: str) -> dict[str, Any]:
    return {
        "start_token": need(raw, "start_token", int, name),
        "end_token": need(raw, "end_token", int, name),
        "start_byte": need(raw, "start_byte", int, name) if "start_byte" in raw else None,
        "end_byte": need(raw, "end_byte", int, name) if "end_byte" in raw else None,
        "published": fields.unknown(raw, SPAN_KEYS, name),
    }


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
