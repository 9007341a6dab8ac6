"""Pages of a large project read what a job has counted: they say the same as of a small one."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotation.models import Project, Role, User
from tasks.setup import numbers
from tests.boards import bring_up_to_date
from tests.builders import Worker
from tests.disagreeing import browser, lights
from tests.factories.record import TimeSpanFactory
from tests.frontend.leads.items.test_trying import SECRETS
from tests.people import join


@pytest.fixture(scope="module")
def made_once(shared_rows, tmp_path_factory):
    """Two people have finished work, one of them skipped some, and the other holds some; lena leads."""
    found = lights(tmp_path_factory.mktemp("lights"))
    for name in ("alice", "bob"):
        worker = Worker(join(found, name), found)
        mine = worker.finish_bad()
        TimeSpanFactory(annotator=worker.user, annotation=mine.annotation, project=found)
    Worker(join(found, "bob"), found).claim()
    bring_up_to_date(found)
    join(found, "lena", Role.LEAD)


@pytest.fixture
def made(made_once, db):
    return Project.objects.get()


@pytest.mark.parametrize("page", ["queues", "people", "project_time", "settings"])
def test_what_is_counted_is_what_there_is(made, page, monkeypatch):
    lead, address = browser(User.objects.get(username="lena")), reverse(page, args=[made.slug])
    small = SECRETS.sub(b"", lead.get(address).content)
    monkeypatch.setattr(numbers, "LARGE", 1)
    assert numbers.is_large(made)
    assert SECRETS.sub(b"", lead.get(address).content) == small


def test_a_project_is_large_with_more_pieces_of_ended_work_than_the_bound(made, monkeypatch):
    monkeypatch.setattr(numbers, "LARGE", 2)
    assert not numbers.is_large(made)
