"""What each judgement took: of those on one screen, all the same part of the time that was measured there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from annotation.judging import rounds
from annotation.models import Annotation, JudgingRound

Measured = tuple[int, int, float]
"""(annotation, its author, seconds)."""


def seconds_of_each(rows: Iterable[JudgingRound], measured: Iterable[Measured]) -> Sequence[tuple[int, float]]:
    """(author, seconds) of each judgement in these rounds that was timed, or whose screen was."""
    together = [row.pk for row in rows if rounds.rules_of(row).together]
    judged = Annotation.with_trials.filter(exhibit__round__in=together, completed_at__isnull=False)
    columns = ("pk", "author", "exhibit__round", "exhibit__item", "round")
    screen_of = {key: screen for key, *screen in map(tuple, judged.values_list(*columns))}
    sizes: dict[tuple[int, ...], int] = defaultdict(int)
    for screen in screen_of.values():
        sizes[tuple(screen)] += 1
    found: list[tuple[int, float]] = []
    whole: dict[tuple[int, ...], float] = defaultdict(float)
    for annotation, author, seconds in measured:
        if annotation in screen_of:
            whole[tuple(screen_of[annotation])] += seconds
        else:
            found.append((author, seconds))
    return found + [(screen[0], all_ / sizes[screen]) for screen, all_ in whole.items() for _ in range(sizes[screen])]
