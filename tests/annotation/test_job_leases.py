"""One process at a time does long work, whichever machine it runs on, and another goes on once it has ended."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import timedelta

import pytest

from annotation import clock
from annotation.engine import job_leases
from annotation.models import JobLease
from annotation.processes import children
from tests.factories.corpus import JobLeaseFactory
from tests.people import NOON

pytestmark = pytest.mark.on_both_databases


@pytest.fixture
def at(monkeypatch):
    """Return a function that sets the time."""

    def set_time(when):
        monkeypatch.setattr(clock, "now", lambda: when)

    set_time(NOON)
    return set_time


def is_free(name="work"):
    try:
        with job_leases.hold(name):
            return True
    except job_leases.Taken:
        return False


def test_it_is_held_by_one_and_free_afterwards_also_after_an_error(db):
    def work():
        with job_leases.hold("work"):
            assert not is_free()
            assert is_free("other work")
            raise KeyError

    with pytest.raises(KeyError):
        work()
    assert is_free()


@pytest.mark.parametrize(("more", "free"), [(timedelta(0), False), (timedelta(microseconds=1), True)])
def test_on_another_machine_it_is_free_once_it_has_not_been_renewed_for_a_minute(db, at, more, free):
    JobLeaseFactory(until=NOON + job_leases.LENGTH)
    at(NOON + job_leases.LENGTH + more)
    assert is_free() == free


def test_it_lasts_as_long_as_it_is_renewed_and_asks_the_database_only_from_time_to_time(
    db, at, monkeypatch, django_assert_num_queries
):
    with job_leases.hold("work") as lease:
        with django_assert_num_queries(0):
            lease.renew()
        monkeypatch.setattr(job_leases, "EVERY", 0)
        at(NOON + job_leases.LENGTH)
        lease.renew_now()
        lease.renew()
        assert JobLease.objects.get().until == NOON + 2 * job_leases.LENGTH


def test_whoever_has_lost_it_is_told_and_does_not_end_that_of_the_successor(db, at):
    with job_leases.hold("work") as lease:
        at(NOON + job_leases.LENGTH + timedelta(seconds=1))
        JobLease.objects.update(holder="a successor", until=clock.now() + job_leases.LENGTH)
        with pytest.raises(job_leases.Lost):
            lease.renew_now()
    assert JobLease.objects.get().holder == "a successor"


def test_on_this_machine_it_is_free_as_soon_as_its_holder_was_killed(db, at):
    says = "from annotation.processes import children; print(children.this_process(), flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", says], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        name = child.stdout.readline().strip()
        JobLeaseFactory(holder=f"{name} x", until=NOON + job_leases.LENGTH)
        assert not is_free()
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # it stays a zombie
        assert children.process_has_ended(name)
        assert is_free()


def test_a_process_of_another_machine_is_never_known_to_have_ended():
    here, _pid, started = children.this_process().rsplit(" ", 2)
    assert children.process_has_ended(f"{here} 1 {started}")
    assert not children.process_has_ended(f"elsewhere 1 {started}")
    assert not children.process_has_ended(children.this_process())
