"""The metrics of each answer alone, and of any set of answers, to be compared with people's scores. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from annotation.i18n import _
from annotation.judging.answer_metrics import AnswerMetrics, Column, JudgedCase, WeightSweep
from annotation.protocols.dureader.adapted_metric import (
    JudgedAnswers,
    Weights,
    bleu,
    count_n_grams,
    normal_characters,
    rouge,
)
from annotation.protocols.dureader.overlap import ORDERS, BleuCounts
from annotation.protocols.dureader.rules import answers_in
from annotation.protocols.dureader.schemas import Composed, PublishedAnswers, Question, WrittenAnswer
from annotation.values.records import AnnotationRecord, GivenAnswer, latest_payload

ADAPTED, PLAIN = Weights(), Weights(alpha=0.0, beta=0.0)
SWEPT = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
"""The weights that are tried."""
ByAnswer = Callable[[Sequence[JudgedAnswers], Weights], Iterable[float]]
"""What gives a metric of each of these answers."""
PUBLISHED = {
    "adapted_rouge": {"YES_NO": 0.540, "ENTITY": 0.620, "all": 0.570},
    "rouge": {"YES_NO": 0.493, "ENTITY": 0.491, "all": 0.504},
    "adapted_bleu": {"YES_NO": 0.478, "ENTITY": 0.469, "all": 0.481},
    "bleu": {"YES_NO": 0.459, "ENTITY": 0.397, "all": 0.450},
}
"""Pearson's correlation with people's scores per answer (metrics paper, Table 2)."""
PUBLISHED_SETS = {
    "adapted_rouge": {"YES_NO": 0.702, "ENTITY": 0.884, "all": 0.792},
    "rouge": {"YES_NO": 0.664, "ENTITY": 0.839, "all": 0.760},
    "adapted_bleu": {"YES_NO": 0.536, "ENTITY": 0.686, "all": 0.646},
    "bleu": {"YES_NO": 0.571, "ENTITY": 0.668, "all": 0.681},
}
"""The same per set of 30 questions (the same table)."""


def judged_answer(kind: str, own: WrittenAnswer, others: Sequence[WrittenAnswer]) -> JudgedAnswers:
    """An answer to a question of a kind, to be compared with the others."""
    entities = {tuple(normal_characters(name)) for each in others for name in each.entities}
    return JudgedAnswers(
        question_type=kind,
        references=tuple(tuple(normal_characters(each.text)) for each in others),
        opinions=tuple(each.opinion or "" for each in others),
        candidate=tuple(normal_characters(own.text)),
        opinion=own.opinion or "",
        entities=tuple(sorted(entities)),
    )


def _judged(case: JudgedCase) -> JudgedAnswers | None:
    """An answer against those of others; of published ones each is another's. None if there is no other."""
    own = answers_in(case.answer) or ()
    published = isinstance(latest_payload(case.answer.answers, "answers"), PublishedAnswers)
    others = [each for place, each in enumerate(own) if published and place != case.turn]
    others += [each for one in case.others for each in answers_in(one) or ()]
    others = [each for each in others if each.text.strip()]
    if not others:
        return None
    return judged_answer(Question.from_stored(case.item.payload).question_type or "", own[case.turn], others)


def _column(metric: ByAnswer, cases: Sequence[JudgedCase], weights: Weights) -> Column:
    """The figures of those that have references, in their places."""
    judged = [_judged(case) for case in cases]
    left = iter(metric([each for each in judged if each is not None], weights))
    return [None if each is None else next(left) for each in judged]


def _columns(cases: Sequence[JudgedCase]) -> dict[str, Column]:
    return {
        "adapted_rouge": _column(rouge_by_answer, cases, ADAPTED),
        "rouge": _column(rouge_by_answer, cases, PLAIN),
        "adapted_bleu": _column(bleu_by_answer, cases, ADAPTED),
        "bleu": _column(bleu_by_answer, cases, PLAIN),
    }


def rouge_by_answer(judged: Sequence[JudgedAnswers], weights: Weights) -> list[float]:
    """ROUGE-L of each answer, 0 to 1. Of a set of answers it is the mean."""
    return [rouge(each, weights).figure for each in judged]


def bleu_by_answer(judged: Sequence[JudgedAnswers], weights: Weights) -> list[float]:
    """Cumulative BLEU-4 of each answer as if it were a corpus, 0 to 1; without a common run of four tokens it is 0."""
    return [bleu(count_n_grams([each], weights))[-1] for each in judged]


def bleu_of_sets(judged: Sequence[JudgedAnswers], weights: Weights) -> Callable[[Iterable[int]], float]:
    """What gives the cumulative BLEU-4 of a set of the answers, by their places: that of a corpus, which is no mean."""
    counted = [count_n_grams([each], weights) for each in judged]

    def of_set(places: Iterable[int]) -> float:
        total = BleuCounts()
        for place in places:
            one = counted[place]
            for n in range(len(ORDERS)):
                total.matched[n] += one.matched[n]
                total.of[n] += one.of[n]
            total.candidate_length += one.candidate_length
            total.reference_length += one.reference_length
        return bleu(total)[-1]

    return of_set


def _of_sets(cases: Sequence[JudgedCase]) -> dict[str, Callable[[Iterable[int]], float]]:
    """BLEU-4 of sets; ROUGE-L of a set is the mean of its answers."""
    judged = [each for each in map(_judged, cases) if each is not None]
    return {"adapted_bleu": bleu_of_sets(judged, ADAPTED), "bleu": bleu_of_sets(judged, PLAIN)}


def predicted_record(payload: Mapping[str, Any]) -> AnnotationRecord:
    """A system's answer, with its opinion or entities, as one that was written."""
    answer = WrittenAnswer.model_construct(
        text=payload["answer"], opinion=payload.get("opinion") or None, entities=tuple(payload.get("entities") or ())
    )
    return AnnotationRecord("compose", (GivenAnswer("answers", Composed.model_construct(answers=(answer,))),))


METRICS = AnswerMetrics(
    titles={
        "adapted_rouge": _("ROUGE-L, adapted"),
        "rouge": _("ROUGE-L"),
        "adapted_bleu": _("BLEU-4, adapted"),
        "bleu": _("BLEU-4"),
    },
    columns=_columns,
    predicted=predicted_record,
    of_sets=_of_sets,
    tests=(("adapted_rouge", "rouge"), ("adapted_bleu", "bleu")),
    sweeps={
        "alpha": WeightSweep(
            _("The weight of opinions in adapted ROUGE-L (alpha)"),
            SWEPT,
            ADAPTED.alpha,
            lambda cases, value: _column(rouge_by_answer, cases, Weights(alpha=value, beta=ADAPTED.beta)),
        ),
        "beta": WeightSweep(
            _("The weight of entities in adapted ROUGE-L (beta)"),
            SWEPT,
            ADAPTED.beta,
            lambda cases, value: _column(rouge_by_answer, cases, Weights(alpha=ADAPTED.alpha, beta=value)),
        ),
    },
    published=PUBLISHED,
    published_sets=PUBLISHED_SETS,
    source="DuReader metrics paper, Table 2",
)
"""Compared with what judges say of answers, from 1 to 5."""
