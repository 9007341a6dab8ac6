"""Find where in a JSON text a value is: a slow second reading, only for the refusal of a text that is at fault."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

Path = tuple[str | int, ...]
"""The keys and list indexes that lead to a value."""

_TOKENS = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{},:]|[^\s"\[\]{},:]++', re.DOTALL)


class JsonPlace(NamedTuple):
    """A key, or a value that is neither list nor object: its path, offset in characters, spelling, and what it is."""

    path: Path
    start: int
    spelled: str
    is_key: bool
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
            yield JsonPlace(tuple(path), token.start(), token[0], before_key, repeated)


def _decoded(spelled: str) -> str:
    try:
        return str(json.loads(spelled))
    except ValueError:
        return spelled


def name_of_path(path: Path) -> str:
    """A path as refusals write it: `annotations[0].long_answer`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")
