"""Read files with one JSON object on each line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotation.errors import ImportRefused
from annotation.parsing import fields
from annotation.parsing.fields import LineRefused
from annotation.parsing.incoming import ImportSource, RefusedLine


def read_json_lines(
    source: ImportSource, lines: Iterator[tuple[int, bytes]] | None = None
) -> Iterator[tuple[int, dict[str, Any] | RefusedLine]]:
    """Each line's number and object, or its refusal; ImportRefused if the file begins like indented JSON.

    `lines`: those of the source, by default its `lines`.
    """
    first = True
    for number, line in source.lines() if lines is None else lines:
        try:
            yield number, fields.parse(line)
        except LineRefused as refused:
            if first and line.strip() in (b"{", b"["):
                raise ImportRefused(
                    f"{source.name} is not JSON Lines: its first line is only a bracket. "
                    "Write each record on a line of its own, without line breaks in it."
                ) from None
            yield number, RefusedLine(number, refused.field, refused.reason)
        first = False
