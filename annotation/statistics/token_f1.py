"""Token F1 of short texts under SQuAD's normalisation, which several official evaluators share (pure)."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(a|an|the)\b")


def tokens(text: str) -> list[str]:
    """Lower-cased tokens without ASCII punctuation and English articles, split at white space."""
    return _ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split()


def f1(one: str, other: str) -> float:
    """Token F1, 0..1; 0 if the texts share no token, even if neither has one."""
    return f1_of_counts(*shared_tokens(one, other))


def exact(one: str, other: str) -> float:
    """1 if both texts have the same tokens in the same order, or none; else 0."""
    return float(tokens(one) == tokens(other))


def f1_or_none(one: str, other: str) -> float:
    """Token F1; a text without tokens is no answer, which agrees only with no answer."""
    return f1(one, other) if tokens(one) or tokens(other) else 1.0


def shared_tokens(one: str, other: str) -> tuple[int, int, int]:
    """How many tokens the texts share, and how many each has; a token counts as often as both have it."""
    first, second = tokens(one), tokens(other)
    return sum((Counter(first) & Counter(second)).values()), len(first), len(second)


def f1_of_counts(same: int, one: int, other: int) -> float:
    """F1 of two collections of sizes `one` and `other` that share `same` elements; 0 if they share none."""
    if not same:
        return 0.0
    precision, recall = same / one, same / other
    return 2 * precision * recall / (precision + recall)


def f1_fraction(same: int, one: int, other: int) -> Fraction:
    """The exact value that `f1_of_counts` computes with rounding."""
    return Fraction(2 * same, one + other) if same else Fraction(0)


def f1_points(one: str, other: str) -> Fraction:
    """The exact value of `f1_similarity`: token F1, but 1 for equal texts, even without tokens."""
    return Fraction(1) if one == other else f1_fraction(*shared_tokens(one, other))


def f1_similarity(one: str, other: str) -> float:
    """Token F1, but 1 for equal texts, even without tokens."""
    return 1.0 if one == other else f1(one, other)


def mean_best_similarity(
    one: Sequence[Any], other: Sequence[Any], similarity: Callable[[Any, Any], float] = f1_similarity
) -> float:
    """How alike two lists of texts are, 0..1: each text against its best match on the other side, averaged."""
    if not one or not other:
        return float(not one and not other)
    best = [max(similarity(text, found) for found in other) for text in one]
    best += [max(similarity(text, found) for found in one) for text in other]
    return sum(best) / len(best)
