"""Divide a project's imported items into splits: planned first, then done, and never for what was worked on."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.db.models.functions import Coalesce

from annotation import events, randomness, registry
from annotation.i18n import _
from annotation.models import Annotation, Item, Project, User
from annotation.protocol import Protocol
from annotation.protocol_tools import Division
from tasks.engine import queues, transitions
from tasks.engine.transactions import service
from tasks.models import Assignment, Task

BATCH = 200
"""Units that are moved in one transaction."""
NAMED = 5
"""Repeated items that are named."""
SPLIT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
SIZE = re.compile(r"(\d{1,9})|(\d{1,3}(?:\.\d{1,4})?) ?%")
WORKED, PUBLISHED = "worked", "published"
"""Why an item stays where it is: somebody holds, held or did work on it; it came with published annotations."""


class DivisionRefused(Exception):
    """A division that can't be made: a sentence on why, with `%(name)s` for its numbers."""

    def __init__(self, message: str, **numbers: Any) -> None:
        super().__init__(message % numbers if numbers else message)
        self.message, self.numbers = message, numbers


@dataclass
class SplitUnit:
    """What is drawn: imported items that stay together, with everything under them."""

    name: str
    domain: str
    items: list[int] = field(default_factory=list)
    splits: set[str] = field(default_factory=set)
    alike: set[str] = field(default_factory=set)
    fixed: str = ""


@dataclass
class Plan:
    """What a division would do, counted in units. `after`: by domain and split; `moves`: by where from and where to.

    `fixed`: units that stay where they are although they would be moved, by reason. `repeated`: how many units ask the
    same as one in another split, and the captions of some. `to`: what is moved, by the split it goes into.
    """

    after: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    moves: Counter[tuple[str, str]] = field(default_factory=Counter)
    fixed: Counter[str] = field(default_factory=Counter)
    short: dict[tuple[str, str], int] = field(default_factory=dict)
    repeated: int = 0
    examples: list[str] = field(default_factory=list)
    to: dict[str, list[SplitUnit]] = field(default_factory=lambda: defaultdict(list))

    @property
    def moved(self) -> int:
        """How many units get another split."""
        return self.moves.total()


def parsed(sizes: Mapping[str, str], rest: str, only: Mapping[str, str]) -> None:
    """Refuse impossible names of splits and impossible sizes."""
    for split in (*sizes, rest, *only.values()):
        if not SPLIT.fullmatch(split):
            raise DivisionRefused(_("%(split)s can’t be the name of a split."), split=split or "-")
    for split, size in sizes.items():
        if not SIZE.fullmatch(size.strip()):
            raise DivisionRefused(_("The size of %(split)s has to be a number, or a share such as 10 %%."), split=split)
    if rest in sizes:
        raise DivisionRefused(_("%(split)s gets the rest, so it can’t have a size as well."), split=rest)


def plan(project: Project, division: Division, *, seed: str = "", allow_repeated: bool = False) -> Plan:
    """What dividing would do; DivisionRefused if there are too few, or items that ask the same would be parted.

    What is fixed counts for the split it is in; the others are drawn by a hash of the seed (the project's, if none is
    given) and their name, so the same items and seed give the same splits.
    """
    parsed(division.sizes, division.rest, division.only)
    protocol, found = registry.get(project.protocol), Plan()
    units = _units(project, protocol, division)
    if not units:
        raise DivisionRefused(_("There is nothing to divide: no item has been imported."))
    by_domain: dict[str, list[SplitUnit]] = defaultdict(list)
    asked: dict[str, list[tuple[SplitUnit, set[str]]]] = defaultdict(list)
    for unit in units:
        by_domain[unit.domain if division.by == "domain" else ""].append(unit)
    for domain, members in sorted(by_domain.items()):
        chosen = _drawn(members, division, domain, seed=seed or project.config.get("seed", ""))
        for unit, split in chosen:
            _count(found, unit, split, domain)
            for key in unit.alike:
                asked[key] += [(unit, {split} if not unit.fixed else unit.splits)]
        if domain not in division.only:
            wanted = {split: _number(size, len(members)) for split, size in division.sizes.items()}
            found.short |= {(domain, split): n for split, n in wanted.items() if found.after[domain][split] < n}
    _find_repeated(found, asked, protocol)
    if found.repeated and not allow_repeated:
        said = _("%(n)s of them ask the same as one in another split, for example: %(examples)s")
        raise DivisionRefused(said, n=found.repeated, examples=" · ".join(found.examples))
    return found


def divide(
    project: Project,
    division: Division,
    *,
    by: User | None,
    now: datetime,
    seed: str = "",
    allow_repeated: bool = False,
) -> Plan:
    """Do what is planned now; tasks of moved items are made anew, with the places that their split wants."""
    found = plan(project, division, seed=seed, allow_repeated=allow_repeated)
    moved = 0
    for split, units in found.to.items():
        for start in range(0, len(units), BATCH):
            moved += _move(project, units[start : start + BATCH], split)
    said = {"drawn": division.by, "sizes": dict(division.sizes), "rest": division.rest, "only": dict(division.only)}
    counts = {"moved": moved, "kept": found.fixed.total(), "after": dict(sum(found.after.values(), Counter()))}
    events.record("project.splits", project, by=by, now=now, seed=seed, **said, **counts)
    if moved:
        queues.look_again(project)
        for queue in project.queues.select_related("project"):
            queues.fill(queue, now=now, at_most=queues.MANY)
    return found


