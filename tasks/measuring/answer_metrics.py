"""How well automatic metrics say what the raters of a round say of its answers; a job measures it, and it is kept.

The references of an answer are the other answers to its item that count; a person's own are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import combinations
from math import isnan
from statistics import mean
from typing import TYPE_CHECKING, Any

from annotation import events, registry
from annotation.engine import loading
from annotation.errors import WrongMove
from annotation.i18n import _
from annotation.judging import drawing, given_marks, rounds
from annotation.judging.answer_metrics import AnswerMetrics, Column, JudgedCase, WeightSweep
from annotation.judging.results import DECIMALS, GivenMark
from annotation.models import RELEASED, Annotation, Exhibit, Item, JudgingRound, Rater, User
from annotation.statistics.estimates import METHOD
from tasks.engine.transactions import service
from tasks.measuring import figures
from tasks.models import MetricColumn, RoundMetrics

if TYPE_CHECKING:
    from annotation.statistics.metric_against_people import ScoredAnswers

VERSION = 2


def has_scores(row: JudgingRound) -> bool:
    """Whether the marks of a round are numbers, so that a metric can go together with them."""
    return all(mark.key.isdigit() for mark in rounds.rubric_of(row).marks)


def measure(row: JudgingRound) -> dict[str, Any]:
    """As JSON: by metric, Pearson's correlation per answer in each type; tests of pairs; and weights that are varied.

    `sets`: by metric and group, Pearson's correlation of the means of `set_size` items, where systems were judged and
    there are so many. `answers`: how many were scored; `left_out`: how many of these have no reference, so that the
    metrics of the protocol say nothing of them. Of uploaded metrics `uploaded` has the names, in their order.
    """
    from annotation.statistics.metric_against_people import SET_SIZE

    own = registry.get(row.project.protocol).answer_metrics
    scored = _ScoredExhibits(row, own)
    uploaded = {each.name: each for each in MetricColumn.objects.filter(round=row).order_by("pk")}
    columns: dict[str, Column] = dict(own.columns(scored.cases)) if own else {}
    left_out = sum(value is None for value in next(iter(columns.values()), ()))
    columns |= {name: scored.column_of(each) for name, each in uploaded.items()}
    pairs = [*(own.tests if own else ()), *combinations(uploaded, 2)]
    pairs += [(name, key) for name in uploaded for key in (own.titles if own else ())]
    return {
        "state": _state(row),
        "answers": len(scored.exhibits),
        "left_out": left_out,
        "uploaded": list(uploaded),
        "correlations": {name: scored.correlations(column) for name, column in columns.items()},
        "set_size": SET_SIZE,
        "sets": {name: scored.per_set(name, column) for name, column in columns.items()},
        "tests": [{"one": a, "other": b, "groups": scored.tests(columns[a], columns[b])} for a, b in pairs],
        "sweeps": {key: scored.sweep(each) for key, each in (own.sweeps if own else {}).items()},
    }


class _ScoredExhibits:
    """The exhibits that have a mark, in the sealed order, with the mean of their scores.

    A system that gives several answers to an item counts as several, by their places.
    """

    def __init__(self, row: JudgingRound, own: AnswerMetrics | None) -> None:
        self.own = own
        said: dict[int, list[GivenMark]] = defaultdict(list)
        for one in given_marks.of_round(row):
            said[one.exhibit].append(one)
        found = row.exhibits.filter(pk__in=list(said)).select_related("prediction").order_by("place")
        self.exhibits: list[Exhibit] = list(found)
        self.systems = [f"{each.prediction.set_id}/{each.turn}" if each.prediction else "" for each in self.exhibits]
        self.scores = [mean(int(one.mark) for one in said[each.pk]) for each in self.exhibits]
        self.types = [said[each.pk][0].type for each in self.exhibits]
        self.cases = _cases(self.exhibits, own) if own else []

    def column_of(self, uploaded: MetricColumn) -> Column:
        """What a file says of them."""
        return [uploaded.values.get(str(each.place)) for each in self.exhibits]

    def _answers(self, columns: Mapping[str, Column]) -> ScoredAnswers:
        """Those of which all of the columns say something."""
        import numpy as np

        from annotation.statistics.metric_against_people import ScoredAnswers

        rows = self._rows(*columns.values())
        return ScoredAnswers(
            items=[self.exhibits[n].item_id for n in rows],
            systems=[self.systems[n] for n in rows],
            types=[self.types[n] for n in rows],
            human=np.array([self.scores[n] for n in rows], dtype=float),
            metrics={name: np.array([column[n] for n in rows], dtype=float) for name, column in columns.items()},
        )

    def _rows(self, *columns: Column) -> list[int]:
        return [n for n in range(len(self.exhibits)) if all(column[n] is not None for column in columns)]

    def per_set(self, name: str, column: Column) -> dict[str, float | None]:
        """By group, the correlation of sets of answers of systems; {} of people's, who do not all answer the same."""
        if not all(self.systems):
            return {}
        from annotation.statistics import metric_against_people

        rows = self._rows(column)
        of_own = self.own.of_sets([self.cases[n] for n in rows]) if self.own and name in self.own.titles else {}
        of_set = {"metric": of_own[name]} if name in of_own else None
        found = metric_against_people.per_set(self._answers({"metric": column}), of_set=of_set)["metric"]
        rounded = {group: points.pearson for group, points in found.items() if group}
        return {group: None if isnan(each) else round(each, DECIMALS) for group, each in rounded.items()}

    def correlations(self, column: Column) -> dict[str, list[Any]]:
        """By group, the estimate."""
        from annotation.statistics import metric_against_people

        found = metric_against_people.per_answer(self._answers({"metric": column}))["metric"]
        return {group: each.kept(DECIMALS) for group, each in found.items() if group}

    def tests(self, one: Column, other: Column) -> dict[str, Any]:
        """By group, whether the first goes with the scores more than the second."""
        from annotation.statistics import metric_against_people

        answers = self._answers({"one": one, "other": other})
        found = {}
        for group in filter(None, answers.groups()):
            test = metric_against_people.paired_test(answers, "one", "other", group=group)
            wins = None if isnan(test.wins) else round(test.wins, DECIMALS)
            found[group] = {"wins": wins, "difference": test.difference.kept(DECIMALS)}
        return found

    def sweep(self, sweep: WeightSweep) -> dict[str, list[list[float | None]]]:
        """By group, (value of the weight, correlation)."""
        import numpy as np

        from annotation.statistics import metric_against_people

        columns = {value: sweep.column(self.cases, value) for value in sweep.values}
        known = [n for n, value in enumerate(next(iter(columns.values()))) if value is not None]
        answers = self._answers({"first": next(iter(columns.values()))})
        arrays = {value: np.array([column[n] for n in known], dtype=float) for value, column in columns.items()}
        found = metric_against_people.sweep_weights(answers, arrays)
        return {
            group: [[value, None if isnan(each) else round(each, DECIMALS)] for value, each in points]
            for group, points in found.items()
            if group
        }


