"""Read the export of another tool into items of no protocol, and those into items of a protocol; preview them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from annotation.errors import ImportRefused
from annotation.exchange import brat, doccano, label_studio
from annotation.exchange.options import PREVIEWED, TITLES, ExportOptions, Tool, options_from
from annotation.exchange.records import quoted
from annotation.parsing import fields
from annotation.parsing.fields import LineRefused, read_json_lines
from annotation.parsing.incoming import IncomingItem, RefusedLine
from annotation.parsing.sources import MAX_WHOLE, FileSource
from annotation.parsing.text_zips import SUFFIX, TextZip, has_texts
from annotation.protocol import Protocol
from annotation.values.exchange import AnswerKind, Exchange, ExchangedAnswer, ExchangedItem

Read = Iterator[ExchangedItem | RefusedLine]
KINDS: Mapping[AnswerKind, str] = {
    "spans": "marked words",
    "yes": "the choice yes",
    "no": "the choice no",
    "none": "that there is no answer",
    "words": "words of one's own",
}
"""What an answer is, in the words of a refusal."""
LONGEST_RECOGNISED = 16 * 2**20
"""Bytes of a first record that is looked at; longer ones are whole files in a layout of some protocol."""
OF_RECORDS: Mapping[Tool, Callable[[Mapping[str, Any], ExportOptions, int], Iterator[ExchangedItem]]] = {
    "label_studio": label_studio.read_record,
    "doccano": doccano.read_record,
}
"""The readers of tools whose exports have a record for each text."""


def options_for(protocol: Protocol, path: Path, stated: Mapping[str, Any]) -> ExportOptions | None:
    """How a file is read as an export, with what a lead says of it; None if it is in a layout of the protocol.

    The lead may name the tool, or leave it to the file. ImportRefused for options that can't be meant.
    """
    tool = stated.get("tool") or recognised(path)
    # A protocol that takes no exports may have layouts of its own that look like those of the other tools.
    if not tool or (protocol.exchange is None and not stated.get("tool") and tool != "label_studio"):
        return None
    return options_from(stated, recognised=tool)


def ending_in_zip(options: ExportOptions, path: Path) -> str:
    """How the files of an export end that is a zip of several; "" for an export that is one file."""
    if options.tool == "brat":
        return SUFFIX if has_texts(path) else ""
    return doccano.LINES if options.tool == "doccano" and doccano.is_of_several_people(path) else ""


def recognised(path: Path) -> Tool | None:
    """The tool that has written a file, by its first record; None for any other file, and one that can't be read."""
    if brat.is_collection(path):
        return "brat"
    try:
        if doccano.is_of_several_people(path):
            lines = (line for _number, _name, line in doccano.lines_of_people(TextZip(path, suffix=doccano.LINES)))
            line = next(lines, b"")
        else:
            source = FileSource(path)
            if source.form.is_table:
                return None
            _number, line = next(source.lines(), (0, b""))
        record = fields.parse(line) if len(line) <= LONGEST_RECOGNISED else {}
    except (ImportRefused, LineRefused, LookupError):
        return None
    return "label_studio" if label_studio.looks_like(record) else "doccano" if doccano.looks_like(record) else None


def items(protocol: Protocol, source: FileSource, options: ExportOptions) -> Iterator[IncomingItem | RefusedLine]:
    """The items of an export in a protocol, and the refused lines.

    Records that ask the same about the same text are one item, with the answers of all. ImportRefused for a
    protocol that takes nothing from other tools, and for a file with more text than fits into memory.
    """
    exchange = protocol.exchange
    if exchange is None:
        raise ImportRefused(
            f"{source.name} is an export of {TITLES[options.tool]}. Projects of this protocol have no place for its "
            "items; docs/switching.md says which ones do."
        )
    merged = _Merged()
    for found in _exchanged(source, options):
        checked = found if isinstance(found, RefusedLine) else _fitting(found, exchange)
        refused = checked if isinstance(checked, RefusedLine) else merged.add(checked)
        if refused is not None:
            yield refused
    brought = merged.all_items()
    options.preview[:] = brought[:PREVIEWED]
    if brought:
        yield from exchange.read(source, brought)


