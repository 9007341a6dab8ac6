"""Files that are one JSON object around a list of records, as those of many datasets are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotation.errors import ImportRefused
from annotation.parsing.incoming import ImportSource
from annotation.parsing.strict_json import JsonRefused, strict_loads


def open_envelope(source: ImportSource, records: str) -> tuple[dict[str, Any], Iterator[tuple[int, Any]]]:
    """The fields beside the list of that name, in order, and (n, record) of its elements: the n-th counts as line n.

    Raises ImportRefused where the file is not such an object; whether a record is a good one, its reader says.
    """
    try:
        whole = strict_loads(source.whole())
    except JsonRefused as error:
        raise ImportRefused(f"{source.name}: {error}") from None
    if not isinstance(whole, dict) or not isinstance(whole.get(records), list):
        raise ImportRefused(f"{source.name} is not one JSON object with a list {records!r}.")
    found = whole.pop(records)
    return whole, enumerate(found, start=1)
