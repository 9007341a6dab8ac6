"""The rules of NQ annotation: the sheet of each stage, the validation of answers, and the order of stages."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from annotation.documents.words import length_of
from annotation.errors import NotFound, Problem
from annotation.i18n import _
from annotation.protocols.nq import checks, schemas
from annotation.protocols.nq.schemas import Example
from annotation.values.records import Context, ItemRecord, Step, Waiting
from annotation.values.sheets import Box, Heading, PageFrame, Picture, Sheet

if TYPE_CHECKING:
    from annotation.parsing.incoming import IncomingItem

FEWEST_WORDS = 8
"""The NQ paper, 3.1: questions are queries of 8 words or more."""


@dataclass(frozen=True, kw_only=True)
class QuestionSheet(Sheet):
    """The question alone: nothing about its page, not even the language."""


@dataclass(frozen=True, kw_only=True)
class LongAnswerSheet(Sheet):
    """The question, and the whole page with its headings and its boxes in order."""

    page_title: str
    headings: tuple[Heading, ...]
    boxes: tuple[Box, ...]

    @property
    def word_count(self) -> int:
        """Words of the question and of every top-level box."""
        return super().word_count + sum(box.words for box in self.boxes if box.parent is None)


@dataclass(frozen=True, kw_only=True)
class ShortAnswerSheet(Sheet):
    """The question and the chosen box.

    `text` is the displayed text of the box; `words` are (token, start, end) in it, half-open, in UTF-16 code units as
    in JavaScript; `rows` are a table's rows (box, first token, end token), for the advice that one may be enough.
    """

    page_title: str
    box: Box
    text: str
    words: tuple[tuple[int, int, int], ...]
    rows: tuple[tuple[int, int, int], ...]

    @property
    def word_count(self) -> int:
        """Words of the question and of the chosen box."""
        return super().word_count + len(self.words)


def sheet(context: Context, step: Step | Waiting) -> Sheet:
    """What the annotator sees at a stage; NotFound if the answers to earlier stages do not lead there."""
    if isinstance(step, Waiting):
        raise NotFound
    stage, item = step.stage, context.item
    example = Example.from_stored(item.payload)
    if stage == "question":
        return QuestionSheet(stage=stage, prompt=example.question_text)
    if not isinstance(context.answer_to("question"), schemas.GoodQuestion):
        raise NotFound
    document = item.documents[0]
    if stage == "long_answer":
        rendering = document.rendering()
        return LongAnswerSheet(
            stage=stage,
            prompt=example.question_text,
            lang=example.page_lang,
            dir=example.page_dir,
            frame=PageFrame(pictures=_pictures(example)),
            page_title=document.title,
            headings=tuple(rendering.headings),
            boxes=tuple(rendering.candidates),
        )
    chosen = context.answer_to("long_answer")
    if stage != "short_answer" or not isinstance(chosen, schemas.BoxAnswer):
        raise NotFound
    rendering = document.rendering(chosen.candidate)
    box = rendering.candidates[chosen.candidate]
    return ShortAnswerSheet(
        stage=stage,
        prompt=example.question_text,
        lang=example.page_lang,
        dir=example.page_dir,
        frame=PageFrame(
            root=chosen.candidate, words=True, pictures=_pictures(example, inside=_bytes(item, chosen.candidate))
        ),
        page_title=document.title,
        box=box,
        text=rendering.text,
        words=tuple(rendering.words),
        rows=_rows(item, box, rendering.candidates),
    )


def _rows(item: ItemRecord, box: Box, boxes: Sequence[Box]) -> tuple[tuple[int, int, int], ...]:
    """A table's own rows, each with its token range; empty for other kinds of box."""
    if box.kind != "Table":
        return ()
    own = [one.index for one in boxes if one.kind == "Tr" and one.parent == box.index]
    return tuple((index, *_token_range(item, index)) for index in own)


def _pictures(example: schemas.Example, inside: range | None = None) -> tuple[Picture, ...]:
    """The stored images of the page, or those whose tags begin at these bytes."""
    found = example.images if inside is None else [image for image in example.images if image.at in inside]
    return tuple(Picture(image.at, image.place, image.width, image.height) for image in found)


def _bytes(item: ItemRecord, candidate: int) -> range:
    box = item.documents[0].layout.candidates[candidate]
    return range(box.start_byte, box.end_byte)


def _token_range(item: ItemRecord, candidate: int) -> tuple[int, int]:
    box = item.documents[0].layout.candidates[candidate]
    return box.start_token, box.end_token


