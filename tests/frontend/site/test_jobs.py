"""Admins see the long jobs of all projects, what went wrong, and that nothing runs; and cancel what has not ended."""

from __future__ import annotations

import html
import re
from datetime import timedelta

import pytest
from django.urls import reverse

from annotation import clock
from annotation.models import Job
from annotation.models.job import JOB_MOVES
from tasks.background import long_jobs
from tests.builders import project
from tests.frontend.site.conftest import signed_in
from tests.people import NOON

S = Job.State


@pytest.fixture(autouse=True)
def noon(monkeypatch, db):
    monkeypatch.setattr(clock, "now", lambda: NOON)
    long_jobs.beat(now=NOON)


def ask(of, by, kind="build_release", subject="dev"):
    return long_jobs.ask(of, kind, subject=subject, asked={"items": 3}, by=by, now=NOON)


def page(admin, **query):
    answer = admin.get(reverse("jobs"), query)
    assert answer.status_code == 200
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode())))


def listed(admin, **query):
    return [one.job.pk for one in admin.get(reverse("jobs"), query).context["found"]]


def test_jobs_of_all_projects_are_listed_with_who_asked_and_what_they_wait_for(admin, nq, lena):
    other = project("towers")
    first, second = ask(nq, lena), ask(nq, lena, subject="train")
    rehearsal = ask(other, lena, "rehearsal", subject="3")
    assert listed(admin) == [rehearsal.pk, second.pk, first.pk]
    found = page(admin)
    assert "Rehearsal 3 items" in found
    assert "Release train" in found
    assert found.count("after 1 other of its project") == 1
    assert found.count("lena") == 3


def test_how_far_a_job_is_and_why_one_failed_are_said(admin, nq, lena):
    ask(nq, lena)
    Job.objects.update(state=S.RUNNING, done=3, total=4, attempts=2)
    assert 'value="3" max="4"' in admin.get(reverse("jobs")).content.decode()
    assert "begun 2 times" in page(admin)
    Job.objects.update(state=S.FAILED, error="The disk is full.", finished_at=NOON)
    assert "The disk is full." in page(admin)


@pytest.mark.parametrize(
    ("state", "found"), [("", set(S)), ("open", {S.QUEUED, S.RUNNING}), ("failed", {S.FAILED}), ("odd", set(S))]
)
def test_the_list_shows_the_states_that_one_asks_for(admin, nq, lena, state, found):
    for each in S:
        Job.objects.filter(pk=ask(nq, lena, subject=each).pk).update(state=each)
    assert set(Job.objects.filter(pk__in=listed(admin, state=state)).values_list("state", flat=True)) == found


def test_nothing_to_list_is_said(admin, nq):
    assert "There were no jobs so far." in page(admin)
    assert "No job is like that." in page(admin, state="failed")


@pytest.mark.parametrize("state", S)
def test_what_has_not_ended_can_be_cancelled_once(admin, grace, nq, lena, state):
    job = ask(nq, lena)
    Job.objects.update(state=state)
    offered = reverse("cancel_job", args=[job.pk]) in admin.get(reverse("jobs")).content.decode()
    assert offered == (S.CANCELLED in JOB_MOVES[state])
    found = admin.post(reverse("cancel_job", args=[job.pk]), follow=True).content.decode()
    job.refresh_from_db()
    assert job.state == (S.CANCELLED if offered else state)
    assert ("Cancelled. Nothing of it is kept." if offered else "It had ended already.") in found


def test_what_a_command_does_in_its_own_process_can_not_be_cancelled_here(admin, nq, lena):
    job = ask(nq, lena, "import_items", subject="lights.jsonl")
    found = admin.get(reverse("jobs")).content.decode()
    assert "Import by a command" in found
    assert reverse("cancel_job", args=[job.pk]) not in found


@pytest.mark.parametrize(("after", "said"), [(timedelta(0), False), (timedelta(seconds=1), True)])
def test_a_background_that_is_silent_for_longer_than_it_may_be_is_said(admin, nq, after, said):
    long_jobs.beat(now=NOON - long_jobs.LONGEST_SILENCE - after)
    assert ("Nothing has run in the background since" in page(admin)) is said


def test_a_background_that_has_never_run_is_said(admin, nq):
    long_jobs.Heartbeat.objects.all().delete()
    assert "Nothing has run in the background so far." in page(admin)


def test_nobody_else_sees_or_cancels_them(nq, lena, admin):
    job, browser = ask(nq, lena), signed_in(lena)
    assert browser.get(reverse("jobs")).status_code == 404
    assert browser.post(reverse("cancel_job", args=[job.pk])).status_code == 404
    assert admin.post(reverse("cancel_job", args=[job.pk + 1])).status_code == 404
    job.refresh_from_db()
    assert job.state == S.QUEUED
