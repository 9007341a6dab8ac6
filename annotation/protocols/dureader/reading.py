"""Read rows of DuReader 2.0, raw or preprocessed, with or without answers: a question on each line, or in a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from annotation.documents.layout import WHOLE, Layout
from annotation.documents.words import says_something
from annotation.errors import ImportRefused
from annotation.parsing import fields
from annotation.parsing.fields import MAX_SHORT, LineRefused, read_json_lines
from annotation.parsing.incoming import ImportSource, IncomingAnnotation, IncomingDocument, IncomingItem, RefusedLine
from annotation.protocols.dureader.schemas import KINDS, TYPES, PublishedAnswers, Question

PUBLISHED = "dureader.answers/published/1"
MEDIA_TYPE = "application/x-dureader-documents+json"
TELLS_OF_ANSWERS = ("segmented_answers", "answer_docs", "answer_spans", "fake_answers", "match_scores")
"""Keys of a row that were computed from its answers."""
DOCUMENT_TELLS_OF_ANSWERS = ("is_selected", "most_related_para")
"""Keys of a document that say what was answered from it; writers never see them."""
_LISTS = ("answers", "yesno_answers", "entity_answers")
_FILE_NAME = re.compile(r"(?:(search|zhidao)\.)?(train|dev|test)(?:set)?\b")
"""search.train.json, zhidao.dev.json."""
DEFAULT_SPLIT = "train"
MOST_DOCUMENTS = 5
OF_QUESTION = ("question_id", "question", "question_type", "fact_or_opinion")
OF_DOCUMENTS = tuple((f"title_{n}", f"text_{n}") for n in range(1, MOST_DOCUMENTS + 1))
COLUMNS = (*OF_QUESTION, *(name for pair in OF_DOCUMENTS for name in pair))
"""Of a table, which has a row for each question, with its documents in columns."""


def read(source: ImportSource) -> Iterator[IncomingItem | RefusedLine]:
    """Yield each question. The answers of a published file (`source.published`) become one annotation of it; otherwise
    they are left out with all that tells of them, because our writers are to answer.
    """
    found = _FILE_NAME.match(source.name.replace("\\", "/").rsplit("/", 1)[-1])
    split = source.split or (found[2] if found else "") or ("" if source.published else DEFAULT_SPLIT)
    if not split:
        raise ImportRefused(f"The name {source.name} does not say which split this is (as search.dev.json does).")
    origin = found[1] or "" if found else ""
    for number, row in read_json_lines(source):
        if isinstance(row, RefusedLine):
            yield row
            continue
        try:
            row = row_of_cells(row, source.name) if source.form.is_table else row
            yield _item(number, row, split, origin, published=source.published)
        except LineRefused as refused:
            yield RefusedLine(number, refused.field, refused.reason)


def _item(number: int, row: dict[str, Any], split: str, origin: str, *, published: bool) -> IncomingItem:
    name = fields.need(row, "question_id", int)
    question = fields.need(row, "question", str, longest=MAX_SHORT)
    if not says_something(question):
        raise LineRefused("question", "The question is empty.")
    documents = fields.need(row, "documents", list)
    if not 1 <= len(documents) <= MOST_DOCUMENTS:
        raise LineRefused("documents", f"A question has 1 to {MOST_DOCUMENTS} documents.")
    shown = [_document(each, f"documents[{place}]") for place, each in enumerate(documents)]
    known = ("question_id", "question", "question_type", "fact_or_opinion", "documents", *_LISTS, *TELLS_OF_ANSWERS)
    payload = Question(
        question=question,
        question_type=_one_of(row, "question_type", TYPES),
        fact_or_opinion=_one_of(row, "fact_or_opinion", KINDS),
        source=origin,
        fields=fields.unknown(row, known),
    )
    annotations = (_annotation(row, documents, name),) if published and "answers" in row else ()
    return IncomingItem(
        line=number,
        kind="question",
        external_id=str(name),
        split=fields.split_name(split, "split"),
        payload=payload.model_dump(mode="json", exclude_defaults=True),
        documents=(IncomingDocument(orjson.dumps(shown), MEDIA_TYPE, Layout(WHOLE)),),
        annotations=annotations,
    )


def _one_of(row: Mapping[str, Any], key: str, known: tuple[str, ...]) -> Any:
    if key not in row:
        return None
    value = fields.need(row, key, str)
    if value not in known:
        raise LineRefused(key, f"This is one of {', '.join(known)}.")
    return value


def _document(given: Any, where: str) -> dict[str, Any]:
    """A document without what tells of answers."""
    document = fields.typed(given, dict, where)
    fields.need(document, "title", str, where)
    for place, paragraph in enumerate(fields.need(document, "paragraphs", list, where)):
        fields.typed(paragraph, str, f"{where}.paragraphs[{place}]")
    return fields.unknown(document, DOCUMENT_TELLS_OF_ANSWERS, where)


def _annotation(row: Mapping[str, Any], documents: list[dict[str, Any]], name: int) -> IncomingAnnotation:
    answers = _texts(row, "answers")
    opinions = _texts(row, "yesno_answers") if "yesno_answers" in row else None
    entities = _entities(row) if "entity_answers" in row else None
    for key, found in (("yesno_answers", opinions), ("entity_answers", entities)):
        if found is not None and len(found) != len(answers):
            raise LineRefused(key, "The list is not as long as that of the answers.")
    payload = PublishedAnswers(
        answers=tuple(answers),
        yesno_answers=None if opinions is None else tuple(opinions),
        entity_answers=entities,
        documents=tuple({key: each[key] for key in DOCUMENT_TELLS_OF_ANSWERS if key in each} for each in documents),
        fields={key: row[key] for key in TELLS_OF_ANSWERS if key in row},
    )
    said = payload.model_dump(mode="json", exclude_defaults=True)
    return IncomingAnnotation(f"{name}-1", "compose", (("answers", PUBLISHED, {"answers": [], **said}),))


def _texts(row: Mapping[str, Any], key: str) -> list[str]:
    return [fields.typed(each, str, f"{key}[{n}]") for n, each in enumerate(fields.need(row, key, list))]


def _entities(row: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    return tuple(
        tuple(fields.typed(one, str, f"entity_answers[{n}][{place}]") for place, one in enumerate(each))
        for n, each in enumerate(fields.need(row, "entity_answers", list))
        if fields.typed(each, list, f"entity_answers[{n}]") is not None
    )


def row_of_cells(cells: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The row of DuReader's layout that these cells of the file `name` say; each line of a text is a paragraph of its
    document. LineRefused for half a document, ImportRefused for a column that is not read.
    """
    if unknown := next((key for key in cells if key not in COLUMNS), None):
        known = ", ".join((*OF_QUESTION, *OF_DOCUMENTS[0]))
        raise ImportRefused(
            f"{name} has a column {unknown}, which is not read. Those that are read: {known}, and so on up to"
            f" {OF_DOCUMENTS[-1][1]}. Rename it or take it out."
        )
    row = {key: cells[key].strip() for key in OF_QUESTION if key in cells}
    if row.get("question_id", "").isascii() and row.get("question_id", "").isdigit():
        row["question_id"] = int(row["question_id"])
    return row | {
        "documents": [_document_of_cells(cells, *pair) for pair in OF_DOCUMENTS if any(key in cells for key in pair)]
    }


def _document_of_cells(cells: Mapping[str, Any], title: str, text: str) -> dict[str, Any]:
    for key in (title, text):
        if key not in cells:
            raise LineRefused(key, "A document has a title and a text. One of the two cells is empty.")
    paragraphs = [line.strip() for line in cells[text].splitlines() if line.strip()]
    return {"title": cells[title].strip(), "paragraphs": paragraphs}
