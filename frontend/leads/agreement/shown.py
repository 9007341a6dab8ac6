"""Agreement as a lead sees it: of a project or a part of it, over time, by person, and the worst items first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cached_property
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.errors import NotFound
from annotation.models import Agreement, Item, Project, User
from annotation.protocol import Activity
from annotation.statistics.estimates import Estimate
from annotation.values.measures import Comparison, Measure, headline
from frontend.leads.agreement.asked import AgreementQuery
from frontend.leads.estimates import least_of
from frontend.leads.items.overview import prompt_of
from tasks.measuring import agreement, tables

PEOPLE = 50
"""Annotators on a page."""
STATISTICS = {
    "observed": _("Observed agreement"),
    "cohen": _("Cohen’s kappa"),
    "fleiss": _("Fleiss’ kappa"),
    "alpha": _("Krippendorff’s alpha"),
    "alpha_jaccard": _("Krippendorff’s alpha, sets by Jaccard"),
    "alpha_masi": _("Krippendorff’s alpha, sets by MASI"),
    "mean": _("Mean of pairs"),
}
LEFT_OUT = {
    "single": _("finished, but nobody else has annotated the same item"),
    "unfinished": _("not finished"),
    "excluded": _("excluded by a lead"),
    "late": _("came too late"),
    "checks": _("checks and references"),
    "exams": _("exams"),
    "studies": _("studies"),
}


@dataclass(frozen=True)
class Number:
    """A statistic and its name."""

    key: str
    name: Any
    estimate: Estimate


@dataclass(frozen=True)
class MeasureGroup:
    """The numbers of one measure; `by_turn`: each turn is compared by itself. `not_published`: why imported annotations
    are not in them."""

    key: str
    title: str
    stage: str
    by_turn: bool
    numbers: list[Number]
    query: str
    not_published: str = ""


@dataclass(frozen=True)
class PersonAccuracy:
    """Somebody's accuracy (None: too few people to tell) and how far they agree with others, in one measure."""

    code: str
    accuracy: Number | None
    agrees: Number | None
    query: str


@dataclass(frozen=True)
class Low:
    """An item with low agreement, and how many annotations it has."""

    item: int
    prompt: str
    agreed: float
    n: int


