"""What a judging round can be about, drawn by its seed: which exhibits, in which order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice

from django.db.models import QuerySet

from annotation import randomness, registry
from annotation.engine import loading
from annotation.judging.drawn import (
    AT_ONCE,
    DrawnExhibit,
    DrawnUnit,
    Progress,
    items_of_predictions,
    named_predictions,
    predictions_of,
    units_of_predictions,
)
from annotation.judging.rubrics import Rubric
from annotation.judging.rules import Rules, by_screen
from annotation.models import RELEASED, Annotation, ExhibitUse, Project
from annotation.values.exhibits import ExhibitKind

FEWEST_SPARES = 10
"""What is sealed beyond the sample to replace defects, at least, if there is so much."""
FOR_PREVIEW = 20
"""Items that are looked at together for a preview."""


def kind_of(project: Project, key: str) -> ExhibitKind:
    """The kind of exhibits with this key, or KeyError."""
    return {kind.key: kind for kind in registry.get(project.protocol).exhibits}[key]


def published_of(kind: ExhibitKind, rubric: Rubric) -> dict[str, float]:
    """The published shares of a kind, if the rubric has the marks of its preset; of others nothing is published."""
    return kind.published if has_marks_of_preset(kind, rubric) else {}


def has_marks_of_preset(kind: ExhibitKind, rubric: Rubric) -> bool:
    """Whether a rubric has the marks of the preset of a kind, whatever their words."""
    return {mark.key for mark in rubric.marks} == {mark.key for mark in kind.rubric().marks}


def drawn(project: Project, rules: Rules, *, seed: str) -> tuple[list[DrawnExhibit], int]:
    """What is drawn, in its order, then what is for practice; and how many there are to draw from."""
    draw = draw_of(project, rules, seed=seed)
    return [each for each in draw.exhibits if each.use != ExhibitUse.SPARE], draw.population


@dataclass(frozen=True)
class Draw:
    """`exhibits`: those that are judged, in the sealed order, after them those for practice, and then spares.

    `population`: how many there are to draw from; `units`: how many units that is, and `types` how many of each type of
    item; `drawn`: how many of them are judged or for practice.
    """

    exhibits: list[DrawnExhibit]
    population: int
    units: int
    types: dict[str, int]
    drawn: int


def draw_of(project: Project, rules: Rules, *, seed: str, progress: Progress | None = None) -> Draw:
    """Draw by the rules: the first units of the order (of each type, if rules name types) are judged.

    `progress` is told how many annotations were read, and how many there are.

    The last ones of the order are for practice, so that what is judged is the same draw with and without practice,
    unless all would be drawn. Spares, which replace defects, are the next of the order: a tenth as many as are judged
    but at least FEWEST_SPARES, as far as there are some; of each type, if rules name types.

    Where a unit is all of an item there are no spares: what replaced one of its answers would be an answer to another
    item. Of such units for practice raters see one answer, unless they see all of them together.
    """
    every = list(units_of(project, rules, seed=seed, progress=progress))
    every.sort(key=lambda unit: randomness.number(seed, "order", unit.name))
    apart = max(len(every) - rules.practice, 0)
    judged = _of_strata(every[:apart], rules.strata) if rules.strata else every[:apart][: rules.sample]
    practice = [_practised(unit, rules, seed) for unit in every[apart:]]
    spares = () if rules.systems or rules.together else _spares(every[:apart], judged, by_type=bool(rules.strata))
    used = ((_in_order(judged, rules, seed), ExhibitUse.DRAWN), (chain(*practice), ExhibitUse.PRACTICE))
    exhibits = [replace(each, use=use) for some, use in (*used, (spares, ExhibitUse.SPARE)) for each in some]
    population = sum(len(unit.exhibits) for unit in every)
    types = Counter(unit.type for unit in every)
    return Draw(exhibits, population, len(every), dict(types), len(judged) + len(practice))


def _in_order(units: Iterable[DrawnUnit], rules: Rules, seed: str) -> Iterator[DrawnExhibit]:
    """Their exhibits as they are sealed: units after each other, but systems mixed, so that neighbours tell nothing."""
    lot = partial(randomness.number, seed, "order")
    if rules.systems and not rules.together:
        found = (each for unit in units for each in unit.exhibits)
        yield from sorted(found, key=lambda each: lot(each.name))
        return
    for unit in units:
        yield from sorted(unit.exhibits, key=lambda each: lot(each.name))


def _practised(unit: DrawnUnit, rules: Rules, seed: str) -> Iterable[DrawnExhibit]:
    return _in_order([unit], rules, seed) if rules.together else [min(unit.exhibits, key=partial(_lot, seed))]


def _spares(every: Iterable[DrawnUnit], judged: Sequence[DrawnUnit], *, by_type: bool) -> Iterator[DrawnExhibit]:
    names = {unit.name for unit in judged}
    left = Counter(unit.type if by_type else "" for unit in judged)
    left = Counter({each: max(FEWEST_SPARES, -(-n // 10)) for each, n in left.items()})
    for unit in every:
        key = unit.type if by_type else ""
        if unit.name not in names and left[key] > 0:
            left[key] -= 1
            yield from unit.exhibits


def _of_strata(every: Iterable[DrawnUnit], strata: Mapping[str, int]) -> list[DrawnUnit]:
    left, found = dict(strata), []
    for unit in every:
        if left.get(unit.type):
            left[unit.type] -= 1
            found.append(unit)
    return found


def items_of(project: Project, rules: Rules) -> list[int]:
    """The keys of the items that may have something to draw, in no order."""
    if rules.systems:
        return list(items_of_predictions(project, rules))
    return list(annotations_of(project, rules).order_by().values_list("item", flat=True).distinct())


def answers_read(project: Project, rules: Rules) -> int:
    """How many annotations or predictions a draw reads."""
    found = predictions_of(project, rules) if rules.systems else annotations_of(project, rules)
    return found.count()


def units_of(
    project: Project,
    rules: Rules,
    *,
    seed: str,
    items: Collection[int] | None = None,
    progress: Progress | None = None,
) -> Iterator[DrawnUnit]:
    """All that can be drawn, of these items or of all, without what was previewed."""
    if rules.systems:
        without = set(rules.without)
        found = units_of_predictions(project, rules, items, progress)
        yield from (unit for unit in found if not any(each.name in without for each in unit.exhibits))
        return
    for screen in by_screen(rules, population(project, rules, seed=seed, items=items, progress=progress)):
        yield DrawnUnit(min(each.name for each in screen), tuple(screen), screen[0].type)


def preview(project: Project, rules: Rules, *, seed: str, n: int) -> list[DrawnExhibit]:
    """So many exhibits of different items that rules leave in, or fewer if there are no more; all are not read.

    Items of which something was previewed come last. If raters see the answers to an item together, all of one item.
    """
    found: list[DrawnExhibit] = []
    seen = {each.item_id for each in named(project, rules, rules.without)}
    items = items_of(project, rules)
    items.sort(key=lambda item: (item in seen, randomness.number(seed, "preview", item)))
    for at in range(0, len(items), FOR_PREVIEW):
        some = items[at : at + FOR_PREVIEW]
        every = [each for unit in units_of(project, rules, seed=seed, items=some) for each in unit.exhibits]
        every.sort(key=lambda each: _lot(seed, each))
        if rules.together and every:
            there = {each.item_id for each in every}
            return next([each for each in every if each.item_id == item] for item in some if item in there)
        chosen = {each.item_id: each for each in every}
        found += [chosen[item] for item in some if item in chosen]
        if len(found) >= n:
            break
    return found[:n]


def named(project: Project, rules: Rules, names: Iterable[str]) -> list[DrawnExhibit]:
    """The exhibits with these names, in this order, as they are now; those that are there no more are left out."""
    wanted = list(names)
    if rules.systems:
        every = [each for unit in named_predictions(project, rules, wanted) for each in unit.exhibits]
    else:
        rows = annotations_of(project, rules).filter(uuid__in={name.partition("/")[0] for name in wanted})
        every = list(exhibits_of(project, rules, list(rows)))
    found = {each.name: each for each in every}
    return [found[name] for name in wanted if name in found]


def population(
    project: Project,
    rules: Rules,
    *,
    seed: str,
    items: Collection[int] | None = None,
    progress: Progress | None = None,
) -> Iterator[DrawnExhibit]:
    """People's exhibits by the rules but those that were previewed: of an item with several annotations the one that
    the seed chooses, or each."""
    chosen: dict[tuple[int, int], DrawnExhibit] = {}
    without = set(rules.without)
    for each in _exhibits(project, rules, items, progress):
        if each.name in without:
            continue
        if rules.of_an_item == "all":
            yield each
            continue
        place = (each.item_id, each.turn)
        other = chosen.get(place)
        if other is None or _lot(seed, each) < _lot(seed, other):
            chosen[place] = each
    yield from chosen.values()


def _lot(seed: str, each: DrawnExhibit) -> int:
    return randomness.number(seed, "of an item", each.name)


def annotations_of(project: Project, rules: Rules) -> QuerySet[Annotation]:
    """The finished annotations that count and may have such exhibits."""
    rows = Annotation.objects.filter(item__project=project, activity=kind_of(project, rules.kind).activity)
    rows = rows.filter(completed_at__isnull=False, excluded_at=None, purpose__in=RELEASED)
    rows = rows.filter(item__split=rules.split) if rules.split else rows
    return rows.select_related("item__root", "item__project").order_by("pk")


def _exhibits(
    project: Project, rules: Rules, items: Collection[int] | None, progress: Progress | None
) -> Iterator[DrawnExhibit]:
    found = annotations_of(project, rules)
    found = found if items is None else found.filter(item__in=items)
    every, done, total = found.iterator(AT_ONCE), 0, found.count() if progress else 0
    while rows := list(islice(every, AT_ONCE)):
        yield from exhibits_of(project, rules, rows)
        done += len(rows)
        if progress:
            progress(done, total)


def exhibits_of(project: Project, rules: Rules, rows: Sequence[Annotation]) -> Iterator[DrawnExhibit]:
    """What these annotations have to judge, with their items loaded."""
    protocol = registry.get(project.protocol)
    activity = protocol.activity(kind_of(project, rules.kind).activity)
    config = protocol.config.model_validate(project.config, strict=False)
    written = loading.responses_of(rows)
    for row in rows:
        item = loading.item_record(row.item)
        responses = loading.whole(protocol, activity, item, config, written[row.pk])
        record = loading.finished_record(row, activity, responses)
        for turn, shown in protocol.exhibits_of(rules.kind, item, record):
            yield DrawnExhibit(
                shown, protocol.type_of(row.item.payload), turn, annotation=row, responses=len(responses)
            )
