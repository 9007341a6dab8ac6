"""What is compared of two annotations to measure agreement, and what one is worth against references.

Both ask for the verdict on the question, the long answer and the short answer.

The verdict is right or wrong. The box is worth 1 if it is the reference's, and 1/2 if it contains that box, or lies in
it and has all of the short answer's spans. Null (a bad question, or no long answer) is right where the reference is
null. The short answer is worth the F1 of the tokens in its spans, or 1 for the same yes or no; where the box answers
only as a whole, saying so counts if the box is worth anything. The reference with the most points in all counts.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from annotation.i18n import _
from annotation.protocols.nq import schemas
from annotation.protocols.nq.scoring import Answer, answer_of, short_counts
from annotation.values.measures import Comparison, Measure
from annotation.values.records import AnnotationRecord, ItemRecord, Step, latest_payload
from annotation.values.scores import NOTHING, Part, Score, Scores, Wording, best_scores, quotation

NONE: frozenset[Any] = frozenset()
YES, NO = frozenset({"yes"}), frozenset({"no"})
LONGEST = 2000
"""Tokens at the beginning of a span that are compared; an imported span may have any length."""


def verdict(annotation: AnnotationRecord) -> str | None:
    """Good or bad; None for a published annotation, which does not say why there is no answer."""
    question = latest_payload(annotation.answers, "question")
    return None if question is None else question.verdict


def long_answer(annotation: AnnotationRecord) -> Hashable:
    """The box, `bad` for a bad question, `none` for a page without an answer."""
    if verdict(annotation) == "bad":
        return "bad"
    box = answer_of(annotation).box
    return "none" if box is None else "-".join(map(str, box))


def short_answer(annotation: AnnotationRecord) -> frozenset[Any] | None:
    """The tokens of the spans, yes or no, or the empty set; None without a long answer."""
    answer = answer_of(annotation)
    if answer.box is None:
        return None
    if answer.spans:
        return frozenset(token for start, end in answer.spans for token in range(start, min(end, start + LONGEST)))
    return NONE if answer.yes_no == "none" else frozenset({answer.yes_no})


def _has_long(one: Answer, other: Answer) -> float:
    return (one.box is not None) + (other.box is not None)


def _same_long(one: Answer, other: Answer) -> float:
    return float(one.box is not None and one.box == other.box)


def _has_short(one: Answer, other: Answer) -> float:
    return one.has_short + other.has_short


def _same_short(one: Answer, other: Answer) -> float:
    same = set(one.spans) == set(other.spans) and one.yes_no == other.yes_no
    return float(one.has_short and other.has_short and same)


MEASURES = (
    Measure(
        "long_answer", _("Long answer"), "annotate", "nominal", long_answer, "long_answer", everywhere=("bad", "none")
    ),
    Measure(
        "question",
        _("Good or bad question"),
        "annotate",
        "nominal",
        verdict,
        "question",
        not_published=_("a published file has no answer for bad questions and for good ones without an answer alike."),
    ),
    Measure(
        "short_answer",
        _("Short answer"),
        "annotate",
        "set",
        short_answer,
        "short_answer",
        everywhere=(NONE, YES, NO),
    ),
    # The F1 of nq_eval, one annotator against another: the same box, or the same spans, yes or no.
    Comparison("long_f1", _("Long answer F1"), "annotate", answer_of, _same_long, _has_long, "long_answer"),
    Comparison("short_f1", _("Short answer F1"), "annotate", answer_of, _same_short, _has_short, "short_answer"),
)


VERDICT = Part("verdict", _("Good or bad question"))
BOX = Part("box", _("Long answer"))
SHORT = Part("short", _("Short answer"))
STEPS = {VERDICT: Step("question"), BOX: Step("long_answer"), SHORT: Step("short_answer")}

NEAR = Fraction(1, 2)
"""Points for a box around the reference's, or in it with the answer."""
QUOTED_TOKENS = 60
"""Tokens of an imported answer that are enough for a quotation."""


class Graded(NamedTuple):
    """An annotation with what is compared of it: `verdict` None if imported, `has_box` if a box or null is stated."""

    annotation: AnnotationRecord
    verdict: str | None
    answer: Answer
    has_box: bool
    has_short: bool

    @property
    def is_null(self) -> bool:
        """Whether it states that there is no long answer, be it for a bad question."""
        return self.has_box and self.answer.box is None


