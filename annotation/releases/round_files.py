"""The judging rounds of a project: a release publishes each that is over in a file of its own, and cites it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import orjson
from django.utils.text import slugify

from annotation.judging import by_system, draw, drawing, given_marks, rounds
from annotation.judging.results import GivenMark, round_results
from annotation.models import Exhibit, JudgingRound, Project, Rater, RoundState
from annotation.releases import members, recipes, selection
from annotation.releases.redacting import Redactor

FOLDER = "rounds"


class JudgedRound(NamedTuple):
    """A round in a release: the name of its file, the lines in it, and what the manifest says of it."""

    name: str
    lines: bytes
    about: dict[str, Any]


def judged_rounds(
    project: Project, chosen: Iterable[members.FrozenMember], *, recipe: recipes.Recipe, redactor: Redactor, using: str
) -> Iterator[JudgedRound]:
    """The rounds that are closed, or that all raters have locked (by the cut-off, if there is one), as sealed.

    Each has a line for every exhibit about an item of the release, but for answers that were excluded since. Raters are
    r1, r2 ... of that file only; who is named in a comment or a title is not named here. What was found is of the whole
    round: it can't be computed from a part of its exhibits.
    """
    items = {(member["kind"], member["external_id"]) for member in members.each(chosen)}
    taken: set[str] = set()
    for row in JudgingRound.objects.using(using).filter(project=project, sealed_at__isnull=False).order_by("pk"):
        people = list(given_marks.locked_raters(row, until=selection.until_of(recipe), using=using))
        if people and _is_over(row, people, recipe, using=using):
            title = redactor.redacted(row.title)
            name = _name(title, taken)
            yield _judged(row, people, items, name=name, title=title, recipe=recipe, redactor=redactor, using=using)


def _is_over(row: JudgingRound, people: list[Rater], recipe: recipes.Recipe, *, using: str) -> bool:
    """Whether nobody judges in it any more; a round that was stopped has no results of all that was drawn."""
    if row.state == RoundState.STOPPED:
        return False
    until = selection.until_of(recipe)
    closed = row.state == RoundState.CLOSED and (until is None or (row.ended_at is not None and row.ended_at <= until))
    return closed or len(people) == given_marks.remaining_raters(row, using=using).count()


def _name(title: str, taken: set[str]) -> str:
    """A name of the title that no other round of the release has."""
    slug = slugify(title) or "round"
    number, name = 1, f"{FOLDER}/{slug}.jsonl"
    while name in taken:
        number += 1
        name = f"{FOLDER}/{slug}-{number}.jsonl"
    taken.add(name)
    return name


def _judged(
    row: JudgingRound,
    people: list[Rater],
    items: Collection[tuple[str, str]],
    *,
    name: str,
    title: str,
    recipe: recipes.Recipe,
    redactor: Redactor,
    using: str,
) -> JudgedRound:
    given = given_marks.of_round(row, until=selection.until_of(recipe), using=using)
    numbers = {rater.number: place for place, rater in enumerate(people, start=1)}
    marks = [replace(one, rater=numbers[one.rater]) for one in given]
    by_exhibit: dict[int, list[GivenMark]] = {}
    for one in marks:
        by_exhibit.setdefault(one.exhibit, []).append(one)
    again: dict[int, list[GivenMark]] = {}
    for _first, second in given_marks.repeated(row, until=selection.until_of(recipe), using=using):
        again.setdefault(second.exhibit, []).append(replace(second, rater=numbers[second.rater]))
    exhibits = list(_exhibits(row, items, using=using))
    systems = _without_names(by_system.systems_of(row, using=using), redactor)
    rubric, kind = rounds.rubric_of(row), drawing.kind_of(row.project, rounds.rules_of(row).kind)
    lines = (
        _line(each, by_exhibit.get(each.pk, ()), again.get(each.pk, ()), redactor)
        | {"system": systems.get(each.pk)}
        | ({"checks": _checks(by_exhibit.get(each.pk, ()))} if rubric.checks else {})
        for each in exhibits
    )
    found = round_results(rubric, marks).as_json()
    about = rounds.sealed(row) | {
        "title": title,
        "exhibits": draw.judged(row, using=using).count(),
        "defects": [{**told, "why": redactor.redacted(told["why"])} for told in draw.told_defects(row, using=using)],
        "raters": len(people),
        "published": {"source": str(kind.source), "shares": drawing.published_of(kind, rubric)},
        "results": found
        | {
            "systems": by_system.results_by_system(rubric, marks, systems),
            "raters": [f"r{number}" for number in found["raters"]],
            "by_rater": {f"r{number}": counts for number, counts in found["by_rater"].items()},
        },
    }
    return JudgedRound(name, b"".join(orjson.dumps(line, option=orjson.OPT_SORT_KEYS) + b"\n" for line in lines), about)


def _exhibits(row: JudgingRound, items: Collection[tuple[str, str]], *, using: str) -> Iterator[Exhibit]:
    """Those about items of the release, in the sealed order."""
    rows = draw.judged(row, using=using).select_related("item", "same_as").order_by("place")
    for each in rows.exclude(annotation__excluded_at__isnull=False):
        if (each.item.kind, each.item.external_id) in items:
            yield each


def _without_names(systems: Mapping[int, str], redactor: Redactor) -> dict[int, str]:
    """The systems with no name of a person in theirs; still as many."""
    named: dict[str, str] = {}
    for system in sorted(set(systems.values())):
        name = redactor.redacted(system)
        named[system] = name if name not in named.values() else f"{name} ({len(named) + 1})"
    return {key: named[system] for key, system in systems.items()}


def _checks(marks: Iterable[GivenMark]) -> dict[str, Any]:
    """What each rater said to checks; rounds without any have no such field."""
    said = sorted(marks, key=lambda one: one.rater)
    return {f"r{one.rater}": one.checks for one in said if one.checks}


def _line(
    exhibit: Exhibit, marks: Iterable[GivenMark], again: Iterable[GivenMark], redactor: Redactor
) -> dict[str, Any]:
    said = sorted(marks, key=lambda one: one.rater)
    return {
        "kind": exhibit.item.kind,
        "item": exhibit.item.external_id,
        "split": exhibit.item.split,
        "turn": exhibit.turn,
        "place": exhibit.place,
        "same_as": exhibit.same_as.place if exhibit.same_as else None,
        "shown": exhibit.shown,
        "sha256": exhibit.sha256,
        "marks": {f"r{one.rater}": one.mark for one in said},
        "parts": {f"r{one.rater}": one.part for one in said if one.part},
        "comments": {f"r{one.rater}": redactor.redacted(one.comment) for one in said if one.comment},
        "again": {f"r{one.rater}": _second(one, redactor) for one in again},
    }


def _second(one: GivenMark, redactor: Redactor) -> dict[str, Any]:
    """What a rater said when the exhibit came a second time."""
    part = {"part": one.part} if one.part else {}
    comment = {"comment": redactor.redacted(one.comment)} if one.comment else {}
    checks = {"checks": one.checks} if one.checks else {}
    return {"mark": one.mark, **part, **comment, **checks}
