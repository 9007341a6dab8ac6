"""Whoever drops out or returns in whatever order, no finished turn is lost, and every room reaches an end (P9)."""

from __future__ import annotations

from collections import Counter

import pytest
from django.db import IntegrityError, connection
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from annotation.engine import committing
from tasks.engine import leases
from tasks.pairs import presence
from tests.people import join
from tests.proofs.rigs.pairs import PEOPLE, Pairs
from tests.protocols.toy.building import toy_project
from tests.proving import size

pytestmark = [pytest.mark.django_db, pytest.mark.one_database_for_a_merge]

SEED, STEPS = 95111, 15
COUNTS = (6, 4)
"""Numbers of schedules of a batch on SQLite and on PostgreSQL."""
BATCHES = 6
"""Batches run, each with a seed of its own, until all of `WANTED` has happened; at most so many."""
WANTED = {
    "seated", "finished", "replayed", "out of turn", "left", "ended", "another",
    "here to unsure", "unsure to here", "unsure to lost", "lost to here",
}  # fmt: skip
"""What must have happened at least once, or the schedules showed nothing."""


@pytest.fixture
def pairs(db) -> type[Pairs]:
    """Four people and eight topics."""
    made = toy_project()

    class Found(Pairs):
        pass

    Found.project, Found.met = made, Counter()
    Found.people = [join(made, f"person-{number}") for number in range(PEOPLE)]
    return Found


def run(pairs: type[Pairs], count: int, *, batch=0, phases=tuple(Phase)) -> None:
    """Run so many schedules; a failing one is shrunk and printed."""
    how = settings(
        max_examples=count, stateful_step_count=STEPS, deadline=None, database=None, phases=phases,
        report_multiple_bugs=False, suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    run_state_machine_as_test(seed(SEED + batch)(pairs), settings=how)


def test_no_turn_is_lost_and_every_room_ends_whoever_drops_out(pairs, record_property):
    place = connection.vendor != "sqlite"
    count, batch = size(COUNTS[place], (500, 150)[place]), 0
    while batch < BATCHES and not set(+pairs.met) >= WANTED:
        run(pairs, count, batch=batch)
        batch += 1
    record_property("size", count * batch)
    record_property("seed", SEED)
    print(f"{connection.vendor}, {batch} batches: {dict(pairs.met)}")
    assert set(+pairs.met) >= WANTED


def where_a_partner_keeps_a_room_alone(monkeypatch):
    monkeypatch.setattr(leases, "release_partners", lambda row, *, now: None)


def without_idempotency_keys(monkeypatch):
    real = committing._read
    monkeypatch.setattr(committing, "_read", lambda work, *, key: (real(work, key=key)[0], None))


def where_nobody_is_ever_lost(monkeypatch):
    real = presence.of_partners

    def of_partners(held, *, now):
        found = real(held, now=now)
        return presence.Presence("unsure", found.away) if found and found.state == "lost" else found

    monkeypatch.setattr(presence, "of_partners", of_partners)


MORE = pytest.mark.in_test_all(
    shown_by="tests/proofs/test_replayed_submits.py::test_replayed_answers_are_stored_once_and_get_the_same_response"
)
CONTROLS = [
    where_a_partner_keeps_a_room_alone,
    pytest.param(without_idempotency_keys, marks=MORE),
    where_nobody_is_ever_lost,
]


@pytest.mark.sqlite_only  # the builds are wrong in Python
@pytest.mark.parametrize("build", CONTROLS)
def test_control_a_wrong_build_of_pairs_is_caught(pairs, build, monkeypatch):
    build(monkeypatch)
    with pytest.raises((AssertionError, IntegrityError)):
        run(pairs, 60, phases=[Phase.generate])
