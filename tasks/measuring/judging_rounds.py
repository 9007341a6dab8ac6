"""Results of judging rounds: a job measures them when somebody has locked their marks, and they are kept."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from statistics import median
from typing import Any

from django.db.models import Count, Sum

from annotation.judging import by_system, draw, given_marks, rounds
from annotation.judging.given_marks import seconds_of_each
from annotation.judging.results import DECIMALS, VERSION, round_results
from annotation.models import Consensus, JudgingRound, Rater, RoundState, TimeSpan
from annotation.models.time import COUNTED
from annotation.statistics.clustered_means import self_consistency
from annotation.statistics.estimates import METHOD
from tasks.engine.transactions import service
from tasks.judging.meeting import settled
from tasks.measuring import figures, mark_scores
from tasks.models import RoundFigures


def measure(row: JudgingRound) -> dict[str, Any]:
    """The results of a round by those who have locked, as JSON: `RoundResults.as_json`, and what follows.

    `agreed`: `AgreedResults.as_json`, None without a meeting; `systems`: as `results_by_system`.

    `seconds`: active and reading time of an exhibit, by rater number and "" for all: how many were timed, the median
    and the mean. `self_consistency`: of what was judged twice; `copied`: how many exhibits look like an earlier one,
    whose marks are theirs too. `score_by_mark`: as `mark_scores.measure`. `quoted`: keys of exhibits that do not, with
    their spread.
    """
    rubric, given = rounds.rubric_of(row), given_marks.of_round(row)
    found = round_results(rubric, given)
    copies = set(draw.judged(row).filter(same_as__isnull=False).values_list("pk", flat=True))
    agreed = (
        settled.of_round(row).as_json() if row.state != RoundState.SEALED and rounds.rules_of(row).meeting else None
    )
    return found.as_json() | {
        "agreed": agreed,
        "systems": by_system.results_by_system(rubric, given, by_system.systems_of(row)),
        "seconds": _seconds(row),
        "self_consistency": _self_consistency(row),
        "copied": len(copies),
        "score_by_mark": mark_scores.measure(row),
        "quoted": [list(each) for each in found.quoted if each.exhibit not in copies],
    }


def _self_consistency(row: JudgingRound) -> dict[str, dict[str, Any]]:
    """By rater number, and "" for all: how many were judged twice, the share with the same mark, how far apart."""
    rubric, again = rounds.rubric_of(row), defaultdict(list)
    for first, second in given_marks.repeated(row):
        for key in ("", str(first.rater)):
            again[key].append((first.item, first.mark, second.mark))
    scores = [mark.key for mark in rubric.marks] if rubric.ordinal else None
    found = {key: self_consistency(pairs, scores) for key, pairs in sorted(again.items())}
    return {
        key: {
            "n": said.same.n,
            "same": said.same.figure(seed=row.seed).estimate.kept(DECIMALS),
            "apart": round(said.apart.value, DECIMALS) if said.apart else None,
        }
        for key, said in found.items()
        if said
    }


def _seconds(row: JudgingRound) -> dict[str, dict[str, float]]:
    numbers = dict(given_marks.locked_raters(row).values_list("person", "number"))
    first = {"annotation__exhibit__in": draw.judged(row).values("pk"), "annotation__round": 1}
    spans = TimeSpan.objects.filter(**first, annotator__in=list(numbers), kind__in=COUNTED)
    rows = spans.order_by().values("annotation", "annotator").annotate(all=Sum("seconds"))
    timed: dict[str, list[float]] = defaultdict(list)
    for person, seconds in seconds_of_each([row], rows.values_list("annotation", "annotator", "all")):
        timed[str(numbers[person])].append(seconds)
    every = [each for found in timed.values() for each in found]
    return {
        key: {"n": len(found), "median": round(median(found), 1), "mean": round(sum(found) / len(found), 1)}
        for key, found in (("", every), *sorted(timed.items()))
        if found
    }


def measure_due(*, now: datetime) -> int:
    """Measure the rounds in which somebody has locked since the last time; returns how many."""
    due = list(_due())
    for row in due:
        keep(row, now=now)
    return len(due)


def _due() -> Iterable[JudgingRound]:
    """The rounds whose kept results are not those of all who have locked, or of an earlier version, or whose scores by
    mark are not those of the present human bound."""
    locked: dict[int, list[int]] = defaultdict(list)
    for number, row in Rater.objects.filter(locked_at__isnull=False).order_by("number").values_list("number", "round"):
        locked[row].append(number)
    kept = {each.round_id: each.values for each in RoundFigures.objects.filter(round__in=list(locked))}
    met = dict(Consensus.objects.values_list("exhibit__round").annotate(n=Count("pk")).order_by())
    for found in JudgingRound.objects.filter(pk__in=list(locked)).select_related("project").order_by("pk"):
        values = kept.get(found.pk)
        if not (_is_of(values, locked[found.pk], met.get(found.pk, 0)) and mark_scores.is_present(found, values)):
            yield found


def _is_of(values: dict[str, Any] | None, raters: Sequence[int], settled_ones: int) -> bool:
    """Whether kept results are of these raters and as many consensuses, by the present method."""
    if values is None or values["raters"] != list(raters) or values["method"] != [VERSION, METHOD]:
        return False
    return bool((values["agreed"] or {"consensus": 0})["consensus"] == settled_ones)


def keep(row: JudgingRound, *, now: datetime) -> dict[str, Any]:
    """Measure a round and keep its results for the page; returns what `measure` does."""
    up_to, begun = figures.last_event(), time.monotonic()
    found = measure(row)
    _store(row, found, up_to=up_to, seconds=time.monotonic() - begun, now=now)
    return found


@service
def _store(row: JudgingRound, values: dict[str, Any], *, up_to: int, seconds: float, now: datetime) -> None:
    kept = {"values": values, "up_to": up_to, "seconds": seconds, "measured_at": now}
    RoundFigures.objects.update_or_create(round=row, defaults=kept)


def of_page(row: JudgingRound) -> RoundFigures | None:
    """The results that were measured last, if any."""
    return RoundFigures.objects.filter(round=row).first()
