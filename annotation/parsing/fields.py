"""Typed access to imported JSON, of one object on each line: a wrong field raises LineRefused with the field's name and
the reason."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from annotation.errors import ImportRefused
from annotation.parsing.forms import MORE_CELLS
from annotation.parsing.incoming import ImportSource, RefusedLine
from annotation.parsing.sources import MAX_LINE, TOO_LONG
from annotation.parsing.strict_json import ENDLESS, JsonRefused, name_of_path, strict_loads

LARGEST_FLOAT = 1e16
"""PostgreSQL's jsonb stores 1e22 as an integer, so releases would differ between PostgreSQL and SQLite."""
MAX_TEXT = 1_000_000
"""Code points of one text, about 170,000 English words: a long novel. It is shown whole on one screen."""
MAX_SHORT = 10_000
"""Code points of what is asked, a title or an address."""
MIN_INT64, MAX_INT64, MAX_UINT64 = -(2**63), 2**63 - 1, 2**64 - 1

Kind = TypeVar("Kind")
_NAMES = {str: "text", int: "an integer", bool: "true or false", list: "a list", dict: "an object", float: "a number"}
_SPLIT = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_PIECES = re.compile(rb'"(?:[^"\\]++|\\.)*+(?P<closed>")?|[\[\]{},:]', re.DOTALL)


class LineRefused(Exception):
    """A line can't be imported; `field` is the name of the wrong field ("": the whole line), `reason` a sentence."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(reason)
        self.field = field
        self.reason = reason


def parse(line: bytes) -> dict[str, Any]:
    """The JSON object in a line; LineRefused names the field in which a broken one breaks off, if that is known."""
    if line == TOO_LONG:
        raise LineRefused("", f"The line is over {MAX_LINE // 2**20} MB.")
    if line == MORE_CELLS:
        raise LineRefused("", "The row has more cells than the first one. Put texts with the separator in quotes.")
    try:
        value = strict_loads(line)
    except JsonRefused as error:
        raise LineRefused(name_of_path(error.path), str(error)) if error.path else _broken(line, str(error)) from None
    if type(value) is not dict:
        raise LineRefused("", f"The line is {_value_in_words(value)}, not an object.")
    return value


def _broken(line: bytes, reason: str) -> LineRefused:
    """Track the brackets to the end: if the line ends inside one, it was truncated, and the field is known."""
    if not _at_the_end(line, reason):
        return LineRefused("", reason)
    inside: list[str] = []
    field, last, in_string = "", b"", False
    for piece in _PIECES.finditer(line):
        text = piece[0]
        in_string = text.startswith(b'"') and not piece["closed"]
        if text in (b"[", b"{"):
            inside.append("a list" if text == b"[" else "an object")
        elif text in (b"]", b"}") and inside:
            inside.pop()
        elif len(inside) == 1 and text == b":":
            field = last.decode("utf-8", "replace")
        elif len(inside) == 1 and text == b",":
            field = ""
        last = text[1:-1]
    if not inside:
        return LineRefused("", reason)
    return LineRefused(
        field, f"Cut off at byte {len(line):,}. The JSON ends inside {'a string' if in_string else inside[-1]}."
    )


def _at_the_end(line: bytes, reason: str) -> bool:
    """Whether decoding failed because the input ended: at the end, or in a character or keyword cut by the end."""
    at = re.search(r"at byte ([\d,]+)\.$", reason)
    return ENDLESS in reason or (at is not None and len(line) - int(at[1].replace(",", "")) < 8)


def need(record: Mapping[str, Any], key: str, kind: type[Kind], where: str = "", *, longest: int = MAX_TEXT) -> Kind:
    """The value of a required key, which must be of exactly that type (a bool is not an integer).

    A text has `longest` code points at most.
    """
    value: Kind | None = record.get(key)
    if type(value) is kind:  # fast path: a page has thousands of tokens
        if isinstance(value, str):
            if len(value) <= longest:
                return value
        elif not isinstance(value, int) or MIN_INT64 <= value <= MAX_INT64:
            return value
    name = f"{where}.{key}" if where else key
    if key not in record:
        raise LineRefused(name, "The field is missing.")
    return typed(value, kind, name, longest=longest)


def typed(value: Any, kind: type[Kind], name: str, *, longest: int = MAX_TEXT) -> Kind:
    """The value, if it is of exactly that type; integers must be signed 64-bit, texts not longer than `longest`."""
    if type(value) is not kind:
        raise LineRefused(name, f"This is {_value_in_words(value)}, not {_NAMES[kind]}.")
    if isinstance(value, int) and not MIN_INT64 <= value <= MAX_INT64:
        raise LineRefused(name, "The number does not fit a signed 64-bit integer.")
    if isinstance(value, str) and len(value) > longest:
        raise LineRefused(name, f"The text has {len(value):,} characters; the limit is {longest:,}.")
    return value


def unsigned(record: Mapping[str, Any], key: str, where: str) -> int:
    """An integer from 0 to 2^64 - 1."""
    name = f"{where}.{key}"
    if key not in record:
        raise LineRefused(name, "The field is missing.")
    value = record[key]
    if type(value) is not int:
        raise LineRefused(name, f"This is {_value_in_words(value)}, not an integer.")
    if not 0 <= value <= MAX_UINT64:
        raise LineRefused(name, "The number does not fit an unsigned 64-bit integer.")
    return value


def texts(record: Mapping[str, Any], key: str) -> list[str]:
    """The list of short strings under a required key."""
    return [
        typed(value, str, f"{key}[{index}]", longest=MAX_SHORT) for index, value in enumerate(need(record, key, list))
    ]


def split_name(name: str, field: str) -> str:
    """The name of a split, if it is valid: it becomes part of file names."""
    if not _SPLIT.fullmatch(name):
        raise LineRefused(field, "A split name has at most 40 characters: a-z, 0-9, - and _.")
    return name


def unknown(record: Mapping[str, Any], known: Iterable[str], where: str = "") -> dict[str, Any]:
    """The entries whose keys are not in `known`; LineRefused for too long texts and numbers no release could write."""
    found = {key: value for key, value in record.items() if key not in known}
    for key, value in found.items():
        _writable(value, f"{where}.{key}" if where else key)
    return found


def _writable(value: Any, name: str) -> None:
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, int) and not MIN_INT64 <= value <= MAX_UINT64:
            raise LineRefused(name, "The number does not fit a 64-bit integer.")
        if isinstance(value, float) and abs(value) >= LARGEST_FLOAT:
            raise LineRefused(name, "The number is too large to be released unchanged.")
        if isinstance(value, str):
            typed(value, str, name)
        elif isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)


def _value_in_words(value: Any) -> str:
    return "null" if value is None else _NAMES[type(value)]


def read_json_lines(
    source: ImportSource, lines: Iterator[tuple[int, bytes]] | None = None
) -> Iterator[tuple[int, dict[str, Any] | RefusedLine]]:
    """Each line's number and object, or its refusal; ImportRefused if the file begins like indented JSON.

    `lines`: those of the source, by default its `lines`.
    """
    first = True
    for number, line in source.lines() if lines is None else lines:
        try:
            yield number, parse(line)
        except LineRefused as refused:
            if first and line.strip() in (b"{", b"["):
                raise ImportRefused(
                    f"{source.name} is not JSON Lines: its first line is only a bracket. "
                    "Write each record on a line of its own, without line breaks in it."
                ) from None
            yield number, RefusedLine(number, refused.field, refused.reason)
        first = False
