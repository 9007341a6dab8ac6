"""The types between an import and a protocol's reader: the source file, and the items or refused lines read from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from annotation.documents.layout import Layout
from annotation.parsing.forms import Form


@dataclass(frozen=True)
class IncomingDocument:
    """An imported page or text, with the layout that its annotations refer to."""

    source: bytes
    media_type: str
    layout: Layout
    title: str = ""
    url: str = ""
    licence: str = ""


class IncomingResponse(NamedTuple):
    """A published response: its stage, the schema of its payload, and its turn and seat if it has them."""

    stage: str
    schema: str
    payload: dict[str, Any]
    turn: int = 0
    seat: str = "one"


@dataclass(frozen=True)
class IncomingAnnotation:
    """A published annotation: id, activity, responses (plain tuples are fine), and the worker if stated."""

    external_id: str
    activity: str
    responses: tuple[IncomingResponse | tuple[str, str, dict[str, Any]], ...]
    worker: str = ""


@dataclass(frozen=True)
class FieldsAround:
    """The fields that a file has before and after its list of records, in order."""

    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)

    @property
    def every(self) -> dict[str, Any]:
        """All of them, in order."""
        return {**self.before, **self.after}


NOTHING_AROUND = FieldsAround()


@dataclass(frozen=True)
class IncomingItem:
    """An imported item; `notes` are sentences about what `check` would refuse but an import keeps.

    `parent` is the (kind, external id) of its root item, which came earlier in the same file. `unnamed`: the file gives
    it no id; `external_id` is a hash of its content, and the project may know it by another id (`Protocol.unnamed`).
    `around`: with the first item of a file, what its envelope has beside the records (`envelopes.open_envelope`).
    """

    line: int
    kind: str
    external_id: str
    split: str
    payload: dict[str, Any]
    documents: tuple[IncomingDocument, ...] = ()
    annotations: tuple[IncomingAnnotation, ...] = ()
    notes: tuple[str, ...] = ()
    parent: tuple[str, str] | None = None
    unnamed: bool = False
    around: FieldsAround = NOTHING_AROUND


@dataclass(frozen=True)
class RefusedLine:
    """A line that can't be imported: its number from 1, the field ("" for the whole line) and the reason."""

    line: int
    field: str
    reason: str


class ImportSource(Protocol):
    """What `read` gets: the file's name, its lines or all of it, the files beside it, and the project's config."""

    @property
    def name(self) -> str: ...
    @property
    def published(self) -> bool: ...
    @property
    def split(self) -> str: ...
    @property
    def config(self) -> Mapping[str, Any]: ...

    @property
    def form(self) -> Form:
        """How its records are written. Of a table or an array `lines` gives a line of JSON for each row or element."""

    @property
    def read_as(self) -> str:
        """A sentence about how the file is read, for its lead; "" for JSON Lines and for one JSON object."""

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Numbered lines from 1, split on newline bytes only, without them; blank lines are left out."""

    def records(self) -> Iterator[tuple[int, bytes]]:
        """The same, and always all of them: `lines` may be shared between processes, each of which reads some."""

    def whole(self) -> bytes:
        """All bytes of a file that is one JSON object; its n-th record is reported as line n."""

    def resource(self, path: str) -> bytes:
        """The bytes of a file that a line names; raises LookupError, its message a sentence."""
