"""The history of a project is whole and in order: every event names its project, also those of nested services."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation import events
from annotation.models import Event, Role
from annotation.models.case import FlagReason
from tasks.engine import leases
from tasks.engine.transactions import service
from tasks.items import reports
from tests.builders import Worker, open_with, project, questions, reload
from tests.people import NOON, join


@pytest.fixture
def lights(db, tmp_path):
    """A question for two people."""
    made = project(activities={"annotate": {"overlap": {"train": 2}}})
    open_with(made, tmp_path, questions(1))
    return made


@pytest.fixture
def holders(lights):
    return [Worker(join(lights, name), lights) for name in ("ada", "ben")]


@pytest.fixture
def lead(lights):
    return join(lights, "lena", Role.LEAD)


def expire(holders, lead):
    leases.expire_overdue(now=NOON + timedelta(days=1))


def freeze_and_open_again(holders, lead):
    for each in holders:
        reports.report(reload(each.claim()), by=each.user, reason=FlagReason.BROKEN, text="", now=NOON)
    reports.unfreeze(holders[0].project.items.get(), by=lead, now=NOON)


def withdraw(holders, lead):
    reports.cancel(holders[0].project.items.get(), by=lead, reason="not ours", now=NOON)


@pytest.mark.parametrize(
    ("happens", "kinds"),
    [
        (expire, {"task.full", "assignment.expired", "task.open"}),
        (freeze_and_open_again, {"item.reported", "task.frozen", "item.unfrozen", "task.open"}),
        (withdraw, {"assignment.revoked", "task.open", "item.cancelled", "task.cancelled"}),
    ],
)
def test_every_event_names_its_project(lights, holders, lead, happens, kinds):
    for each in holders:
        each.claim()
    happens(holders, lead)
    named = set(Event.objects.filter(project_id=lights.pk).values_list("kind", flat=True))
    assert kinds <= named
    assert not Event.objects.filter(project_id=None).exists()


def test_events_of_nested_services_are_in_the_order_in_which_they_happened(lights):
    @service
    def inner():
        events.record("test.second", lights, by=None, now=NOON)

    @service
    def outer():
        events.record("test.first", lights, by=None, now=NOON)
        inner()
        events.record("test.third", lights, by=None, now=NOON)

    outer()
    found = Event.objects.filter(kind__startswith="test.").order_by("pk").values_list("kind", flat=True)
    assert list(found) == ["test.first", "test.second", "test.third"]
