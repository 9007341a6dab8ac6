"""The marks of a round, as raters gave them last, and what each judgement took."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from annotation import registry
from annotation.judging import checks, draw, rounds
from annotation.judging.results import GivenMark
from annotation.models import Annotation, ExhibitUse, JudgingRound, Rater, Response


def locked_raters(row: JudgingRound, *, until: datetime | None = None, using: str | None = None) -> QuerySet[Rater]:
    """The raters of a round who have locked, by number; `until`: by then."""
    rows = Rater.objects.using(using).filter(round=row, locked_at__isnull=False).order_by("number")
    return rows if until is None else rows.filter(locked_at__lte=until)


def remaining_raters(row: JudgingRound, *, using: str | None = None) -> QuerySet[Rater]:
    """The raters of a round without those who dropped out before they had locked, who count nowhere; by number."""
    rows = Rater.objects.using(using).filter(round=row).order_by("number")
    return rows.exclude(locked_at=None, removal__isnull=False)


def of_round(
    row: JudgingRound, *, until: datetime | None = None, exhibits: Collection[int] = (), using: str | None = None
) -> Sequence[GivenMark]:
    """Everybody's last mark of each exhibit, of those who have locked: the marks of others stay theirs until then.

    Of what somebody judged twice, the first mark; those of an exhibit are also those of its copies; none for practice.

    `exhibits`: the keys of those that are wanted; of all if there are none (only then with types).
    `until`: as `locked_raters`.
    """
    numbers = dict(locked_raters(row, until=until, using=using).values_list("person", "number"))
    every = draw.judged(row, using=using)
    every = every.filter(pk__in=list(exhibits)) if exhibits else every
    copies = list(every.filter(same_as__isnull=False).values_list("pk", "same_as", "item").order_by("place"))
    wanted = {*exhibits, *(earlier for _copy, earlier, _item in copies)} if exhibits else ()
    types = {} if exhibits else _types(row, using=using)
    rows = _responses(row, list(numbers), using=using).filter(annotation__round=1)
    rows = rows.filter(annotation__exhibit__in=list(wanted)) if exhibits else rows
    found = [_mark(one, numbers, types) for one in _last(rows)]
    of_first = defaultdict(list)
    for one in found:
        of_first[one.exhibit].append(one)
    return [one for one in found if not exhibits or one.exhibit in exhibits] + [
        replace(one, exhibit=copy, item=item, type=types.get(item, ""))
        for copy, earlier, item in copies
        for one in of_first[earlier or 0]
    ]


def repeated(
    row: JudgingRound, *, until: datetime | None = None, using: str | None = None
) -> Sequence[tuple[GivenMark, GivenMark]]:
    """The first and the second mark of what somebody who has locked has judged twice; `until`: as `locked_raters`."""
    numbers = dict(locked_raters(row, until=until, using=using).values_list("person", "number"))
    second = _responses(row, list(numbers), using=using).filter(annotation__round=2)
    again = [_mark(one, numbers, {}) for one in _last(second)]
    if not again:
        return []
    first = {(one.exhibit, one.rater): one for one in of_round(row, until=until, using=using)}
    return [(first[one.exhibit, one.rater], one) for one in again]


def _responses(row: JudgingRound, people: Collection[int], *, using: str | None) -> QuerySet[Response]:
    """What these people have said of what is drawn; what was for practice never counts."""
    of_draw = Q(annotation__exhibit__use=ExhibitUse.DRAWN) | Q(annotation__exhibit__replaces__isnull=False)
    rows = Response.objects.using(using).filter(
        of_draw, annotation__exhibit__round=row, annotation__exhibit__defect=None
    )
    return rows.filter(author__in=people).order_by("pk")


def _last(rows: QuerySet[Response]) -> Iterable[tuple[Any, ...]]:
    columns = ("annotation__item", "annotation__exhibit", "author", "payload")
    return {(one[1], one[2]): one for one in rows.values_list(*columns)}.values()


def _mark(one: tuple[Any, ...], numbers: Mapping[int, int], types: Mapping[int, str]) -> GivenMark:
    item, exhibit, author, payload = one
    return GivenMark(
        item=item,
        exhibit=exhibit,
        rater=numbers[author],
        mark=payload["mark"],
        part=payload.get("part", ""),
        comment=payload.get("comment", ""),
        checks=checks.answers_of(payload),
        type=types.get(item, ""),
    )


def _types(row: JudgingRound, *, using: str | None) -> dict[int, str]:
    """The types of the items of a round, by their keys, if the protocol knows types."""
    protocol = registry.get(row.project.protocol)
    if not protocol.item_types:
        return {}
    items = draw.judged(row, using=using).values_list("item", "item__payload")
    return {key: protocol.type_of(payload) for key, payload in items.iterator()}


Measured = tuple[int, int, float]
"""(annotation, its author, seconds)."""


def seconds_of_each(rows: Iterable[JudgingRound], measured: Iterable[Measured]) -> Sequence[tuple[int, float]]:
    """(author, seconds) of each judgement in these rounds that was timed, or whose screen was.

    Those on one screen took, all the same, a part of the time that was measured there.
    """
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
