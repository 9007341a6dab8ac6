"""A lead's browser, and a project with a few items that people have worked on."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import F

from annotation.engine import exclusion
from annotation.models.case import FlagReason
from frontend.leads.items import listing
from frontend.leads.items.filters import filter_of
from tasks.engine import skip_and_return
from tasks.items import reports
from tasks.models import Task
from tests.builders import Worker, open_with, project, questions
from tests.disagreeing import browser
from tests.people import NOON, join

TOMORROW = NOON + timedelta(days=1)


@pytest.fixture(scope="module")
def lights(shared_rows, tmp_path_factory):
    """Six questions: done by alice, done by bob and excluded, skipped and reported by carol; the last two in dev."""
    nq = project(activities={"annotate": {"draw": "in_order", "overlap": {"dev": 2}}})
    folder = tmp_path_factory.mktemp("lights")
    open_with(nq, folder, [*questions(4), *questions(2, split="dev", start=10)])
    Task.objects.filter(queue__project=nq).update(order=F("item"))
    alice, bob, carol = (Worker(join(nq, name), nq) for name in ("alice", "bob", "carol"))
    alice.finish_bad()
    done = bob.finish_bad(now=TOMORROW)
    exclusion.exclude(nq, uuids=[done.annotation.uuid], by=None, reason="a slip", now=TOMORROW)
    skip_and_return.skip(carol.claim(), by=carol.user, reason="hard", text="", now=NOON)
    reports.report(carol.claim(), by=carol.user, reason=FlagReason.OTHER, text="odd", now=NOON)
    join(nq, "lena", "lead")
    return nq


@pytest.fixture
def lead(lights, django_user_model, db):
    return browser(django_user_model.objects.get(username="lena"))


@pytest.fixture
def listed(lights, db):
    """The captions of the items that a list with this query has, by their numbers; not as a page."""

    def of(**query) -> list[int]:
        return [int(row.caption.rsplit(" ", 1)[1]) for row in listing.listed(lights, filter_of(query)).rows]

    return of