def check(context: Context, step: Step, payload: Any) -> list[Problem]:
    """Why this answer, which is valid by its schema, is impossible here; empty if it is possible."""
    if step.stage == "question":
        return []
    if not isinstance(context.answer_to("question"), schemas.GoodQuestion):
        return [Problem("", "not_good", _("The question was judged bad, so there is nothing to answer."))]
    document = context.item.documents[0]
    if step.stage == "long_answer":
        if not isinstance(payload, schemas.BoxAnswer):
            return []
        return list(checks.box_problems(document, payload)) or list(checks.shown_box_problems(document, payload))
    chosen = context.answer_to("long_answer")
    if not isinstance(chosen, schemas.BoxAnswer):
        return [Problem("", "no_box", _("No box was chosen, so there can be no short answer."))]
    if not isinstance(payload, schemas.SpansAnswer):
        return []
    problems = list(checks.span_problems(document, chosen.candidate, payload.spans))
    return problems or list(checks.shown_span_problems(document, chosen.candidate, payload.spans))


def next_step(context: Context) -> Step | None:
    """question, then long_answer if the question is good, then short_answer if a box was chosen."""
    question, long = context.answer_to("question"), context.answer_to("long_answer")
    if question is None:
        return Step("question")
    if isinstance(question, schemas.BadQuestion):
        return None
    if long is None:
        return Step("long_answer")
    if isinstance(long, schemas.NoLongAnswer) or context.answer_to("short_answer") is not None:
        return None
    return Step("short_answer")


def alike(kind: str, payload: dict[str, Any]) -> str:
    """A hash of the question, ignoring case, spaces and closing punctuation: a question can come with several pages."""
    words = unicodedata.normalize("NFKC", payload["question_text"]).casefold().split()
    return sha256(" ".join(words).rstrip(" ?!.").encode()).hexdigest()


def oddities_of(item: IncomingItem) -> Iterator[str]:
    """A question that is too short to have been in Natural Questions."""
    length = length_of(str(item.payload["question_text"]))
    if length.n < FEWEST_WORDS and not length.in_characters:
        yield f"The question has fewer than {FEWEST_WORDS} words; in the NQ paper, all have at least as many."


@dataclass(frozen=True)
class LongAnswerView:
    """A long answer, for reading: `kind` is box, none, or null (published, without a reason).

    `box` is None if a published answer is not one of the page's boxes, or the page can't be shown; `offsets` are its
    tokens, half-open.
    """

    kind: str
    reason: str = ""
    box: Box | None = None
    offsets: tuple[int, int] = (-1, -1)


@dataclass(frozen=True)
class ShortAnswerView:
    """A short answer, for reading: `kind` is spans, yes, no or none; each span as text ("" if not in the page)."""

    kind: str
    spans: tuple[str, ...] = ()


def view(stage: str, payload: Any, item: ItemRecord) -> Any:
    """What the read-only template of a stage shows for a response, our own or published."""
    match payload:
        case schemas.GoodQuestion() | schemas.BadQuestion():
            return payload
        case schemas.NoLongAnswer():
            return LongAnswerView("none", reason=payload.reason)
        case schemas.BoxAnswer():
            return LongAnswerView(
                "box", box=_box(item, payload.candidate), offsets=_token_range(item, payload.candidate)
            )
        case schemas.PublishedLongAnswer():
            null = payload.candidate_index < 0 and payload.start_token < 0
            offsets = (payload.start_token, payload.end_token)
            return LongAnswerView("null" if null else "box", box=_box(item, payload.candidate_index), offsets=offsets)
        case schemas.SpansAnswer():
            return ShortAnswerView("spans", tuple(span.quote for span in payload.spans))
        case schemas.PublishedShortAnswer():
            spans = tuple(_words(item, span) for span in payload.short_answers)
            return ShortAnswerView("spans" if spans else payload.yes_no_answer.lower(), spans)
    return ShortAnswerView(payload.kind)


def box_of(stage: str, payload: Any) -> int | None:
    """The candidate of a long answer, our own or published."""
    match payload:
        case schemas.BoxAnswer():
            return payload.candidate
        case schemas.PublishedLongAnswer() if payload.candidate_index >= 0:
            return payload.candidate_index
    return None


def spans_of(stage: str, payload: Any) -> Sequence[tuple[int, int]]:
    """The tokens of a short answer's spans, our own or published."""
    match payload:
        case schemas.SpansAnswer():
            return [(span.start, span.end) for span in payload.spans]
        case schemas.PublishedShortAnswer():
            spans = [(span.start_token, span.end_token) for span in payload.short_answers]
            return [(start, end) for start, end in spans if 0 <= start < end]
    return ()


def _box(item: ItemRecord, index: int) -> Box | None:
    from annotation import html

    try:
        boxes = item.documents[0].rendering().candidates
    except html.PageRefused:
        return None
    return boxes[index] if 0 <= index < len(boxes) else None


def _words(item: ItemRecord, span: schemas.PublishedSpan) -> str:
    layout = item.documents[0].layout
    there = 0 <= span.start_token < span.end_token <= len(layout.tokens)
    return layout.words(span.start_token, span.end_token) if there else ""
