"""Read collections of brat: a zip in which each text, `name.txt`, has its annotations beside it in `name.ann`, in the
standoff format that its manual describes (brat.nlplab.org/standoff.html).

Places count characters of the text. A mark may have several pieces; brat makes one at each line break, too. A file has
no field for a prompt: it is the same for all texts, or each mark has it in a note (`AnnotatorNotes`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from annotation.exchange import records
from annotation.exchange.options import ExportOptions
from annotation.exchange.records import answers_of, labelled
from annotation.parsing import fields
from annotation.parsing.fields import MAX_SHORT, LineRefused
from annotation.parsing.incoming import RefusedLine
from annotation.parsing.text_zips import SUFFIX, TextZip, names_in_zip
from annotation.values.exchange import ExchangedItem, Span

MARKS = ".ann"
NOTES = "AnnotatorNotes"
MOST_LINES = 100_000
"""Lines of one file of annotations."""
LONGEST_NUMBER = 9
"""Digits of a place: a text is shorter."""
_MARK = re.compile(r"(?P<id>T[^\t ]*)\t(?P<label>\S+) (?P<places>[^\t]+)(?:\t(?P<words>.*))?", re.DOTALL)
_PIECE = re.compile(rf"(\d{{1,{LONGEST_NUMBER}}}) (\d{{1,{LONGEST_NUMBER}}})", re.ASCII)
_NOTE = re.compile(r"#[^\t ]*\t(?P<kind>\S+) (?P<of>\S+)(?:\t(?P<says>.*))?", re.DOTALL)
_OTHERS = {
    "R": "Relations",
    "E": "Events",
    "A": "Attributes",
    "M": "Attributes",
    "N": "Normalizations",
    "*": "Relations",
}


@dataclass
class _Read:
    """What a file of annotations says: by id, each mark with its spans, its label and its place in the file."""

    marks: dict[str, tuple[tuple[Span, ...], str, str]] = field(default_factory=dict)
    prompts: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def is_collection(path: Path) -> bool:
    """Whether a file is a zip with annotations of brat."""
    return any(name.endswith(MARKS) for name in names_in_zip(path))


def read_collection(texts: TextZip, options: ExportOptions) -> Iterator[ExchangedItem | RefusedLine]:
    """What is asked about each text of a zip, in the order of the paths: the n-th text is line n.

    ImportRefused for a zip that can't be read.
    """
    annotations = TextZip(texts.path, suffix=MARKS)
    there = {name for _number, name in annotations.paths()}
    number, seen = 0, set[str]()
    for number, name in texts.paths():
        marks = name.removesuffix(texts.suffix) + MARKS
        seen.add(marks)
        try:
            data = _decoded(annotations, marks) if marks in there else ""
            yield from _items_of_text(number, name.removesuffix(texts.suffix), _decoded(texts, name), data, options)
        except LineRefused as refused:
            yield RefusedLine(number, refused.field, refused.reason)
    for alone in sorted(there - seen):
        number += 1
        yield RefusedLine(number, alone, "There is no text of that name beside it.")


def _items_of_text(number: int, stem: str, text: str, data: str, options: ExportOptions) -> list[ExchangedItem]:
    fields.typed(text, str, stem + SUFFIX)
    if not text.strip():
        raise LineRefused(stem + SUFFIX, "The text is empty.")
    read = _read_marks(data, text, stem + MARKS)
    by_prompt: dict[str, list[tuple[tuple[Span, ...], str]]] = {options.prompt: []} if options.prompt else {}
    for key, (spans, label, where) in read.marks.items():
        if options.label not in ("", label):
            read.notes.append(f"Marks with the label {label[:100]} were left out.")
            continue
        prompt = options.prompt or read.prompts.get(key, "")
        if not prompt:
            raise LineRefused(where, f"{key} has no note with a prompt. Give one for all texts.")
        by_prompt.setdefault(prompt, []).append((spans, label))
    if not by_prompt:
        raise LineRefused(stem + MARKS, "No mark has a note with a prompt. Give one for all texts.")
    made = ExchangedItem(number, "", stem[-MAX_SHORT:], text, "", (), tuple(dict.fromkeys(read.notes)))
    return [_asked(replace(made, prompt=each), marks, options) for each, marks in by_prompt.items()]


def _asked(item: ExchangedItem, marks: list[tuple[tuple[Span, ...], str]], options: ExportOptions) -> ExchangedItem:
    """The item with the answers that its marks are: each mark by itself if they are apart, or all as one."""
    where = f"{item.title}{MARKS}"
    flat = [(span, label) for spans, label in marks for span in spans]
    together, _left_out = labelled(flat, options, where)
    parts = [list(spans) for spans, _label in marks] if options.apart else [together]
    answers, notes = [], list(item.notes)
    for part in parts or [[]]:
        found, more = answers_of(part, (), replace(options, apart=False), where)
        answers += found
        notes += more
    return replace(item, answers=tuple(answers), notes=tuple(dict.fromkeys(notes)))


def _decoded(archive: TextZip, name: str) -> str:
    try:
        text = archive.resource(name).decode("utf-8")
    except LookupError as error:
        raise LineRefused(name, str(error)) from None
    except UnicodeDecodeError as error:
        raise LineRefused(name, f"Not UTF-8 at byte {error.start:,}.") from None
    if "\x00" in text:
        raise LineRefused(name, "The text contains a NUL character.")
    return text


def _read_marks(data: str, text: str, name: str) -> _Read:
    """The marks of a file, checked against its text. LineRefused names the file and its line."""
    read = _Read()
    lines = data.removesuffix("\n").split("\n") if data else []
    if len(lines) > MOST_LINES:
        raise LineRefused(name, f"The file has {len(lines):,} lines; the limit is {MOST_LINES:,}.")
    for number, raw in enumerate(lines, start=1):
        line = raw.removesuffix("\r").removeprefix("\ufeff")
        if line.strip():
            _read_line(read, line, text, f"{name}, line {number}")
    for key in read.prompts.keys() - read.marks.keys():
        del read.prompts[key]
    return read


def _read_line(read: _Read, line: str, text: str, where: str) -> None:
    if line.startswith("T"):
        key, spans, label = _mark(line, text, where, read)
        if key in read.marks:
            raise LineRefused(where, f"The id {key} occurs twice.")
        read.marks[key] = (spans, label, where)
    elif line.startswith("#"):
        note = _NOTE.fullmatch(line)
        if note and note["kind"] == NOTES and (note["says"] or "").strip():
            if len(note["says"]) > MAX_SHORT:
                raise LineRefused(where, f"The note has {len(note['says']):,} characters; the limit is {MAX_SHORT:,}.")
            read.prompts[note["of"]] = note["says"].strip()
    elif line[0] in _OTHERS:
        read.notes.append(f"{_OTHERS[line[0]]} were left out.")
    else:
        raise LineRefused(where, f"This is no line of brat: {records.quoted(line)}.")


def _mark(line: str, text: str, where: str, read: _Read) -> tuple[str, tuple[Span, ...], str]:
    """The id, the pieces and the label of a mark."""
    found = _MARK.fullmatch(line)
    pieces = found and [_PIECE.fullmatch(each) for each in found["places"].split(";")]
    if found is None or pieces is None or not all(pieces):
        raise LineRefused(where, "A mark is not “T1, tab, label start end, tab, words”.")
    given = [(int(each[1]), int(each[2])) for each in pieces if each]
    spans, note = records.checked_mark_of_pieces(text, given, found["words"], where)
    if note:
        read.notes.append(note)
    return found["id"], _joined(spans, text), found["label"]


def _joined(spans: tuple[Span, ...], text: str) -> tuple[Span, ...]:
    """The pieces in the order of the text; those between which there is only white space are one."""
    made: list[Span] = []
    for start, end in sorted(spans):
        if made and (start <= made[-1][1] or not text[made[-1][1] : start].strip()):
            made[-1] = (made[-1][0], max(end, made[-1][1]))
        else:
            made.append((start, end))
    return tuple(made)
