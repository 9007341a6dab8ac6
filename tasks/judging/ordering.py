"""In which order a rater judges: practice first, then an order of their own, in which some exhibits come twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from annotation import randomness
from annotation.judging import rounds
from annotation.judging.rules import by_screen
from annotation.models import Exhibit, ExhibitUse, JudgingRound, Rater

Screen = Sequence[Exhibit]
"""What is judged on one screen, in the sealed order."""
APART = 20
"""Screens, at least, from the first to the second time; half of all if there are fewer than twice as many."""


def in_order(row: JudgingRound, rater: Rater, exhibits: Iterable[Exhibit]) -> Sequence[tuple[Exhibit, int]]:
    """The exhibits as the rater judges them, with 1, or with 2 for the second time.

    Practice comes in the sealed order. Of the others, as many of 100 as the rules say come again. What is on one screen
    stays together, in the sealed order.
    """
    every = sorted(exhibits, key=lambda each: each.place)
    practice = [(each, 1) for each in every if each.use == ExhibitUse.PRACTICE]
    judged = by_screen(rounds.rules_of(row), (each for each in every if each.use != ExhibitUse.PRACTICE))
    judged.sort(key=lambda screen: randomness.number(row.seed, "rater", rater.number, screen[0].place))
    return [*practice, *_with_repeats(row, rater, judged)]


def _with_repeats(row: JudgingRound, rater: Rater, judged: Sequence[Screen]) -> Sequence[tuple[Exhibit, int]]:
    n, apart = len(judged), min(APART, len(judged) // 2)
    wanted = -(-n * rounds.rules_of(row).repeats // 100) if n > 1 else 0
    early = range(n - apart)
    place_of = [screen[0].place for screen in judged]
    again = sorted(early, key=lambda at: randomness.number(row.seed, "again", rater.number, place_of[at]))[:wanted]
    places = [(float(at), place_of[at], judged[at], 1) for at in range(n)]
    for at in again:
        first, last = at + apart, n - 1
        where = first + randomness.number(row.seed, "where", rater.number, place_of[at]) % (last - first + 1)
        places.append((where + 0.5, place_of[at], judged[at], 2))
    places.sort(key=lambda each: each[:2])
    return [(exhibit, number) for _at, _place, screen, number in places for exhibit in screen]
