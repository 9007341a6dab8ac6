"""How often what a person says is flagged with good reason: a posterior per turn, with an interval (pure).

A flag that a lead upheld is valid, one that was dismissed is not. One that is not decided yet is valid with the
probability p that flags of its author are upheld, the mean of a Beta posterior with u of theirs upheld, d dismissed:

    p = (a + u) / (a + b + u + d),  a = 2 m,  b = 2 (1 - m),  m = (U + 1) / (U + D + 2).

The prior Beta(a, b) has the share m of the project's U + D decided flags that were upheld as its mean, and the weight
of two decisions. The number V of a person's valid flags is those upheld plus one toss for each undecided one. Given V,
the rate per turn follows from a Poisson model with n turns and a Gamma prior:

    rate | V ~ Gamma(1 + V, 1 / r + n),  r = (E + 1) / (N + 100).

The prior, worth one flag, has the project's rate r as its mean: E valid flags are expected in its N turns, and before
anything is known it is 1 in 100. The posterior is the mixture over V, whose probabilities are Poisson binomial. Not in
the model: that p is itself uncertain, and that tosses about flags of one author go together.

Gelman et al., Bayesian Data Analysis, 3rd edition (2013): sections 2.4 (Beta), 2.6 (Poisson with exposure, Gamma prior)
and 5.1 (a prior estimated from the group).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, lgamma, log, sqrt

WITHIN = 0.95
"""The probability of the interval, whose tails are equal."""


@dataclass(frozen=True)
class Rate:
    """Valid flags per turn: the posterior mean, and the ends of its interval."""

    mean: float
    low: float
    high: float


def reliability(upheld: int, dismissed: int, *, all_upheld: int, all_dismissed: int) -> float:
    """The probability that an undecided flag is upheld, from its author's decided flags and from all of the project."""
    share = (all_upheld + 1) / (all_upheld + all_dismissed + 2)
    return (2 * share + upheld) / (2 + upheld + dismissed)


def typical(expected: float, turns: int) -> float:
    """The rate of a project in which so many flags are expected to be valid."""
    return (expected + 1) / (turns + 100)


def rate(chances: Sequence[float], *, turns: int, typical: float) -> Rate:
    """The posterior of a person in whose turns there are flags that are valid with these chances (1: upheld)."""
    weights, beta = _numbers(chances), 1 / typical + turns

    def below(value: float) -> float:
        return sum(
            weight * _gamma_cdf(1 + valid, beta * value) for valid, weight in enumerate(weights) if weight > 1e-15
        )

    tail = (1 - WITHIN) / 2
    return Rate((1 + sum(chances)) / beta, _solve(below, tail), _solve(below, 1 - tail))


def _numbers(chances: Sequence[float]) -> list[float]:
    """The probability of each number of successes in independent tosses with these chances."""
    found = [1.0]
    for chance in chances:
        missed, hit = [(1 - chance) * each for each in found], [chance * each for each in found]
        found = [a + b for a, b in zip([*missed, 0.0], [0.0, *hit], strict=True)]
    return found


def _gamma_cdf(shape: float, value: float) -> float:
    """The regularised lower incomplete gamma function, by its series (Abramowitz and Stegun 6.5.29)."""
    if value <= 0:
        return 0.0
    if value > shape + 30 * sqrt(shape) + 200:
        return 1.0
    term = exp(shape * log(value) - value - lgamma(shape + 1))
    total, at = term, shape
    while term > 1e-17 * total or at < value:
        at += 1
        term *= value / at
        total += term
    return min(1.0, total)


def _solve(increasing: Callable[[float], float], wanted: float) -> float:
    """Where a function of values from 0 on that increases from 0 to 1 takes this value, by bisection."""
    low, high = 0.0, 1.0
    while increasing(high) < wanted:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if increasing(middle) < wanted else (low, middle)
    return (low + high) / 2
