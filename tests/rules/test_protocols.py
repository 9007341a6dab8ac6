"""Every stage of every protocol has both templates, a form, a versioned schema and an example for generic tests."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from django import forms
from django.template.loader import get_template
from pydantic import TypeAdapter

from annotation import registry
from annotation.protocol import Activity, Protocol, Stage
from frontend.urls import urlpatterns
from tests.protocols.examples import Example, hiding

EXAMPLES = Path(__file__).resolve().parents[1] / "protocols"
SHOW_EVERYTHING: set[str] = set()
"""Protocols that hide nothing of an item at the first stage, so that tests/protocols/test_two_worlds.py skips them."""
STAGES = [
    pytest.param(protocol, stage, id=f"{protocol.key}-{stage.key}")
    for protocol in registry.all_protocols()
    for activity in protocol.activities
    for stage in activity.stages
]


@pytest.mark.parametrize(("protocol", "stage"), STAGES)
def test_a_stage_has_a_template_to_fill_in_and_one_to_read(protocol, stage):
    get_template(f"{protocol.key}/{stage.key}.html")
    get_template(f"{protocol.key}/{stage.key}_read.html")


@pytest.mark.parametrize(("protocol", "stage"), STAGES)
def test_a_stage_has_a_form_that_converts_its_payload_both_ways(protocol, stage):
    form = registry.form_of(protocol.key, stage.key)
    assert callable(form.payload)
    assert callable(form.fields_of)


@pytest.mark.parametrize(("protocol", "stage"), STAGES)
def test_a_stage_has_a_schema_with_a_name_and_a_version(protocol, stage):
    assert isinstance(stage.schema, TypeAdapter)
    assert re.fullmatch(rf"{protocol.key}\.{stage.key}/\d+", stage.schema_name)
    assert bool(stage.published) == bool(stage.published_name)
    assert stage.published_name != stage.schema_name


@pytest.mark.parametrize("protocol", registry.all_protocols(), ids=lambda protocol: protocol.key)
def test_each_of_several_seats_has_a_title(protocol):
    for activity in protocol.activities:
        assert set(activity.seat_titles) == (set(activity.seats) if len(activity.seats) > 1 else set())


@pytest.mark.parametrize("protocol", registry.all_protocols(), ids=lambda protocol: protocol.key)
def test_a_protocol_has_examples_and_a_bot(protocol):
    assert (EXAMPLES / protocol.key / "examples" / "items.jsonl").is_file()
    assert (EXAMPLES / protocol.key / "examples" / "sentinels.json").is_file()
    assert protocol.demo is None or protocol.demo.items.is_file()
    with pytest.raises(TypeError):
        protocol.bots.pretend(object(), Random(1))


@pytest.mark.parametrize("protocol", registry.all_protocols(), ids=lambda protocol: protocol.key)
def test_a_protocol_has_another_world_exactly_if_it_hides_something_at_its_first_stage(protocol):
    example = Example(protocol)
    other = example.path("other.jsonl")
    if not example.hides_at_first():
        assert not other.exists(), "name what it hides at the first stage in sentinels.json, or delete other.jsonl"
    else:
        assert other.is_file(), "add other.jsonl: the same items, except for what the first stage hides"
        assert other.read_bytes() != example.path("items.jsonl").read_bytes()


def test_protocols_that_show_everything_at_once_are_listed():
    assert {found.key for found in registry.all_protocols()} - {found.key for found in hiding()} == SHOW_EVERYTHING


@pytest.mark.parametrize("protocol", registry.all_protocols(), ids=lambda protocol: protocol.key)
def test_stages_of_a_protocol_have_unique_names(protocol):
    stages = {stage for activity in protocol.activities for stage in activity.stages}  # activities may share one
    assert len(stages) == len({stage.key for stage in stages})


def test_names_already_used_in_the_urls_of_work_are_reserved():
    literal = {
        found[1] for each in urlpatterns if (found := re.fullmatch(r"work/<uuid:uuid>/(\w+)/", str(each.pattern)))
    }
    assert literal == registry.RESERVED, "stage keys must not hide a route: list it in annotation.registry.RESERVED"


@pytest.mark.parametrize("key", ["skip", "now", "ask-2", "2nd", "", "with space", "größe"])
def test_a_stage_whose_key_cannot_be_an_address_is_refused(key):
    stage = Stage(key, "Ask", "impossible.ask/1", TypeAdapter(int))
    with pytest.raises(ValueError, match="needs another key"):
        registry.register(_with(stage), forms={key: object})
    assert "impossible" not in {protocol.key for protocol in registry.all_protocols()}


def test_a_stage_without_a_form_is_refused():
    with pytest.raises(ValueError, match="has no form"):
        registry.register(_with(Stage("ask", "Ask", "impossible.ask/1", TypeAdapter(int))), forms={})


def test_a_form_that_is_not_that_of_a_stage_is_refused():
    with pytest.raises(ValueError, match="is no annotation"):
        registry.register(_with(Stage("ask", "Ask", "impossible.ask/1", TypeAdapter(int))), forms={"ask": forms.Form})


def _with(stage):
    """A protocol with that one stage, not registered."""

    class Impossible(Protocol):
        key = "impossible"
        activities = (Activity("only", "Only", "", "item", (stage,), minutes=10),)

    return Impossible()
