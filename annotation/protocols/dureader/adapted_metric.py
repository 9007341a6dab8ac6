"""ROUGE-L and BLEU-4 with a bonus for right opinions and entities (An Yang et al. 2018), as in the LIC 2019 package.

At the level of characters the figures are those of its mrc_eval.py; at that of words texts are given as tokens. With
both weights 0 the metrics are plain. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.protocols.dureader.overlap import (
    ORDERS,
    BleuCounts,
    Tokens,
    brevity,
    characters,
    clipped,
    common_subsequence,
    f_measure,
    n_grams,
)

HALF_WIDTH = str.maketrans("，。！？；（）【】“", ',.!?;()[]"')
"""The package writes these in half width; it leaves the closing quote and the colon as they are."""


@dataclass(frozen=True)
class Weights:
    """The weights of a right opinion (alpha) and of right entities (beta), and of recall (gamma); the paper's."""

    alpha: float = 2.0
    beta: float = 1.0
    gamma: float = 1.2


@dataclass(frozen=True)
class JudgedAnswers:
    """A question with its predicted answer, as tokens: the references with their opinions ("" for none), the prediction
    with its own, and the entities of all references, each once.
    """

    question_type: str
    references: tuple[Tokens, ...]
    opinions: tuple[str, ...]
    candidate: Tokens
    opinion: str
    entities: tuple[Tokens, ...]

    @property
    def by_opinion(self) -> bool:
        """Whether a right opinion has a bonus."""
        return self.question_type == "YES_NO" and bool(self.opinion)

    @property
    def by_entity(self) -> bool:
        """Whether right entities have a bonus."""
        return self.question_type == "ENTITY" and not self.by_opinion

    def same_opinion(self) -> list[Tokens]:
        """The references with the predicted opinion."""
        return [each for each, said in zip(self.references, self.opinions, strict=True) if said == self.opinion]


@dataclass(frozen=True)
class RougeParts:
    """ROUGE-L of one question: by reference the common subsequence, its bonus, precision and recall; and the figure."""

    common: tuple[int, ...]
    bonus: tuple[int, ...]
    precisions: tuple[float, ...]
    recalls: tuple[float, ...]
    figure: float


def normal_characters(text: str) -> list[str]:
    """The characters of a text as the package compares them."""
    return characters(text.translate(HALF_WIDTH))


def rouge(judged: JudgedAnswers, weights: Weights) -> RougeParts:
    """The best precision and the best recall over the references, of whichever they are."""
    common = [common_subsequence(judged.candidate, each) for each in judged.references]
    bonus = _rouge_bonus(judged, common)
    weight = weights.alpha if judged.by_opinion else weights.beta
    more = [weight * each for each in bonus]
    precisions = [_share(lcs + add, len(judged.candidate) + add) for lcs, add in zip(common, more, strict=True)]
    lengths = [len(each) for each in judged.references]
    recalls = [_share(lcs + add, n + add) for lcs, add, n in zip(common, more, lengths, strict=True)]
    figure = f_measure(max(precisions), max(recalls), weights.gamma)
    return RougeParts(tuple(common), tuple(bonus), tuple(precisions), tuple(recalls), figure)


def _rouge_bonus(judged: JudgedAnswers, common: Sequence[int]) -> list[int]:
    if judged.by_opinion:
        return [lcs if said == judged.opinion else 0 for lcs, said in zip(common, judged.opinions, strict=True)]
    found = sum(len(each) for each in judged.entities if _occurs(each, judged.candidate)) if judged.by_entity else 0
    return [found] * len(common)


def _occurs(part: Tokens, whole: Tokens) -> bool:
    """Whether the tokens follow each other somewhere in the others; an empty part does not."""
    return bool(part) and any(list(whole[at : at + len(part)]) == list(part) for at in range(len(whole)))


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def count_n_grams(rows: Iterable[JudgedAnswers], weights: Weights) -> BleuCounts:
    """The sums of BLEU over a corpus; a bonus is added to what is matched and to what is there, not to lengths."""
    counts = BleuCounts()
    for judged in rows:
        counts.add_lengths(judged.candidate, judged.references)
        counts.add_matches(judged.candidate, judged.references)
        favoured: tuple[Tokens, ...] = ()
        weight = 0.0
        if judged.by_opinion:
            favoured, weight = tuple(judged.same_opinion()), weights.alpha
        elif judged.by_entity:
            favoured, weight = judged.entities, weights.beta
        for n in ORDERS:
            more = weight * clipped(n_grams(judged.candidate, n), (n_grams(each, n) for each in favoured))
            counts.matched[n - 1] += more
            counts.of[n - 1] += more
    return counts


def bleu(counts: BleuCounts) -> list[float]:
    """Cumulative BLEU-1 to BLEU-4."""
    if not counts.candidate_length:
        return [0.0] * len(ORDERS)
    penalty = brevity(counts.candidate_length / counts.reference_length) if counts.reference_length else 1.0
    return [each * penalty for each in counts.cumulative(_share)]


def figures(rows: Sequence[JudgedAnswers], weights: Weights) -> dict[str, float]:
    """ROUGE-L and BLEU-4 in percent with two decimals, as the package prints them."""
    mean = sum(rouge(each, weights).figure for each in rows) / len(rows)
    return {"ROUGE-L": round(100 * mean, 2), "BLEU-4": round(100 * bleu(count_n_grams(rows, weights))[-1], 2)}


def judged_answers(
    reference: Mapping[str, Any], prediction: Mapping[str, Any] | None, *, by_words: bool = False
) -> JudgedAnswers | None:
    """A row of each file; None for a question without reference answers, which the package skips.

    A prediction that is missing is the empty text; only its first answer and opinion count. `by_words`: tokens are
    those of `segmented_answers`, or parted by white space; otherwise characters.
    """
    answers = reference.get("answers") or []
    if not answers:
        return None
    given, tokens = prediction or {}, words if by_words else normal_characters
    entities = {entity for each in reference.get("entity_answers") or [] for entity in each}
    return JudgedAnswers(
        question_type=reference["question_type"],
        references=tuple(_tokens(reference, by_words)),
        opinions=tuple(reference.get("yesno_answers") or [""] * len(answers)),
        candidate=tuple(next(iter(_tokens(given, by_words)), ())),
        opinion=(given.get("yesno_answers") or [""])[0],
        entities=tuple(sorted({tuple(tokens(each)) for each in entities})),
    )


def words(text: str) -> list[str]:
    """The tokens of a text that are parted by white space."""
    return text.split()


def _tokens(row: Mapping[str, Any], by_words: bool) -> list[tuple[str, ...]]:
    """The tokens of each answer of a row."""
    answers = row.get("answers") or []
    if not by_words:
        return [tuple(normal_characters(each)) for each in answers]
    segmented = row.get("segmented_answers") or []
    return (
        [tuple(each) for each in segmented]
        if len(segmented) == len(answers)
        else [tuple(each.split()) for each in answers]
    )
