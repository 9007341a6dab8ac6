"""Strict JSON decoding for untrusted input: no NaN, surrogates, NULs or duplicate keys; bounded depth and numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

MAX_DEPTH = 64
MAX_DIGITS = 40


class JsonRefused(ValueError):
    """The input is not acceptable JSON; the message says why and, if known, at which byte."""


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


def strict_loads(data: bytes | str) -> Any:
    """Decode JSON text or raise JsonRefused with the reason; bytes must be UTF-8 without a byte order mark."""
    if isinstance(data, bytes):
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise JsonRefused(f"Not UTF-8 at byte {error.start:,}.") from None
    else:
        text = data
    if text.startswith("\ufeff"):
        raise JsonRefused("The JSON begins with a byte order mark.")
    if _too_deep(text):
        raise JsonRefused(f"Nested deeper than {MAX_DEPTH}.")
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        where = len(text[: error.pos].encode("utf-8", "surrogatepass"))
        raise JsonRefused(f"{error.msg} at byte {where:,}.") from None
    lowered = text.lower() if "\\u" in text else ""
    if ("\\u0000" in lowered or "\\ud" in lowered) and any(map(_unstorable, _strings(value))):
        raise JsonRefused("A string contains a NUL or an unpaired surrogate.")
    return value


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
