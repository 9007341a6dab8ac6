"""Every state is in its transition table and in docs/states.md."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.apps import apps

from tasks.management.commands.states import MACHINES, page

CHECKOUT = Path(__file__).resolve().parents[2]
TOLD = {"tasks.Partner"}
"""No model has these states: they are told by times."""


@pytest.mark.parametrize("name", MACHINES)
def test_every_state_has_a_row_of_transitions_and_they_lead_to_states(name):
    states, moves = MACHINES[name]
    assert set(moves) == set(states)
    assert set().union(*moves.values()) <= set(states)
    assert all(state not in moves[state] for state in moves)


def test_every_model_with_a_state_is_a_machine():
    with_state = {
        model._meta.label
        for model in apps.get_models()
        if any(field.name == "state" and field.choices for field in model._meta.concrete_fields)
    }
    assert with_state == set(MACHINES) - TOLD


@pytest.mark.parametrize("name", sorted(set(MACHINES) - TOLD))
def test_the_states_of_a_model_are_those_of_its_machine(name):
    choices = apps.get_model(name)._meta.get_field("state").choices
    assert [value for value, _ in choices] == [str(state) for state in MACHINES[name][0]]


def test_the_diagrams_are_up_to_date():
    assert (CHECKOUT / "docs" / "states.md").read_text() == page(), "manage.py states > docs/states.md"


def test_the_diagrams_show_every_state():
    for states, _ in MACHINES.values():
        assert all(f" {state} " in page().replace("\n", " ") for state in states)
