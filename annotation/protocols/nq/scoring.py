"""Similarity of two annotations, and the official metrics: those of nq_eval 1.0.6 and the paper's accuracy A_b."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from annotation.protocols.nq import schemas
from annotation.values.records import AnnotationRecord, latest_payload

TARGETS = (0.5, 0.75, 0.9)
"""The precisions at which nq_eval reports recall."""

NON_NULL = 2
"""A question counts as answerable if this many annotators have an answer (nq_eval's default, the paper's b)."""


@dataclass(frozen=True)
class Answer:
    """An annotation's answer; `box` is None for null (bad question or no answer), spans are half-open token ranges."""

    box: tuple[int, ...] | None = None
    spans: tuple[tuple[int, int], ...] = ()
    yes_no: str = "none"

    @property
    def has_short(self) -> bool:
        """Whether there is a short answer: spans, yes or no."""
        return bool(self.spans) or self.yes_no != "none"


def answer_of(annotation: AnnotationRecord) -> Answer:
    """The answer of an annotation, our own or published."""
    long, short = latest_payload(annotation.answers, "long_answer"), latest_payload(annotation.answers, "short_answer")
    box: tuple[int, ...] | None = None
    if isinstance(long, schemas.BoxAnswer):
        box = (long.candidate,)
    elif isinstance(long, schemas.PublishedLongAnswer):
        if long.candidate_index >= 0:
            box = (long.candidate_index,)
        elif long.start_token >= 0:
            box = (long.start_token, long.end_token)
    if isinstance(short, schemas.SpansAnswer):
        return Answer(box, tuple((span.start, span.end) for span in short.spans))
    if isinstance(short, schemas.PublishedShortAnswer):
        spans = ((span.start_token, span.end_token) for span in short.short_answers)
        return Answer(box, tuple(span for span in spans if 0 <= span[0] < span[1]), short.yes_no_answer.lower())
    return Answer(box, yes_no="none" if short is None else short.kind)


def compare(activity: str, a: AnnotationRecord, b: AnnotationRecord) -> float:
    """Similarity of two annotations of an item, 0..1; symmetric, and 1 for an annotation with itself.

    Null (a bad question, or no long answer) and null give 1, null and an answer 0. Otherwise L is 1 for the same box,
    else 0; the value is L if neither has a short answer, else (L + S) / 2, where S is the F1 of the tokens in the
    spans, 1 for the same yes or no, and 0 for different kinds of short answer.
    """
    one, other = answer_of(a), answer_of(b)
    if one.box is None or other.box is None:
        return float(one.box is None and other.box is None)
    same_box = float(one.box == other.box)
    if not one.has_short and not other.has_short:
        return same_box
    above, below = short_counts(one, other)
    return (same_box + above / below) / 2


def short_counts(one: Answer, other: Answer) -> tuple[int, int]:
    """The similarity of two short answers as a fraction: twice the tokens in both answers' spans, over those of each.

    Without spans on both sides it is 1/1 for the same yes, no or none, else 0/1.
    """
    if one.spans and other.spans:
        first, second = _merged(one.spans), _merged(other.spans)
        common = sum(max(0, min(a[1], b[1]) - max(a[0], b[0])) for a in first for b in second)
        return 2 * common, sum(end - start for start, end in first + second)
    return int(not one.spans and not other.spans and one.yes_no == other.yes_no), 1


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The union of the spans as disjoint ranges; published spans may overlap."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


