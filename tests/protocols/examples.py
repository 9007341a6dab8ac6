"""Each protocol's example: its files, the words that some stages must hide, and a project with its items."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import orjson
import pytest

from annotation import clock, registry
from annotation.models import Project
from annotation.parsing.sources import FileSource
from annotation.protocol import Activity, Protocol
from annotation.values.records import Context, Step
from tasks.engine import queues
from tests.builders import load, project
from tests.protocols.peers import finish_by_services, seats
from tests.protocols.records import item_of

EXAMPLES = Path(__file__).parent


def of_one_person() -> tuple[Protocol, ...]:
    """The protocols whose first activity is done by one person alone."""
    return tuple(found for found in registry.all_protocols() if len(found.activities[0].seats) == 1)


def hiding() -> tuple[Protocol, ...]:
    """The protocols whose sentinels name something that the first stage of their first activity hides."""
    return tuple(found for found in registry.all_protocols() if Example(found).hides_at_first())


def with_demos() -> tuple[Protocol, ...]:
    """The protocols that `make run` shows."""
    return tuple(found for found in registry.all_protocols() if found.demo is not None)


def parameters(protocols: list, *, each_merge: tuple[str, ...], others: pytest.MarkDecorator) -> list:
    """A parameter for each protocol; those that not each merge runs have the mark for the others."""
    return [pytest.param(each, id=each.key, marks=() if each.key in each_merge else others) for each in protocols]


@dataclass(frozen=True)
class Example:
    """A protocol's example: its files, and word -> {where, stages, where_chosen} of its sentinels."""

    protocol: Protocol

    def path(self, name: str) -> Path:
        return EXAMPLES / self.protocol.key / "examples" / name

    @property
    def sentinels(self) -> dict[str, dict[str, Any]]:
        return orjson.loads(self.path("sentinels.json").read_bytes())

    def first_step(self) -> Step:
        """The first step of the first activity."""
        activity = self.protocol.activities[0]
        read = self.protocol.read(FileSource(self.path("items.jsonl")))
        item = next((item_of(each) for each in read if each.kind == activity.kind), None)
        return self.protocol.next_step(Context(item, activity.key, seat=activity.seats[0]))

    def first(self) -> str:
        """The state in which the first stage of the first activity is next."""
        return f"> {self.first_step().address}"

    def hides_at_first(self) -> bool:
        """Whether a sentinel may not be seen at the first stage; if none, everything in an item is shown there."""
        return any(self.first_step().stage not in rule["stages"] for rule in self.sentinels.values())

    def opened(self, name: str = "items.jsonl", *, of: Activity | None = None, **config: Any) -> Project:
        """A project with the example's items, open to a hundred people each.

        If the activity `of` works on items that the file does not contain, other people have created some before.
        """
        numbers = {
            activity.key: {"overlap": {"train": 100}, "draw": "in_order"} for activity in self.protocol.activities
        }
        made = project("coast", protocol=self.protocol.key, activities=numbers, work_by_script=True, **config)
        load(made, self.path(name))
        if of is not None and not made.items.filter(kind=of.kind).exists():
            self._make_items(made, of)
        for activity in self.protocol.activities:
            queues.open_queue(made, activity.key, by=None, now=clock.now())
        return made

    def _make_items(self, into: Project, wanted: Activity) -> None:
        """Finish work of the other activities that have items, one by one, until the wanted items are created."""
        numbers = into.config["activities"]
        for activity in self.protocol.activities:
            if into.items.filter(kind=wanted.kind).exists():
                break
            if activity is not wanted and into.items.filter(kind=activity.kind).exists():
                into.config["activities"] = numbers | {activity.key: {"overlap": {"train": 1}}}
                into.save()
                queues.open_queue(into, activity.key, by=None, now=clock.now())
                finish_by_services(into, activity, seats(into, activity, f"maker-{activity.key}"), Random(1))
        into.config["activities"] = numbers
        into.save()
        assert into.items.filter(kind=wanted.kind).exists(), f"no work makes items of the kind {wanted.kind}"
