"""How people do on the official metric at what a round judged, by mark: measured with the results of the round.

It is measured anew when the human upper bound of the project has changed: more people may have answered since.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from annotation import pseudonyms, registry
from annotation.errors import Refused
from annotation.judging import draw, drawing, given_marks, rounds
from annotation.judging.answer_metrics import MarkScores, scores_by_mark
from annotation.models import RELEASED, JudgingRound
from annotation.releases import load, members
from tasks.measuring import human_bound


def measure(row: JudgingRound) -> dict[str, Any] | None:
    """As JSON, or None for a kind of exhibits without such scores.

    `marks`: by mark, and "" for all, `MarkScore.as_json`; `left_out`: exhibits without a score; `bound`: which human
    bound it goes with, as `bound_of`. With `refused`, why the scores can't be computed, in place of these figures.
    """
    found = scores_of(row)
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


def scores_of(row: JudgingRound) -> MarkScores | None:
    """The human score that goes with what a round judges; None without one, and of answers of models."""
    rules = rounds.rules_of(row)
    return None if rules.systems else drawing.kind_of(row.project, rules.kind).mark_scores


def bound_of(row: JudgingRound) -> str | None:
    """What tells the human bound of the project from later ones; None of a round without such scores."""
    if scores_of(row) is None:
        return None
    kept = human_bound.of_page(row.project)
    return rounds.hash_of(kept.values.get("splits")) if kept else ""


def is_present(row: JudgingRound, values: Mapping[str, Any] | None) -> bool:
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
