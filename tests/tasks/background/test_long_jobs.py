"""Long jobs: done in turn by child processes, cancelled within a second, started again when they are killed."""

from __future__ import annotations

import errno
import sys
import types
from contextlib import contextmanager
from datetime import timedelta

import pytest

from annotation import clock
from annotation.engine import job_leases, state_machine
from annotation.errors import ReleaseRefused, WrongMove
from annotation.models import Event, Job, JobLease
from annotation.processes import children
from frontend.leads.event_lines import wait_in_words
from tasks.background import long_jobs
from tests.builders import project
from tests.factories.corpus import JobLeaseFactory
from tests.factories.people import UserFactory
from tests.people import NOON


@pytest.fixture
def work(monkeypatch):
    """Has jobs of the kind `test` do what it is given."""

    def set_work(function):
        module = types.ModuleType("work_of_a_test")
        module.do = function
        monkeypatch.setitem(sys.modules, "work_of_a_test", module)
        monkeypatch.setitem(long_jobs.KINDS, "test", "work_of_a_test.do")

    monkeypatch.setattr(long_jobs, "EVERY", 0)
    set_work(lambda job, *, by, progress: {})
    return set_work


@pytest.fixture
def started(monkeypatch):
    """The keys of the jobs for which a child process would have been started, in order."""
    keys = []

    class Child:
        def poll(self):
            return 0

    monkeypatch.setattr(long_jobs, "_children", {})
    monkeypatch.setattr(long_jobs, "_child", lambda job: keys.append(job.pk) or Child())
    return keys


def ask(nq, lena, **asked):
    return long_jobs.ask(nq, "test", subject="A test", asked=asked, by=lena, now=NOON)


@contextmanager
def held(job):
    with job_leases.hold(long_jobs.lease_of(job.kind, job.project_id)):
        yield


