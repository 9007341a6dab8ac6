"""What raters see of any protocol's answers: enough of every demo sample, always the same, nothing of who made it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from random import Random

import pytest

from annotation import registry
from annotation.checking.played import annotation_of, item_in_memory, steps_of
from annotation.parsing.sources import FileSource
from annotation.protocol import Protocol
from annotation.values.exhibits import ExhibitKind, ShownExhibit
from annotation.values.records import AnnotationRecord, ItemRecord

JUDGED = [each for each in registry.all_protocols() if each.exhibits and each.demo]
EACH = [
    pytest.param(protocol, kind, id=f"{protocol.key}-{kind.key}") for protocol in JUDGED for kind in protocol.exhibits
]
SOME = 4
"""The first samples of a file, so many at most, whose exhibits are looked at for each merge."""
SEEDS = range(12)
"""Bots at one sample, of whom at least one has to give an answer that can be judged."""
ENOUGH = 2
"""Of so many bots' answers at a sample, exhibits are compared with those of a second time."""
AUTHOR = {name: f"Zq7author{name}" for name in ("external_id", "id_hex", "inside", "worker")}
"""What an annotation knows of who made it and where it is from."""


@cache
def samples(protocol: Protocol, kind: str, most: int = SOME) -> tuple[ItemRecord, ...]:
    """The items of the demo's file of a kind, or those that bots make from them; of the first of the file alone."""
    incoming = (one for one in protocol.read(FileSource(protocol.demo.items)) if not one.parent)
    made = {one.external_id: item_in_memory(one) for one in islice(incoming, most)}
    if any(one.kind == kind for one in made.values()):
        return tuple(one for one in made.values() if one.kind == kind)
    return tuple(
        item_in_memory(one, item)
        for activity in protocol.activities
        for item in made.values()
        if activity.kind == item.kind
        for one in protocol.follow_ups(item, next(played(protocol, activity.key, item)))
        if one.kind == kind
    )


def played(protocol: Protocol, activity: str, item: ItemRecord) -> Iterator[AnnotationRecord]:
    """What bots do with an item."""
    wanted = protocol.activity(activity)
    for seed in SEEDS:
        yield annotation_of(wanted, list(steps_of(protocol, wanted, item, Random(seed))), protocol)


def test_every_protocol_has_something_to_judge():
    assert {each.key for each in registry.all_protocols() if each.demo} == {each.key for each in JUDGED}


@pytest.mark.parametrize(("protocol", "kind"), EACH)
def test_samples_give_exhibits_that_are_the_same_each_time_and_after_they_were_stored(protocol, kind):
    each_gives_exhibits(protocol, kind, samples(protocol, protocol.activity(kind.activity).kind))


@pytest.mark.in_test_all(
    shown_by="tests/protocols/test_exhibits.py"
    "::test_samples_give_exhibits_that_are_the_same_each_time_and_after_they_were_stored"
)
@pytest.mark.parametrize(("protocol", "kind"), EACH)
def test_every_sample_does(protocol, kind):
    each_gives_exhibits(protocol, kind, samples(protocol, protocol.activity(kind.activity).kind, most=10**6))


def each_gives_exhibits(protocol: Protocol, kind: ExhibitKind, items: tuple[ItemRecord, ...]) -> None:
    assert items
    for item in items:
        found = []
        judged = 0
        for annotation in played(protocol, kind.activity, item):
            found += (made := list(protocol.exhibits_of(kind.key, item, annotation)))
            assert made == list(protocol.exhibits_of(kind.key, item, annotation))
            assert len({turn for turn, _shown in made}) == len(made)
            judged += bool(made)
            if judged == ENOUGH:
                break
        assert found, f"{item.external_id} has nothing to judge"
        for _turn, shown in found:
            assert shown.prompt.strip()
            assert ShownExhibit.model_validate_json(shown.model_dump_json()) == shown
            assert ShownExhibit.model_validate(shown.model_dump(mode="json"), strict=False) == shown


@pytest.mark.parametrize(("protocol", "kind"), EACH)
def test_exhibits_say_nothing_of_who_made_the_annotation(protocol, kind):
    item = samples(protocol, protocol.activity(kind.activity).kind)[0]
    for annotation in played(protocol, kind.activity, item):
        answers = tuple(one._replace(author="Zq7author", seat=one.seat) for one in annotation.answers)
        named = annotation._replace(answers=answers, **AUTHOR)
        shown = list(protocol.exhibits_of(kind.key, item, named))
        assert "Zq7author" not in repr(shown)
        assert shown == list(protocol.exhibits_of(kind.key, item, annotation))


@pytest.mark.parametrize(("protocol", "kind"), EACH)
def test_a_rubric_can_be_judged_by_and_published_figures_are_of_its_marks(protocol, kind):
    rubric = kind.rubric()
    assert rubric.problems() == []
    marks = {mark.key: {part.key for part in mark.parts} for mark in rubric.marks}
    of_marks = {key: share for key, share in kind.published.items() if "/" not in key}
    assert not kind.published or kind.source
    assert set(of_marks) in (set(), set(marks))
    assert sum(of_marks.values()) == pytest.approx(1 if of_marks else 0)
    for mark, parts in marks.items():
        told = {key.partition("/")[2]: share for key, share in kind.published.items() if key.startswith(f"{mark}/")}
        assert set(told) in (set(), parts)
        assert sum(told.values()) == pytest.approx(1 if told else 0, abs=0.02)


def test_kinds_are_told_apart_by_key_and_title():
    for protocol in JUDGED:
        for name in ("key", "title"):
            assert len({getattr(kind, name) for kind in protocol.exhibits}) == len(protocol.exhibits)