def grade(
    activity: str, item: ItemRecord, answer: AnnotationRecord, references: Sequence[AnnotationRecord]
) -> tuple[Score, ...]:
    """The verdict if a reference states one, the box unless all say bad, the short answer if one has a box."""
    own, others = _graded(answer), [_graded(one) for one in references]
    there = {
        VERDICT: any(one.verdict for one in others),
        BOX: any(one.verdict != "bad" for one in others),
        SHORT: any(one.answer.box is not None for one in others),
    }
    parts = [part for part, scored in there.items() if scored]
    return best_scores(_against(item, own, one, parts) for one in others)


def _graded(annotation: AnnotationRecord) -> Graded:
    found = verdict(annotation)
    long, short = (latest_payload(annotation.answers, stage) for stage in ("long_answer", "short_answer"))
    return Graded(annotation, found, answer_of(annotation), long is not None or found == "bad", short is not None)


def _against(item: ItemRecord, own: Graded, other: Graded, parts: Sequence[Part]) -> Scores:
    box = _box_points(item, own, other)
    points = {VERDICT: _verdict_points(own, other), BOX: box, SHORT: _short_points(own, other, box)}
    return tuple(
        Score(STEPS[part], part, points[part], _wording(part, item, own), _wording(part, item, other)) for part in parts
    )


def _verdict_points(own: Graded, other: Graded) -> Fraction:
    """Published annotations state no verdict: with them, any is right."""
    unknown = other.verdict is None or (own.verdict is None and own.has_box)
    return Fraction(int(bool(own.annotation.answers) and (unknown or own.verdict == other.verdict)))


def _box_points(item: ItemRecord, own: Graded, other: Graded) -> Fraction:
    if own.answer.box is None or other.answer.box is None:
        return Fraction(int(own.is_null and other.is_null))
    if own.answer.box == other.answer.box:
        return Fraction(1)
    mine, wanted = _tokens_of(item, own.answer.box), _tokens_of(item, other.answer.box)
    if mine is None or wanted is None:
        return Fraction(0)
    if mine == wanted:
        return Fraction(1)
    spans = other.answer.spans
    inside = _contains(wanted, mine) and bool(spans) and all(_contains(mine, span) for span in spans)
    return NEAR if inside or _contains(mine, wanted) else Fraction(0)


def _short_points(own: Graded, other: Graded, box: Fraction) -> Fraction:
    if not own.has_short and not own.is_null:
        return Fraction(0)
    if not own.answer.has_short and not other.answer.has_short:
        return Fraction(int(box > 0))
    return Fraction(*short_counts(own.answer, other.answer))


def _contains(outer: tuple[int, int], inner: tuple[int, int]) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _tokens_of(item: ItemRecord, box: tuple[int, ...]) -> tuple[int, int] | None:
    """The token range of a box: its own if it is no candidate; None if the page has no such candidate."""
    if len(box) == 2:
        return box[0], box[1]
    candidates = item.documents[0].layout.candidates
    found = candidates[box[0]] if box[0] < len(candidates) else None
    return found and (found.start_token, found.end_token)


def _wording(part: Part, item: ItemRecord, one: Graded) -> Wording:
    if part == VERDICT:
        return {"good": Wording(_("Good")), "bad": Wording(_("Bad")), None: NOTHING}[one.verdict]
    if one.is_null:
        return Wording(_("No long answer") if part == BOX else _("No short answer"))
    return _long_wording(item, one) if part == BOX else _short_wording(item, one)


def _long_wording(item: ItemRecord, one: Graded) -> Wording:
    long: Any = latest_payload(one.annotation.answers, "long_answer")
    if isinstance(long, schemas.BoxAnswer):
        return quotation(long.quote)
    return NOTHING if one.answer.box is None else quotation(_text_of(item, _tokens_of(item, one.answer.box)))


def _short_wording(item: ItemRecord, one: Graded) -> Wording:
    short: Any = latest_payload(one.annotation.answers, "short_answer")
    if isinstance(short, schemas.SpansAnswer):
        return quotation(*(span.quote for span in short.spans))
    if one.answer.spans:
        return quotation(*(_text_of(item, span) for span in one.answer.spans))
    if not one.has_short:
        return NOTHING
    return Wording({"yes": _("Yes"), "no": _("No"), "none": _("No short answer")}[one.answer.yes_no])


def _text_of(item: ItemRecord, span: tuple[int, int] | None) -> str:
    """The beginning of what these tokens of the page say."""
    start, end = span or (0, 0)
    return item.documents[0].layout.words(start, min(end, start + QUOTED_TOKENS))
