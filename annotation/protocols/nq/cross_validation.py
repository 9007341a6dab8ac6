"""The super-annotator's threshold, chosen on other questions than those that it is judged on (two-fold, repeated).

The best threshold of a table is too good for the questions of that table. So the questions are split at random into
halves; on each half the threshold with the best F1 is chosen, for long and for short answers apart, and the other half
is judged with it. That is repeated, and a question's sums are means over the repetitions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from annotation.statistics.intervals import Row

if TYPE_CHECKING:
    from numpy.typing import NDArray

REPETITIONS = 20
"""How often the questions are split into halves."""
FEWEST = 2
"""Questions that can be split."""


class CrossValidated(NamedTuple):
    """The sums of each question, and the lowest and highest threshold that was chosen for each kind of answer."""

    rows: list[Row]
    chosen: list[tuple[int, int]]


def judged(by_threshold: Sequence[Sequence[Row]], *, columns: int, usual: int, seed: str) -> CrossValidated:
    """Judge every question with thresholds that other questions chose.

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
