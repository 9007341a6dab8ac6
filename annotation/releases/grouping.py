"""Put the items of a group together that several imports have brought: an article whose file has grown since."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import Any

from annotation.protocol_tools import Unnamed


def grouped(rows: Iterable[Any], how: Unnamed) -> list[Any]:
    """The rows (with `pk` and `payload`), given in order: groups by their first row, each in the order of its files."""
    groups: dict[Any, list[Any]] = {}
    for row in rows:
        groups.setdefault(row.payload[how.group], []).append(row)
    return [row for found in groups.values() for row in _in_place(found, how.place)]


def _in_place(rows: list[Any], place: str) -> list[Any]:
    """The rows of a group, each put at its number when it came in: those that stood there then moved up by one.

    So a file that has grown comes out in its order, and rows that came in together stay as they are.
    """
    places: list[int] = []
    found: list[Any] = []
    for row in sorted(rows, key=lambda row: row.pk):
        number = row.payload[place]
        at = bisect_left(places, number)
        places[at:] = [number, *(each + 1 for each in places[at:])]
        found.insert(at, row)
    return found
