"""What experts judge of Natural Questions: long and short answers, without the rest of the page (NQ paper, 5)."""

from __future__ import annotations

from collections.abc import Iterator

from annotation.i18n import _
from annotation.judging.rubrics import Rubric, preset
from annotation.protocols.nq import rules, schemas
from annotation.protocols.nq.schemas import example_of
from annotation.values.exhibits import ExhibitKind, MarkedBox, ShownExhibit
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
    example = example_of(item.payload)
    yield (
        0,
        ShownExhibit(
            prompt=example.question_text,
            lang=example.page_lang,
            dir=example.page_dir,
            box=MarkedBox(candidate=candidate, words=words),
            answers=answers,
        ),
    )


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
