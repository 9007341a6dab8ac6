"""Strict JSON decoding for untrusted input: no NaN, surrogates, NULs or duplicate keys; depth and size are bounded.

Where in a text a value is, is found by a slow second reading, only for the refusal of a text that is at fault.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

Path = tuple[str | int, ...]
"""The keys and list indexes that lead to a value."""

_TOKENS = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{},:]|[^\s"\[\]{},:]++', re.DOTALL)


class JsonPlace(NamedTuple):
    """A key, or a value that is neither list nor object: its path, offset in characters and spelling."""

    path: Path
    start: int
    spelled: str
    is_repeated: bool
    """Whether it is a key that its object had before."""


def places_in_json(text: str) -> Iterator[JsonPlace]:
    """Every key, string, number and constant of a text that may be broken anywhere, in order."""
    path: list[str | int] = []
    keys: list[set[str]] = []
    before_key = False
    for token in _TOKENS.finditer(text):
        mark = text[token.start()]
        if mark in "[{":
            before_key = mark == "{"
            path.append("" if before_key else 0)
            keys.append(set())
        elif mark in "]}":
            del path[-1:], keys[-1:]
            before_key = False
        elif mark == "," and path:
            last = path[-1]
            before_key = isinstance(last, str)
            path[-1] = last if isinstance(last, str) else last + 1
        elif mark == ":":
            before_key = False
        elif mark != ",":
            repeated = False
            if before_key:
                key = _decoded(token[0])
                repeated = key in keys[-1]
                keys[-1].add(key)
                path[-1] = key
            yield JsonPlace(tuple(path), token.start(), token[0], repeated)


def _decoded(spelled: str) -> str:
    try:
        return str(json.loads(spelled))
    except ValueError:
        return spelled


def name_of_path(path: Path) -> str:
    """A path as refusals write it: `annotations[0].long_answer`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")


MAX_DEPTH = 64
MAX_DIGITS = 40
RECORD_VALUES = 2_000_000
"""Values of one record, lists and objects included: a page of 400,000 tokens. A value may take 120 bytes of memory."""
FILE_VALUES = 5_000_000
"""Values of a file that is one JSON value: three times the largest published one."""


ENDLESS = "a text that never ends begins"
PLAINLY = {
    "Expecting value": "a value is missing",
    "Expecting property name": "a field’s name in double quotes is missing",
    "Expecting ':'": "a colon is missing",
    "Expecting ','": "a comma is missing",
    "Unterminated string": ENDLESS,
    "Invalid control character": "a text has an unescaped control character",
    "Invalid \\": "a text has an escape that does not exist",
    "Illegal trailing comma": "there is a comma too many",
    "Extra data": "more follows after its end",
}
"""By the beginning of the decoder's own message: what is wrong, before "at byte 7"."""


class JsonRefused(ValueError):
    """The input is not acceptable JSON; the message says why and, if known, at which byte.

    `path` leads to the value at fault; it is empty where the whole input is refused.
    """

    def __init__(self, message: str, path: Path = ()) -> None:
        super().__init__(message)
        self.path = path


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise JsonRefused(f"The key {key!r} occurs twice.")
        result[key] = value
    return result


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise JsonRefused(f"A number has {len(digits)} digits.")
    return int(digits)


UNSTORABLE = "A string contains a NUL or an unpaired surrogate."
_SUSPECT = re.compile(r"\\u(?:0000|d)", re.IGNORECASE)
"""What a NUL or a surrogate is spelled as; surrogates may be paired."""


def _constant(name: str) -> Any:
    raise JsonRefused(f"{name} is not JSON.")


def _floating(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise JsonRefused(f"The number {digits[:20]} is too large.")
    return number


_DECODER = json.JSONDecoder(
    object_pairs_hook=_pairs, parse_int=_integer, parse_float=_floating, parse_constant=_constant, strict=True
)


# Possessive, since backtracking through a string of 20 MB takes 2 GB of memory. The closing quote is optional, since
# retrying from each quote of an unterminated string takes quadratic time.
_VALUES = re.compile(r'(?P<string>"(?:[^"\\]++|\\.)*+"?)|,|[\[{]\s*+(?![\]}])', re.DOTALL)
"""Strings (not counted), and what comes before every value except the outermost."""
_MARKS = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)


def _too_deep(text: str) -> bool:
    """Whether brackets nest deeper than MAX_DEPTH; checked before decoding, since the decoder recurses."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return False
    depth = 0
    for mark in _MARKS.finditer(text):
        if mark[0] in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                return True
        elif mark[0] in "]}":
            depth -= 1
    return False


def _too_many(text: str, values: int) -> bool:
    """Whether there are more values than that; checked before decoding, since an empty list takes 64 bytes."""
    if text.count(",") + text.count("[") + text.count("{") < values:
        return False
    found = 1
    for mark in _VALUES.finditer(text):
        found += mark["string"] is None
        if found > values:
            return True
    return False


def strict_loads(data: bytes | str, *, values: int | None = RECORD_VALUES) -> Any:
    """Decode JSON text or raise JsonRefused with the reason; bytes must be UTF-8 without a byte order mark.

    `values` is the largest number of values, None for no limit.
    """
    if isinstance(data, bytes):
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise JsonRefused(f"Not UTF-8 at byte {error.start:,}.") from None
        data = b""  # an import's file may be large
    else:
        text = data
    if text.startswith("\ufeff"):
        raise JsonRefused("The JSON begins with a byte order mark.")
    if _too_deep(text):
        raise JsonRefused(f"Nested deeper than {MAX_DEPTH}.")
    if values is not None and _too_many(text, values):
        raise JsonRefused(f"More values than the limit, {values:,}.")
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        where = len(text[: error.pos].encode("utf-8", "surrogatepass"))
        raise JsonRefused(f"This is not JSON: {_plainly(error.msg)} at byte {where:,}.") from None
    except JsonRefused as error:
        raise _located(text, error) from None
    if _SUSPECT.search(text) and any(map(_unstorable, _strings(value))):
        raise _located(text, JsonRefused(UNSTORABLE))
    return value


def _plainly(message: str) -> str:
    return next((words for beginning, words in PLAINLY.items() if message.startswith(beginning)), "a mistake stands")


def _located(text: str, error: JsonRefused) -> JsonRefused:
    """The refusal of the first value that is at fault, with its path and byte."""
    for place in places_in_json(text):
        try:
            _judge(place)
        except JsonRefused as found:
            where = len(text[: place.start].encode("utf-8", "surrogatepass"))
            return JsonRefused(f"{str(found).removesuffix('.')}, at byte {where:,}.", place.path)
    return error


def _judge(place: JsonPlace) -> None:
    """Raise JsonRefused for a key or value that is at fault by itself, as decoding does."""
    if place.is_repeated:
        raise JsonRefused(f"The key {place.path[-1]!r} occurs twice.")
    try:
        value = _DECODER.decode(place.spelled)
    except json.JSONDecodeError:
        return
    if isinstance(value, str) and _unstorable(value):
        raise JsonRefused(UNSTORABLE)


def _strings(value: Any) -> Iterator[str]:
    """Every string in a decoded value, keys included."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            waiting.extend(value.keys())
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)


def _unstorable(text: str) -> bool:
    if "\x00" in text:
        return True
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False
