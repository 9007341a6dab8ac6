"""Read files that are one JSON object with a list of records in it, as in many datasets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotation.errors import ImportRefused
from annotation.parsing.incoming import ImportSource
from annotation.parsing.strict_json import JsonRefused, strict_loads


def open_envelope(source: ImportSource, records: str) -> tuple[dict[str, Any], Iterator[tuple[int, Any]]]:
    """The file's other fields, in order, and (n, record) for each element of the list `records`, n counting from 1.

    Raises ImportRefused if the file is not such an object. Records are not checked here; the protocol's reader does it.
    """
    try:
        whole = strict_loads(source.whole())
    except JsonRefused as error:
        raise ImportRefused(f"{source.name}: {error}") from None
    if not isinstance(whole, dict) or not isinstance(whole.get(records), list):
        raise ImportRefused(f"{source.name} is not one JSON object with a list {records!r}.")
    found = whole.pop(records)
    return whole, enumerate(found, start=1)