class Offsets(NamedTuple):
    """A span as in nq_eval: half-open, in bytes and in tokens; negative if not given."""

    start_byte: int
    end_byte: int
    start_token: int
    end_token: int

    @classmethod
    def from_record(cls, raw: Mapping[str, int]) -> Offsets:
        """Read a span; ValueError if only one end is negative or a range is empty, KeyError if a key is missing."""
        span = cls(raw["start_byte"], raw["end_byte"], raw["start_token"], raw["end_token"])
        for start, end in (span[:2], span[2:]):
            if (start < 0) != (end < 0):
                raise ValueError("Only one end of the span is negative.")
            if 0 <= end <= start:
                raise ValueError("The span is empty.")
        return span

    @property
    def is_null(self) -> bool:
        """Whether no offset is given."""
        return max(self) < 0

    def equals(self, other: Offsets) -> bool:
        """Equal byte pairs or equal token pairs; either suffices."""
        return (self[0] >= 0 and self[:2] == other[:2]) or (self[2] >= 0 and self[2:] == other[2:])


class Label(NamedTuple):
    """An annotation or prediction in the published layout; `spans` without null ones, scores 0 in gold annotations."""

    long: Offsets
    spans: tuple[Offsets, ...]
    yes_no: str
    long_score: float = 0.0
    short_score: float = 0.0

    @property
    def has_short(self) -> bool:
        """Whether there is a short answer: spans, yes or no."""
        return bool(self.spans) or self.yes_no != "none"


class Verdict(NamedTuple):
    """The judgement of an example: whether gold and prediction have an answer, whether it is correct, and its score."""

    gold: bool
    predicted: bool
    correct: bool
    score: float


NULL = Offsets(-1, -1, -1, -1)


def _label(raw: Mapping[str, Any], long_score: float, short_score: float) -> Label:
    long = Offsets.from_record(raw["long_answer"]) if "long_answer" in raw else NULL
    spans = tuple(span for span in map(Offsets.from_record, raw.get("short_answers", ())) if not span.is_null)
    return Label(long, spans, raw.get("yes_no_answer", "NONE").lower(), long_score, short_score)


def gold_labels(records: Iterable[Mapping[str, Any]]) -> dict[int, list[Label]]:
    """The gold annotations by example id, from original NQ records."""
    return {record["example_id"]: [_label(raw, 0, 0) for raw in record["annotations"]] for record in records}


def predicted_labels(file: Mapping[str, Any]) -> dict[int, Label]:
    """The predictions of a file by example id; KeyError without both scores, ValueError for a score that is
    not a number, or yes or no with spans."""
    found = {}
    for raw in file["predictions"]:
        label = _label(raw, _score(raw, "long_answer_score"), _score(raw, "short_answers_score"))
        if label.yes_no not in ("yes", "no", "none"):
            raise ValueError("A predicted yes_no_answer is not YES, NO or NONE.")
        if label.yes_no != "none" and label.spans:
            raise ValueError("A prediction has yes or no as well as spans.")
        found[raw["example_id"]] = label
    return found


def _score(raw: Mapping[str, Any], key: str) -> float:
    score: float = raw[key]
    if type(score) not in (int, float):
        raise ValueError(f"The {key} of example {raw['example_id']} is not a number.")
    return score


def long_verdict(gold: Sequence[Label], label: Label, *, at_least: int = NON_NULL) -> Verdict:
    """Correct if gold has an answer and the prediction is any annotator's long answer."""
    answered = [one.long for one in gold if not one.long.is_null]
    has, predicted = len(answered) >= at_least, not label.long.is_null
    right = has and predicted and any(span.equals(label.long) for span in answered)
    return Verdict(has, predicted, right, label.long_score)


def short_verdict(gold: Sequence[Label], label: Label, *, at_least: int = NON_NULL) -> Verdict:
    """Correct if gold has an answer and the prediction is any annotator's yes, no or set of spans."""
    has, predicted = sum(one.has_short for one in gold) >= at_least, label.has_short
    right = has and predicted and any(same_short(label, one) for one in gold)
    return Verdict(has, predicted, right, label.short_score)


def same_short(label: Label, other: Label) -> bool:
    """Whether a label with a short answer has the other's: the same yes or no, or else the same set of spans."""
    if label.yes_no != "none":
        return other.yes_no == label.yes_no
    return _same_set(other.spans, label.spans)


