"""What each protocol measures: known stages, titles, and values and similarities that suit their scale."""

from __future__ import annotations

import pytest

from annotation import registry
from annotation.values.measures import Comparison, Measure

MEASURING = [protocol for protocol in registry.all_protocols() if protocol.measures]
EACH = [
    pytest.param(protocol, one, id=f"{protocol.key}-{one.key}") for protocol in MEASURING for one in protocol.measures
]


def test_every_protocol_has_measures():
    assert [protocol.key for protocol in registry.all_protocols() if not protocol.measures] == []


@pytest.mark.parametrize("protocol", MEASURING, ids=lambda protocol: protocol.key)
def test_keys_are_unique_in_an_activity(protocol):
    keys = [(one.activity, one.key) for one in protocol.measures]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize(("protocol", "one"), EACH)
def test_it_belongs_to_an_activity_and_one_of_its_stages(protocol, one):
    activity = protocol.activity(one.activity)
    assert one.stage == "" or activity.stage(one.stage)
    assert one.title
    assert one.key.isidentifier()


@pytest.mark.parametrize(("protocol", "one"), EACH)
def test_numbers_and_sets_are_told_apart_by_the_scale(protocol, one):
    if isinstance(one, Comparison):
        return
    assert isinstance(one, Measure)
    for value in one.everywhere or ():
        assert isinstance(value, frozenset) == (one.scale == "set")
