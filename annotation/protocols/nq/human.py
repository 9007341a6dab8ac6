"""The human upper bound on the NQ metrics: a single annotator and the super-annotator of the paper (5.2, table 3).

Everybody is judged like a system, by the rules of nq_eval. With exactly five annotations each is held out against the
other four. With more, five are drawn as gold annotations, again and again, and the others are judged against them: each
for itself (single annotator), and all together (super-annotator), which give their most frequent answer, or none if
fewer of them than a threshold have one: the paper's, or the best one of other questions (`cross_validated`). Every
question has the same weight.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import isnan
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from annotation.protocols.nq import schemas
from annotation.protocols.nq.scoring import NULL, Label, Offsets, Verdict, long_verdict, same_short, short_verdict
from annotation.statistics.human_bound import BoundReason, Figure, Measured
from annotation.statistics.intervals import OfTotals, Row, f1_estimate, intervals, ratio_estimate, totals_of
from annotation.values.records import AnnotationRecord, ReleaseRecord, latest_payload

if TYPE_CHECKING:
    from numpy.typing import NDArray

GOLD = 5
"""Gold annotations of a question, as in the development and test sets."""
HOLD_OUTS = 20
"""How often gold annotations are drawn for a question that has more than five."""
STEPS = 20
"""The steps of the threshold, in twentieths of the votes: votes, with the 20 of the paper."""
THRESHOLD = 8
"""Votes of 20 that must have an answer (the paper's alpha)."""
REPETITIONS = 20
"""How often the questions are split into halves."""
FEWEST_SPLIT = 2
"""Questions that can be split."""

Holding = tuple[Sequence[Label], Sequence[Label]]
"""Gold annotations, and those that are held out and judged against them."""


@dataclass(frozen=True)
class Question:
    """A question's annotations as nq_eval compares them; its name and the seed decide what is drawn."""

    name: str
    labels: tuple[Label, ...]
    seed: str = ""

    @cached_property
    def single(self) -> Row:
        """The sums of a single annotator, each annotation held out in turn; once for all splits and for its own."""
        return _row(
            [
                (long_verdict(gold, label), short_verdict(gold, label), n)
                for gold, held_out in hold_outs(self)
                for label, n in Counter(held_out).items()
            ]
        )

    @cached_property
    def supers(self) -> list[Row]:
        """The sums of the super-annotator of more than five annotations, for each threshold from 1 to 20 twentieths."""
        judged: list[list[Judged]] = [[] for _ in range(STEPS)]
        for gold, votes in hold_outs(self):
            answered = long_verdict(gold, _mode_of_long(votes)), short_verdict(gold, _mode_of_short(votes))
            abstained = [verdict._replace(predicted=False, correct=False) for verdict in answered]
            non_null = sum(not one.long.is_null for one in votes), sum(one.has_short for one in votes)
            for step, found in enumerate(judged, start=1):
                needed = -(-step * len(votes) // STEPS)
                long, short = ((answered if n >= needed else abstained)[kind] for kind, n in enumerate(non_null))
                found.append((long, short, 1))
        return [_row(found) for found in judged]


def part(record: ReleaseRecord, seed: str) -> Question:
    """The question of a record.

    The boxes of our annotations are candidates. They are looked up in the page's layout only if there are published
    annotations too, with which they are compared by their offsets; reading thousands of layouts would take minutes.
    """
    mixed = any(one.imported for one in record.annotations) and not all(one.imported for one in record.annotations)
    labels = tuple(_label(one, record, mixed) for one in record.annotations)
    return Question(record.item.external_id, labels, seed)


def _label(annotation: AnnotationRecord, record: ReleaseRecord, mixed: bool) -> Label:
    long, short = latest_payload(annotation.answers, "long_answer"), latest_payload(annotation.answers, "short_answer")
    if isinstance(long, schemas.PublishedLongAnswer) and isinstance(short, schemas.PublishedShortAnswer):
        spans = tuple(span for one in short.short_answers if not (span := _published(one)).is_null)
        return Label(_published(long), spans, short.yes_no_answer.lower())
    if not isinstance(long, schemas.BoxAnswer):
        return Label(NULL, (), "none")
    box = Offsets(-1, -1, long.candidate, long.candidate + 1)
    if mixed:
        found = record.item.documents[0].layout.candidates[long.candidate]
        box = Offsets(found.start_byte, found.end_byte, found.start_token, found.end_token)
    if isinstance(short, schemas.SpansAnswer):
        return Label(box, tuple(Offsets(-1, -1, span.start, span.end) for span in short.spans), "none")
    return Label(box, (), "none" if short is None else short.kind)


def _published(span: schemas.PublishedSpan) -> Offsets:
    """An imported span; nq_eval refuses half a span and an empty one, here they are none."""
    return Offsets(*_range(span.start_byte, span.end_byte), *_range(span.start_token, span.end_token))


def _range(start: int | None, end: int | None) -> tuple[int, int]:
    return (start, end) if start is not None and end is not None and 0 <= start < end else (-1, -1)


def hold_outs(question: Question) -> Iterator[Holding]:
    """Every way to hold one of five out, or some ways to hold out all but five of more; none of fewer."""
    labels = question.labels
    if len(labels) == GOLD:
        for place, label in enumerate(labels):
            yield labels[:place] + labels[place + 1 :], (label,)
    elif len(labels) > GOLD:
        rng = Random(f"{question.seed}/{question.name}")
        for _ in range(HOLD_OUTS):
            drawn = rng.sample(labels, len(labels))
            yield drawn[:GOLD], drawn[GOLD:]


COLUMNS = 4
"""Of a kind of answer: what is correct, predicted, answerable, and right in the sense of A_b."""
FIGURES: dict[str, OfTotals] = {
    f"{kind}_{name}": figure
    for kind, at in (("long", 0), ("short", COLUMNS))
    for name, figure in {
        "precision": ratio_estimate(at, at + 1),
        "recall": ratio_estimate(at, at + 2),
        "f1": f1_estimate(at, at + 1, at + 2),
        "accuracy": ratio_estimate(at + 3, 2 * COLUMNS),
    }.items()
}
"""Each metric as a function of the totals of `_row`."""


Judged = tuple[Verdict, Verdict, int]
"""The verdicts on a long and a short answer, and how many predictions they are of."""


def _row(judged: Sequence[Judged]) -> Row:
    """Means over long and short verdicts on one question, and 1 for the question."""
    sums = [0] * 2 * COLUMNS
    for *pair, n in judged:
        for at, one in zip((0, COLUMNS), pair, strict=True):
            sums[at] += n * one.correct
            sums[at + 1] += n * one.predicted
            sums[at + 2] += n * one.gold
            sums[at + 3] += n * (one.correct or not (one.gold or one.predicted))
    total = sum(n for _long, _short, n in judged)
    return (*(value / total for value in sums), 1.0)


def _mode_of_long(votes: Sequence[Label]) -> Label:
    """The most frequent long answer; of equally frequent ones the earliest on the page, as annotators are told."""
    counted = Counter(vote.long for vote in votes if not vote.long.is_null)
    spans = [(-sum(n for other, n in counted.items() if span.equals(other)), span) for span in counted]
    return Label(min(spans)[1] if spans else NULL, (), "none")


def _mode_of_short(votes: Sequence[Label]) -> Label:
    """The most frequent short answer; of equally frequent ones yes or no, then the earliest spans."""
    counted = Counter(Label(NULL, vote.spans, vote.yes_no) for vote in votes if vote.has_short)

    def place(label: Label) -> tuple[Any, ...]:
        times = sum(n for other, n in counted.items() if same_short(label, other))
        return -times, label.yes_no == "none", sorted(label.spans), label.yes_no

    return min(counted, key=place, default=Label(NULL, (), "none"))


class CrossValidated(NamedTuple):
    """The sums of each question, and the lowest and highest threshold that was chosen for each kind of answer."""

    rows: list[Row]
    chosen: list[tuple[int, int]]


def cross_validated(by_threshold: Sequence[Sequence[Row]], *, columns: int, usual: int, seed: str) -> CrossValidated:
    """Judge every question with thresholds that other questions chose, for long and for short answers apart.

    The best threshold of a table is too good for the questions of that table. So the questions are split at random into
    halves; on each half the threshold with the best F1 is chosen, and the other half is judged with it. That is
    repeated, and a question's sums are means over the repetitions.

    `by_threshold`: of each question, its sums for the thresholds 1, 2 and so on: blocks of `columns` sums (what is
    correct, predicted and answerable come first), one block for each kind of answer, and 1. Of thresholds that are
    equally good, the one nearest to the `usual` one is chosen.
    """
    import numpy as np

    sums = np.array(by_threshold, dtype=np.float64)
    n, blocks = len(sums), range(0, sums.shape[2] - 1, columns)
    rng = np.random.default_rng(list(seed.encode()))
    total = np.zeros((n, sums.shape[2]))
    total[:, -1] = REPETITIONS
    chosen: list[set[int]] = [set() for _ in blocks]
    for _ in range(REPETITIONS):
        order = rng.permutation(n)
        for mine, others in ((order[: n // 2], order[n // 2 :]), (order[n // 2 :], order[: n // 2])):
            of_others = sums[others].sum(axis=0)
            for block, thresholds in zip(blocks, chosen, strict=True):
                place = _best(of_others[:, block : block + 3], usual - 1)
                thresholds.add(place + 1)
                total[mine, block : block + columns] += sums[mine, place, block : block + columns]
    rows = [tuple(map(float, row)) for row in total / REPETITIONS]
    return CrossValidated(rows, [(min(found), max(found)) for found in chosen])


def _best(sums: NDArray[Any], usual: int) -> int:
    """The place of the threshold with the best F1."""
    correct, predicted, answerable = sums.T
    f1 = [2 * c / (p + g) if p + g else 0.0 for c, p, g in zip(correct, predicted, answerable, strict=True)]
    return max(range(len(f1)), key=lambda place: (round(f1[place], 12), -abs(place - usual), -place))


def measure(questions: Sequence[Question], seed: str) -> Measured:
    """Precision, recall, F1 and accuracy of long and short answers, of one annotator and of super-annotators."""
    few = [one for one in questions if len(one.labels) < GOLD]
    many = [one for one in questions if len(one.labels) > GOLD]
    enough = [one for one in questions if len(one.labels) >= GOLD]
    most = max((len(one.labels) for one in questions), default=0)
    figures: dict[str, Figure] = {}
    why_not: dict[str, BoundReason] = {}
    sweep: list[list[float]] = []
    if enough:
        figures |= _figures("single", [one.single for one in enough], enough, seed)
    else:
        why_not["single"] = _too_few("single_needs_five", most)
    if many:
        by_step = list(zip(*(one.supers for one in many), strict=True))
        figures |= _figures("super", by_step[THRESHOLD - 1], many, seed)
        sweep = [[step, *_at(rows)] for step, rows in enumerate(by_step, start=1)]
    else:
        why_not["super"] = _too_few("super_needs_six", most)
    notes: dict[str, BoundReason] = {}
    if len(many) >= FEWEST_SPLIT:
        in_order = [one.supers for one in sorted(many, key=lambda one: one.name)]
        rows, chosen = cross_validated(in_order, columns=COLUMNS, usual=THRESHOLD, seed=seed)
        figures |= _figures("crossed", rows, many, seed)
        ends = ("long_low", "long_high", "short_low", "short_high")
        notes["crossed"] = BoundReason("chosen", dict(zip(ends, chain(*chosen), strict=True)))
    else:
        why_not["crossed"] = BoundReason("crossed_needs_two") if many else _too_few("super_needs_six", most)
    left_out = [BoundReason("few", {"n": len(few)})] if few and enough else []
    if many and len(many) < len(enough):
        left_out.append(BoundReason("only_five", {"n": len(enough) - len(many)}))
    return Measured(figures, why_not, left_out, {"super": sweep} if sweep else {}, notes)


def _too_few(code: str, most: int) -> BoundReason:
    return BoundReason(code, {"n": most}) if most else BoundReason("nothing")


def _figures(group: str, rows: Sequence[Row], questions: Sequence[Question], seed: str) -> dict[str, Figure]:
    n = (len(questions), sum(len(one.labels) for one in questions))
    found = intervals(rows, FIGURES, seed=f"{seed}/{group}")
    return {f"{group}.{key}": Figure.from_estimate(one, n) for key, one in found.items()}


def _at(rows: Sequence[Row]) -> list[float]:
    """The figures of one threshold without intervals, in the order of the sweep's columns; 0 as in nq_eval."""
    totals = totals_of(rows)
    found = [float(FIGURES[key](totals)) for key in SWEPT]
    return [0.0 if isnan(value) else value for value in found]


SWEPT = ("long_precision", "long_recall", "long_f1", "short_precision", "short_recall", "short_f1")
