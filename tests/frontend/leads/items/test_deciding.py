"""A lead decides about several items at once, and takes a decision back by its button."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from annotation import clock
from annotation.models import Annotation, Event, Item, User
from tasks.items import reports
from tasks.models import Task
from tasks.models.states import TaskState
from tests.builders import Worker, open_with, project, questions
from tests.people import NOON

WHY = "copied from a friend"


@pytest.fixture
def keys(lights) -> dict[int, int]:
    """The key of each item, by its number."""
    return {int(item.external_id) - 1: item.pk for item in Item.objects.filter(project=lights)}


@pytest.fixture
def decide(lead, lights):
    def of(action: str, items, *, follow: bool = True, **fields):
        sent = {"action": action, "item": items, "reason": WHY, "here": "split=train"} | fields
        return lead.post(reverse("decide_items", args=[lights.slug]), sent, follow=follow)

    return of


def undo_of(response) -> str:
    [url] = re.findall(r'action="(/projects/[^"]*/undo/\d+/\d+/)"', response.content.decode())
    return url


def excluded() -> int:
    return Annotation.objects.filter(excluded_at__isnull=False).count()


def test_what_was_made_of_the_chosen_items_is_excluded_with_the_reason_and_undone(lead, decide, keys):
    before = excluded()
    page = decide("exclude", [keys[0], keys[1], keys[2]])
    assert "Decided about 1 item. There was nothing to do for the others." in page.content.decode()
    assert page.redirect_chain[-1][0].endswith("?split=train")
    assert (excluded(), Annotation.objects.get(item=keys[0]).exclusion_reason) == (before + 1, WHY)
    undone = lead.post(undo_of(page), {"to": "/"}, follow=True)
    assert (undone.status_code, excluded()) == (200, before)
    assert Event.objects.filter(kind="annotation.restored", data__reason=f"Undone: {WHY}").exists()


def test_only_what_one_person_made_is_excluded_if_the_list_is_about_them(decide, keys):
    decide("exclude", [keys[0]], person=User.objects.get(username="bob").worker_code, follow=False)
    assert Annotation.objects.get(item=keys[0]).excluded_at is None
    decide("exclude", [keys[0]], person=User.objects.get(username="alice").worker_code, follow=False)
    assert Annotation.objects.get(item=keys[0]).excluded_at is not None


def test_excluded_annotations_are_included_again_and_undone_with_their_old_reason(lead, decide, keys):
    page = decide("restore", [keys[1]])
    assert Annotation.objects.get(item=keys[1]).excluded_at is None
    lead.post(undo_of(page))
    assert Annotation.objects.get(item=keys[1]).exclusion_reason == "a slip"


def test_items_are_withdrawn_and_brought_back_together(lead, decide, keys):
    page = decide("withdraw", [keys[10], keys[11]])
    tasks = Task.objects.filter(item__in=[keys[10], keys[11]])
    assert set(tasks.values_list("state", flat=True)) == {TaskState.CANCELLED}
    lead.post(undo_of(page))
    assert set(tasks.values_list("state", flat=True)) == {TaskState.OPEN}


def test_without_a_reason_or_a_choice_nothing_is_done(decide, keys):
    assert decide("exclude", [keys[0]], reason=" ").status_code == 422
    assert decide("dance", [keys[0]]).status_code == 404
    assert "Nothing was chosen" in decide("exclude", []).content.decode()
    assert decide("exclude", ["999999"]).status_code == 404
    assert decide("exclude", ["x"]).status_code == 404
    assert Annotation.objects.get(item=keys[0]).excluded_at is None


def test_items_of_another_project_are_not_found(decide, lights, tmp_path):
    other = project("other")
    open_with(other, tmp_path, questions(1))
    assert decide("withdraw", [other.items.get().pk]).status_code == 404
    assert Task.objects.get(queue__project=other).state == TaskState.OPEN


def test_a_decision_is_undone_once_by_its_own_lead_and_for_an_hour(lead, decide, keys, client, lights):
    from annotation import membership

    url = undo_of(decide("exclude", [keys[0]]))
    membership.add(project=lights, username="otto", role="lead", by=None, now=NOON)
    client.force_login(User.objects.get(username="otto"))
    assert client.post(url).status_code == 404
    assert lead.post(url).status_code == 302
    assert lead.post(url).status_code == 409
    claimed = Event.objects.filter(kind="assignment.claimed").first()
    assert lead.post(reverse("undo", args=[lights.slug, claimed.pk, claimed.pk])).status_code == 404


def test_a_decision_of_long_ago_is_not_undone(lead, lights, keys):
    lena = User.objects.get(username="lena")
    reports.cancel(Item.objects.get(pk=keys[10]), by=lena, reason="old", now=NOON - timedelta(days=9))
    event = Event.objects.get(kind="item.cancelled")
    assert lead.post(reverse("undo", args=[lights.slug, event.pk, event.pk])).status_code == 409


def test_one_bad_answer_is_found_and_replaced_on_its_page(lead, lights, keys):
    bad = Annotation.objects.get(item=keys[0])
    page = lead.get(reverse("item", args=[lights.slug, keys[0]])).content.decode()
    assert "Replace this annotation by another?" in page
    replaced = lead.post(reverse("replace_by", args=[lights.slug, keys[0], bad.uuid]), {"reason": WHY}, follow=True)
    lead.post(undo_of(replaced))
    assert Annotation.objects.get(pk=bad.pk).excluded_at is None
    assert Task.objects.get(item=keys[0]).state == TaskState.DONE
    replaced = lead.post(reverse("replace_by", args=[lights.slug, keys[0], bad.uuid]), {"reason": WHY}, follow=True)
    bob = Worker(User.objects.get(username="bob"), lights)
    assert bob.claim().task.item_id == keys[0]
    assert lead.post(undo_of(replaced)).status_code == 409
    assert Annotation.objects.get(pk=bad.pk).exclusion_reason == WHY


@pytest.fixture
def at_once(monkeypatch):
    """All that is decided is decided at the same moment."""
    monkeypatch.setattr(clock, "now", lambda: NOON + timedelta(days=2))


def test_a_place_that_was_freed_at_the_same_moment_by_another_decision_stays_free(lead, lights, keys, at_once):
    bad = Annotation.objects.get(item=keys[0])
    for action in ("replace_by", "restore", "exclude"):
        said = lead.post(reverse(action, args=[lights.slug, keys[0], bad.uuid]), {"reason": WHY}, follow=True)
    lead.post(undo_of(said))
    assert Annotation.objects.get(pk=bad.pk).excluded_at is None
    assert Task.objects.get(item=keys[0]).state == TaskState.OPEN


def test_of_two_decisions_at_the_same_moment_each_button_undoes_its_own(lead, lights, decide, keys, at_once):
    decide("restore", [keys[1]])
    first, other = undo_of(decide("exclude", [keys[0]])), undo_of(decide("exclude", [keys[1]]))
    decide("restore", [keys[0]])
    second = undo_of(decide("exclude", [keys[0]]))
    assert lead.post(first).status_code == 409
    assert Annotation.objects.get(item=keys[0]).excluded_at is not None
    assert lead.post(second).status_code == 302
    assert Annotation.objects.get(item=keys[0]).excluded_at is None
    assert Annotation.objects.get(item=keys[1]).excluded_at is not None
    assert lead.post(other).status_code == 302
    assert Annotation.objects.get(item=keys[1]).excluded_at is None


def test_an_items_page_says_how_many_of_its_annotations_are_excluded(lead, decide, lights, keys):
    item = reverse("item", args=[lights.slug, keys[0]])
    assert "1 of 1 annotations are in." in lead.get(item).content.decode()
    decide("exclude", [keys[0]], follow=False)
    assert "1 of 1 annotations are in, 1 of them excluded." in lead.get(item).content.decode()


def test_more_annotations_are_asked_for_and_taken_back_on_the_page(lead, lights, keys):
    task = Task.objects.get(item=keys[0])
    ask = reverse("more_of_item", args=[lights.slug, keys[0], task.pk])
    page = lead.post(ask, {"count": "2"}, follow=True)
    assert "2 more annotations are wanted." in page.content.decode()
    assert "1 of 3 annotations are in." in page.content.decode()
    lead.post(undo_of(page))
    assert Task.objects.get(pk=task.pk).slots == 1
    lead.post(ask, {"count": "2"})
    lead.post(reverse("no_more_of_item", args=[lights.slug, keys[0], task.pk]))
    assert Task.objects.get(pk=task.pk).slots == 1
    assert lead.post(ask, {"count": "many"}).status_code == 422
