"""What stands around the records in a data file: nothing in JSON Lines, the rest of the JSON value otherwise."""

from __future__ import annotations

from typing import Any, NamedTuple

import orjson

from annotation.parsing.envelopes import Envelope
from annotation.protocol import Format


class Frame(NamedTuple):
    """The bytes before, between and after the records of a file, and the whole of a file without records."""

    before: bytes
    between: bytes
    after: bytes
    empty: bytes


FRAMES = {"lines": Frame(b"", b"\n", b"\n", b""), "object": Frame(b"{", b",\n", b"}\n", b"{}\n")}
"""By the format's container: JSON Lines, or one JSON object with an entry per record."""


def frame_of(found: Format) -> Frame:
    """The frame of the format's container."""
    if not isinstance(found.container, Envelope):
        return FRAMES[found.container]
    around = found.container
    before = b"{" + b"".join(entry(*each) + b", " for each in around.before.items())
    before += orjson.dumps(around.records) + b": ["
    after = b"]" + b"".join(b", " + entry(*each) for each in around.after.items()) + b"}\n"
    return Frame(before, b",\n", after, before + after)


def entry(key: str, value: Any) -> bytes:
    """A key and its value, as inside a JSON object."""
    return orjson.dumps(key) + b": " + orjson.dumps(value)