@dataclass(frozen=True)
class AgreementPage:
    """All that the page shows of one activity. `estimates`: whether people's accuracy in this measure is estimated."""

    asked: AgreementQuery
    activity: Activity
    activities: list[tuple[str, Any]]
    measure: Measure | Comparison
    statistic: Any
    headline: Number
    groups: list[MeasureGroup]
    weeks: list[tuple[date, Number]]
    by_split: list[tuple[str, Number]]
    people: list[PersonAccuracy]
    estimates: bool
    worst: list[Low]
    sizes: dict[str, int]
    imported: int
    left_out: list[tuple[Any, int]]
    splits: list[str]
    codes: list[str]
    measured_at: datetime
    whole_at: datetime | None

    @cached_property
    def least(self) -> float:
        """Where the axis of measures and splits begins; nothing of people is below 0."""
        numbers = [number for group in self.groups for number in group.numbers]
        return least_of(number.estimate for number in [*numbers, *(number for _split, number in self.by_split)])

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in the whole activity: neither anything compared nor anything left out."""
        return not (self.sizes["items"] or self.left_out or self.asked.is_part)


def agreement_page(project: Project, asked: AgreementQuery) -> AgreementPage | None:
    """What is measured of the activity asked for, or of the first one; None if nothing has been measured yet.

    NotFound if the protocol measures nothing.
    """
    measured = {activity.key: (activity, found) for activity, found in agreement.measured_activities(project)}
    if not measured:
        raise NotFound
    rows = {key: row for key in measured if (row := agreement.of_page(project, key)) is not None}
    if not rows:
        return None
    filled = [key for key, row in rows.items() if row.numbers["sizes"]["items"]]
    key = asked.activity if asked.activity in rows else (filled or list(rows))[0]
    activity, measures = measured[key]
    one = next((each for each in measures if each.key == asked.measure), measures[0])
    asked = replace(asked, activity=key, measure=one.key)
    people = [int(key) for key in rows[key].numbers.get("people", {})]
    codes = dict(User.objects.filter(pk__in=people).values_list("pk", "worker_code"))
    asked = replace(asked, person=asked.person if asked.person in codes.values() else "")
    part = _part(rows[key], asked, measures, one, codes)
    groups = [_group(each, activity, part["numbers"].get(each.key, {}), asked) for each in measures]
    name = headline(one) if isinstance(one, Comparison) or not asked.person else "observed"
    return AgreementPage(
        asked=asked,
        activity=activity,
        activities=[(each, gettext(measured[each][0].title)) for each in rows],
        measure=one,
        statistic=STATISTICS[name],
        headline=_number(name, part["numbers"].get(one.key, {}).get(name)),
        groups=[group for group in groups if group.numbers],
        weeks=[
            (date.fromisoformat(week), _number(name, numbers[one.key][name]))
            for week, numbers in sorted(part["weeks"].items())
            if name in numbers.get(one.key, {})
        ],
        by_split=[
            (split, _number(name, numbers.get(one.key, {}).get(name)))
            for split, numbers in rows[key].numbers.get("splits", {}).items()
        ],
        people=_people(rows[key], one, codes, asked),
        estimates=bool(rows[key].numbers.get("quality", {}).get(one.key)),
        worst=_items(project, part["worst"]),
        sizes=part["sizes"],
        imported=sum(found.get("imported", 0) for found in rows[key].numbers.get("not_counted", {}).values()),
        left_out=_left_out(rows[key].numbers),
        splits=sorted(rows[key].numbers.get("not_counted", {})),
        codes=sorted(codes.values()),
        measured_at=rows[key].measured_at,
        whole_at=rows[key].whole_at,
    )


def _part(
    row: Agreement,
    asked: AgreementQuery,
    measures: Sequence[Measure | Comparison],
    one: Measure | Comparison,
    codes: Mapping[int, str],
) -> dict[str, Any]:
    """The numbers of the part asked for: those that are kept, or measured now from the table."""
    kept = row.numbers
    if not asked.is_part:
        return {
            "numbers": kept["all"],
            "weeks": kept.get("weeks", {}),
            "worst": kept["worst"].get(one.key, []),
            "sizes": kept["sizes"],
        }
    from annotation.agreement import numbers, people

    table = tables.stored(row)
    table = table.select(numbers.between(table, asked.since, asked.until))
    if asked.split:
        table = table.select(table.split == (table.splits.index(asked.split) if asked.split in table.splits else -1))
    person = next((key for key, code in codes.items() if code == asked.person), None)
    if person is not None:
        table = numbers.of_units_with(table, person)
    found = kept.get("splits", {}).get(asked.split) if asked.is_split else None
    if person is not None:
        found = people.of_people(table, measures, [person])[str(person)]
    return {
        "numbers": found or numbers.of_all(table, measures),
        "weeks": numbers.by_week(table, [one], person=person),
        "worst": numbers.worst(table, one),
        "sizes": numbers.sizes(table),
    }


def _group(
    one: Measure | Comparison, activity: Activity, numbers: Mapping[str, Any], asked: AgreementQuery
) -> MeasureGroup:
    stage = gettext(activity.stage(one.stage).title) if one.stage else ""
    found = [_number(name, numbers[name]) for name in STATISTICS if name in numbers]
    why = gettext(one.not_published) if isinstance(one, Measure) and one.not_published else ""
    return MeasureGroup(
        one.key, gettext(one.title), stage, one.by_turn, found, replace(asked, measure=one.key).query, why
    )


def _number(key: str, values: Sequence[Any] | None) -> Number:
    return Number(key, STATISTICS[key], Estimate.from_list(values))


def _people(
    row: Agreement, one: Measure | Comparison, codes: dict[int, str], asked: AgreementQuery
) -> list[PersonAccuracy]:
    """The least accurate first, then those who agree least; of all finished work, whatever part is asked for."""
    quality, people = row.numbers.get("quality", {}).get(one.key, {}), row.numbers.get("people", {})
    found = []
    for key, code in codes.items():
        accuracy = Number("accuracy", "", Estimate.from_list(quality[str(key)])) if str(key) in quality else None
        values = next(iter(people.get(str(key), {}).get(one.key, {}).items()), None)
        agrees = _number(*values) if values is not None and values[1][0] is not None else None
        if accuracy or agrees:
            found.append(PersonAccuracy(code, accuracy, agrees, replace(asked, person=code).query))
    return sorted(found, key=lambda each: [number.estimate.value for number in (each.accuracy, each.agrees) if number])


def _items(project: Project, worst: Iterable[Sequence[Any]]) -> list[Low]:
    rows = list(worst)
    items = Item.objects.select_related("project").in_bulk([row[0] for row in rows])
    return [
        Low(key, prompt_of(items[key]) or items[key].external_id, agreed, n) for key, agreed, n in rows if key in items
    ]


def _left_out(numbers: Mapping[str, Any]) -> list[tuple[Any, int]]:
    counts: dict[str, int] = {}
    for found in numbers.get("not_counted", {}).values():
        for reason, n in found.items():
            counts[reason] = counts.get(reason, 0) + n
    counts["single"] = max(0, counts.get("counted", 0) - numbers["sizes"]["annotations"])
    return [(words, counts[reason]) for reason, words in LEFT_OUT.items() if counts.get(reason)]
