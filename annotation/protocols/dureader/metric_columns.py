"""The metrics of each answer alone, and of any set of answers, to be compared with people's scores. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from annotation.protocols.dureader.adapted_metric import JudgedAnswers, Weights, bleu, count_n_grams, rouge
from annotation.protocols.dureader.overlap import ORDERS, BleuCounts


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
