"""The human score on QASPER's metrics: each answer as a prediction against the others (the paper, section 4).

The mean is over questions with at least three answers, first over the answers of a question. The questions of a paper
are not independent, so the bootstrap draws papers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from annotation.i18n import _, ngettext
from annotation.protocol_tools import HumanBound
from annotation.protocols.qasper.scoring import AT_LEAST, TYPES, Reference, gold_references, left_one_out, mean
from annotation.protocols.qasper.statistics import LABELS as WORDS
from annotation.protocols.qasper.statistics import PUBLISHED as REPORTED
from annotation.protocols.qasper.writing import paper
from annotation.statistics.human_bound import BoundReason, Figure, Measured
from annotation.statistics.intervals import OfTotals, Row, intervals, ratio_estimate
from annotation.values.records import ReleaseRecord


@dataclass(frozen=True)
class Paper:
    """The references of each question about a paper; and the same without figures and tables in the evidence."""

    questions: tuple[tuple[Reference, ...], ...]
    of_texts: tuple[tuple[Reference, ...], ...]

    @cached_property
    def row(self) -> Row:
        """Questions, sums of their mean answer F1, evidence F1, and of texts; by type answers, their F1, questions."""
        questions = [left_one_out(one) for one in _enough(self.questions)]
        texts = [left_one_out(one) for one in _enough(self.of_texts)]
        rows = [row for question in questions for row in question]
        sums = [
            float(len(questions)),
            sum(mean(row.answer_f1 for row in question) for question in questions),
            sum(mean(row.evidence_f1 for row in question) for question in questions),
            sum(mean(row.evidence_f1 for row in question) for question in texts),
        ]
        for kind in TYPES:
            of_type = [row.answer_f1 for row in rows if row.type == kind]
            with_it = sum(any(row.type == kind for row in question) for question in questions)
            sums += [float(len(of_type)), sum(of_type), float(with_it)]
        return tuple(sums)


def part(record: ReleaseRecord, seed: str) -> Paper:
    """The paper of a record; published answers without a type are left out."""
    questions = paper(record).get("qas", ())
    answers = [[one["answer"] for one in question.get("answers", ())] for question in questions]
    return Paper(
        tuple(tuple(gold_references(found)) for found in answers),
        tuple(tuple(gold_references(found, text_evidence_only=True)) for found in answers),
    )


def _enough(questions: Iterable[Sequence[Reference]]) -> list[Sequence[Reference]]:
    return [one for one in questions if len(one) >= AT_LEAST]


FIGURES: Mapping[str, OfTotals] = {
    "all.answer_f1": ratio_estimate(1, 0),
    "all.evidence_f1": ratio_estimate(2, 0),
    "all.evidence_f1_of_texts": ratio_estimate(3, 0),
} | {f"by_type.{kind}": ratio_estimate(5 + 3 * place, 4 + 3 * place) for place, kind in enumerate(TYPES)}


def measure(papers: Sequence[Paper], seed: str) -> Measured:
    """Answer F1 and Evidence F1 of people, and Answer F1 by the type of the reference that fits best."""
    questions = [one for found in papers for one in found.questions if one]
    few = len(questions) - len(_enough(questions))
    kept = [found for found in papers if _enough(found.questions)]
    if not kept:
        most = max(map(len, questions), default=0)
        reason = BoundReason("too_few", {"n": most}) if most else BoundReason("nothing")
        return Measured(why_not={"all": reason, "by_type": reason})
    rows = [found.row for found in kept]
    found = intervals(rows, FIGURES, seed=seed)
    answers = [one for paper in kept for one in _enough(paper.questions)]
    n: dict[str, tuple[int, ...]] = {"all": (len(kept), len(answers), sum(map(len, answers)))}
    n |= {f"by_type.{kind}": _of_type(rows, 4 + 3 * place) for place, kind in enumerate(TYPES)}
    figures = {key: Figure.from_estimate(one, n.get(key, n["all"])) for key, one in found.items()}
    return Measured(figures, left_out=[BoundReason("few", {"n": few})] if few else [])


def _of_type(rows: Sequence[Row], column: int) -> tuple[int, ...]:
    """The papers, questions and answers of the type that begins at this column."""
    return sum(row[column] > 0 for row in rows), *(int(sum(row[at] for row in rows)) for at in (column + 2, column))


TYPE_WORDS = {kind: WORDS[f"human_answer_f1_by_type.{kind}"] for kind in TYPES}
HUMAN = HumanBound(
    part=part,
    measure=measure,
    labels={
        "all": _("Each answer against the others"),
        "all.answer_f1": _("Answer F1"),
        "all.evidence_f1": _("Evidence F1"),
        "all.evidence_f1_of_texts": _("Evidence F1, text only"),
        "by_type": _("Answer F1 by type"),
    }
    | {f"by_type.{kind}": word for kind, word in TYPE_WORDS.items()},
    procedures={
        "all": _(
            "Of questions with at least three answers, each answer is scored against the others like a prediction, by "
            "the rules of the evaluator: the best F1 counts. The figure is the mean over the answers of a question, "
            "then over questions. Systems are scored against one answer more, so the paper calls it a lower bound on "
            "what people can do. For text only, figures and tables are left out of the evidence."
        ),
        "by_type": _("The same answers, each by the type of the other answer that it fits best, as in the evaluator."),
    },
    published={
        "all.answer_f1": REPORTED["human_answer_f1"],
        "all.evidence_f1": REPORTED["human_evidence_f1"],
    }
    | {f"by_type.{kind}": value for kind, value in REPORTED["human_answer_f1_by_type"].items()},
    source=_("the QASPER paper (2021), tables 2 and 3, on the test set"),
    counts=(_("Papers"), _("Questions"), _("Answers")),
    reasons={
        "nothing": _("No question has all of its answers yet."),
        "too_few": _(
            "It takes at least three answers to a question. So far no question that is complete has more than %(n)s."
        ),
        "few": ngettext(
            "%(n)s question is left out because it has fewer than three answers.",
            "%(n)s questions are left out because they have fewer than three answers.",
        ),
    },
)
