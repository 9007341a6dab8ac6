"""Stream the data files of a release: serialise records in parts, hash them and write them, gzipped or plain."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from django.utils.translation import ngettext

from annotation.errors import ReleaseRefused
from annotation.models import Project
from annotation.parsing import csv_cells
from annotation.parsing.envelopes import TableRows
from annotation.processes import forked_pool
from annotation.protocol import Format
from annotation.releases import hashed_files, load, provenance, recipes
from annotation.releases.described import Shape
from annotation.releases.measuring import counting
from annotation.releases.measuring.counting import CountedItem
from annotation.releases.members import FrozenMember
from annotation.values.records import ReleaseRecord

SLICE = 16
"""Members serialised at a time (or one group): a single one takes a megabyte if its page is long."""

Refusal = tuple[str, str, str]
"""Kind and external id of an item, and why the format refuses it."""
REFUSED_AT_MOST = 1000
"""Writing stops after this many items that the format refuses."""


class SerialisedRecords(NamedTuple):
    """Serialised records, joined as in the file; notes about them; the number of members and of records in it.

    `counted`: what is in it, if that may be less than the members. `shape`: what the records have. If the format
    refuses any of them (`refused`), there is no text.
    """

    text: bytes
    notes: list[str]
    members: int
    records: int
    counted: tuple[CountedItem, ...] = ()
    refused: tuple[Refusal, ...] = ()
    shape: Shape | None = None


def data_files(
    project: Project,
    release_format: Format,
    chosen: list[FrozenMember],
    folder: Path,
    *,
    notes: list[str],
    counted: list[CountedItem],
    shape: Shape,
    progress: Callable[[int, int], None],
    using: str,
    recipe: recipes.Recipe,
) -> Iterator[hashed_files.ReleaseFile]:
    """Write the shards of each split; yields their entries in the manifest: name, split, records, bytes and sha-256.

    There is no file without records, except from the first writer. The format's notes on the records are appended to
    `notes`, to `counted` what is in the files, if that may be less than the members, and to `shape` what the records
    have. Raises ItemsRefused if it refuses any item.
    """
    done = 0
    refused: list[Refusal] = []
    for split, members in groupby(chosen, key=lambda member: member["split"]):
        rows = list(members)
        frame = hashed_files.frame_of(release_format, recipe.get("around", {}).get(split))
        for shard, shown in enumerate(undivided(release_format, rows, release_format.shard_size or len(rows))):
            name, records = release_format.pattern.format(split=split, shard=shard), 0
            with hashed_files.DataFile(folder / name, frame) as file:
                for part in _texts(project, release_format, shown, using=using, recipe=recipe):
                    file.add(part.text)
                    notes += part.notes
                    counted += part.counted
                    refused += part.refused
                    if part.shape is not None:
                        shape.join(part.shape)
                    if len(refused) >= REFUSED_AT_MOST:
                        raise ItemsRefused(refused)
                    records += part.records
                    progress(done := done + part.members, len(chosen))
            if not records and recipes.writer_of(recipe) > 1:
                (folder / name).unlink()
                continue
            yield {"name": name, "split": split, "records": records, **hashed_files.sizes(file, recipe)}
    if refused:
        raise ItemsRefused(refused)


def undivided(release_format: Format, members: Iterable[FrozenMember], size: int) -> Iterator[list[FrozenMember]]:
    """Members in order, `size` at a time; fewer or more where a group of the format would be divided otherwise."""
    groups: Iterable[list[FrozenMember]] = ([member] for member in members)
    if release_format.group:
        groups = (list(group) for _value, group in groupby(members, key=lambda member: member.get("group")))
    part: list[FrozenMember] = []
    for group in groups:
        if part and len(part) + len(group) > size:
            yield part
            part = []
        part += group
    if part:
        yield part


def _texts(
    project: Project, release_format: Format, members: list[FrozenMember], *, using: str, recipe: recipes.Recipe
) -> Iterator[SerialisedRecords]:
    """The text of a few members at a time, in forked processes where possible.

    Those read outside this transaction's snapshot, which is safe: the rows of chosen members never change.
    """
    parts = list(undivided(release_format, members, SLICE))
    return forked_pool.in_order(lambda mine: texts_of(project, release_format, mine, using=using, recipe=recipe), parts)


def texts_of(
    project: Project, release_format: Format, parts: Sequence[list[FrozenMember]], *, using: str, recipe: recipes.Recipe
) -> Iterator[SerialisedRecords]:
    """The records of these members in the format, part by part; rows are read a few hundred at a time."""
    if release_format.key == recipes.PROVENANCE:
        entries = provenance.entries(project, [one for part in parts for one in part], recipe=recipe, using=using)
        for part in parts:
            shape = Shape()
            pieces = list(_pieces(release_format, islice(entries, len(part)), shape))
            text = hashed_files.frame_of(release_format).between.join(pieces)
            yield SerialisedRecords(text, [], len(part), len(pieces), shape=shape)
        return
    records = load.records(project, [member for part in parts for member in part], using=using)
    for part in parts:
        mine = list(islice(records, len(part)))
        notes: list[str] = []
        shape = Shape()
        try:
            pieces = _written(project, release_format, mine, notes, shape)
        except ReleaseRefused as refusal:
            yield SerialisedRecords(b"", [], len(part), 0, refused=_refused_of(project, release_format, mine, refusal))
        else:
            counted = tuple(one for record in mine for one in counting.of_record(release_format, record))
            text = hashed_files.frame_of(release_format).between.join(pieces)
            yield SerialisedRecords(text, notes, len(part), len(pieces), counted, shape=shape)


def _written(
    project: Project, release_format: Format, records: list[ReleaseRecord], notes: list[str], shape: Shape
) -> list[bytes]:
    entries = recipes.entries_of(project, release_format, _noted(release_format, records, notes))
    return list(_pieces(release_format, entries, shape))


def _refused_of(
    project: Project, release_format: Format, records: list[ReleaseRecord], refusal: ReleaseRefused
) -> tuple[Refusal, ...]:
    """Which items are refused: those that are also refused without the others."""
    refused = []
    for record in records:
        parts = [replace(record, children=(child,)) for child in record.children]
        bare = [(replace(record, children=()), record)] if parts else [(record, record)]
        for alone, named in [*bare, *zip(parts, record.children, strict=True)]:
            try:
                _written(project, release_format, [alone], [], Shape())
            except ReleaseRefused as why:
                refused.append((named.item.kind, named.item.external_id, why.message))
                if named is record:
                    break
    # Refused together, but none of them alone: then it is not about any one item.
    if not refused:
        raise refusal
    return tuple(refused)


class ItemsRefused(ReleaseRefused):
    """The format refuses some items as they are."""

    def __init__(self, refused: list[Refusal]) -> None:
        why = refused[0][2]
        text = ngettext(
            "Not frozen: %(n)s item can't be written in this format. %(why)s",
            "Not frozen: %(n)s items can't be written in this format. The first: %(why)s",
            len(refused),
        )
        super().__init__(text % {"n": len(refused), "why": why}, reason="items_refused")
        self.refused = refused


def _noted(release_format: Format, records: Iterable[ReleaseRecord], notes: list[str]) -> Iterator[ReleaseRecord]:
    for record in records:
        notes += release_format.notes(record)
        yield record


def _pieces(release_format: Format, records: Iterable[Any], shape: Shape) -> Iterator[bytes]:
    written = []
    for record in records:
        if release_format.container == "object":
            key, value = record
            written.append(value)
            yield hashed_files.entry(key, value)
            continue
        written.append(record)
        if isinstance(release_format.container, TableRows):
            yield csv_cells.line([record[column] for column in release_format.container.columns])
        else:
            yield orjson.dumps(record)
    shape.add(written)
