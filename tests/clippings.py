"""A small protocol for tests: questions about plain texts, and summaries of articles that have no document.

A file is `{"version": ..., "data": [article, ...], "source": ...}`. An article has texts, and a text has questions.
Each question is an item with its text as document, under its article. The format `clippings` writes the file as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

import orjson
import pytest
from django import forms
from django.core.cache import caches
from pydantic import TypeAdapter

from annotation import registry
from annotation.errors import ImportRefused, Problem
from annotation.parsing import fields
from annotation.parsing.envelopes import Envelope, open_envelope
from annotation.parsing.fields import LineRefused
from annotation.parsing.incoming import ImportSource, IncomingAnnotation, IncomingItem, RefusedLine
from annotation.parsing.plain_text import text_document
from annotation.protocol import Activity, Format, Protocol, Stage
from annotation.protocol_tools import Bots, FiguresReport
from annotation.values.forms import StageForm
from annotation.values.records import Context, ReleaseRecord, Step, latest_payload
from annotation.values.schemas import Payload
from annotation.values.sheets import Sheet
from tests.builders import load, project

TEMPLATES = Path(__file__).parent / "templates"
AROUND = {"version": "c1", "source": "our own"}


class Summary(Payload):
    """A summary of an article in the person's own words."""

    text: str


class Span(Payload):
    """A half-open range of code points of the text, with its quote."""

    start: int
    end: int
    quote: str


@dataclass(frozen=True, kw_only=True)
class SpanSheet(Sheet):
    """A question and the text in which its answer is marked."""

    text: str

    @property
    def passages(self) -> tuple[str, ...]:
        return (self.text,)


class SummaryForm(StageForm):
    text = forms.CharField()

    def payload(self) -> dict[str, Any]:
        return {"text": self.cleaned_data["text"]}

    @staticmethod
    def fields_of(payload: dict[str, Any]) -> dict[str, Any]:
        return dict(payload)


class SpanForm(StageForm):
    start, end = forms.IntegerField(), forms.IntegerField()
    quote = forms.CharField(strip=False)

    def payload(self) -> dict[str, Any]:
        return dict(self.cleaned_data)

    @staticmethod
    def fields_of(payload: dict[str, Any]) -> dict[str, Any]:
        return dict(payload)


def sheet(context: Context, step: Step) -> Sheet:
    stage, item = step.stage, context.item
    if stage == "summary":
        return Sheet(stage=stage, prompt=item.payload["title"])
    return SpanSheet(stage=stage, prompt=item.payload["question"], text=item.documents[0].text)


def check(context: Context, step: Step, payload: Any) -> list[Problem]:
    item = context.item
    if isinstance(payload, Span) and item.documents[0].text[payload.start : payload.end] != payload.quote:
        return [Problem("quote", "quote", "The text says something else there.")]
    return []


def pretend(shown: Sheet, rng: Random) -> dict[str, Any]:
    if isinstance(shown, SpanSheet):
        end = rng.randrange(1, len(shown.text) + 1)
        return {"start": 0, "end": end, "quote": shown.text[:end]}
    return {"text": f"About {shown.prompt}"}


def read(source: ImportSource) -> Iterator[IncomingItem | RefusedLine]:
    around, articles = open_envelope(source, "data")
    if around.every != AROUND:
        raise ImportRefused(f"{source.name} is no file of clippings.")
    for number, article in articles:
        try:
            yield from list(_items(number, fields.typed(article, dict, ""), source))
        except LineRefused as refused:
            yield RefusedLine(number, refused.field, refused.reason)


def _items(number: int, article: dict[str, Any], source: ImportSource) -> Iterator[IncomingItem]:
    title, split = fields.need(article, "title", str), source.split or "train"
    summaries = fields.texts(article, "summaries") if source.published else []
    yield IncomingItem(
        line=number,
        kind="article",
        external_id=title,
        split=split,
        payload={"title": title},
        annotations=tuple(
            IncomingAnnotation(f"{title}/{place}", "summarise", (("summary", "clippings.summary/1", {"text": text}),))
            for place, text in enumerate(summaries)
        ),
    )
    for place, entry in enumerate(fields.need(article, "texts", list)):
        document = text_document(fields.need(entry, "text", str), f"texts[{place}].text", licence="our own")
        for question in entry["questions"]:
            yield IncomingItem(
                line=number,
                kind="question",
                external_id=question["id"],
                split=split,
                payload={"question": question["question"], "article": title, "place": place},
                documents=(document,),
                annotations=tuple(map(_answer, question["answers"])) if source.published else (),
                parent=("article", title),
            )


def _answer(answer: dict[str, Any]) -> IncomingAnnotation:
    span = {"start": answer["start"], "end": answer["start"] + len(answer["text"]), "quote": answer["text"]}
    return IncomingAnnotation(answer["id"], "answer", (("span", "clippings.span/1", span),))


