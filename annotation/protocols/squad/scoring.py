"""Agreement of two annotations, and the metrics of the official evaluators of SQuAD 1.1 and 2.0.

The scripts differ in edge cases. Two texts without tokens have F1 0 in 1.1 and 1 in 2.0. A question without a
prediction scores 0 in 1.1, while 2.0 stops with an error. 2.0 ignores references without tokens.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from annotation.protocols.squad import schemas
from annotation.statistics.token_f1 import exact, f1, f1_or_none, f1_similarity, mean_best_similarity, tokens
from annotation.values.records import AnnotationRecord, latest_payload

Gold = Mapping[str, Sequence[str]]
"""Question id -> the texts of its answers; none if it is unanswerable."""
Scores = Mapping[str, float]
"""Question id -> 0 to 1."""

NO_ANSWER_ABOVE = 1.0
"""Probability of no answer above which a prediction counts as none (the default of the 2.0 script: never)."""


def evaluate_v1(gold: Gold, predicted: Mapping[str, str]) -> dict[str, float]:
    """What evaluate-v1.1.py prints, in percent; a question without a prediction scores 0.

    ValueError if gold has no question, or a question without an answer.
    """
    if not gold:
        raise ValueError("There is no question.")
    without = [key for key, texts in gold.items() if not texts]
    if without:
        raise ValueError(f"The question {without[0]} has no answer, which SQuAD 1.1 does not allow.")
    found = [(predicted[key], texts) for key, texts in gold.items() if key in predicted]
    return {
        "exact_match": 100.0 * sum(max(exact(said, text) for text in texts) for said, texts in found) / len(gold),
        "f1": 100.0 * sum(max(f1(said, text) for text in texts) for said, texts in found) / len(gold),
    }


def evaluate_v2(
    gold: Gold,
    predicted: Mapping[str, str],
    na_probs: Mapping[str, float] | None = None,
    threshold: float = NO_ANSWER_ABOVE,
) -> dict[str, float]:
    """What evaluate-v2.0.py prints, in percent; "" predicts that there is no answer.

    With `na_probs` (question id -> probability of no answer) also the best thresholds; if the probability is above
    `threshold`, the prediction counts as no answer. ValueError if gold has no question, or one without a prediction or
    a probability (there the script stops with an error).
    """
    if not gold:
        raise ValueError("There is no question.")
    probabilities = dict.fromkeys(predicted, 0.0) if na_probs is None else na_probs
    for name, given in (("prediction", predicted), ("probability of no answer", probabilities)):
        missing = [key for key in gold if key not in given]
        if missing:
            raise ValueError(f"{len(missing)} questions have no {name}: {missing[0]} is the first.")
    raw_exact = {key: max(exact(predicted[key], text) for text in _or_none(texts)) for key, texts in gold.items()}
    raw_f1 = {key: max(f1_or_none(predicted[key], text) for text in _or_none(texts)) for key, texts in gold.items()}
    sure_exact = _with_threshold(raw_exact, gold, probabilities, threshold)
    sure_f1 = _with_threshold(raw_f1, gold, probabilities, threshold)
    figures = _figures(sure_exact, sure_f1, gold)
    for prefix, part in (
        ("HasAns", [key for key, texts in gold.items() if texts]),
        ("NoAns", [key for key, texts in gold.items() if not texts]),
    ):
        if part:
            figures |= {f"{prefix}_{name}": value for name, value in _figures(sure_exact, sure_f1, part).items()}
    if na_probs is not None:
        for name, scores in (("exact", raw_exact), ("f1", raw_f1)):
            figures[f"best_{name}"], figures[f"best_{name}_thresh"] = best_threshold(gold, predicted, scores, na_probs)
    return figures


def _or_none(texts: Sequence[str]) -> Sequence[str]:
    """The references that have tokens; if none has, "" is the only correct answer."""
    return [text for text in texts if tokens(text)] or [""]


def _with_threshold(
    scores: Scores, gold: Gold, probabilities: Mapping[str, float], threshold: float
) -> dict[str, float]:
    return {key: float(not gold[key]) if probabilities[key] > threshold else score for key, score in scores.items()}


def _figures(exact_scores: Scores, f1_scores: Scores, part: Collection[str]) -> dict[str, float]:
    return {
        "exact": 100.0 * sum(exact_scores[key] for key in part) / len(part),
        "f1": 100.0 * sum(f1_scores[key] for key in part) / len(part),
        "total": len(part),
    }


def best_threshold(
    gold: Gold, predicted: Mapping[str, str], scores: Scores, na_probs: Mapping[str, float]
) -> tuple[float, float]:
    """(score in percent, threshold): the best score of any threshold, and the first threshold that gives it.

    Starts with no answer to any question and adds the predictions by ascending probability of no answer, one at a time
    even if several have the same one, as the script does.
    """
    score: float = sum(not texts for texts in gold.values())
    best, threshold = score, 0.0
    for key in sorted(na_probs, key=lambda each: na_probs[each]):
        if key not in scores:
            continue
        if gold[key]:
            score += scores[key]
        elif predicted[key]:
            score -= 1
        if score > best:
            best, threshold = score, na_probs[key]
    return 100.0 * best / len(scores), threshold


def human(gold: Gold) -> dict[str, float | int | None]:
    """Human scores by the paper's measure, as fractions: the second answer to each question against all the others.

    Only questions with at least two answers count; "" means unanswerable. None if no question has two answers.
    """
    asked = [(texts[1], [texts[0], *texts[2:]]) for texts in gold.values() if len(texts) > 1]
    return {
        "questions": len(asked),
        "exact": mean_or_none(max(exact(second, text) for text in others) for second, others in asked),
        "f1": mean_or_none(max(f1_or_none(second, text) for text in others) for second, others in asked),
    }


def mean_or_none(values: Iterable[float]) -> float | None:
    """The mean, or None if there are no values."""
    found = list(values)
    return sum(found) / len(found) if found else None


def compare(activity: str, a: AnnotationRecord, b: AnnotationRecord) -> float:
    """Agreement of two annotations of one item, 0 to 1.

    Answers: token F1; unanswerable agrees only with unanswerable. Questions: each question's best token F1 with a
    question of the other annotation, averaged over all questions of both.
    """
    if activity == "ask":
        return mean_best_similarity(_questions(a), _questions(b))
    one, other = answer_text(latest_payload(a.answers, "answer")), answer_text(latest_payload(b.answers, "answer"))
    return f1_similarity(one, other) if one and other else float(one == other)


def _questions(annotation: AnnotationRecord) -> list[str]:
    written = latest_payload(annotation.answers, "questions")
    return [question.text for question in written.questions] if written is not None else []


def answer_text(payload: Any) -> str:
    """The text of an answer, ours or published, as the evaluators compare it; "" for no answer."""
    match payload:
        case schemas.PublishedAnswer():
            return payload.text
        case schemas.Marked():
            return payload.span.quote
    return ""
