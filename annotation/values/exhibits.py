"""What is judged in a round, and what raters may see of it: nothing else is stored with an exhibit (pure)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from annotation.values.schemas import Payload

if TYPE_CHECKING:
    from annotation.judging.answer_metrics import MarkScores
    from annotation.judging.rubrics import Rubric


class MarkedBox(Payload):
    """A box of an imported page: the index of the document, the candidate, the words that are marked in it (tokens,
    half-open)."""

    document: int = 0
    candidate: int
    words: tuple[tuple[int, int], ...] = ()


class Quoted(Payload):
    """A text with the words that are marked in it (code points, half-open).

    `label`: what it is, in words of ours that pages translate; `title`: its own title; both "" for none.
    """

    text: str
    label: str = ""
    title: str = ""
    marks: tuple[tuple[int, int], ...] = ()

    @property
    def pieces(self) -> Iterator[Piece]:
        """The text cut at the ends of its marks."""
        at = 0
        for start, end in sorted(self.marks):
            start = max(start, at)
            if start < end:
                yield Piece(self.text[at:start], False)
                yield Piece(self.text[start:end], True)
                at = end
        yield Piece(self.text[at:], False)


class Piece(NamedTuple):
    """A part of a text, marked or not."""

    text: str
    marked: bool


class EarlierTurn(Payload):
    """What was asked and answered before, in a conversation."""

    asked: str
    answered: str


class Detail(Payload):
    """What belongs to an answer: `label`, in words of ours that pages translate, and its texts in their order.

    `ours`: so are the texts ("Yes").
    """

    label: str
    texts: tuple[str, ...]
    ours: bool = False


class ShownExhibit(Payload):
    """All that raters see of an exhibit: what was asked, what it is about, and the answer that is judged.

    `box` or `texts`: the material; without either the answer stands in its place. `before`: the earlier turns of a
    conversation. `answers`: the answer in words, if it is not only marked in the material; `details` belong to it. They
    say nothing about who gave it, nor what others think of it.
    """

    prompt: str
    lang: str = ""
    dir: str = ""
    box: MarkedBox | None = None
    texts: tuple[Quoted, ...] = ()
    before: tuple[EarlierTurn, ...] = ()
    answers: tuple[str, ...] = ()
    details: tuple[Detail, ...] = ()


@dataclass(frozen=True)
class ExhibitKind:
    """A kind of what a protocol has judged: annotations of `activity`, seen as `Protocol.exhibits_of` shows them.

    `rubric`: makes the preset. `of_an_item`: whether rounds judge one of the answers to an item, or all, at first.
    `published`: figures, by mark, as shares of 1, and those of a part as `mark/part`, as shares of its mark; {} if
    there are none. `source`: where it was judged, "" if nowhere; there `n` were judged by `raters` people (0 if that is
    not said). `on_one_screen`: whether raters usually see all answers to an item together, may, or never, since each
    has a page or a prompt of its own. `mark_scores`: the human score that results show for each mark, if there is one.
    """

    key: str
    title: Any
    description: Any
    activity: str
    rubric: Callable[[], Rubric]
    published: dict[str, float] = field(default_factory=dict)
    source: str = ""
    n: int = 0
    raters: int = 0
    of_an_item: Literal["one", "all"] = "one"
    on_one_screen: Literal["usual", "possible", "never"] = "never"
    mark_scores: MarkScores | None = None
