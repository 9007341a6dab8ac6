"""What a judging round can be about, drawn by its seed: which exhibits, in which order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from django.db.models import QuerySet

from annotation import randomness, registry
from annotation.engine import loading
from annotation.judging.rubrics import Rubric
from annotation.judging.rules import Rules
from annotation.models import RELEASED, Annotation, ExhibitUse, Project, Response
from annotation.values.exhibits import ExhibitKind, ShownExhibit

Progress = Callable[[int, int], None]
AT_ONCE = 500
"""Annotations that are read together."""
FEWEST_SPARES = 10
"""What is sealed beyond the sample to replace defects, at least, if there is so much."""
FOR_PREVIEW = 20
"""Items that are looked at together for a preview."""


@dataclass(frozen=True)
class DrawnExhibit:
    """An exhibit that could be drawn: an annotation as it is now, and a turn of it. `type`: of its item, "" if none."""

    annotation: Annotation
    turn: int
    responses: int
    shown: ShownExhibit
    type: str = ""
    use: str = ExhibitUse.DRAWN

    @property
    def name(self) -> str:
        """What the order of the draw and the hash of the round know it by; the same wherever the project is."""
        return f"{self.annotation.uuid}/{self.turn}"


def kind_of(project: Project, key: str) -> ExhibitKind:
    """The kind of exhibits with this key, or KeyError."""
    return {kind.key: kind for kind in registry.get(project.protocol).exhibits}[key]


def published_of(kind: ExhibitKind, rubric: Rubric) -> dict[str, float]:
    """The published shares of a kind, if the rubric has the marks of its preset; of others nothing is published."""
    same = {mark.key for mark in rubric.marks} == {mark.key for mark in kind.rubric().marks}
    return kind.published if same else {}


def drawn(project: Project, rules: Rules, *, seed: str) -> tuple[list[DrawnExhibit], int]:
    """What is drawn, in its order, then what is for practice; and how many there are to draw from."""
    draw = draw_of(project, rules, seed=seed)
    return [each for each in draw.exhibits if each.use != ExhibitUse.SPARE], draw.population


@dataclass(frozen=True)
class Draw:
    """`exhibits`: those that are judged, in the sealed order, after them those for practice, and then spares.

    `population`: how many there are to draw from; `types`: how many of each type of item, where rules name types.
    """

    exhibits: list[DrawnExhibit]
    population: int
    types: dict[str, int]


def draw_of(project: Project, rules: Rules, *, seed: str, progress: Progress | None = None) -> Draw:
    """Draw by the rules: the first ones of the order (of each type, if rules name types) are judged.

    `progress` is told how many annotations were read, and how many there are.

    The last ones of the order are for practice, so that what is judged is the same draw with and without practice,
    unless all would be drawn. Spares, which replace defects, are the next of the order: a tenth as many as are judged
    but at least FEWEST_SPARES, as far as there are some.
    """
    every = list(population(project, rules, seed=seed, progress=progress))
    every.sort(key=lambda each: randomness.number(seed, "order", each.name))
    apart = max(len(every) - rules.practice, 0)
    types = Counter(each.type for each in every) if rules.strata else {}
    judged = _of_strata(every[:apart], rules.strata) if rules.strata else every[:apart][: rules.sample]
    practice = [replace(each, use=ExhibitUse.PRACTICE) for each in every[apart:]]
    names = {each.name for each in judged}
    rest = (replace(each, use=ExhibitUse.SPARE) for each in every[:apart] if each.name not in names)
    spares = islice(rest, max(FEWEST_SPARES, -(-len(judged) // 10)))
    return Draw([*judged, *practice, *spares], len(every), dict(types))


def _of_strata(every: Iterable[DrawnExhibit], strata: Mapping[str, int]) -> list[DrawnExhibit]:
    left, found = dict(strata), []
    for each in every:
        if left.get(each.type):
            left[each.type] -= 1
            found.append(each)
    return found


def preview(project: Project, rules: Rules, *, seed: str, n: int) -> list[DrawnExhibit]:
    """So many exhibits of different items that rules leave in, or fewer if there are no more; all are not read.

    Items of which something was previewed come last.
    """
    rows, without, found = annotations_of(project, rules), set(rules.without), list[DrawnExhibit]()
    seen = set(rows.filter(uuid__in={name.partition("/")[0] for name in without}).values_list("item", flat=True))
    items = list(rows.order_by().values_list("item", flat=True).distinct())
    items.sort(key=lambda item: (item in seen, randomness.number(seed, "preview", item)))
    for at in range(0, len(items), FOR_PREVIEW):
        some = items[at : at + FOR_PREVIEW]
        every = [
            each for each in exhibits_of(project, rules, list(rows.filter(item__in=some))) if each.name not in without
        ]
        every.sort(key=lambda each: _lot(seed, each))
        chosen = {each.annotation.item_id: each for each in every}
        found += [chosen[item] for item in some if item in chosen]
        if len(found) >= n:
            break
    return found[:n]


def named(project: Project, rules: Rules, names: Iterable[str]) -> list[DrawnExhibit]:
    """The exhibits with these names, in this order, as they are now; those that are there no more are left out."""
    wanted = list(names)
    rows = annotations_of(project, rules).filter(uuid__in={name.partition("/")[0] for name in wanted})
    found = {each.name: each for each in exhibits_of(project, rules, list(rows))}
    return [found[name] for name in wanted if name in found]


def population(
    project: Project, rules: Rules, *, seed: str, progress: Progress | None = None
) -> Iterator[DrawnExhibit]:
    """All exhibits of the rules but those that were previewed: of an item with several annotations the one that the
    seed chooses, or each."""
    chosen: dict[tuple[int, int], DrawnExhibit] = {}
    without = set(rules.without)
    for each in _exhibits(project, rules, progress):
        if each.name in without:
            continue
        if rules.of_an_item == "all":
            yield each
            continue
        place = (each.annotation.item_id, each.turn)
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


def _exhibits(project: Project, rules: Rules, progress: Progress | None) -> Iterator[DrawnExhibit]:
    found = annotations_of(project, rules)
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
    written: dict[int, list[Response]] = {row.pk: [] for row in rows}
    for response in Response.objects.filter(annotation__in=list(written)).order_by("pk"):
        written[response.annotation_id].append(response)
    for row in rows:
        item = loading.item_record(row.item)
        responses = loading.whole(protocol, activity, item, config, written[row.pk])
        record = loading.finished_record(row, activity, responses)
        for turn, shown in protocol.exhibits_of(rules.kind, item, record):
            yield DrawnExhibit(row, turn, len(responses), shown, protocol.type_of(row.item.payload))
