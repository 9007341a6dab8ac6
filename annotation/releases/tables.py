"""Write members as one parquet file for each split, with the typed columns of their protocol.

pyarrow is imported when a table is written: it takes longer to load than all of Django.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from annotation import registry
from annotation.errors import ReleaseRefused
from annotation.models import Project
from annotation.protocol import Format
from annotation.protocol_tools import DatasetTable
from annotation.releases import hashed_files, load, recipes
from annotation.releases.data_files import REFUSED_AT_MOST, ItemsRefused, Refusal
from annotation.releases.described import LOOKED_AT, Shape
from annotation.releases.measuring import counting
from annotation.releases.measuring.counting import CountedItem
from annotation.releases.members import FrozenMember
from annotation.storage import files
from annotation.values.records import AnnotationRecord, ReleaseRecord

if TYPE_CHECKING:
    import pyarrow as pa

ITEMS = 16
"""Members whose rows become columns at a time: a single one takes a megabyte if its page is long."""
GROUP_BYTES = 16 * 1024 * 1024
"""Bytes of columns that are written as one row group; the memory needed is a few times as much."""


def write(
    project: Project,
    release_format: Format,
    chosen: list[FrozenMember],
    folder: Path,
    *,
    counted: list[CountedItem],
    shape: Shape,
    progress: Callable[[int, int], None],
    using: str,
    recipe: recipes.Recipe,
) -> Iterator[hashed_files.ReleaseFile]:
    """Write the file of each split; yields name, split, rows, and the bytes and sha-256 of the file.

    `shape` gets what the rows have. There is no file without rows, which `datasets` would refuse, and the whole folder
    with it; except from the first writer. Appended to `counted`: what is in the files, if that may be less than the
    members.
    """
    table, done = table_of(project, writer=recipes.writer_of(recipe)), 0
    refused: list[Refusal] = []
    for split, members in groupby(chosen, key=lambda member: member["split"]):
        name = release_format.pattern.format(split=split)
        with _File(folder / name, table) as file:
            for record in load.records(project, list(members), using=using):
                try:
                    rows = list(table.rows(record))
                    file.add(rows)
                    shape.add([_fitted(table.columns, row) for row in rows])
                    counted += counting.of_record(release_format, record) if rows else ()
                except ReleaseRefused as refusal:
                    refused.append((record.item.kind, record.item.external_id, refusal.message))
                    if len(refused) >= REFUSED_AT_MOST:
                        raise ItemsRefused(refused) from None
                progress(done := done + 1, len(chosen))
        if not file.rows and recipes.writer_of(recipe) > 1:
            (folder / name).unlink()
            continue
        yield {"name": name, "split": split, "records": file.rows, **hashed_files.size_and_hash(folder / name)}
    if refused:
        raise ItemsRefused(refused)


def table_of(project: Project, *, writer: int = recipes.WRITER) -> DatasetTable:
    """The protocol's table, as that writer wrote it; for one that declares none, one that every protocol fits into."""
    table = registry.get(project.protocol).table or ANY
    return table.earlier if table.earlier is not None and writer < recipes.HUB_COLUMNS else table


class _File:
    """A parquet file that is written a row group at a time."""

    def __init__(self, path: Path, table: DatasetTable) -> None:
        self.rows, self._path = 0, path
        self._schema = _schema(table.columns)
        self._waiting: list[Mapping[str, Any]] = []
        self._batches: list[pa.RecordBatch] = []
        self._added = 0

    def __enter__(self) -> _File:
        import pyarrow.parquet as pq

        self._writer = pq.ParquetWriter(self._path, self._schema, compression="zstd")
        return self

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """The rows of one item."""
        self._waiting += rows
        self._added += 1
        if self._added >= ITEMS:
            self._to_columns()
            if sum(batch.nbytes for batch in self._batches) >= GROUP_BYTES:
                self._write()

    def _to_columns(self) -> None:
        import pyarrow as pa

        if self._waiting:
            self._batches.append(pa.RecordBatch.from_pylist(self._waiting, schema=self._schema))
        self._waiting, self._added = [], 0

    def _write(self) -> None:
        import pyarrow as pa

        if self._batches:
            group = pa.Table.from_batches(self._batches)
            self._writer.write_table(group, row_group_size=max(1, group.num_rows))
            self.rows += group.num_rows
        self._batches = []

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        try:
            if kind is None:
                self._to_columns()
                self._write()
        finally:
            self._writer.close()
        files.sync(self._path)


def _schema(columns: Mapping[str, Any]) -> pa.Schema:
    import pyarrow as pa

    return pa.schema([(name, _type(kind)) for name, kind in columns.items()])


def _type(kind: Any) -> pa.DataType:
    """ "string", "int32" and so on; [kind]: a list; {name: kind}: a struct."""
    import pyarrow as pa

    if isinstance(kind, list):
        return pa.list_(_type(kind[0]))
    if isinstance(kind, Mapping):
        return pa.struct([(name, _type(inner)) for name, inner in kind.items()])
    return pa.type_for_alias(kind)


def _fitted(kind: Any, value: Any) -> Any:
    """The part of a value that has a place in a column of that type."""
    if isinstance(kind, Mapping):
        return None if value is None else {name: _fitted(inner, value.get(name)) for name, inner in kind.items()}
    if isinstance(kind, list) and value is not None:
        return [_fitted(kind[0], each) for each in value[:LOOKED_AT]]
    return value


def _any_rows(record: ReleaseRecord) -> Iterator[dict[str, Any]]:
    """One row for the item and one for each item under it; payloads as JSON text."""
    for one in (record, *record.children):
        yield {
            "id": one.item.external_id,
            "kind": one.item.kind,
            "payload": orjson.dumps(one.item.payload).decode(),
            "annotations": [_any_annotation(each) for each in one.annotations],
        }


def _any_annotation(annotation: AnnotationRecord) -> dict[str, Any]:
    return {
        "id": annotation.external_id or annotation.id_hex,
        "activity": annotation.activity,
        "answers": [
            {"stage": said.stage, "turn": said.turn, "seat": said.seat, "payload": said.payload.model_dump_json()}
            for said in annotation.answers
        ],
    }


ANY = DatasetTable(
    columns={
        "id": "string",
        "kind": "string",
        "payload": "string",
        "annotations": [
            {
                "id": "string",
                "activity": "string",
                "answers": [{"stage": "string", "turn": "int32", "seat": "string", "payload": "string"}],
            }
        ],
    },
    rows=_any_rows,
)
