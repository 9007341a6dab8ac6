"""What experts judge of Natural Questions: long and short answers, without the rest of the page (NQ paper, 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from annotation.documents.layout import Layout
from annotation.i18n import _
from annotation.judging.rubrics import Rubric, preset
from annotation.protocols.nq import rules, schemas
from annotation.protocols.nq.schemas import Example
from annotation.values.exhibits import ExhibitKind, MarkedBox, ShownExhibit
from annotation.values.predictions import ReadPrediction
from annotation.values.records import AnnotationRecord, ItemRecord, latest_payload

LONG, SHORT = "long", "short"
SOURCE = "NQ paper, Table 2"


def long_rubric() -> Rubric:
    """The three classes of the NQ paper, 5, for long answers."""
    return _classes(_("NQ long answers"), _("Does the passage answer the question?"))


def short_rubric() -> Rubric:
    """The same for short answers."""
    return _classes(_("NQ short answers"), _("Is what is marked in the passage the answer to the question?"))


def _classes(title: object, asks: object) -> Rubric:
    return preset(
        title,
        asks,
        ("C", _("Correct"), _("It is right beyond a reasonable doubt.")),
        (
            "Cd",
            _("Correct, debatable"),
            _("One reasonable person is satisfied and another can reasonably doubt. It counts as right."),
        ),
        ("W", _("Wrong"), _("There is no convincing evidence that it is right.")),
        ordinal=True,
        right=("C", "Cd"),
    )


KINDS = (
    ExhibitKind(
        key=LONG,
        title=_("Long answers"),
        description=_("The question and the passage that was chosen; nothing else of the page."),
        activity="annotate",
        rubric=long_rubric,
        published={"C": 0.59, "Cd": 0.31, "W": 0.10},
        source=SOURCE,
        n=139,
        raters=4,
    ),
    ExhibitKind(
        key=SHORT,
        title=_("Short answers"),
        description=_("The question and the passage with the short answer marked in it, or yes or no."),
        activity="annotate",
        rubric=short_rubric,
        published={"C": 0.51, "Cd": 0.33, "W": 0.16},
        source=SOURCE,
        n=139,
        raters=4,
    ),
)


def exhibits_of(kind: str, item: ItemRecord, annotation: AnnotationRecord) -> Iterator[tuple[int, ShownExhibit]]:
    """The answer of an annotation, if it has one of that kind and its box can be shown; null answers are not drawn."""
    long = latest_payload(annotation.answers, "long_answer")
    candidate = rules.box_of("long_answer", long) if long is not None else None
    if candidate is None:
        return
    words: tuple[tuple[int, int], ...] = ()
    answers: tuple[str, ...] = ()
    if kind == SHORT:
        short = latest_payload(annotation.answers, "short_answer")
        words, answers = tuple(rules.spans_of("short_answer", short)), _yes_or_no(short)
        if not words and not answers:
            return
    yield 0, _shown_box(item, MarkedBox(candidate=candidate, words=words), answers)


def predicted_exhibit(
    kind: str, item: ItemRecord, prediction: ReadPrediction, given: Callable[[], Sequence[AnnotationRecord]]
) -> ShownExhibit | None:
    """A predicted answer, whatever its score: the box of the page that it is, or the smallest that its words are in.

    The rows of other layouts have an answer in words, which is shown without a passage.
    """
    if "answer" in prediction.payload:
        return _in_words(item, prediction.payload["answer"].strip())
    document = item.documents[0].layout
    long = _offsets(prediction.payload.get("long_answer") or {}, document)
    words = [_offsets(one, document) for one in prediction.payload.get("short_answers") or ()] if kind == SHORT else []
    marked = tuple(span for span in words if span)
    yes_no = str(prediction.payload.get("yes_no_answer") or "NONE").upper() if kind == SHORT else "NONE"
    answers = () if yes_no == "NONE" else (yes_no.capitalize(),)
    if kind == SHORT and not marked and not answers:
        return None
    candidate = _box_around(document, long, marked)
    return None if candidate is None else _shown_box(item, MarkedBox(candidate=candidate, words=marked), answers)


def _shown_box(item: ItemRecord, box: MarkedBox, answers: tuple[str, ...]) -> ShownExhibit:
    example = Example.from_stored(item.payload)
    return ShownExhibit(
        prompt=example.question_text, lang=example.page_lang, dir=example.page_dir, box=box, answers=answers
    )


def _in_words(item: ItemRecord, words: str) -> ShownExhibit | None:
    example = Example.from_stored(item.payload)
    return ShownExhibit(prompt=example.question_text, answers=(words,)) if words else None


def _offsets(span: Mapping[str, Any], document: Layout) -> tuple[int, int] | None:
    """The tokens of a predicted span, half-open; where it has only bytes, those within them. None for a null one."""
    start, end = span.get("start_token", -1), span.get("end_token", -1)
    if 0 <= start < end <= len(document.tokens):
        return start, end
    first, after = span.get("start_byte", -1), span.get("end_byte", -1)
    if not 0 <= first < after:
        return None
    within = [place for place, token in enumerate(document.tokens) if first <= token.start and token.end <= after]
    return (within[0], within[-1] + 1) if within else None


def _box_around(document: Layout, long: tuple[int, int] | None, words: Sequence[tuple[int, int]]) -> int | None:
    """The candidate that is the predicted box with these words in it; without a box, the smallest with them in it."""
    boxes = [(each.start_token, each.end_token) for each in document.candidates]
    if long:
        fitting = [place for place, box in enumerate(boxes) if box == long and _holds(box, words)]
    elif words:
        fitting = [place for place, box in enumerate(boxes) if _holds(box, words)]
    else:
        fitting = []
    return min(fitting, key=lambda place: boxes[place][1] - boxes[place][0], default=None)


def _holds(box: tuple[int, int], words: Sequence[tuple[int, int]]) -> bool:
    return all(box[0] <= start and end <= box[1] for start, end in words)


def _yes_or_no(short: object) -> tuple[str, ...]:
    """The answer in words, in English as in the material, if it is yes or no."""
    match short:
        case schemas.YesAnswer():
            return ("Yes",)
        case schemas.NoAnswer():
            return ("No",)
        case schemas.PublishedShortAnswer() if short.yes_no_answer.upper() != "NONE":
            return (short.yes_no_answer.capitalize(),)
    return ()
