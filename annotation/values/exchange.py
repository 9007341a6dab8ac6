"""What is asked about a text, with its answers, as annotation tools exchange them: what their exports are read into and
written from, whatever the protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from annotation.parsing.incoming import ImportSource, IncomingItem, RefusedLine
from annotation.values.records import AnnotationRecord, ReleaseRecord

AnswerKind = Literal["spans", "yes", "no", "none", "words"]
"""Marked words, a choice between yes and no, that the text has no answer, or words of one's own."""
Span = tuple[int, int]
"""Code points of the text, half-open."""


@dataclass(frozen=True)
class ExchangedAnswer:
    """One answer: `spans` are its marks in the order of the text, `words` those of one's own.

    `annotation`: of an answer in a release, what it was made from; None for that of whoever wrote the item.
    """

    kind: AnswerKind
    spans: tuple[Span, ...] = ()
    words: str = ""
    annotation: AnnotationRecord | None = field(default=None, compare=False)


@dataclass(frozen=True)
class ExchangedItem:
    """What is asked about a text. `line`: where it stands in the file, 0 in a release; `notes`: what is left out of it.

    `external_id` is its own id, by which it is known in any tool; `title` is that of the text.
    """

    line: int
    external_id: str
    title: str
    text: str
    prompt: str
    answers: tuple[ExchangedAnswer, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Exchange:
    """How a protocol takes items from other tools, and gives them.

    `kinds`: the answers that it has. `several`: whether one answer may have several marks. `read` makes its own of
    items whose answers are of these kinds, in the order of their texts; without answers unless the source is
    published. `items`: those of a record of a release in the protocol's first format.
    """

    kinds: frozenset[AnswerKind]
    several: bool
    read: Callable[[ImportSource, Sequence[ExchangedItem]], Iterator[IncomingItem | RefusedLine]]
    items: Callable[[ReleaseRecord], Iterable[ExchangedItem]]
