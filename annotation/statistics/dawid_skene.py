"""Each annotator's accuracy, and the probable class of each item, from their answers alone: Dawid and Skene (pure).

Model: item i has an unknown class j with the probability p_j; annotator a answers l where the class is j with the
probability pi_a[j, l], independently of everybody else. EM repeats, from the shares of each item's answers on:

    M: p_j = mean over items of T_ij;  pi_a[j, l] proportional to s + the sum of T_ij over the items that a called l
    E: T_ij proportional to p_j times the product over the item's answers (a, l) of pi_a[j, l]

until the log-likelihood rises by less than a millionth per item. s was 0 in 1979; a small s keeps people with few
answers away from 0 and 1.

The accuracy of an annotator is the expected share of their answers that name the item's class, the mean of T_i[l] over
their answers; its 95 % interval is Wilson's for that share of as many items as they have answered: what somebody says
in several turns of one conversation counts as one. Not in it: that the classes themselves are uncertain. The model
takes the answers as independent given the class, and needs items with several answers: one answer alone is always
right.

A. P. Dawid and A. M. Skene, Maximum likelihood estimation of observer error-rates using the EM algorithm, Applied
Statistics 28 (1979), 20-28. E. B. Wilson, Probable inference, Journal of the American Statistical Association 22
(1927), 209-212.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from annotation.statistics.estimates import Estimate
from annotation.statistics.intervals import wilson
from annotation.statistics.ratings import Array

MOST_ROUNDS = 200


@dataclass(frozen=True, eq=False)
class Fit:
    """`classes`: items x classes, the probability of each. `shares`: of the classes. `confusion`: people x class x
    answer. `right`: for each answer, the probability that it is its item's class."""

    classes: Array
    shares: Array
    confusion: Array
    right: Array
    rounds: int


def fit(item: Array, person: Array, answer: Array, *, k: int, smoothing: float = 0.0, tolerance: float = 1e-6) -> Fit:
    """EM on answers, given as parallel arrays of item, person and class (0 to k - 1), all numbered from 0.

    It ends when the log-likelihood rises by less than the tolerance per item.
    """
    n, people = int(item.max(initial=-1)) + 1, int(person.max(initial=-1)) + 1
    classes = np.bincount(item * k + answer, minlength=n * k).reshape(n, k).astype(float)
    classes /= np.maximum(classes.sum(axis=1, keepdims=True), 1)
    before, rounds = -np.inf, 0
    for rounds in range(1, MOST_ROUNDS + 1):  # noqa: B007 (it is returned)
        shares = classes.mean(axis=0)
        confusion = _confusion(classes, item, person, answer, people, smoothing)
        with np.errstate(divide="ignore"):
            logs = np.log(confusion)[person, :, answer]
            joint = np.stack([np.bincount(item, weights=logs[:, j], minlength=n) for j in range(k)], axis=1)
            joint += np.log(shares)
        highest = joint.max(axis=1, keepdims=True)
        classes = np.exp(joint - highest)
        total = classes.sum(axis=1, keepdims=True)
        classes /= total
        likelihood = float((highest + np.log(total)).sum())
        if likelihood - before < tolerance * n:
            break
        before = likelihood
    return Fit(classes, shares, confusion, classes[item, answer], rounds)


def accuracies(fit: Fit, person: Array, whole: Array) -> list[Estimate]:
    """The accuracy of each person, the expected share of their answers that are right.

    `person` is that of `fit`; `whole`: of each answer, what its item is a part of, which is what n counts.
    """
    answers = np.bincount(person)
    right = np.bincount(person, weights=fit.right) / np.maximum(answers, 1)
    both = np.unique(np.stack([person, whole], axis=1), axis=0)
    n = np.bincount(both[:, 0], minlength=len(answers))
    return [Estimate(*wilson(float(one) * int(count), int(count))) for one, count in zip(right, n, strict=True)]


def _confusion(classes: Array, item: Array, person: Array, answer: Array, people: int, smoothing: float) -> Array:
    k = classes.shape[1]
    found = np.empty((people, k, k))
    for j in range(k):
        weights = classes[item, j]
        found[:, j, :] = np.bincount(person * k + answer, weights=weights, minlength=people * k).reshape(people, k)
    found += smoothing
    shares: Array = found / np.maximum(found.sum(axis=2, keepdims=True), 1e-300)
    return shares
