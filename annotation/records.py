"""Frozen copies of rows, which protocols and exporters get instead of models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from annotation.documents.layout import PLAIN_TEXT

if TYPE_CHECKING:
    from annotation.documents.layout import Layout
    from annotation.html import Rendering
    from annotation.schemas import ProjectConfig


class Step(NamedTuple):
    """One thing to answer: a stage, its turn (0 where the stage comes once), and the role in which it is answered."""

    stage: str
    turn: int = 0
    seat: str = "one"

    @property
    def address(self) -> str:
        """How URLs and services name it: `answer`, or `answer-3` in turn 3."""
        return f"{self.stage}-{self.turn}" if self.turn else self.stage

    @classmethod
    def at(cls, address: str) -> Step:
        """The step of that address; its seat is not known from it."""
        stage, _, turn = address.partition("-")
        return cls(stage, int(turn) if turn.isascii() and turn.isdigit() and len(turn) < 5 else 0)


class Waiting(NamedTuple):
    """There is nothing to answer now: somebody else is to answer that step first."""

    step: Step


class Said(NamedTuple):
    """One effective response: stage, turn (0 where a stage has none), author's seat, schema name, parsed payload.

    `author` tells people apart within one annotation: their key while work goes on, the release's pseudonym in a
    release; "" where an imported file does not say.
    """

    stage: str
    payload: Any
    schema: str = ""
    turn: int = 0
    seat: str = "one"
    author: str = ""

    @property
    def address(self) -> str:
        """How URLs name its step."""
        return Step(self.stage, self.turn).address


def said(so_far: tuple[Said, ...], stage: str) -> Any | None:
    """The payload last said at that stage, or None."""
    for entry in reversed(so_far):
        if entry.stage == stage:
            return entry.payload
    return None


@dataclass(frozen=True)
class Context:
    """What a protocol is told of one piece of work: `next_step`, `sheet` and `check` all get this.

    `said` is what counts, ordered by turn, then by stage: all of it for `next_step`, what stands before the step for
    `sheet` and `check`. `seat` is the role of the person who asks. `seed` is the same for the same annotation.
    """

    item: ItemRecord
    activity: str
    said: tuple[Said, ...] = ()
    seat: str = "one"
    config: ProjectConfig | None = None
    seed: str = ""

    def answer_to(self, stage: str, turn: int | None = None) -> Any | None:
        """The payload last said at that stage (of that turn, if given), or None."""
        return next(
            (entry.payload for entry in reversed(self.said) if entry.stage == stage and turn in (None, entry.turn)),
            None,
        )


def _nothing(*names: Any) -> Any:
    """What a record without files loads."""
    raise LookupError(f"This record was made without its files: {names}")


@dataclass(frozen=True)
class DocumentRecord:
    """A document as an item has it. Bytes, layout and rendering are loaded when first asked for.

    `media_type` says what it is: only a plain text has a `text`, only a page has tokens, candidates and a rendering.
    """

    sha256: str
    media_type: str
    layout_sha256: str
    title: str = ""
    url: str = ""
    licence: str = ""
    load_source: Callable[[str], bytes] = field(default=lambda sha: b"", compare=False, repr=False)
    load_layout: Callable[[str], Layout] = field(default=_nothing, compare=False, repr=False)
    load_rendering: Callable[[str, str, str, int | None], Rendering] = field(
        default=_nothing, compare=False, repr=False
    )

    @property
    def source(self) -> bytes:
        """The original bytes (newlines normalised at import)."""
        return self.load_source(self.sha256)

    @cached_property
    def text(self) -> str:
        """A plain text as it came: spans count its code points. ValueError for a document of another kind."""
        if self.media_type != PLAIN_TEXT:
            raise ValueError(f"A document of type {self.media_type} is not plain text.")
        return self.source.decode("utf-8")

    @property
    def layout(self) -> Layout:
        """How it was cut: what annotations mean."""
        return self.load_layout(self.layout_sha256)

    def rendering(self, root: int | None = None) -> Rendering:
        """The safe display form of the page, or of one candidate; ValueError for a document that is not a page."""
        return self.load_rendering(self.sha256, self.layout_sha256, self.media_type, root)


class Documents(Sequence):
    """The documents of an item, read when first asked for: a stage that may not show a page does not touch it."""

    def __init__(self, load: Callable[[], Iterable[DocumentRecord]]) -> None:
        self._load = load

    @cached_property
    def _found(self) -> tuple[DocumentRecord, ...]:
        return tuple(self._load())

    def __getitem__(self, place: Any) -> Any:
        return self._found[place]

    def __len__(self) -> int:
        return len(self._found)


@dataclass(frozen=True)
class ItemRecord:
    """An item with its documents; `root` is the item at the beginning of its line (None: it is that itself)."""

    kind: str
    external_id: str
    split: str
    payload: dict[str, Any]
    documents: Sequence[DocumentRecord] = ()
    root: ItemRecord | None = None


class AnnotationRecord(NamedTuple):
    """An annotation for comparing and exporting. Ids and the worker pseudonym are those of one release."""

    activity: str
    said: tuple[Said, ...]
    external_id: str = ""
    id64: int = 0
    id_hex: str = ""
    worker: str = ""
    imported: bool = False


@dataclass(frozen=True)
class ReleaseRecord:
    """What an exporter gets of one item: its annotations, and the items under it with theirs.

    `author` is the pseudonym of who made the item ("" for imported ones).
    """

    item: ItemRecord
    annotations: tuple[AnnotationRecord, ...] = ()
    children: tuple[ReleaseRecord, ...] = ()
    author: str = ""
