"""What is compared of two annotations: the verdict on the question, the long answer, the short answer."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from annotation.i18n import _
from annotation.protocols.nq.scoring import Answer, answer_of
from annotation.values.measures import Comparison, Measure
from annotation.values.records import AnnotationRecord, latest_payload

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
