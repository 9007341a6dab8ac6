"""Results of judging rounds: a job measures them when somebody has locked their marks, and they are kept.

With them, how people do on the official metric at what was judged, by mark: it is measured anew when the human upper
bound of the project has changed, since more people may have answered.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from statistics import median
from typing import Any

from django.db import transaction
from django.db.models import Count, Sum

from annotation import pseudonyms, registry
from annotation.errors import Refused
from annotation.judging import by_system, draw, drawing, given_marks, rounds
from annotation.judging.answer_metrics import MarkScores, scores_by_mark
from annotation.judging.given_marks import seconds_of_each
from annotation.judging.results import DECIMALS, VERSION, round_results
from annotation.models import RELEASED, Consensus, JudgingRound, Rater, RoundState, TimeSpan
from annotation.models.time import COUNTED
from annotation.releases import load, members
from annotation.statistics.clustered_means import self_consistency
from annotation.statistics.estimates import METHOD
from tasks.judging.meeting import agenda
from tasks.measuring import figures, human_bound
from tasks.models import RoundFigures


def mark_scores_of(row: JudgingRound) -> dict[str, Any] | None:
    """As JSON, or None for a kind of exhibits without such scores.

    `marks`: by mark, and "" for all, `MarkScore.as_json`; `left_out`: exhibits without a score; `bound`: which human
    bound it goes with, as `bound_of`. With `refused`, why the scores can't be computed, in place of these figures.
    """
    found = human_score_of(row)
    if found is None:
        return None
    bound = bound_of(row)
    try:
        scores = _by_exhibit(row, found)
    except Refused as refused:
        return {"refused": str(refused.message), "marks": {}, "left_out": 0, "bound": bound}
    given = given_marks.of_round(row)
    marks = scores_by_mark(rounds.rubric_of(row), given, scores, seed=row.seed)
    return {
        "marks": {key: each.as_json() for key, each in marks.items()},
        "left_out": len({one.exhibit for one in given} - scores.keys()),
        "bound": bound,
    }


def human_score_of(row: JudgingRound) -> MarkScores | None:
    """The human score that goes with what a round judges; None without one, and of answers of models."""
    rules = rounds.rules_of(row)
    return None if rules.systems else drawing.kind_of(row.project, rules.kind).mark_scores


def bound_of(row: JudgingRound) -> str | None:
    """What tells the human bound of the project from later ones; None of a round without such scores."""
    if human_score_of(row) is None:
        return None
    kept = human_bound.of_page(row.project)
    return rounds.hash_of(kept.values.get("splits")) if kept else ""


def is_of_present_bound(row: JudgingRound, values: Mapping[str, Any] | None) -> bool:
    """Whether kept results have the scores that go with the present human bound."""
    kept = (values or {}).get("score_by_mark") or {}
    return bool(kept.get("bound") == bound_of(row))


def _by_exhibit(row: JudgingRound, of_kind: MarkScores) -> Mapping[int, float]:
    """The score of each exhibit that has one, from what a release would contain: the same as in the human bound."""
    columns = ("pk", "annotation__uuid", "turn", "item__external_id", "item__root__external_id", "item__split")
    exhibits = list(draw.judged(row).exclude(annotation=None).values_list(*columns))
    wanted = {root or item for _pk, _uuid, _turn, item, root, _split in exhibits}
    recipe = {
        "splits": sorted({each[-1] for each in exhibits}),
        "partial": False,
        "purposes": list(RELEASED),
    }
    layout = registry.get(row.project.protocol).formats[0]
    with transaction.atomic(using="snapshot"):
        chosen = members.choose(
            row.project, layout, recipe=recipe, release="", counts=members.Counts(), using="snapshot"
        )
        ours = [member for member in chosen if member["external_id"] in wanted]
        found = {
            (inside, turn): score
            for record in load.records(row.project, ours, using="snapshot")
            for inside, turn, score in of_kind.scores(record)
        }
    places = {pk: (pseudonyms.id_hex(str(uuid)), turn) for pk, uuid, turn, *_item in exhibits}
    return {pk: found[place] for pk, place in places.items() if place in found}


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
        agenda.marks_after_meeting(row).as_json()
        if row.state != RoundState.SEALED and rounds.rules_of(row).meeting
        else None
    )
    return found.as_json() | {
        "agreed": agreed,
        "systems": by_system.results_by_system(rubric, given, by_system.systems_of(row)),
        "seconds": _seconds(row),
        "self_consistency": _self_consistency(row),
        "copied": len(copies),
        "score_by_mark": mark_scores_of(row),
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
        if not (_is_of(values, locked[found.pk], met.get(found.pk, 0)) and is_of_present_bound(found, values)):
            yield found


def _is_of(values: dict[str, Any] | None, raters: Sequence[int], settled_ones: int) -> bool:
    """Whether kept results are of these raters and as many consensuses, by the present method."""
    if values is None or values["raters"] != list(raters) or values["method"] != [VERSION, METHOD]:
        return False
    return bool((values["agreed"] or {"consensus": 0})["consensus"] == settled_ones)


def keep(row: JudgingRound, *, now: datetime) -> dict[str, Any]:
    """Measure a round and keep its results for the page; returns what `measure` does."""
    return figures.kept(RoundFigures, row, measure, now=now)


def of_page(row: JudgingRound) -> RoundFigures | None:
    """The results that were measured last, if any."""
    return RoundFigures.objects.filter(round=row).first()
