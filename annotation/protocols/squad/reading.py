"""Read files in the layouts of SQuAD 1.1 and 2.0: one article at a time, strict about structure only."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

import orjson

from annotation.documents.words import says_something
from annotation.errors import ImportRefused
from annotation.parsing import fields
from annotation.parsing.envelopes import open_envelope
from annotation.parsing.fields import MAX_SHORT, LineRefused
from annotation.parsing.incoming import (
    NOTHING_AROUND,
    FieldsAround,
    ImportSource,
    IncomingAnnotation,
    IncomingItem,
    RefusedLine,
)
from annotation.parsing.plain_text import text_document
from annotation.parsing.whole_files import DEFAULT_SPLIT, split_of, version_notes
from annotation.protocols.squad import oddities, spreadsheets
from annotation.protocols.squad.schemas import Paragraph, PublishedAnswer, Question, article_title

VERSIONS = ("1.1", "v2.0")
"""The values of `version` in published files."""
PUBLISHED = "squad.answer/published/1"
OF_V2 = "is_impossible"
"""The key that only questions of 2.0 have."""

_FILE_NAME = re.compile(r"^(train|dev|test)\b")
"""train-v1.1.json, dev-v2.0.json."""
EXAMPLE = "dev-v2.0.json"


@dataclass(frozen=True)
class _File:
    """What applies to the whole file: its split, whether its answers are imported, whether its questions are 2.0's.

    `same` counts articles and paragraphs that say the same as others before them, which their ids don't tell apart.
    """

    split: str
    published: bool
    v2: bool
    same: Counter[str] = field(default_factory=Counter)


def read(source: ImportSource) -> Iterator[IncomingItem | RefusedLine]:
    """Yield each paragraph, then its questions; the n-th article of the file is line n; in a table all have the numbers
    of their rows.

    The answers of a published file (`source.published`) become annotations; otherwise they are left out, because our
    annotators are to answer. Raises ImportRefused for another layout, a file without a paragraph, or a published file
    whose split is unknown.
    """
    around = NOTHING_AROUND
    refused_rows: list[RefusedLine] = []
    if source.form.is_table and not source.published:
        rows, refused_rows = spreadsheets.read_rows(source)
        yield from refused_rows
    else:
        around, records = open_envelope(source, "data")
        rows = [(spreadsheets.ArticleLines(number), record) for number, record in records]
    split = split_of(source, _FILE_NAME, EXAMPLE)
    about = _File(split, source.published, any(map(_of_v2, _questions([each for _lines, each in rows]))))
    notes = tuple(version_notes(around.every, VERSIONS, published=source.published))
    yield from _items(source, rows, about, notes=notes, around=around, any_refused=bool(refused_rows))


def read_articles(
    source: ImportSource,
    rows: list[tuple[spreadsheets.ArticleLines, dict[str, Any]]],
    notes: Mapping[str, Sequence[str]],
) -> Iterator[IncomingItem | RefusedLine]:
    """The items of articles that stand in the rows of a file in another layout, in the split given or `train`.

    `notes`: more sentences about questions, by their ids.
    """
    about = _File(split_of(source, _FILE_NAME, EXAMPLE, DEFAULT_SPLIT), source.published, v2=False)
    for found in _items(source, rows, about):
        more = notes.get(found.external_id, ()) if isinstance(found, IncomingItem) and found.kind == "question" else ()
        yield replace(found, notes=(*found.notes, *more)) if isinstance(found, IncomingItem) else found


def _items(
    source: ImportSource,
    rows: list[tuple[spreadsheets.ArticleLines, Any]],
    about: _File,
    *,
    notes: tuple[str, ...] = (),
    around: FieldsAround = NOTHING_AROUND,
    any_refused: bool = False,
) -> Iterator[IncomingItem | RefusedLine]:
    articles = [record for _lines, record in rows]
    last = max((number for number, article in enumerate(articles) if not _empty(article)), default=None)
    if last is None and any_refused:
        return
    if last is None:
        raise ImportRefused(f"{source.name} has no paragraph.")
    before: list[dict[str, Any]] = []
    for number, article in enumerate(articles[: last + 1]):
        if _empty(article):
            before.append(article)
            continue
        try:
            after = articles[last + 1 :] if number == last else []
            items = _article(rows[number][0], fields.typed(article, dict, ""), about, before, after)
        except LineRefused as refused:
            for line in rows[number][0]:
                yield RefusedLine(line, refused.field, refused.reason)
        else:
            items[0] = replace(items[0], notes=notes + items[0].notes, around=around)
            yield from items
            notes, around = (), NOTHING_AROUND
        before = []


def _empty(article: Any) -> bool:
    """Whether this article has no paragraph, so that no item can represent it."""
    return isinstance(article, dict) and article.get("paragraphs") == []


def _questions(articles: list[Any]) -> Iterator[Any]:
    """All questions of articles that have not been validated yet."""
    for article in articles:
        for paragraph in _listed(article, "paragraphs"):
            yield from _listed(paragraph, "qas")


def _listed(record: Any, key: str) -> list[Any]:
    found = record.get(key) if isinstance(record, dict) else None
    return found if isinstance(found, list) else []


def _of_v2(question: Any) -> bool:
    return isinstance(question, dict) and OF_V2 in question


def _article(
    lines: spreadsheets.ArticleLines,
    article: dict[str, Any],
    about: _File,
    before: list[dict[str, Any]],
    after: list[dict[str, Any]],
) -> list[IncomingItem]:
    """All items of an article, before any is yielded: a refused question refuses the whole article."""
    title, paragraphs = fields.need(article, "title", str, longest=MAX_SHORT), fields.need(article, "paragraphs", list)
    unknown = fields.unknown(article, ("title", "paragraphs"))
    for each in (*before, *after):
        fields.unknown(each, ())
    first = str(paragraphs[0].get("context")) if isinstance(paragraphs[0], dict) else ""
    same: Counter[str] = Counter()
    key = _name(about, same, "article", title, first)
    items: list[IncomingItem] = []
    for place, found in enumerate(paragraphs):
        where = f"paragraphs[{place}]"
        paragraph = fields.typed(found, dict, where)
        context = fields.need(paragraph, "context", str, where)
        payload = Paragraph(
            title=title,
            article=key,
            place=place + 1,
            fields=fields.unknown(paragraph, ("context", "qas"), where),
            article_fields=unknown,
            before=() if place else tuple(before),
            after=tuple(after) if place == len(paragraphs) - 1 else (),
        )
        item = IncomingItem(
            line=lines.of_paragraph(place),
            kind="paragraph",
            external_id=_name(about, same, "paragraph", title, context),
            split=about.split,
            payload=payload.model_dump(mode="json", exclude_defaults=True),
            documents=(text_document(context, f"{where}.context", title=article_title(title)[:200]),),
            notes=tuple(oddities.of_paragraph(title, place, context)),
            unnamed=True,
        )
        items.append(item)
        asked = fields.need(paragraph, "qas", list, where) if about.published or "qas" in paragraph else []
        for row, question in enumerate(asked):
            at = f"{where}.qas[{row}]"
            line = lines.of_question(place, row)
            items.append(_question(line, fields.typed(question, dict, at), at, item.external_id, context, about))
    about.same.update(same)
    return items


def _name(about: _File, same: Counter[str], *said: Any) -> str:
    """A hash of what something says as its id, since it has none in the file; as long as the published question ids.

    `same` counts it in this article; `about.same` has it in the articles before. No place in the file is part of it.
    """
    name = _hash(about.split, *said)
    same[name] += 1
    return _hash(name, about.same[name] + same[name])


def _hash(*parts: Any) -> str:
    return sha256(orjson.dumps(parts)).hexdigest()[:24]


def _question(
    number: int, question: dict[str, Any], where: str, paragraph: str, context: str, about: _File
) -> IncomingItem:
    name = fields.need(question, "id", str, where)
    text = fields.need(question, "question", str, where, longest=MAX_SHORT)
    if not says_something(text) and not about.published:
        raise LineRefused(f"{where}.question", "The question is empty.")
    if not name or len(name) > 150:
        raise LineRefused(f"{where}.id", "An id has 1 to 150 characters.")
    answers = _answers(question, "answers", where) or ()
    plausible = _answers(question, "plausible_answers", where)
    impossible = fields.need(question, OF_V2, bool, where) if OF_V2 in question else None
    known = ("id", "question", "answers", "plausible_answers", OF_V2)
    wanted = ("answers", OF_V2) if about.v2 else ("answers",)
    payload = Question(question=text, fields=fields.unknown(question, known, where))
    notes: Iterator[str] = iter(())
    if about.published:
        absent = tuple(key for key in wanted if key not in question)
        said = {"is_impossible": impossible, "plausible_answers": plausible, "absent": absent}
        payload = payload.model_copy(update=said)
        notes = oddities.of_question(payload, answers, context)
    return IncomingItem(
        line=number,
        kind="question",
        external_id=name,
        split=about.split,
        payload=payload.model_dump(mode="json", exclude_defaults=True),
        annotations=tuple(_annotation(name, n, one) for n, one in enumerate(answers, 1)) if about.published else (),
        notes=tuple(f"Question {name}: {note}" for note in notes),
        parent=("paragraph", paragraph),
    )


def _answers(question: Mapping[str, Any], key: str, where: str) -> tuple[PublishedAnswer, ...] | None:
    """The answers in that field; None if the field is missing."""
    if key not in question:
        return None
    found = []
    for place, answer in enumerate(fields.need(question, key, list, where)):
        at = f"{where}.{key}[{place}]"
        one = fields.typed(answer, dict, at)
        text, start = fields.need(one, "text", str, at), fields.need(one, "answer_start", int, at)
        unknown = fields.unknown(one, ("text", "answer_start"), at)
        found.append(PublishedAnswer(text=text, answer_start=start, fields=unknown))
    return tuple(found)


def _annotation(question: str, number: int, answer: PublishedAnswer) -> IncomingAnnotation:
    """A published answer; the layout has neither annotation ids nor annotators."""
    payload = answer.model_dump(mode="json", exclude_defaults=True)
    return IncomingAnnotation(f"{question}-{number}", "answer", (("answer", PUBLISHED, payload),))
