"""Run the lines of a file through the protocol's reader, in several processes if each line can be read by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from annotation.exchange import reading as exports
from annotation.exchange.options import ExportOptions
from annotation.imports import spool
from annotation.parsing.forms import Form
from annotation.parsing.incoming import NOTHING_AROUND, FieldsAround, ImportSource, IncomingItem, RefusedLine
from annotation.parsing.sources import FileSource
from annotation.processes import forked_pool
from annotation.protocol import Protocol
from annotation.storage.blobs import Packed, pack

ALONE = 100
"""Lines that are read before processes are forked: many files have fewer, and what they load is then shared."""
SPLIT = re.compile(r"[A-Za-z0-9_-]{1,40}")
"""A split becomes part of the file names of a release."""


class ReadLine(NamedTuple):
    """What a line holds: a refusal, or an item's spool line, its notes, and documents and layouts not seen before.

    `split`: that of the item. `around`: what the file has beside its records, with the first of them.
    """

    line: int
    refused: RefusedLine | None = None
    text: bytes = b""
    notes: tuple[str, ...] = ()
    blobs: tuple[Packed, ...] = ()
    split: str = ""
    around: FieldsAround = NOTHING_AROUND


def read(protocol: Protocol, source: ImportSource) -> Iterator[ReadLine]:
    """The items and refused lines of a file, in its order.

    Each item is spooled before the next is read: in memory a page with its layout can take a hundred times the size
    of its line.
    """
    if not protocol.reads_line_by_line or _export_of(source) is not None:
        yield from _read(protocol, source)
        return
    first = _Lines(source, until=ALONE)
    yield from _read(protocol, first)
    if not first.more:
        return
    last = ALONE
    try:
        for found in forked_pool.merged(
            lambda n, count: _read(protocol, _Lines(source, after=ALONE, n=n, count=count)),
            key=lambda found: found.line,
        ):
            last = found.line
            yield found
    except EOFError:
        # A process has failed. Go on here: if its line is the cause, the error is raised here too.
        yield from _read(protocol, _Lines(source, after=last))


def _read(protocol: Protocol, source: ImportSource) -> Iterator[ReadLine]:
    new: list[Packed] = []

    def add(data: bytes) -> str:
        new.append(pack(data))
        return new[-1].sha256

    addresses = spool.Addresses(add)
    for incoming in _incoming(protocol, source):
        if isinstance(incoming, RefusedLine):
            yield ReadLine(incoming.line, incoming)
        elif not SPLIT.fullmatch(incoming.split):
            reason = f"{incoming.split!r} is not a split name. Use up to 40 letters, digits, - and _."
            yield ReadLine(incoming.line, RefusedLine(incoming.line, "split", reason))
        else:
            _check_activities(protocol, incoming)
            text = spool.line_of(incoming, addresses, search=protocol.search_text(incoming))
            notes = (*incoming.notes, *protocol.oddities_of(incoming))
            yield ReadLine(incoming.line, None, text, notes, tuple(new), incoming.split, incoming.around)
            new.clear()


def _incoming(protocol: Protocol, source: ImportSource) -> Iterator[IncomingItem | RefusedLine]:
    """What a file has, in the layouts of the protocol or as the export of another tool."""
    options = _export_of(source)
    if isinstance(source, FileSource) and options is not None:
        return exports.items(protocol, source, options)
    return protocol.read(source)


def _export_of(source: ImportSource) -> ExportOptions | None:
    return source.export if isinstance(source, FileSource) else None


def _check_activities(protocol: Protocol, incoming: IncomingItem) -> None:
    """Raise ValueError for an activity that this kind of item doesn't have: a bug in the reader, not in the file."""
    activities = [activity.key for activity in protocol.activities if activity.kind == incoming.kind]
    for found in incoming.annotations:
        if found.activity not in activities:
            raise ValueError(
                f"The reader of {protocol.key} gave annotation {found.external_id} of {incoming.kind} "
                f"{incoming.external_id} the activity {found.activity!r}; its kind has {activities}."
            )


class _Lines:
    """A source with only some of its lines: those after `after`, up to `until`, of which `number % count` is `n`."""

    def __init__(
        self, source: ImportSource, *, after: int = 0, until: int | None = None, n: int = 0, count: int = 1
    ) -> None:
        self._source, self._after, self._until, self._n, self._count = source, after, until, n, count
        self.more = False
        """Whether lines beyond `until` were found."""

    @property
    def name(self) -> str:
        return self._source.name

    @property
    def published(self) -> bool:
        return self._source.published

    @property
    def split(self) -> str:
        return self._source.split

    @property
    def config(self) -> Mapping[str, Any]:
        return self._source.config

    @property
    def form(self) -> Form:
        return self._source.form

    @property
    def read_as(self) -> str:
        return self._source.read_as

    def lines(self) -> Iterator[tuple[int, bytes]]:
        for number, line in self._source.lines():
            if self._until is not None and number > self._until:
                self.more = True
                return
            if number > self._after and number % self._count == self._n:
                yield number, line

    def records(self) -> Iterator[tuple[int, bytes]]:
        return self._source.records()

    def whole(self) -> bytes:
        return self._source.whole()

    def resource(self, path: str) -> bytes:
        return self._source.resource(path)
