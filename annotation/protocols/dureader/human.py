"""The human score on DuReader's metrics: each person's first answer as a prediction against all answers of the others.

Of published questions nobody knows who wrote which answer, so there each answer is a prediction against the others. The
bootstrap draws questions; BLEU-4 is of all predictions together, as in the scripts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

from annotation.i18n import _, ngettext
from annotation.protocol_tools import HumanBound
from annotation.protocols.dureader import metric_columns
from annotation.protocols.dureader.adapted_metric import JudgedAnswers, Weights, count_n_grams, rouge
from annotation.protocols.dureader.overlap import ORDERS
from annotation.protocols.dureader.rules import answers_in
from annotation.protocols.dureader.schemas import PublishedAnswers, Question, WrittenAnswer
from annotation.protocols.dureader.writing import kind_of
from annotation.statistics.human_bound import BoundReason, Figure, Measured
from annotation.statistics.intervals import OfTotals, Row, intervals, quotient, ratio_estimate
from annotation.values.records import ReleaseRecord, latest_payload

if TYPE_CHECKING:
    from annotation.statistics.intervals import Array

GROUPS: Mapping[str, Weights] = {"plain": metric_columns.PLAIN, "adapted": metric_columns.ADAPTED}


@dataclass(frozen=True)
class AnsweredQuestion:
    """A question: each prediction with the answers of the others, none if fewer than two people answer it."""

    judged: tuple[JudgedAnswers, ...]
    people: int

    @cached_property
    def row(self) -> Row:
        """1, then for each group the mean ROUGE-L and the counts of BLEU: matched and all n-grams, both lengths."""
        row = [1.0]
        for weights in GROUPS.values():
            row.append(sum(rouge(one, weights).figure for one in self.judged) / len(self.judged))
            counts = count_n_grams(self.judged, weights)
            row += [*counts.matched, *counts.of, float(counts.candidate_length), float(counts.reference_length)]
        return tuple(row)


def part(record: ReleaseRecord, seed: str) -> AnsweredQuestion:
    """What people answer to the question of a record."""
    kind, _fact = kind_of(record, Question.from_stored(record.item.payload))
    by_person: list[Sequence[WrittenAnswer]] = []
    for one in record.annotations:
        found = answers_in(one) or ()
        if isinstance(latest_payload(one.answers, "answers"), PublishedAnswers):
            by_person += [(each,) for each in found]
        elif found:
            by_person.append(found)
    judged = tuple(_left_one_out(by_person, kind)) if len(by_person) > 1 else ()
    return AnsweredQuestion(judged, len(by_person))


def _left_one_out(by_person: Sequence[Sequence[WrittenAnswer]], kind: str) -> Iterator[JudgedAnswers]:
    for place, own in enumerate(by_person):
        others = [each for at, found in enumerate(by_person) if at != place for each in found]
        yield metric_columns.judged_answer(kind, own[0], others)


def _bleu(first: int, totals: Array) -> Array:
    """Cumulative BLEU-4 from the totals of the columns that begin at `first`."""
    import numpy as np

    n = len(ORDERS)
    shares = [quotient(totals[first + at], totals[first + n + at]) for at in range(n)]
    ratio = quotient(totals[first + 2 * n + 1], totals[first + 2 * n])
    product = np.prod(np.array(shares), axis=0)
    mean: Array = product ** (1 / n) * np.exp(np.minimum(1 - ratio, 0.0))
    return mean


WIDTH = 1 + 2 * len(ORDERS) + 2
"""The columns of a group."""
FIGURES: Mapping[str, OfTotals] = {
    f"{group}.{name}": figure
    for place, group in enumerate(GROUPS)
    for name, figure in (
        ("rouge_l", ratio_estimate(1 + place * WIDTH, 0)),
        ("bleu_4", partial(_bleu, 2 + place * WIDTH)),
    )
}


def measure(questions: Sequence[AnsweredQuestion], seed: str) -> Measured:
    """ROUGE-L and BLEU-4 of people, plain and adapted."""
    kept = [one for one in questions if one.judged]
    few = sum(one.people == 1 for one in questions)
    if not kept:
        reason = BoundReason("too_few") if few else BoundReason("nothing")
        return Measured(why_not=dict.fromkeys(GROUPS, reason))
    counts = (len(kept), sum(len(one.judged) for one in kept))
    found = intervals([one.row for one in kept], FIGURES, seed=seed)
    figures = {key: Figure.from_estimate(one, counts) for key, one in found.items()}
    return Measured(figures, left_out=[BoundReason("few", {"n": few})] if few else [])


HUMAN = HumanBound(
    part=part,
    measure=measure,
    labels={
        "plain": _("Each person’s first answer against the others’"),
        "plain.rouge_l": _("ROUGE-L"),
        "plain.bleu_4": _("BLEU-4"),
        "adapted": _("The same with a bonus for right opinions and entities"),
        "adapted.rouge_l": _("ROUGE-L, adapted"),
        "adapted.bleu_4": _("BLEU-4, adapted"),
    },
    procedures={
        "plain": _(
            "Of questions that at least two people answer, the first answer of each is scored against all answers of "
            "the others, by characters, as the organisers’ script does. In published data each answer is taken for "
            "another person’s, since it does not say who wrote what. ROUGE-L is the mean over the answers of a "
            "question, then over questions; BLEU-4 is of all together. Systems are scored against more answers."
        ),
        "adapted": _("With the weights of the paper: 2 for a right opinion, 1 for right entities."),
    },
    published={},
    source="",
    counts=(_("Questions"), _("Answers")),
    reasons={
        "nothing": _("No question has all of its answers yet."),
        "too_few": _("It takes two people who answer a question. So far no complete question has them."),
        "few": ngettext(
            "%(n)s question is left out because only one person answers it.",
            "%(n)s questions are left out because only one person answers them.",
        ),
    },
)