def test_a_job_keeps_what_it_returns_and_how_far_it_came(nq, lena, work):
    def do(job, *, by, progress):
        progress(3, 4)
        return {"asked": job.report["asked"]["n"], "by": by.pk}

    work(do)
    job = ask(nq, lena, n=5)
    long_jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.done, job.total) == (Job.State.DONE, 3, 4)
    assert job.report["result"] == {"asked": 5, "by": lena.pk}
    kinds = Event.objects.filter(subject=f"job:{job.pk}").order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["job.queued", "job.running", "job.done"]


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ReleaseRefused("Nothing to release."), "Nothing to release."),
        (OSError(errno.ENOSPC, "No space left"), "The disk is full"),
        (KeyError("x"), "a mistake in the program"),
    ],
)
def test_a_failure_is_said_in_a_sentence(nq, lena, work, error, sentence):
    def do(job, *, by, progress):
        raise error

    work(do)
    job = ask(nq, lena)
    long_jobs.run(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert sentence in job.error


def test_a_cancelled_job_stops_at_its_next_step(nq, lena, work):
    steps = []

    def do(job, *, by, progress):
        for step in range(10):
            progress(step, 10)
            steps.append(step)
            long_jobs.cancel(Job.objects.get(pk=job.pk), by=lena, now=NOON)

    work(do)
    job = ask(nq, lena)
    long_jobs.run(job.pk)
    job.refresh_from_db()
    assert (steps, job.state) == ([0], Job.State.CANCELLED)
    with pytest.raises(WrongMove):
        long_jobs.cancel(job, by=lena, now=NOON)


def test_a_job_is_not_cancelled_without_the_event_that_says_who_did_it(transactional_db, monkeypatch):
    lena = UserFactory(username="lena")
    job = long_jobs.ask(project("nq-jobs"), "build_release", subject="x", asked={}, by=lena, now=NOON)

    def killed(*args, **kwargs):
        raise SystemExit

    monkeypatch.setattr(state_machine.events, "record", killed)
    with pytest.raises(SystemExit):
        long_jobs.cancel(job, by=lena, now=NOON)
    assert Job.objects.get().state == Job.State.QUEUED


def test_a_job_that_was_cancelled_before_its_turn_does_nothing(nq, lena, work):
    work(lambda job, *, by, progress: pytest.fail("it was cancelled"))
    job = ask(nq, lena)
    long_jobs.cancel(job, by=lena, now=NOON)
    long_jobs.run(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.CANCELLED


def test_jobs_of_one_kind_and_project_wait_for_each_other_and_others_do_not(nq, lena, work, started):
    first, second, elsewhere = ask(nq, lena), ask(nq, lena), ask(project("elsewhere"), lena)
    assert long_jobs.start_due() == 2
    assert started == [first.pk, elsewhere.pk]
    assert long_jobs.ahead_of(second) == 1
    long_jobs.run(first.pk)
    long_jobs.run(elsewhere.pk)
    long_jobs.start_due()
    assert started[2:] == [second.pk]


def test_a_job_whose_process_was_killed_starts_again_and_gives_up_in_the_end(nq, lena, work, started):
    job = ask(nq, lena)
    for attempt in range(1, long_jobs.ATTEMPTS):
        Job.objects.filter(pk=job.pk).update(state=Job.State.RUNNING, attempts=attempt)
        long_jobs.start_due()
        assert started == [job.pk] * attempt
    Job.objects.filter(pk=job.pk).update(state=Job.State.RUNNING, attempts=long_jobs.ATTEMPTS)
    long_jobs.start_due()
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "stopped several times" in job.error


def test_a_job_whose_machine_was_killed_is_taken_over_once_its_lease_has_run_out(nq, lena, work, started, monkeypatch):
    job = ask(nq, lena)
    Job.objects.filter(pk=job.pk).update(state=Job.State.RUNNING, attempts=1)
    JobLeaseFactory(name=long_jobs.lease_of(job.kind, job.project_id), until=NOON)
    monkeypatch.setattr(clock, "now", lambda: NOON)
    assert long_jobs.start_due() == 0
    monkeypatch.setattr(clock, "now", lambda: NOON + timedelta(microseconds=1))
    assert long_jobs.start_due() == 1


def fill_long_places(lena) -> list[Job]:
    """Long jobs of other projects in every place that they can have, running."""
    others = [project(f"others-{number}") for number in range(long_jobs.LONG_AT_ONCE)]
    rows = [ask(other, lena) for other in others]
    Job.objects.filter(pk__in=[row.pk for row in rows]).update(state=Job.State.RUNNING)
    return rows


@pytest.fixture
def busy(lena, work, started, monkeypatch):
    """The site works on as many long jobs as it can."""
    monkeypatch.setattr(long_jobs, "_start_again_if_killed", lambda job: None)
    return fill_long_places(lena)


def ask_short(nq, lena):
    return long_jobs.ask(nq, "test", subject="A small file", asked={}, by=lena, now=NOON, short=True)


def test_a_short_job_begins_beside_as_many_long_ones_as_there_can_be_and_a_long_one_waits(nq, lena, busy, started):
    long, short = ask(project("waits"), lena), ask_short(nq, lena)
    assert long_jobs.start_due() == 1
    assert started == [short.pk]
    assert long_jobs.wait_of(long) == long_jobs.JobWait(ahead=0, running=long_jobs.LONG_AT_ONCE, before=0)


def test_a_short_job_waits_for_one_of_its_own_kind_and_project(nq, lena, work, started, monkeypatch):
    monkeypatch.setattr(long_jobs, "_start_again_if_killed", lambda job: None)
    Job.objects.filter(pk=ask(nq, lena).pk).update(state=Job.State.RUNNING)
    short = ask_short(nq, lena)
    assert long_jobs.start_due() == 0
    assert long_jobs.wait_of(short) == long_jobs.JobWait(ahead=1, running=0, before=0)


def test_short_jobs_wait_when_every_place_is_taken_and_for_those_that_came_before(nq, lena, busy, started):
    first, second = ask_short(nq, lena), ask_short(project("waits"), lena)
    ask(project("long"), lena)
    third = ask_short(project("last"), lena)
    Job.objects.filter(pk=first.pk).update(state=Job.State.RUNNING)
    assert long_jobs.start_due() == 0
    assert long_jobs.wait_of(second) == long_jobs.JobWait(ahead=0, running=long_jobs.AT_ONCE, before=0)
    assert long_jobs.wait_of(third) == long_jobs.JobWait(ahead=0, running=long_jobs.AT_ONCE, before=1)


@pytest.mark.parametrize(
    ("wait", "said"),
    [
        ((0, 0, 3), "It begins within a few seconds."),
        ((0, 1, 0), "It waits for 1 job of this site to end, and is next."),
        ((0, 2, 1), "It waits for one of 2 jobs of this site to end; 1 other comes before it."),
        ((0, 3, 2), "It waits for one of 3 jobs of this site to end; 2 others come before it."),
    ],
)
def test_what_a_job_waits_for_is_said_with_its_place(wait, said):
    assert wait_in_words(long_jobs.JobWait(*wait)) == said


@pytest.mark.parametrize("ending", ["progress", "result", "refusal"])
def test_whoever_has_lost_the_lease_writes_nothing_any_more(nq, lena, work, monkeypatch, ending):
    def do(job, *, by, progress):
        JobLease.objects.update(holder="somebody else")
        monkeypatch.setattr(job_leases, "EVERY", 0)
        if ending == "progress":
            progress(3, 4)
            pytest.fail("it went on")
        if ending == "refusal":
            raise ReleaseRefused("Nothing to release.")
        return {"done": "twice"}

    work(do)
    job = ask(nq, lena)
    long_jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error, job.report.get("result")) == (Job.State.RUNNING, "", None)
    assert JobLease.objects.get().holder == "somebody else"


def test_a_job_that_is_stopped_with_its_server_waits_again_however_often(nq, lena, work, started):
    def do(job, *, by, progress):
        raise long_jobs.Stopped

    work(do)
    job = ask(nq, lena)
    for _ in range(long_jobs.ATTEMPTS + 1):
        long_jobs.run(job.pk)
        job.refresh_from_db()
        assert (job.state, job.attempts) == (Job.State.QUEUED, 0)


def test_no_job_is_started_by_a_process_that_ends(nq, lena, work, started, monkeypatch):
    def ending(job):
        raise children.Ending

    monkeypatch.setattr(long_jobs, "_child", ending)
    job = ask(nq, lena)
    assert long_jobs.start_due() == 0
    job.refresh_from_db()
    assert job.state == Job.State.QUEUED


def test_a_job_whose_process_lives_is_left_alone_by_others(nq, lena, work, started):
    job = ask(nq, lena)
    with held(job):
        long_jobs.run(job.pk)
        Job.objects.filter(pk=job.pk).update(state=Job.State.RUNNING, attempts=1)
        assert long_jobs.start_due() == 0
    job.refresh_from_db()
    assert job.state == Job.State.RUNNING
