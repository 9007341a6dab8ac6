"""A lead decides about all items that a list has, by a job, and undoes all of it."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.urls import reverse

from annotation import clock, membership
from annotation.errors import Refused
from annotation.models import Annotation, Event, Item, Job, Membership, User
from frontend.leads.items import bulk_decisions, bulk_job
from tasks.background import long_jobs
from tasks.models import DecidedItem, Task
from tasks.models.states import TaskState
from tests.builders import Worker, project
from tests.people import NOON

WHY = "copied from a friend"


@pytest.fixture
def now(monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: NOON + timedelta(days=2))
    return clock.now()


@pytest.fixture
def decide(lead, lights, now):
    """Decide about all that the list with this query has, and return the job, done unless `run` is False."""

    def of(action: str, query: str = "", run: bool = True, **fields) -> Job:
        sent = {"all": "1", "action": action, "reason": WHY, "here": query} | fields
        answer = lead.post(reverse("decide_items", args=[lights.slug]), sent)
        assert answer.status_code == 302
        job = Job.objects.get(pk=re.findall(r"/decided/(\d+)/", answer["Location"])[0])
        if run:
            long_jobs.run(job.pk)
        return Job.objects.get(pk=job.pk)

    return of


@pytest.fixture
def undo(lead, lights):
    def of(job: Job) -> Job:
        answer = lead.post(reverse("undo_decided", args=[lights.slug, job.pk]))
        assert answer.status_code == 302
        undoes = Job.objects.latest("pk")
        long_jobs.run(undoes.pk)
        return Job.objects.get(pk=undoes.pk)

    return of


def page(lead, job) -> str:
    return " ".join(lead.get(reverse("decided_items", args=[job.project.slug, job.pk])).content.decode().split())


def withdrawn(lights) -> int:
    return Task.objects.filter(queue__project=lights, state=TaskState.CANCELLED).count()


def excluded(lights) -> int:
    return Annotation.objects.filter(item__project=lights, excluded_at__isnull=False).count()


def test_all_that_match_are_decided_about_and_undone_as_a_whole(lead, lights, decide, undo):
    job = decide("withdraw", "split=dev")
    assert (job.state, job.done, job.total, withdrawn(lights)) == (Job.State.DONE, 2, 2, 2)
    assert set(Event.objects.filter(kind="item.cancelled").values_list("data__reason", flat=True)) == {WHY}
    assert "Withdrawn" in page(lead, job)
    undoes = undo(job)
    assert withdrawn(lights) == 0
    assert "Decisions undone" in page(lead, undoes)
    assert bulk_job.outcome_of(undoes) == bulk_job.BulkOutcome(2, 2, 0, [], 0)
    assert lead.post(reverse("undo_decided", args=[lights.slug, job.pk])).status_code == 409


def test_what_the_filter_left_when_it_was_asked_is_decided_about_even_if_it_no_longer_matches(lights, decide):
    job = decide("withdraw", "state=open", run=False)
    items = set(DecidedItem.objects.filter(job=job).values_list("item", flat=True))
    Task.objects.filter(item=min(items)).update(order=0.5, state=TaskState.FROZEN)
    long_jobs.run(job.pk)
    assert items == set(Task.objects.filter(state=TaskState.CANCELLED).values_list("item", flat=True))


def test_the_page_says_for_how_many_it_could_not_be_done_and_why(lead, lights, decide):
    job = decide("reopen")
    found = bulk_job.outcome_of(job)
    assert (found.items, found.done, found.nothing, found.refused) == (1, 1, 5, [])
    again = decide("reopen")
    found = bulk_job.outcome_of(again)
    why = "Only work that a member of this project has finished can be reopened."
    assert (found.done, found.refused) == (0, [(why, 1)])
    assert why in page(lead, again)


def test_work_is_replaced_and_sent_back_and_more_is_asked_for_and_each_is_undone(lights, decide, undo):
    before = sorted(Task.objects.values_list("pk", "state", "slots"))
    for action in ("replace", "reopen", "more", "exclude", "restore"):
        had = excluded(lights)
        job = decide(action, count="2")
        assert bulk_job.outcome_of(job).done > 0
        assert sorted(Task.objects.values_list("pk", "state", "slots")) != before or excluded(lights) != had
        undo(job)
        assert sorted(Task.objects.values_list("pk", "state", "slots")) == before
        assert excluded(lights) == had


def test_what_somebody_has_changed_since_stays_as_it_is(lead, lights, decide, undo):
    job = decide("more", "split=train", count="1")
    bob = Worker(User.objects.get(username="bob"), lights)
    assert bob.claim() is not None
    undoes = undo(job)
    assert bulk_job.outcome_of(undoes).changed == 1
    assert "somebody has changed it since" in page(lead, undoes)


@pytest.mark.parametrize("seconds", [0, 60])
def test_a_job_that_is_killed_goes_on_and_does_nothing_twice(lights, decide, monkeypatch, seconds):
    monkeypatch.setattr(bulk_job, "HELD", seconds)
    in_one_transaction = seconds > 0 and connection.vendor == "sqlite"
    job = decide("withdraw", "split=dev", run=False)
    done, real = [], bulk_decisions.decide_item

    def dies(item, decision, **kwargs):
        outcome = real(item, decision, **kwargs)
        done.append(item.pk)
        if len(done) == 2:
            raise KeyboardInterrupt
        return outcome

    monkeypatch.setattr(bulk_decisions, "decide_item", dies)
    with pytest.raises(KeyboardInterrupt):
        long_jobs.run(job.pk)
    assert withdrawn(lights) == (0 if in_one_transaction else 1)
    monkeypatch.setattr(bulk_decisions, "decide_item", real)
    Job.objects.filter(pk=job.pk).update(state=Job.State.QUEUED)
    long_jobs.run(job.pk)
    assert withdrawn(lights) == 2
    assert Event.objects.filter(kind="item.cancelled").count() == 2
    job.refresh_from_db()
    assert (job.state, job.done) == (Job.State.DONE, 2)


def test_a_lead_who_is_none_any_more_when_the_job_runs_decides_nothing(lights, decide):
    job = decide("withdraw", "split=dev", run=False)
    membership.add(project=lights, username="otto", role="lead", by=None, now=NOON)
    Membership.objects.filter(project=lights, user__username="lena").update(ended_at=NOON)
    long_jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.state, withdrawn(lights)) == (Job.State.FAILED, 0)
    assert "does not lead the project any more" in job.error


def test_a_job_that_is_stopped_keeps_what_it_has_done_and_is_undone(lead, lights, decide, undo):
    job = decide("withdraw", "split=dev", run=False)
    row = DecidedItem.objects.filter(job=job).first()
    lena = User.objects.get(username="lena")
    bulk_job._decide_one(row.pk, bulk_job._decision(job.report["asked"]), by=lena, now=clock.now())
    lead.post(reverse("stop_deciding", args=[lights.slug, job.pk]))
    assert "It was stopped" in page(lead, job)
    undo(job)
    assert withdrawn(lights) == 0


def test_while_every_place_is_taken_the_page_says_what_it_waits_for(lead, decide):
    lena = User.objects.get(username="lena")
    for number in range(long_jobs.LONG_AT_ONCE):
        other = long_jobs.ask(
            project(f"other-{number}"), bulk_job.KIND, subject="Withdraw", asked={}, by=lena, now=NOON
        )
        Job.objects.filter(pk=other.pk).update(state=Job.State.RUNNING)
    waits = f"It waits for one of {long_jobs.LONG_AT_ONCE} jobs of this site to end, and is next."
    assert waits in page(lead, decide("withdraw", "split=dev", run=False))


def test_it_is_undone_by_its_own_lead_for_an_hour_and_not_while_it_runs(lights, decide, now):
    lena = User.objects.get(username="lena")
    otto, _password = membership.add(project=lights, username="otto", role="lead", by=None, now=NOON)
    job = decide("withdraw", "split=dev", run=False)
    assert "stop it first" in bulk_job.why_not_undo(job, by=lena, now=now)
    long_jobs.run(job.pk)
    job.refresh_from_db()
    assert bulk_job.why_not_undo(job, by=lena, now=now + timedelta(hours=1)) is None
    assert "an hour ago" in bulk_job.why_not_undo(job, by=lena, now=now + timedelta(hours=1, seconds=1))
    with pytest.raises(Refused):
        bulk_job.ask_undo(job, by=otto, now=now)


def test_only_what_one_person_made_is_decided_about_if_the_list_is_about_them(lights, decide):
    alice = User.objects.get(username="alice").worker_code
    job = decide("exclude", f"person={alice}", person=alice)
    assert bulk_job.outcome_of(job).done == 1


def test_the_list_leads_to_the_last_decision_for_an_hour(lead, lights, decide, monkeypatch, now):
    job = decide("withdraw", "split=dev")
    index, link = reverse("items", args=[lights.slug]), reverse("decided_items", args=[lights.slug, job.pk])
    assert link in lead.get(index).content.decode()
    monkeypatch.setattr(clock, "now", lambda: now + timedelta(hours=1, seconds=1))
    assert link not in lead.get(index).content.decode()


def test_without_a_reason_a_number_or_items_nothing_is_asked_for(lead, lights):
    url = reverse("decide_items", args=[lights.slug])
    for sent, status in (
        ({"action": "exclude", "reason": " "}, 422),
        ({"action": "dance", "reason": WHY}, 404),
        ({"action": "more", "reason": WHY, "count": "26"}, 422),
        ({"action": "more", "reason": WHY}, 422),
        ({"action": "exclude", "reason": WHY, "here": "q=zebra"}, 404),
    ):
        assert lead.post(url, {"all": "1"} | sent).status_code == status
    assert not Job.objects.filter(kind=bulk_job.KIND).exists()


def test_items_imported_after_the_question_are_not_decided_about(lights, decide, tmp_path):
    job = decide("withdraw", "split=train", run=False)
    assert DecidedItem.objects.filter(job=job).count() == Item.objects.filter(project=lights, split="train").count()


def test_the_list_is_saved_as_csv_with_every_item_that_matches(lead, lights):
    answer = lead.get(reverse("items_csv", args=[lights.slug]), {"split": "dev"})
    lines = answer.content.decode("utf-8-sig").splitlines()
    assert lines[0].startswith("item,id,text,split,state,annotations")
    assert [line.split(",")[1:4] for line in lines[1:]] == [
        ["11", "who tended light number 10", "dev"],
        ["12", "who tended light number 11", "dev"],
    ]