def _cases(exhibits: Sequence[Exhibit], own: AnswerMetrics) -> Sequence[JudgedCase]:
    """Each exhibit with its item, its answer as it is now, and the other annotations of the item that count."""
    items = Item.objects.select_related("project", "root").in_bulk([each.item_id for each in exhibits])
    judged = Annotation.objects.filter(pk__in=[each.annotation_id for each in exhibits if each.annotation_id])
    counting = Annotation.objects.filter(item__in=items, activity__in=_activities(exhibits))
    counting = counting.filter(completed_at__isnull=False, excluded_at=None, purpose__in=RELEASED)
    found: dict[int, dict[int, Annotation]] = defaultdict(dict)
    for annotation in (*judged, *counting.order_by("pk")):
        found[annotation.item_id][annotation.pk] = annotation
    which = set(counting.values_list("pk", flat=True))
    cases: dict[int, JudgedCase] = {}
    for key, wanted in _by_item(exhibits).items():
        item = loading.item_record(items[key])
        said = loading.finished_records(list(found[key].values()), items[key])
        records = dict(zip(found[key], said, strict=True))
        for exhibit in wanted:
            others = tuple(record for pk, record in records.items() if pk != exhibit.annotation_id and pk in which)
            if exhibit.prediction:
                cases[exhibit.pk] = JudgedCase(item, own.predicted(exhibit.prediction.payload), 0, others)
            elif exhibit.annotation_id:
                cases[exhibit.pk] = JudgedCase(item, records[exhibit.annotation_id], exhibit.turn, others)
    return [cases[each.pk] for each in exhibits]


