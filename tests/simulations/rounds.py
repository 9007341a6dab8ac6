"""How often intervals of judging rounds contain the truth: questions with several exhibits, judged by two raters.

Marks: each question has its own chance of the mark, drawn from a beta distribution with the mean `truth`.

Scores from 1 to 5: half of the questions have mostly good answers, half mostly bad ones. Each question has its own
chance that both raters see what an exhibit is worth, from a beta distribution with the mean `truth`; if not, each says
a score by the shares of all questions. So both raters have the same shares, and Pearson's correlation, quadratic kappa
and ICC(2,1) all have the value `truth`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

import numpy as np

from annotation.statistics.bootstrap import estimate
from annotation.statistics.clustered_means import ClusteredMean
from annotation.statistics.correlation import absolute_agreement, pearson_of_raters
from annotation.statistics.estimates import Estimate
from annotation.statistics.kappa import weighted_kappa
from annotation.statistics.ratings import Ratings
from tests.simulations.cover import SPREAD

SCALE = (1, 2, 3, 4, 5)
GOOD = np.array([0.05, 0.1, 0.2, 0.35, 0.3])
BAD = np.array([0.25, 0.3, 0.2, 0.15, 0.1])
STATISTICS = {"pearson": pearson_of_raters, "weighted_kappa": weighted_kappa, "icc": absolute_agreement}
QUESTIONS = (10, 20, 50, 139, 500)
EXHIBITS = (1, 5)
ROUNDS = 2000


@dataclass(frozen=True)
class RoundCell:
    """What is simulated: `statistic` is marks, pearson, weighted_kappa or icc, and `truth` its value without end."""

    statistic: str
    truth: float
    questions: int
    exhibits: int

    def estimate(self, rng: np.random.Generator) -> Estimate:
        """The statistic of a new round, with its interval."""
        chance = rng.beta(SPREAD * self.truth, SPREAD * (1 - self.truth), size=self.questions)
        if self.statistic == "marks":
            marked = rng.binomial(self.exhibits, chance)
            share = ClusteredMean(tuple((float(n), self.exhibits) for n in marked), is_share=True)
            return share.figure(seed="round").estimate
        return estimate(STATISTICS[self.statistic](self._ratings(rng, chance)))

    def _ratings(self, rng: np.random.Generator, chance: Any) -> Ratings:
        question = np.repeat(np.arange(self.questions), self.exhibits)
        n = len(question)
        good = rng.random(self.questions) < 0.5
        of_question = np.where(good[question, None], GOOD, BAD).cumsum(axis=1)
        worth = (rng.random(n)[:, None] > of_question[:, :-1]).sum(axis=1)
        seen = rng.random(n) < chance[question]
        said = rng.choice(len(SCALE), size=(n, 2), p=(GOOD + BAD) / 2)
        said[seen] = worth[seen, None]
        item, person = np.repeat(np.arange(n), 2), np.tile([0, 1], n)
        return Ratings(item, person, said.ravel(), SCALE, ("a", "b"), question, question)


@dataclass(frozen=True)
class RoundCover:
    """Of so many rounds, those with an interval, and those whose interval contains the truth."""

    rounds: int
    given: int
    covered: int


def round_cells() -> list[RoundCell]:
    """Everything that is simulated of rounds."""
    found = [RoundCell("marks", truth, n, 5) for truth, n in product((0.1, 0.5), QUESTIONS)]
    return found + [RoundCell(name, 0.8, n, each) for name, each, n in product(STATISTICS, EXHIBITS, QUESTIONS)]


def round_cover(cell: RoundCell, *, rounds: int = ROUNDS) -> RoundCover:
    """Make rounds of a cell, always the same ones."""
    rng = np.random.default_rng(list(repr(cell).encode()))
    given = covered = 0
    for _ in range(rounds):
        found = cell.estimate(rng)
        if found.low is not None and found.high is not None:
            given += 1
            covered += found.low <= cell.truth <= found.high
    return RoundCover(rounds, given, covered)


def round_row(cell: RoundCell) -> dict[str, Any]:
    """Simulate a cell, for the file of results."""
    return asdict(cell) | asdict(round_cover(cell))


def round_of_row(row: dict[str, Any]) -> tuple[RoundCell, RoundCover]:
    """From the file of results."""
    of_cell = RoundCell.__dataclass_fields__
    cell = RoundCell(**{name: row[name] for name in of_cell})
    return cell, RoundCover(**{name: value for name, value in row.items() if name not in of_cell})


def round_table(found: dict[RoundCell, RoundCover], in_words: Any) -> str:
    """A row for each number of questions, as a table in Markdown; `in_words` says what one cell has."""
    columns = [("marks", 0.1, 5), ("marks", 0.5, 5), *((name, 0.8, each) for name in STATISTICS for each in EXHIBITS)]
    lines = [
        "| questions | share 10 % | share 50 % | Pearson, 1 | Pearson, 5 | kappa, 1 | kappa, 5 | ICC, 1 | ICC, 5 |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for n in QUESTIONS:
        cells = (found[RoundCell(name, truth, n, each)] for name, truth, each in columns)
        lines.append(f"| {n} | {' | '.join(in_words(one.covered, one.given, one.rounds) for one in cells)} |")
    return "\n".join(lines) + "\n"
