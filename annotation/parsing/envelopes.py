"""Files that are one JSON object with a list of records in it, as in many datasets: their layout and a reader."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from annotation.errors import ImportRefused
from annotation.parsing.incoming import FieldsAround, ImportSource
from annotation.parsing.strict_json import FILE_VALUES, JsonRefused, name_of_path, strict_loads


@dataclass(frozen=True)
class Envelope:
    """A file that is one JSON object: the list of records in the field `records`, with fixed fields around it.

    `Envelope("data", before={"version": "v2.0"})` is `{"version": "v2.0", "data": [...]}`.
    `open_envelope` reads such files; a release format names one to be written (`annotation.protocol.Format`).
    """

    records: str
    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = [*self.before, self.records, *self.after]
        if len(names) != len(set(names)):
            raise ValueError(f"An envelope has a field twice: {', '.join(names)}.")


@dataclass(frozen=True)
class TableRows:
    """A file that is a table (CSV): records have a value for each of these columns, and each is a row."""

    columns: tuple[str, ...]


def open_envelope(source: ImportSource, records: str) -> tuple[FieldsAround, Iterator[tuple[int, Any]]]:
    """The file's other fields, and (n, record) for each element of the list `records`, n counting from 1.

    An array, unless it is to be published data, is the list itself. Raises ImportRefused if the file is neither.
    Records are not checked here; the protocol's reader does it.
    """
    try:
        whole = strict_loads(source.whole(), values=FILE_VALUES)
    except JsonRefused as error:
        raise ImportRefused(f"{', '.join(filter(None, (source.name, name_of_path(error.path))))}: {error}") from None
    if isinstance(whole, list) and not source.published:
        return FieldsAround(), enumerate(whole, start=1)
    if not isinstance(whole, dict) or not isinstance(whole.get(records), list):
        raise ImportRefused(f"{source.name} is not one JSON object with a list {records!r}.")
    place = list(whole).index(records)
    found = whole.pop(records)
    around = FieldsAround(dict(islice(whole.items(), place)), dict(islice(whole.items(), place, None)))
    return around, enumerate(found, start=1)
