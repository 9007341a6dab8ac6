"""What an import brings: the file as a protocol reads it, and the items, annotations and refusals that it makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from annotation.documents.layout import Layout

if TYPE_CHECKING:
    from annotation.html import Rendering


@dataclass(frozen=True)
class IncomingDocument:
    """A page or text as an import brings it, with the layout that its annotations mean.

    A reader that has rendered the page to check it gives the rendering too, so that the first to open it need not wait.
    """

    source: bytes
    media_type: str
    layout: Layout
    title: str = ""
    url: str = ""
    licence: str = ""
    rendering: Rendering | None = None


class IncomingResponse(NamedTuple):
    """A published response: its stage, the schema of its payload, and where it has them its turn and seat."""

    stage: str
    schema: str
    payload: dict[str, Any]
    turn: int = 0
    seat: str = "one"


@dataclass(frozen=True)
class IncomingAnnotation:
    """A published annotation: id, activity, its responses (plain tuples will do), and its worker where stated."""

    external_id: str
    activity: str
    responses: tuple[IncomingResponse | tuple[str, str, dict[str, Any]], ...]
    worker: str = ""


@dataclass(frozen=True)
class IncomingItem:
    """An item as an import brings it; `notes` are sentences about what `check` would refuse but an import keeps.

    `parent` is (kind, external id) of the item under which it stands, which came earlier in the same file.
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


@dataclass(frozen=True)
class RefusedLine:
    """A line that can't be imported: its number from 1, the field ("" for the whole line) and the reason."""

    line: int
    field: str
    reason: str


class ImportSource(Protocol):
    """What `read` gets: the file's name, its lines or all of it, the files beside it, and the project's numbers."""

    @property
    def name(self) -> str: ...
    @property
    def published(self) -> bool: ...
    @property
    def split(self) -> str: ...
    @property
    def config(self) -> Mapping[str, Any]: ...

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Numbered lines from 1, split on newline bytes only, without them; blank lines are left out."""

    def whole(self) -> bytes:
        """All bytes of a file that is one JSON object; its n-th record counts as line n."""

    def resource(self, path: str) -> bytes:
        """The bytes of a file named by a line; raises LookupError with a sentence."""
