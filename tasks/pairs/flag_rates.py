"""How often people's turns in shared work are flagged with good reason, for leads who decide about a case."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from functools import reduce
from math import prod
from operator import or_

from django.db.models import Count, Q, QuerySet

from annotation import registry
from annotation.models import Case, CaseKind, CaseState, Project, Purpose, Response
from annotation.statistics import flag_rate
from annotation.statistics.flag_rate import Rate


@dataclass(frozen=True)
class Person:
    """Of one person in a project: turns that could be flagged, how many were, and the posterior of valid flags."""

    turns: int
    flagged: int
    rate: Rate


def of_people(project: Project, people: Collection[int]) -> dict[int, Person]:
    """The figures of these people (keys) who have turns that could be flagged. A turn is what one of them has said."""
    turns = _turns(project)
    theirs = dict(turns.filter(author__in=people).values_list("author").annotate(n=Count("pk")))
    if not theirs:
        return {}
    chances = _chances(project)
    expected = sum(sum(found.values()) for found in chances.values())
    typical = flag_rate.typical(expected, turns.count())
    return {
        person: Person(n, len(found), flag_rate.rate([*found.values()], turns=n, typical=typical))
        for person, n in theirs.items()
        for found in (chances[person],)
    }


def _turns(project: Project) -> QuerySet[Response]:
    """What people have said at stages where a partner can flag it; what was taken back and said anew counts once."""
    shared = [activity for activity in registry.get(project.protocol).activities if len(activity.seats) > 1]
    flaggable = [
        Q(annotation__activity=activity.key, stage=stage.key)
        for activity in shared
        for stage in activity.stages
        if stage.flags
    ]
    if not flaggable:
        return Response.objects.none()
    rows = Response.objects.filter(annotation__item__project=project, annotation__purpose=Purpose.WORK, revision=1)
    return rows.filter(reduce(or_, flaggable)).order_by()


def _chances(project: Project) -> defaultdict[int, dict[int, float]]:
    """By author and flagged response, the probability that it was flagged with good reason."""
    flags = Case.objects.filter(kind=CaseKind.FLAG, annotation__item__project=project)
    rows = list(flags.values_list("response", "response__author", "author", "state"))
    decided = Counter((by, state) for _response, _author, by, state in rows)
    totals = Counter(state for *_who, state in rows)

    def chance(by: int, state: str) -> float:
        if state != CaseState.OPEN:
            return float(state == CaseState.UPHELD)
        return flag_rate.reliability(
            decided[by, CaseState.UPHELD],
            decided[by, CaseState.DISMISSED],
            all_upheld=totals[CaseState.UPHELD],
            all_dismissed=totals[CaseState.DISMISSED],
        )

    wrong: dict[tuple[int, int], list[float]] = defaultdict(list)
    for response, author, by, state in rows:
        wrong[author, response].append(1 - chance(by, state))
    found: defaultdict[int, dict[int, float]] = defaultdict(dict)
    for (author, response), each in wrong.items():
        found[author][response] = 1 - prod(each)
    return found