def _activities(exhibits: Sequence[Exhibit]) -> set[str]:
    """What the answers are of that a round judges."""
    if not exhibits:
        return set()
    row = exhibits[0].round
    return {drawing.kind_of(row.project, rounds.rules_of(row).kind).activity}


def _by_item(exhibits: Sequence[Exhibit]) -> Mapping[int, list[Exhibit]]:
    found: dict[int, list[Exhibit]] = defaultdict(list)
    for each in exhibits:
        found[each.item_id].append(each)
    return found


def _state(row: JudgingRound) -> list[Any]:
    """What the figures are of: who has locked, and which files."""
    locked = Rater.objects.filter(round=row, locked_at__isnull=False).order_by("number")
    columns = MetricColumn.objects.filter(round=row).order_by("pk")
    return [VERSION, METHOD, list(locked.values_list("number", flat=True)), list(columns.values_list("pk", flat=True))]


def measure_due(*, now: datetime) -> int:
    """Measure the rounds with scores in which somebody has locked, or a file has come, since; returns how many."""
    rows = JudgingRound.objects.filter(raters__locked_at__isnull=False).distinct().select_related("project")
    kept = {each.round_id: each.values for each in RoundMetrics.objects.filter(round__in=rows)}
    due = [row for row in rows if has_scores(row) and (kept.get(row.pk) or {}).get("state") != _state(row)]
    for row in due:
        keep(row, now=now)
    return len(due)


def keep(row: JudgingRound, *, now: datetime) -> dict[str, Any]:
    """Measure a round, and keep what was found for its page; returns what `measure` does."""
    return figures.kept(RoundMetrics, row, measure, now=now)


MOST_UPLOADED = 5
"""Metrics of a round, at most: each is tested against all others, in each type of item."""


@service
def keep_uploaded(row: JudgingRound, columns: Mapping[str, Mapping[int, float]], *, by: User, now: datetime) -> None:
    """Keep metrics by their names, as figures by place; each takes the place of one with its name.

    WrongMove for more than a round can have.
    """
    row = JudgingRound.objects.select_for_update().get(pk=row.pk)
    MetricColumn.objects.filter(round=row, name__in=list(columns)).delete()
    if MetricColumn.objects.filter(round=row).count() + len(columns) > MOST_UPLOADED:
        raise WrongMove(_("A round has 5 uploaded metrics at most. Remove some."))
    for name, by_place in columns.items():
        values = {str(place): figure for place, figure in by_place.items()}
        MetricColumn.objects.create(round=row, name=name, values=values, by=by, at=now)
    events.record("judging.metrics_added", row, by=by, now=now, names=list(columns))


@service
def remove_uploaded(row: JudgingRound, name: str, *, by: User, now: datetime) -> None:
    """Remove an uploaded metric; one that is not there is no error."""
    deleted, _rows = MetricColumn.objects.filter(round=row, name=name).delete()
    if deleted:
        events.record("judging.metric_removed", row, by=by, now=now, name=name)
