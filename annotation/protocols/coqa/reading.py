"""Read CoQA files, published or as passages only, and passages of our own: one object, or one JSON object per line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from annotation.errors import ImportRefused
from annotation.parsing import fields
from annotation.parsing.envelopes import open_envelope
from annotation.parsing.fields import MAX_SHORT, LineRefused, read_json_lines
from annotation.parsing.forms import Form
from annotation.parsing.incoming import NOTHING_AROUND, ImportSource, IncomingDocument, IncomingItem, RefusedLine
from annotation.parsing.plain_text import text_document
from annotation.parsing.whole_files import split_of, version_notes
from annotation.protocols.coqa import oddities, published
from annotation.protocols.coqa.schemas import Passage

VERSIONS = ("1.0",)
"""The value of `version` in published files."""
LONGEST_ID = 150
ABOUT = {"title": 200, "url": 2000, "licence": 200}
"""What else a passage of our own may say of its text, with the longest value. Releases have these fields, too."""
_FILE_NAME = re.compile(r"^(?:coqa-)?(train|dev|test)\b")
"""coqa-dev-v1.0.json."""
_OF_CONVERSATION = ("questions", "answers", "additional_answers")


def read(source: ImportSource) -> Iterator[IncomingItem | RefusedLine]:
    """The passages of a file, each followed by its conversation if that has additional answers.

    `{"version": ..., "data": [...]}` is the published layout; its n-th dialogue is line n. The conversations of a
    published file (`source.published`) become annotations; otherwise they are left out, because our annotators are to
    talk. A .jsonl file has a passage on each line, and so have a table, an array, and a folder or zip of texts, whose
    name ends in a slash. Raises ImportRefused for another layout, a file without a passage, or a published file whose
    split is unknown.
    """
    split, around = split_of(source, _FILE_NAME, "coqa-dev-v1.0.json"), NOTHING_AROUND
    if re.search(r"(\.jsonl(\.gz)?|/)$", source.name) or source.form is not Form.LINES:
        if source.published:
            raise ImportRefused(f"{source.name} has passages only. Import them with import_items.")
        records: Iterator[tuple[int, Any]] = read_json_lines(source)
        notes: tuple[str, ...] = ()
    else:
        around, records = open_envelope(source, "data")
        notes = tuple(version_notes(around.every, VERSIONS, published=source.published))
    number = 0
    for number, record in records:
        if isinstance(record, RefusedLine):
            yield record
            continue
        try:
            items = list(_items(number, fields.typed(record, dict, ""), split, source))
        except LineRefused as refused:
            yield RefusedLine(number, refused.field, _naming_the_file(record, refused.reason, source))
        else:
            yield replace(items[0], notes=notes + items[0].notes, around=around)
            yield from items[1:]
            notes, around = (), NOTHING_AROUND
    if not number:
        raise ImportRefused(f"{source.name} has no passage.")


def _naming_the_file(record: Any, reason: str, source: ImportSource) -> str:
    """A reason that names the file: in a folder or zip of texts, nobody has written the line that the number counts."""
    file = record.get("file") if source.name.endswith("/") else None
    return reason if file is None or file in reason else f"{file}: {reason}"


def _items(number: int, record: dict[str, Any], split: str, source: ImportSource) -> Iterator[IncomingItem]:
    """A passage and, in a published file, what was said about it."""
    name = fields.need(record, "id", str, longest=LONGEST_ID)
    if not name:
        raise LineRefused("id", "An id has 1 to 150 characters.")
    if "split" in record and not source.published:
        split = fields.split_name(fields.need(record, "split", str), "split")
    passage, document = _published_passage(record) if source.published else _own_passage(record, name, source)
    story = document.source.decode()
    notes, dialogue = list(oddities.of_passage(passage, story)), None
    if source.published:
        dialogue = published.read_dialogue(record, name)
        notes += oddities.of_dialogue(dialogue, story, split)
    yield IncomingItem(
        line=number,
        kind="passage",
        external_id=name,
        split=split,
        payload=passage.model_dump(mode="json", exclude_defaults=True),
        documents=(document,),
        annotations=(dialogue.conversation,) if dialogue else (),
        notes=tuple(f"Passage {name}: {note}" for note in notes),
    )
    if dialogue and dialogue.games is not None:
        yield IncomingItem(
            line=number,
            kind="conversation",
            external_id=name,
            split=split,
            payload=dialogue.as_item().model_dump(mode="json"),
            annotations=dialogue.games,
            parent=("passage", name),
        )


def _published_passage(record: dict[str, Any]) -> tuple[Passage, IncomingDocument]:
    passage = _passage(record, "source", "filename", "story")
    return passage, text_document(fields.need(record, "story", str), "story", title=passage.filename[:200])


def _own_passage(record: dict[str, Any], name: str, source: ImportSource) -> tuple[Passage, IncomingDocument]:
    """A passage to talk about: its text is in `story` or `text`, or in the text file that `file` names.

    `source` may be called `domain`. Without a `filename` it is the name of that file, or else the id.
    """
    domain, text = _one_of(record, ("source", "domain")), _one_of(record, ("story", "text", "file"))
    if domain not in record and source.name.endswith("/"):
        raise LineRefused("domain", "It has no domain: choose one for all texts.")
    filename = "filename" if "filename" in record else text if text == "file" else "id"
    passage = _passage(record, domain, filename, text, "split")
    if not passage.source.strip():
        raise LineRefused(domain, "The domain is empty.")
    story = fields.need(record, text, str)
    if text == "file":
        story = _text_file(story, source)
    if not story.strip():
        raise LineRefused(text, f"{record[text]} has no text." if text == "file" else "The passage has no text.")
    about = {key: fields.need(record, key, str, longest=longest) for key, longest in ABOUT.items() if key in record}
    return passage, text_document(story, text, **{"title": passage.filename[:200]} | about)


def _passage(record: dict[str, Any], domain: str, filename: str, *known: str) -> Passage:
    """What the keys for its domain and its name say, and all but the other known ones."""
    known = ("id", domain, "filename", "name", *_OF_CONVERSATION, *known)
    return Passage(
        source=fields.need(record, domain, str, longest=MAX_SHORT),
        filename=fields.need(record, filename, str, longest=MAX_SHORT),
        name=fields.need(record, "name", str, longest=MAX_SHORT) if "name" in record else None,
        fields=fields.unknown(record, known),
    )


def _one_of(record: dict[str, Any], names: tuple[str, ...]) -> str:
    """The one of these keys that the record has."""
    found = [name for name in names if name in record]
    if len(found) > 1:
        raise LineRefused(found[1], f"The same is given twice: as {found[0]} and as {found[1]}.")
    return found[0] if found else names[0]


def _text_file(path: str, source: ImportSource) -> str:
    """The text of a file beside this one, without a byte order mark, with \\n line ends, stripped as published ones."""
    try:
        data = source.resource(path)
    except LookupError as error:
        raise LineRefused("file", str(error.args[0])) from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LineRefused("file", f"{path} is not UTF-8: byte {error.start:,} can't be read.") from None
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()
