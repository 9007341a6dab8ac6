"""Judging beside everything else in a project: it is in no list of work or answers, and bars from the items judged."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation import releases
from annotation.errors import NotEligible
from annotation.models import Item, Project
from tasks.disputes import who
from tasks.engine.no_work import NoWork
from tasks.items import reports, setting_aside
from tasks.judging import ending, working
from tasks.setup import archiving, undoing_imports
from tests.builders import Worker, load, questions, write_lines
from tests.factories.judging import ExhibitFactory
from tests.people import NOON, join
from tests.tasks.judging.judged_rounds import RaterAtWork, draft


@pytest.fixture
def erin(experts, lights, sealed):
    """An expert who has begun to judge."""
    rater = RaterAtWork(experts[0], lights)
    working.begin(sealed, by=rater.user, now=NOON)
    return rater


def client_of(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_whoever_judges_an_answer_is_not_given_its_item_and_gets_another(erin, lights, sealed):
    lights.config = {"activities": {"annotate": {"overlap": {"train": 2}}}}
    lights.save()
    Project.objects.get(pk=lights.pk).queues.get(activity="annotate").tasks.update(slots=2, state="open")
    judged = set(sealed.exhibits.values_list("item", flat=True))
    [other] = set(Item.objects.values_list("pk", flat=True)) - judged
    work = Worker(erin.user, lights)
    held = work.claim()
    assert held.task.item_id == other
    work.commit(held, "question", {"verdict": "bad", "reasons": ["ambiguous"]})
    assert isinstance(work.claim(), NoWork)
    assert Worker(join(lights, "oskar"), lights).claim().task.item_id in {*judged, other}


def test_what_is_judged_is_not_among_the_work_that_one_holds_or_has_finished(erin):
    client = client_of(erin.user)
    assert "who tended" not in client.get(reverse("home")).content.decode()
    erin.judge(working.work_in(working.lease_of(erin_round(erin), erin.user)).first(), "C")
    assert "who tended" not in client.get(reverse("finished")).content.decode()


def erin_round(erin):
    return erin.user.rated_rounds.get().round


def test_an_expert_who_judges_can_begin_to_decide_disputes(erin, lights):
    who.begin(erin.user, lights, now=NOON)
    with pytest.raises(NotEligible):
        Worker(erin.user, lights).claim()


def test_marks_are_in_no_history_of_the_item(erin, lights, lead, sealed):
    work = working.work_in(working.lease_of(sealed, erin.user)).first()
    erin.judge(work, "W", comment="SENTINEL")
    page = client_of(lead).get(reverse("item_history", args=["lights", work.task.item_id]))
    assert page.status_code == 200
    assert "SENTINEL" not in page.content.decode()
    assert erin.user.worker_code not in page.content.decode()
    assert "SENTINEL" not in client_of(lead).get(reverse("item", args=["lights", work.task.item_id])).content.decode()


def test_withdrawing_or_setting_aside_an_item_leaves_what_is_judged_of_it(erin, lights, lead, sealed):
    first, second = working.work_in(working.lease_of(sealed, erin.user))[:2]
    reports.cancel(first.task.item, by=lead, reason="test", now=NOON)
    assert setting_aside.why_not_set_aside(second.task.item) == ""
    for work in (first, second):
        erin.judge(work, "C")


def test_an_import_whose_items_are_judged_is_not_undone(lights, lead, tmp_path):
    load(lights, write_lines(tmp_path / "later.jsonl", questions(1, start=90)))
    item = Item.objects.latest("pk")
    assert undoing_imports.why_not_undo(item.job) == ""
    ExhibitFactory(round=draft(lights, lead), place=0, item=item, shown={"prompt": "who"}, sha256="0" * 64)
    assert undoing_imports.why_not_undo(item.job) == "A judging round is about its items."


def test_a_release_has_no_mark_as_an_annotation(erin, lights, lead, sealed):
    for work in working.work_in(working.lease_of(sealed, erin.user)):
        erin.judge(work, "C")
    made = releases.build(lights, format="nq", by=lead, now=NOON, partial=True)
    assert releases.manifest_of(made)["counts"]["train"]["annotations"] == 4


def test_a_project_rests_once_its_rounds_are_over(lights, lead, sealed):
    Project.objects.get(pk=lights.pk).queues.update(state="closed")
    assert "A judging round is not over" in archiving.why_not_archive(lights)
    ending.stop(sealed, why="test", by=lead, now=NOON)
    assert archiving.why_not_archive(lights) == ""
