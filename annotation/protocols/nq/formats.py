"""Import and release files of NQ: raw questions and both published layouts in, both published layouts out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from annotation.errors import ImportRefused
from annotation.i18n import _
from annotation.parsing import fields
from annotation.parsing.fields import LineRefused, read_json_lines
from annotation.parsing.incoming import ImportSource, IncomingItem, RefusedLine
from annotation.protocol import Format
from annotation.protocols.nq import writing
from annotation.protocols.nq.pages import Pages
from annotation.protocols.nq.published import read_published
from annotation.protocols.nq.raw import read_raw
from annotation.values.records import AnnotationRecord, ItemRecord, ReleaseRecord

FORMATS = (
    Format(
        key="nq",
        title=_("Natural Questions, original"),
        pattern="nq-{split}-{shard:02d}.jsonl.gz",
        kind="example",
        activity="annotate",
        shard_size=6200,
    ),
    Format(
        key="nq-simplified",
        title=_("Natural Questions, simplified"),
        pattern="simplified-nq-{split}.jsonl.gz",
        kind="example",
        activity="annotate",
    ),
)
"""307,373 training examples are 50 shards in the published release: about 6,150 each."""

_FILE_NAME = re.compile(r"nq-([a-z]+)(?:-[a-z0-9]+)*\.jsonl?(?:\.gz)?$")
"""nq-dev-00.jsonl.gz, nq-dev-all.jsonl.gz, v1.0-simplified_simplified-nq-train.jsonl.gz: all occur."""


def read(source: ImportSource) -> Iterator[IncomingItem | RefusedLine]:
    """Items with their pages and annotations, and refused lines, in the order of the file.

    Each line of a raw file is an object with the keys of `raw.KEYS`; a published file (`source.published`) has original
    or simplified NQ records. Raises ImportRefused if the split of a published file is unknown.
    """
    pages = Pages()
    split = _published_split(source) if source.published else ""
    for number, record in read_json_lines(source):
        if isinstance(record, RefusedLine):
            yield record
            continue
        try:
            if source.published:
                yield read_published(number, record, split, pages)
            else:
                yield read_raw(source, number, record, pages)
        except LineRefused as refused:
            yield RefusedLine(number, refused.field, refused.reason)


def _published_split(source: ImportSource) -> str:
    """The requested split, or else the one in the file's name."""
    named = _FILE_NAME.search(source.name.replace("\\", "/").rsplit("/", 1)[-1])
    split = source.split or (named[1] if named else "")
    try:
        return fields.split_name(split, "split")
    except LineRefused as refused:
        if split:
            raise ImportRefused(refused.reason) from None
    raise ImportRefused(
        f"The name {source.name} does not say which split this is (as nq-dev-00.jsonl.gz does). State the split."
    )


_WRITERS: dict[str, Callable[[ItemRecord, tuple[AnnotationRecord, ...]], dict[str, Any]]] = {
    "nq": writing.original,
    "nq-simplified": writing.simplified,
}


def write(format: str, records: Iterable[ReleaseRecord]) -> Iterator[dict[str, Any]]:
    """One record for each item, with keys in the published order; raises ReleaseRefused, KeyError (unknown format)."""
    writer = _WRITERS[format]
    for record in records:
        yield writer(record.item, record.annotations)
