"""Reading and writing: JSON Lines with id, topic and text; in a release also the talks and the further answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import ValidationError

from annotation.i18n import _
from annotation.parsing import fields
from annotation.parsing.fields import LineRefused
from annotation.parsing.incoming import ImportSource, IncomingItem, RefusedLine
from annotation.parsing.plain_text import text_document
from annotation.parsing.steps import annotation_as_steps, annotation_from_steps
from annotation.protocol import Format
from annotation.skeletons.pair.activities import AGAIN, TALK
from annotation.skeletons.pair.rules import text_of
from annotation.skeletons.pair.schemas import Talked, Topic
from annotation.values.records import ReleaseRecord

SEATS = {"ask": "asker", "tell": "teller", "closing": "teller"}
FORMATS = (
    Format(
        key="skeleton_pair",
        title=_("Skeleton pair, JSON Lines"),
        pattern="{split}.jsonl",
        kind="topic",
        activity="again",
        child_kind="talked",
        root_activities=("talk",),
        without_children=True,
    ),
)


def read(source: ImportSource) -> Iterator[IncomingItem | RefusedLine]:
    """The topics of a file; of a release, each followed by its talks that others answered again."""
    for number, line in source.lines():
        try:
            yield from list(_items(number, fields.parse(line), source))
        except LineRefused as refused:
            yield RefusedLine(number, refused.field, refused.reason)
        except ValidationError as error:
            yield RefusedLine(number, str(error.errors()[0]["loc"][0]), str(error.errors()[0]["msg"]))


def _items(number: int, record: dict[str, Any], source: ImportSource) -> Iterator[IncomingItem]:
    name = fields.need(record, "id", str)
    split = fields.split_name(source.split or "train", "split")
    talks, again = (fields.need(record, key, list) if source.published else [] for key in ("talks", "again"))
    yield IncomingItem(
        line=number,
        kind="topic",
        external_id=name,
        split=split,
        payload=Topic(topic=fields.need(record, "topic", str)).model_dump(mode="json"),
        documents=(text_document(fields.need(record, "text", str), "text"),),
        annotations=tuple(annotation_from_steps(one, TALK, SEATS, f"talks[{at}]") for at, one in enumerate(talks)),
    )
    for at, one in enumerate(fields.typed(one, dict, "again") for one in again):
        exchanges = tuple(fields.need(one, "exchanges", list, f"again[{at}]"))
        answers = fields.need(one, "answers", list, f"again[{at}]")
        yield IncomingItem(
            line=number,
            kind="talked",
            external_id=fields.need(one, "id", str, f"again[{at}]"),
            split=split,
            payload=Talked.model_validate({"exchanges": exchanges}).model_dump(mode="json"),
            annotations=tuple(annotation_from_steps(each, AGAIN, {}, f"again[{at}]") for each in answers),
            parent=("topic", name),
        )


def write(format: str, records: Iterable[ReleaseRecord]) -> Iterator[dict[str, Any]]:
    """The same lines, with what was said."""
    for record in records:
        text = text_of(record.item)
        yield {
            "id": record.item.external_id,
            "topic": record.item.payload["topic"],
            "text": text,
            "talks": [annotation_as_steps(one, (text,)) for one in record.annotations],
            "again": [
                {
                    "id": child.item.external_id,
                    "exchanges": child.item.payload["exchanges"],
                    "answers": [annotation_as_steps(one, (text,)) for one in child.annotations],
                }
                for child in record.children
            ],
        }