def _same_set(one: Sequence[Offsets], other: Sequence[Offsets]) -> bool:
    """Whether each span equals one of the other side; order and repetition do not matter."""
    return all(any(a.equals(b) for b in other) for a in one) and all(any(a.equals(b) for a in one) for b in other)


def judge(
    gold: Mapping[int, Sequence[Label]], predicted: Mapping[int, Label], *, long: int = NON_NULL, short: int = NON_NULL
) -> tuple[dict[int, Verdict], dict[int, Verdict]]:
    """Long and short verdicts by example id; ValueError unless both have the same ids."""
    if gold.keys() != predicted.keys():
        raise ValueError("The gold annotations and the predictions have different example ids.")
    return (
        {key: long_verdict(gold[key], label, at_least=long) for key, label in predicted.items()},
        {key: short_verdict(gold[key], label, at_least=short) for key, label in predicted.items()},
    )


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0


def ignoring_scores(verdicts: Iterable[Verdict], prefix: str) -> dict[str, float]:
    """n, F1, precision and recall (0..1) of all predictions, with the names of nq_eval's `compute_f1`."""
    rows = list(verdicts)
    right = sum(row.correct for row in rows)
    precision, recall = _ratio(right, sum(row.predicted for row in rows)), _ratio(right, sum(row.gold for row in rows))
    f1 = _ratio(2 * precision * recall, precision + recall)
    return {f"{prefix}n": len(rows), f"{prefix}f1": f1, f"{prefix}precision": precision, f"{prefix}recall": recall}


def curve(verdicts: Iterable[Verdict]) -> list[tuple[float, float, float]]:
    """(score threshold, precision, recall) from the highest threshold down; equal scores share a threshold."""
    rows = sorted(verdicts, key=lambda row: row.score, reverse=True)
    has_gold = sum(row.gold for row in rows)
    points: dict[float, tuple[float, float, float]] = {}
    right = predicted = 0
    for row in rows:
        right, predicted = right + row.correct, predicted + row.predicted
        points[row.score] = (row.score, _ratio(right, predicted), _ratio(right, has_gold))
    return list(points.values())


def recall_at_precision(verdicts: Iterable[Verdict]) -> list[tuple[float, float, float, float | None]]:
    """Rows (target, recall, precision, threshold): the best recall at that precision; threshold None: not reached."""
    points = curve(verdicts)
    rows: list[tuple[float, float, float, float | None]] = []
    for target in TARGETS:
        best: tuple[float, float, float, float | None] = (target, 0, 0, None)
        for threshold, precision, recall in points:
            if precision >= target and recall > best[1]:
                best = (target, recall, precision, threshold)
        rows.append(best)
    return rows


def with_scores(verdicts: Iterable[Verdict], prefix: str) -> dict[str, float]:
    """Figures at the threshold with the best F1 (the highest such), and recall at precision, as nq_eval prints them."""
    rows = list(verdicts)
    best = (0.0, 0.0, 0.0, 0.0)
    for threshold, precision, recall in curve(rows):
        f1 = _ratio(2 * precision * recall, precision + recall)
        if f1 > best[0]:
            best = (f1, precision, recall, threshold)
    names = ("best-threshold-f1", "best-threshold-precision", "best-threshold-recall", "best-threshold")
    figures = {prefix + name: value for name, value in zip(names, best, strict=True)}
    for target, recall, precision, _ in recall_at_precision(rows):
        figures[f"{prefix}recall-at-precision>={target:.2}"] = recall
        figures[f"{prefix}precision-at-precision>={target:.2}"] = precision
    return figures


def accuracy(verdicts: Iterable[Verdict]) -> float:
    """The paper's A_b (section 5.1), 0..1: the mean of h_b over examples that were judged with `at_least` b.

    h_b is 1 if at least b annotations have an answer and the prediction is one of theirs, or if fewer than b have one
    and the prediction is null; else 0.
    """
    right = [row.correct or not (row.gold or row.predicted) for row in verdicts]
    return _ratio(sum(right), len(right))