@service
def _move(project: Project, units: list[SplitUnit], split: str) -> int:
    """Give the units this split, but for those that somebody has begun meanwhile; returns how many were moved.

    Nobody has ever held their tasks, so these are no part of the record: they are deleted and made anew.
    """
    items = [pk for unit in units for pk in unit.items]
    transitions.lock(list(Task.objects.filter(item__in=items).order_by().values_list("pk", flat=True)))
    begun = set(Assignment.objects.filter(task__item__in=items).values_list("task__item", flat=True))
    moving = [unit for unit in units if not begun & set(unit.items)]
    items = [pk for unit in moving for pk in unit.items]
    Task.objects.filter(item__in=items).delete()
    Item.objects.filter(pk__in=items).update(split=split)
    return len(moving)


def _units(project: Project, protocol: Protocol, division: Division) -> list[SplitUnit]:
    fixed, found, of_root = _fixed(project), dict[str, SplitUnit](), dict[int, SplitUnit]()
    rows = Item.objects.filter(queues.visible(), project=project).order_by("position", "pk")
    columns = ("pk", "external_id", "split", "alike", *(["payload"] if _needs_payloads(protocol) else []))
    for pk, name, split, alike, *payload in rows.filter(root=None).values_list(*columns).iterator(chunk_size=2000):
        group = protocol.group_of(*payload) if payload and division.by != "random" else ""
        key = f"group {group}" if group else f"item {name}"
        if key not in found:
            found[key] = SplitUnit(key, protocol.domain_of(*payload) if payload else "")
        unit = found[key]
        unit.items.append(pk)
        unit.splits.add(split)
        unit.alike |= {alike} - {""}
        unit.fixed = fixed.get(pk) or unit.fixed
        of_root[pk] = unit
    for pk, root in rows.filter(root__isnull=False).values_list("pk", "root"):
        if root in of_root:
            of_root[root].items.append(pk)
    return list(found.values())


def _needs_payloads(protocol: Protocol) -> bool:
    """Whether the protocol knows groups or domains; without them, no payload has to be read."""
    kind = type(protocol)
    return kind.group_of is not Protocol.group_of or kind.domain_of is not Protocol.domain_of


def _fixed(project: Project) -> dict[int, str]:
    """By root, why it stays in its split."""
    root = Coalesce("item__root", "item")
    annotated = Annotation.objects.filter(item__project=project).annotate(top=root)
    held = Assignment.objects.filter(task__item__project=project)
    held = held.annotate(top=Coalesce("task__item__root", "task__item"))
    worked = Q(author__isnull=False) & Q(job__isnull=True)
    found = dict.fromkeys(annotated.exclude(worked).order_by().values_list("top", flat=True).distinct(), PUBLISHED)
    found |= dict.fromkeys(annotated.filter(worked).order_by().values_list("top", flat=True).distinct(), WORKED)
    return found | dict.fromkeys(held.order_by().values_list("top", flat=True).distinct(), WORKED)


def _drawn(members: list[SplitUnit], division: Division, domain: str, *, seed: str) -> Iterable[tuple[SplitUnit, str]]:
    """Each unit of a domain with its split."""
    if domain in division.only:
        return [(unit, division.only[domain]) for unit in members]
    wanted = {split: _number(size, len(members)) for split, size in division.sizes.items()}
    if sum(wanted.values()) > len(members):
        said = _("%(wanted)s are wanted%(where)s, and there are only %(n)s.")
        where = f" ({domain})" if domain else ""
        raise DivisionRefused(said, wanted=sum(wanted.values()), where=where, n=len(members))
    drawn: dict[str, str] = {}
    for unit in (each for each in members if each.fixed and len(each.splits) == 1):
        split = next(iter(unit.splits))
        if wanted.get(split):
            wanted[split], drawn[unit.name] = wanted[split] - 1, split
    free = [unit for unit in members if not unit.fixed]
    free.sort(key=lambda unit: (randomness.number(seed, "splits", unit.name), unit.name))
    places = [split for split, n in wanted.items() for _place in range(n)]
    drawn |= {unit.name: split for unit, split in zip(free, places, strict=False)}
    return [(unit, drawn.get(unit.name, division.rest)) for unit in members]


def _number(size: str, n: int) -> int:
    found = SIZE.fullmatch(size.strip())
    assert found is not None
    return int(found[1]) if found[1] else round(n * float(found[2]) / 100)


def _count(plan: Plan, unit: SplitUnit, split: str, domain: str) -> None:
    if unit.fixed:
        if unit.splits != {split}:
            plan.fixed[unit.fixed] += 1
        for kept in unit.splits:
            plan.after[domain][kept] += 1
        return
    plan.after[domain][split] += 1
    if unit.splits != {split}:
        plan.moves["/".join(sorted(unit.splits)), split] += 1
        plan.to[split].append(unit)


def _find_repeated(plan: Plan, asked: Mapping[str, list[tuple[SplitUnit, set[str]]]], protocol: Protocol) -> None:
    """Count the units that ask the same as one in another split."""
    parted = [units for units in asked.values() if len(set[str]().union(*(splits for _unit, splits in units))) > 1]
    plan.repeated = sum(len(units) for units in parted)
    first = Item.objects.in_bulk([units[0][0].items[0] for units in parted[:NAMED]])
    plan.examples = [protocol.caption(item.kind, item.payload) for item in first.values()]
