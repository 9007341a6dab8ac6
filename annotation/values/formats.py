"""What a protocol declares of the files of its releases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from annotation.parsing.envelopes import Envelope, TableRows
from annotation.values.records import AnnotationRecord, ReleaseRecord


@dataclass(frozen=True)
class Format:
    """A release layout: a file name pattern with {split} and {shard}, and how items become records.

    A record is built from an item of `kind` and its finished annotations of `activity`; or, with `child_kind`, from an
    item of `kind`, its own annotations of `root_activities` (None: all), and the items of `child_kind` under it with
    their annotations of `activity`; with `without_children` also an item that has such annotations of its own, but no
    finished item under it. `shard_size`: items per shard (0: one file). `container`: `lines` (JSON Lines,
    gzipped if the name ends in .gz), `array` (one JSON array), `object` (one JSON object; `write` yields (key, value)
    pairs), an Envelope, or the columns of a table.
    `group`: a field of the item's payload; neighbours with the same value are passed to `write` together, however many
    there are, and go into the same shard, so that `write` can merge them into one record (`itertools.groupby`).
    `notes`: what the readers of a release should know about an item and the layout can't express, for the manifest.
    `counted`, of a layout that has no place for some annotations: the kind, the external id and the written annotations
    of each item of a record, the item itself included; an item that is left out is not in it. `former`: its keys of
    earlier versions, which recipes of older releases name.
    """

    key: str
    title: Any
    pattern: str
    kind: str
    activity: str
    child_kind: str = ""
    root_activities: tuple[str, ...] | None = None
    without_children: bool = False
    shard_size: int = 0
    container: Literal["lines", "array", "object"] | Envelope | TableRows = "lines"
    group: str = ""
    notes: Callable[[ReleaseRecord], Iterable[str]] = lambda record: ()
    counted: Callable[[ReleaseRecord], Iterable[tuple[str, str, Sequence[AnnotationRecord]]]] | None = None
    former: tuple[str, ...] = ()