def _exchanged(source: FileSource, options: ExportOptions) -> Read:
    if options.tool == "brat":
        if not isinstance(source, TextZip):
            raise ImportRefused(f"{source.path.name} is no zip. Pack the texts (.txt) with their annotations (.ann).")
        yield from brat.read_collection(source, options)
        return
    if isinstance(source, TextZip):
        yield from doccano.read_people(source, options)
        return
    read = OF_RECORDS[options.tool]
    for number, record in read_json_lines(source, source.records()):
        if isinstance(record, RefusedLine):
            yield record
            continue
        try:
            yield from read(record, options, number)
        except LineRefused as refused:
            yield RefusedLine(number, refused.field, refused.reason)


def _fitting(item: ExchangedItem, exchange: Exchange) -> ExchangedItem | RefusedLine:
    """The item, or its refusal if the protocol has no such answers."""
    for answer in item.answers:
        if answer.kind not in exchange.kinds:
            has = " or ".join(words for kind, words in KINDS.items() if kind in exchange.kinds)
            return RefusedLine(item.line, "", f"The answer is {KINDS[answer.kind]}; here it can be {has}.")
        if len(answer.spans) > 1 and not exchange.several:
            pieces = len(answer.spans)
            return RefusedLine(
                item.line,
                "",
                f"The answer has {pieces} marks; here it has one. If each is an answer of its own, say so.",
            )
    return item


class _Merged:
    """Items by what they ask about which text, in the order in which they came first."""

    def __init__(self) -> None:
        self._by_name: dict[str, ExchangedItem] = {}
        self._answers: dict[str, list[ExchangedAnswer]] = {}
        self._notes: dict[str, list[str]] = {}
        self._length = 0

    def add(self, item: ExchangedItem) -> RefusedLine | None:
        """Add an item, or its answers to the same one; its refusal if its id is that of another one."""
        name = item.external_id or _name_of(item)
        first = self._by_name.setdefault(name, replace(item, external_id=name))
        if (first.text, first.prompt, first.title) != (item.text, item.prompt, item.title):
            return RefusedLine(
                item.line, "item_id", f"Line {first.line:,} has the same id, {name}, and asks something else."
            )
        if first.line == item.line:
            self._length += len(item.text)
        if self._length > MAX_WHOLE:
            raise ImportRefused(f"The texts have over {MAX_WHOLE:,} characters. Divide the file into several.")
        self._answers.setdefault(name, []).extend(item.answers)
        self._notes.setdefault(name, []).extend(item.notes)
        return None

    def all_items(self) -> list[ExchangedItem]:
        """All of them, with the answers and notes of all lines."""
        return [
            replace(one, answers=tuple(self._answers[name]), notes=tuple(dict.fromkeys(self._notes[name])))
            for name, one in self._by_name.items()
        ]


def _name_of(item: ExchangedItem) -> str:
    """The id of an item that has none: by what it asks about which text."""
    return sha256(orjson.dumps([item.title, item.text, item.prompt])).hexdigest()[:24]


LONGEST = 300
"""Characters of a text that are shown."""
MOST = 10
"""Answers of an item that are shown."""


def previewed(options: ExportOptions) -> list[dict[str, Any]]:
    """Each item with its line, its title, the beginning of its text, and its answers as they were understood."""
    return [
        {
            "line": one.line,
            "title": _short(one.title),
            "text": _short(one.text),
            "prompt": _short(one.prompt),
            "answers": [_shown_answer(answer, one.text) for answer in one.answers[:MOST]],
            "more": max(0, len(one.answers) - MOST),
        }
        for one in options.preview
    ]


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _shown_answer(answer: ExchangedAnswer, text: str) -> dict[str, str]:
    """The kind of an answer, and its words."""
    marked = " … ".join(quoted(text[start:end]) for start, end in answer.spans)
    return {"kind": answer.kind, "words": marked or (quoted(answer.words) if answer.words else "")}
