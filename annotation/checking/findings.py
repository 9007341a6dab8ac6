"""What is wrong with a protocol, in sentences that name the cause: files, forms, sheets, methods, what it hides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

import orjson
from pydantic import ValidationError

from annotation import registry
from annotation.checking.declared import wrong_scenes, wrong_templates
from annotation.checking.played import Broken, PlayedStep, annotation_of, item_in_memory, steps_of
from annotation.parsing.incoming import IncomingItem, RefusedLine
from annotation.parsing.sources import FileSource
from annotation.protocol import Activity, Protocol
from annotation.values.records import AnnotationRecord, Context, ItemRecord, ReleaseRecord, Step
from annotation.values.sheets import Sheet

PIECES = 20
"""Pieces of work by bots, over all items of an activity."""


@dataclass(frozen=True)
class ProtocolCheck:
    """A protocol with a file of items. `words`: canary -> {where, stages}, as in `sentinels.json`; `other`: the same
    items, except for what the first stage hides.
    """

    protocol: Protocol
    items: Path
    words: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    other: Path | None = None

    @cached_property
    def _read(self) -> tuple[list[IncomingItem], list[str]]:
        return _items_and_refusals(self.protocol, self.items)

    @cached_property
    def _records(self) -> list[ItemRecord]:
        found: dict[tuple[str, str], ItemRecord] = {}
        for one in self._read[0]:
            root = found.get(one.parent) if one.parent else None
            found[one.kind, one.external_id] = item_in_memory(one, root)
        return list(found.values())

    def findings(self) -> list[str]:
        """Every cause once, in the order in which it was found; none if all is well."""
        return list(dict.fromkeys(self._findings()))

    def _findings(self) -> Iterator[str]:
        yield from self._read[1]
        yield from self._parts()
        demo = self.protocol.demo
        if demo is not None and demo.story:
            read = self._read if demo.items == self.items else _items_and_refusals(self.protocol, demo.items)
            yield from wrong_scenes(self.protocol, demo, read[0])
        if self.protocol.bots is None:
            yield "The protocol has no bots, so nothing else can be checked: see Bots in docs/protocols.md."
            return
        made = list(self._records)
        for activity in self.protocol.activities:
            items = [one for one in made if one.kind == activity.kind]
            if not items:
                yield f"{activity.key}: {self.items.name} has no {activity.kind}, and no work before it makes one."
            for seed in range(PIECES if items else 0):
                yield from self._piece(activity, items[seed % len(items)], Random(seed), made)
        yield from self._worlds()

    def _parts(self) -> Iterator[str]:
        """Templates and schemas of each stage, and the texts that a project begins with."""
        yield from wrong_templates(self.protocol)
        for stage in {one.key: one for activity in self.protocol.activities for one in activity.stages}.values():
            wanted = f"{self.protocol.key}.{stage.key}/"
            if not stage.schema_name.startswith(wanted):
                yield f"{stage.key}: its schema is called {stage.schema_name}, not {wanted}1 or a later number."
        if not self.protocol.guideline().strip():
            yield "guideline() is empty: a new project would begin without guidelines."

    def _piece(self, activity: Activity, item: ItemRecord, rng: Random, made: list[ItemRecord]) -> Iterator[str]:
        """One piece of work to its end, and what is made of it; new items are added to `made`."""
        done: list[PlayedStep] = []
        try:
            for one in steps_of(self.protocol, activity, item, rng):
                done.append(one)
                yield from self._step(activity, one)
        except Broken as broken:
            yield f"{activity.key}: {broken}"
            return
        except Exception as error:  # whatever a method raises is what is looked for
            yield f"{activity.key}: {type(error).__name__} was raised: {error}"
            return
        if not done:
            yield f"{activity.key}: there is nothing to answer about {item.external_id or 'an item'}."
            return
        annotation = annotation_of(activity, done, self.protocol)
        yield from self._annotation(activity, item, annotation)
        follow_ups = self.protocol.follow_ups(item, annotation)
        if follow_ups != self.protocol.follow_ups(item, annotation):
            yield f"{activity.key}: follow_ups makes other items each time it is called."
        known = {(one.kind, one.external_id) for one in made}
        made += [
            item_in_memory(one, item.root or item) for one in follow_ups if (one.kind, one.external_id) not in known
        ]

    def _step(self, activity: Activity, one: PlayedStep) -> Iterator[str]:
        at = f"{activity.key}, {one.step.address}"
        sheet = one.sheets[one.step.stage]
        if sheet != self.protocol.sheet(one.context, one.step):
            yield f"{at}: sheet is another each time it is called. Seed what is random with context.seed."
        yield from self._hidden(at, one)
        form_class = registry.form_of(self.protocol.key, one.step.stage)
        form = form_class(form_class.fields_of(one.payload))
        if not form.is_valid():
            yield f"{at}: the form refuses what the bot says: {form.errors.as_text()}".replace("\n", " ")
        elif (again := form.payload()) != one.payload:
            yield f"{at}: the form makes another payload of its own fields: {again!r} of {one.payload!r}."
        try:
            model = activity.stage(one.step.stage).schema.validate_json(orjson.dumps(one.payload))
        except ValidationError as refused:
            yield f"{at}: the schema refuses what the bot says: {refused.errors()[0]['msg']}."
            return
        for problem in self.protocol.check(one.context, one.step, model):
            yield f"{at}: check refuses what the bot says: {problem.field} ({problem.code})."

    def _hidden(self, at: str, one: PlayedStep) -> Iterator[str]:
        """Canaries in sheets that may not show them, unless somebody has said them."""
        said = repr([entry.payload for entry in one.context.answers])
        for stage, sheet in one.sheets.items():
            shown = repr(sheet) + _page_of(sheet, one.context.item)
            for word, rule in self.words.items():
                allowed = stage in rule["stages"] or stage in rule.get("where_chosen", ())
                if word in shown and not allowed and word not in said:
                    name = _field_with(sheet, word)
                    yield f"{at}: the sheet of {stage} shows {word} ({rule['where']}) in its field {name}."

    def _annotation(self, activity: Activity, item: ItemRecord, annotation: AnnotationRecord) -> Iterator[str]:
        protocol, key = self.protocol, activity.key
        similarity = protocol.compare(key, annotation, annotation)
        if abs(similarity - 1) > 1e-9:
            yield f"{key}: compare of an annotation with itself is {similarity}, not 1."
        scores = protocol.grade(key, item, annotation, [annotation])
        if not scores or any(score.points != 1 for score in scores):
            yield f"{key}: grade of an annotation against itself does not give every point."
        for name in ("needs_acceptance", "is_enough"):
            said = [getattr(protocol, name)(item, annotation, protocol.config()) for _time in range(2)]
            if said not in ([True, True], [False, False]):
                yield f"{key}: {name} says neither True nor False of finished work, or not each time the same."
        for entry in annotation.answers:
            protocol.view(entry.stage, entry.payload, item)
        for format in protocol.formats:
            if format.kind == item.kind and format.activity == key and not format.child_kind:
                record = ReleaseRecord(item, (annotation,))
                yield from _written_twice(protocol, format.key, record)

    def _worlds(self) -> Iterator[str]:
        """The sheets of the first steps in both worlds."""
        if self.other is None:
            return
        others, refused = _items_and_refusals(self.protocol, self.other)
        yield from refused
        activity = self.protocol.activities[0]
        first = [one for one in self._records if one.kind == activity.kind]
        second = [item_in_memory(one) for one in others if one.kind == activity.kind]
        for one, other in zip(first, second, strict=False):
            shown = [_first_sheet(self.protocol, activity, each) for each in (one, other)]
            for name in _differing_fields(*shown) if all(shown) else ():
                yield f"{activity.key}: its first sheet tells the two worlds apart in its field {name}."


def _items_and_refusals(protocol: Protocol, file: Path) -> tuple[list[IncomingItem], list[str]]:
    found = list(protocol.read(FileSource(file)))
    refused = [
        f"{file.name}, line {one.line}: {one.field} is refused: {one.reason}"
        for one in found
        if isinstance(one, RefusedLine)
    ]
    return [one for one in found if isinstance(one, IncomingItem)], refused


def _first_sheet(protocol: Protocol, activity: Activity, item: ItemRecord) -> Sheet | None:
    """What the first seat sees at its first step; None if it has none, which `_piece` tells."""
    context = Context(item, activity.key, seat=activity.seats[0], config=protocol.config(), seed="seed")
    step = protocol.next_step(context)
    return protocol.sheet(context, step) if isinstance(step, Step) else None


def _page_of(sheet: Sheet, item: ItemRecord) -> str:
    """What the frame of a sheet shows of a page; "" without a frame."""
    if sheet.frame is None:
        return ""
    documents = item.documents or (item.root.documents if item.root else ())
    return documents[sheet.frame.document].rendering(sheet.frame.root).html


def _differing_fields(one: Sheet | None, other: Sheet | None) -> list[str]:
    return [name for name in vars(one) if vars(one)[name] != vars(other).get(name)]


def _field_with(sheet: Sheet, word: str) -> str:
    return next((name for name, value in vars(sheet).items() if word in repr(value)), "frame")


def _written_twice(protocol: Protocol, format: str, record: ReleaseRecord) -> Iterator[str]:
    """Whether a format writes the same JSON each time."""
    try:
        one, other = (orjson.dumps(list(protocol.write(format, [record]))) for _time in range(2))
    except TypeError as error:
        yield f"The format {format} writes what is no JSON: {error}."
        return
    if one != other:
        yield f"The format {format} writes another record each time."