def write(format: str, records: Iterable[ReleaseRecord]) -> Iterator[dict[str, Any]]:
    if format == "clippings-summed-up":
        yield from map(_summed_up, records)
        return
    for title, of_article in groupby(records, key=lambda record: record.item.payload["article"]):
        texts = groupby(of_article, key=lambda record: record.item.payload["place"])
        yield {"title": title, "texts": [_text(list(of_text)) for _place, of_text in texts]}


def _text(records: list[ReleaseRecord]) -> dict[str, Any]:
    return {"text": records[0].item.documents[0].text, "questions": [_question(record) for record in records]}


def _question(record: ReleaseRecord) -> dict[str, Any]:
    spans = [(one.external_id, latest_payload(one.answers, "span")) for one in record.annotations]
    answers = [{"id": name, "start": span.start, "text": span.quote} for name, span in spans]
    return {"id": record.item.external_id, "question": record.item.payload["question"], "answers": answers}


def _summed_up(record: ReleaseRecord) -> dict[str, Any]:
    """An article with its summaries, and how many answers each of its questions has."""
    return {
        "title": record.item.payload["title"],
        "summaries": [latest_payload(one.answers, "summary").text for one in record.annotations],
        "writers": [one.worker for one in record.annotations],
        "answers": {child.item.external_id: len(child.annotations) for child in record.children},
        "texts": [child.item.documents[0].text for child in record.children],
    }


def in_groups(key: str, *, container: Any, **fields: Any) -> Format:
    """A format for questions grouped by article."""
    return Format(
        key=key, title=key, container=container, kind="question", activity="answer", group="article", **fields
    )


ENVELOPE = Envelope("data", before={"version": "c1"}, after={"source": "our own"})
FORMATS = (
    in_groups("clippings", container=ENVELOPE, pattern="{split}.json"),
    in_groups("clippings-sharded", container=ENVELOPE, pattern="{split}-{shard}.json.gz", shard_size=4),
    in_groups("clippings-lines", container="lines", pattern="{split}.jsonl"),
    Format(
        key="clippings-summed-up",
        title="Articles",
        pattern="{split}.jsonl",
        kind="article",
        child_kind="question",
        activity="answer",
    ),
)


def activity(key: str, kind: str, stage: str, model: type[Payload]) -> Activity:
    made = Stage(key=stage, title=stage, schema_name=f"clippings.{stage}/1", schema=TypeAdapter(model))
    return Activity(key=key, title=key, description=key, kind=kind, stages=(made,), minutes=20)


class Clippings(Protocol):
    key = "clippings"
    title = "Clippings"
    kinds = ("article", "question")
    activities = (
        activity("summarise", "article", "summary", Summary),
        activity("answer", "question", "span", Span),
    )
    formats = FORMATS
    bots = Bots(pretend)
    report = FiguresReport(
        lambda records: {"records": sum(1 for _ in records)}, {"records": None}, {"records": "Records"}
    )

    sheet = staticmethod(sheet)
    check = staticmethod(check)
    read = staticmethod(read)
    write = staticmethod(write)

    def compare(self, activity: str, a: Any, b: Any) -> float:
        return float(a.answers[0].payload == b.answers[0].payload)

    def caption(self, kind: str, payload: dict[str, Any]) -> str:
        return payload["title" if kind == "article" else "question"]

    def guideline(self) -> str:
        return "Answer from the text."


PROTOCOL = Clippings()


@pytest.fixture
def clippings(db, monkeypatch, settings):
    """A project of clippings without items; the protocol is registered for this test only."""
    monkeypatch.setitem(registry._PROTOCOLS, PROTOCOL.key, PROTOCOL)
    monkeypatch.setitem(registry._FORMS, PROTOCOL.key, {"summary": SummaryForm, "span": SpanForm})
    settings.TEMPLATES = [settings.TEMPLATES[0] | {"DIRS": [TEMPLATES]}]
    return project("cuttings", PROTOCOL.key)


@pytest.fixture
def changed(clippings, monkeypatch):
    """Return a function that replaces these attributes of the protocol.

    Pages keep fragments whose words a protocol decides, as long as the process lives.
    """

    def change(**fields: Any) -> None:
        for name, value in fields.items():
            monkeypatch.setattr(PROTOCOL, name, value, raising=False)
        caches["words"].clear()

    yield change
    caches["words"].clear()


def question(name: str, text: str = "", *answers: str) -> dict[str, Any]:
    """A question about a text with these quotes as answers."""
    found = [
        {"id": f"{name}/{place}", "start": text.index(words), "text": words} for place, words in enumerate(answers)
    ]
    return {"id": name, "question": f"What is {name}?", "answers": found}


def article(title: str, *texts: dict[str, Any], summaries: Iterable[str] = ()) -> dict[str, Any]:
    """An article as in a file."""
    return {"title": title, "texts": list(texts)} | {"summaries": list(summaries)}


def import_articles(into: Any, folder: Path, *articles: dict[str, Any], published: bool = True, **kwargs: Any) -> Any:
    """Import a file of these articles."""
    path = folder / f"clippings-{len(list(folder.iterdir()))}.json"
    path.write_bytes(orjson.dumps({"version": "c1", "data": articles, "source": "our own"}))
    return load(into, path, published=published, **kwargs)
