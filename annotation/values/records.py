"""Immutable records (value objects) that protocols and exporters get instead of Django models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from annotation.documents.layout import PLAIN_TEXT

if TYPE_CHECKING:
    from annotation.documents.layout import Layout
    from annotation.html import Rendering
    from annotation.values.schemas import ProjectConfig


class Step(NamedTuple):
    """One thing to answer: a stage, its turn (0 if the stage comes only once), and the seat that answers it."""

    stage: str
    turn: int = 0
    seat: str = "one"

    @property
    def address(self) -> str:
        """Its name in URLs and service arguments: `answer`, or `answer-3` in turn 3."""
        return f"{self.stage}-{self.turn}" if self.turn else self.stage

    @classmethod
    def at(cls, address: str) -> Step:
        """The step with this address; its seat is unknown."""
        stage, _, turn = address.partition("-")
        return cls(stage, int(turn) if turn.isascii() and turn.isdigit() and len(turn) < 5 else 0)


class Waiting(NamedTuple):
    """Nothing to answer now: another seat has to answer `step` first."""

    step: Step


class GivenAnswer(NamedTuple):
    """One response that counts: its stage, parsed payload, schema name, turn, and its author's seat.

    `author` identifies the person within one annotation: by primary key while the work is open, by the release's
    pseudonym in a release; "" if an imported file does not name anybody.
    """

    stage: str
    payload: Any
    schema: str = ""
    turn: int = 0
    seat: str = "one"
    author: str = ""

    @property
    def address(self) -> str:
        """The address of its step."""
        return Step(self.stage, self.turn).address


def latest_payload(so_far: tuple[GivenAnswer, ...], stage: str) -> Any | None:
    """The latest payload at that stage, or None."""
    for entry in reversed(so_far):
        if entry.stage == stage:
            return entry.payload
    return None


@dataclass(frozen=True)
class Context:
    """All that a protocol knows of one piece of work: the argument of `next_step`, `sheet` and `check`.

    `answers`: those that count, ordered by turn, then by stage; all of them for `next_step`, those before the step
    for `sheet` and `check`. `seat`: the role of the person asking. `seed`: constant for an annotation.
    """

    item: ItemRecord
    activity: str
    answers: tuple[GivenAnswer, ...] = ()
    seat: str = "one"
    config: ProjectConfig | None = None
    seed: str = ""

    def answer_to(self, stage: str, turn: int | None = None) -> Any | None:
        """The latest payload at that stage (in that turn, if given), or None."""
        return next(
            (entry.payload for entry in reversed(self.answers) if entry.stage == stage and turn in (None, entry.turn)),
            None,
        )


def _no_files(*names: Any) -> Any:
    raise LookupError(f"This record was built without its files: {names}")


@dataclass(frozen=True)
class DocumentRecord:
    """A document of an item. Bytes, layout and rendering are loaded lazily.

    `media_type` decides what it has: only plain text has a `text`; only a page has tokens, candidates and a rendering.
    """

    sha256: str
    media_type: str
    layout_sha256: str
    title: str = ""
    url: str = ""
    licence: str = ""
    load_source: Callable[[str], bytes] = field(default=lambda sha: b"", compare=False, repr=False)
    load_layout: Callable[[str], Layout] = field(default=_no_files, compare=False, repr=False)
    load_rendering: Callable[[str, str, str, int | None], Rendering] = field(
        default=_no_files, compare=False, repr=False
    )

    @property
    def source(self) -> bytes:
        """The original bytes (newlines normalised at import)."""
        return self.load_source(self.sha256)

    @cached_property
    def text(self) -> str:
        """A plain text; spans count its code points. ValueError for a document of another media type."""
        if self.media_type != PLAIN_TEXT:
            raise ValueError(f"A document of type {self.media_type} is not plain text.")
        return self.source.decode("utf-8")

    @property
    def layout(self) -> Layout:
        """Its structure (tokens, blocks or candidates), to which annotations refer."""
        return self.load_layout(self.layout_sha256)

    def rendering(self, root: int | None = None) -> Rendering:
        """The sanitised display form of the page, or of one candidate; ValueError if the document is not a page."""
        return self.load_rendering(self.sha256, self.layout_sha256, self.media_type, root)


class Documents(Sequence[DocumentRecord]):
    """The documents of an item, loaded lazily: a stage that shows no page reads none."""

    def __init__(self, load: Callable[[], Iterable[DocumentRecord]]) -> None:
        self._load = load

    @cached_property
    def _documents_found(self) -> tuple[DocumentRecord, ...]:
        return tuple(self._load())

    def __getitem__(self, place: Any) -> Any:
        return self._documents_found[place]

    def __len__(self) -> int:
        return len(self._documents_found)


@dataclass(frozen=True)
class ItemRecord:
    """An item with its documents; `root` is the top item of its tree (None: the item is the root itself)."""

    kind: str
    external_id: str
    split: str
    payload: dict[str, Any]
    documents: Sequence[DocumentRecord] = ()
    root: ItemRecord | None = None

    @property
    def text(self) -> str:
        """The plain text that it is, or that its root is if it was made from that."""
        return (self.root or self).documents[0].text


class AnnotationRecord(NamedTuple):
    """An annotation for comparing and exporting. `worker` is the author's pseudonym in one release.

    `id_hex` and `id64` are its ids in that release. `inside` is the id by which items that were made from it may name
    it ("" if the item has no child items); it is the same in every release, so it must not be written into one.
    `flagged`: the addresses of the steps at which a lead has upheld a flag; `accepted`: whether a lead has accepted it.
    """

    activity: str
    answers: tuple[GivenAnswer, ...]
    external_id: str = ""
    id64: int = 0
    id_hex: str = ""
    inside: str = ""
    worker: str = ""
    imported: bool = False
    flagged: frozenset[str] = frozenset()
    accepted: bool = False


@dataclass(frozen=True)
class ReleaseRecord:
    """What an exporter gets for one item: its annotations, and its child items with theirs.

    `author`: the pseudonym of the person who made the item ("" if imported).
    """

    item: ItemRecord
    annotations: tuple[AnnotationRecord, ...] = ()
    children: tuple[ReleaseRecord, ...] = ()
    author: str = ""
