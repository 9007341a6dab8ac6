"""A lead sets items aside for an exam on their pages and in the list, reads what that takes out, and takes it back."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from annotation.models import Event, Item
from tasks.items import reports, setting_aside
from tasks.models import Task
from tasks.models.states import TaskState
from tests.builders import Worker
from tests.disagreeing import answered, browser
from tests.disagreeing import lights as disagreeing
from tests.people import NOON, join

WHY = "for the exam on reading pages"


@pytest.fixture
def keys(lights) -> dict[int, int]:
    """The key of each item, by its number."""
    return {int(item.external_id) - 1: item.pk for item in Item.with_set_aside.filter(project=lights)}


@pytest.fixture
def words_of(lead, lights, keys):
    """The words of an item's page, by its number."""
    return lambda number: words(lead.get(reverse("item", args=[lights.slug, keys[number]])))


@pytest.fixture
def send(lead, lights, keys):
    """Send a decision about one item, by its number."""

    def to(name: str, number: int, *, follow: bool = True, **fields):
        address = reverse(name, args=[lights.slug, keys[number]])
        return lead.post(address, {"reason": WHY} | fields, follow=follow)

    return to


@pytest.fixture
def decide(lead, lights):
    def of(action: str, items, **fields):
        sent = {"action": action, "item": items, "reason": WHY, "here": ""} | fields
        return lead.post(reverse("decide_items", args=[lights.slug]), sent, follow=True)

    return of


def words(response) -> str:
    return " ".join(response.content.decode().split())


def undo_of(response) -> str:
    [url] = re.findall(r'action="(/projects/[^"]*/undo/\d+/\d+/)"', response.content.decode())
    return url


def aside() -> set[int]:
    return set(Item.with_set_aside.filter(set_aside_at__isnull=False).values_list("pk", flat=True))


def test_the_dialog_says_what_leaves_the_work(words_of):
    done, untouched = words_of(0), words_of(11)
    assert "Set aside for an exam…" in done
    assert "1 finished annotation leaves progress and agreement. It stays paid" in done
    assert "open task is cancelled" not in done
    assert "1 open task is cancelled." in untouched
    assert "Nothing that is finished leaves the figures." in untouched


def test_where_somebody_works_the_dialog_says_so_and_has_nothing_to_confirm(lights, words_of, send, keys):
    held = Worker(join(lights, "dora"), lights).claim()
    number = next(number for number, key in keys.items() if key == held.task.item_id)
    page = words_of(number)
    assert "1 person is working on it." in page
    assert f'action="{reverse("set_aside", args=[lights.slug, held.task.item_id])}"' in page
    assert "It can’t be set aside now" in page
    assert ">Set aside</button>" not in page
    refused = send("set_aside", number)
    assert refused.status_code == 409
    assert "1 person is working on it. Set it aside once" in words(refused)
    assert aside() == set()


def test_it_is_set_aside_with_a_reason_shown_with_a_badge_and_undone(lead, words_of, send, keys):
    done = send("set_aside", 0)
    page = words(done)
    assert done.redirect_chain[-1][0] == reverse("item", args=["lights", keys[0]])
    assert aside() == {keys[0]}
    assert "<b>Set aside for an exam</b>" in page
    assert WHY in page
    assert "Return to the work…" in page
    assert "Withdraw…" not in page
    lead.post(undo_of(done))
    assert aside() == set()
    assert "<b>Set aside for an exam</b>" not in words_of(0)
    assert Event.objects.filter(kind=setting_aside.RETURNED, data__reason=f"Undone: {WHY}").exists()


def test_it_is_returned_and_that_is_undone(lead, send, keys):
    send("set_aside", 0)
    back = send("return_to_work", 0)
    assert (aside(), "Returned. People are given it again." in words(back)) == (set(), True)
    lead.post(undo_of(back))
    assert aside() == {keys[0]}


def test_without_a_reason_nothing_happens(send):
    assert send("set_aside", 0, reason=" ").status_code == 422
    assert aside() == set()


def test_the_list_leaves_it_out_says_how_many_and_shows_them_on_request(lead, lights, listed, send):
    send("set_aside", 0, follow=False)
    send("set_aside", 10, follow=False)
    assert listed() == [1, 2, 3, 11]
    assert listed(state="set_aside") == [0, 10]
    assert listed(state="set_aside", split="dev") == [10]
    assert listed(state="set_aside", activity="annotate") == [0, 10]
    assert listed(state="set_aside", q="number 10") == [10]
    assert listed(state="cancelled") == []
    shown = words(lead.get(reverse("items", args=[lights.slug])))
    assert "2 questions are set aside for exams, and not in this list" in shown
    shown = words(lead.get(reverse("items", args=[lights.slug]), {"state": "set_aside"}))
    assert shown.count('<span class="badge blue">set aside</span>') == 2
    table = lead.get(reverse("items_csv", args=[lights.slug]), {"state": "set_aside"})
    assert table.content.decode().count(",set_aside,") == 2


def test_several_are_set_aside_and_returned_together_and_undone(lead, decide, keys):
    done = decide("set_aside", [keys[0], keys[3]])
    assert "Decided about 2 items." in words(done)
    assert aside() == {keys[0], keys[3]}
    again = decide("set_aside", [keys[0], keys[1]])
    assert "Decided about 1 item. There was nothing to do for the others." in words(again)
    back = decide("return", [keys[0], keys[3]], here="state=set_aside")
    assert aside() == {keys[1]}
    lead.post(undo_of(back))
    assert aside() == {keys[0], keys[1], keys[3]}
    lead.post(undo_of(again))
    assert aside() == {keys[0], keys[3]}


def test_nothing_else_is_decided_about_what_is_set_aside(decide, keys):
    decide("set_aside", [keys[0]])
    assert "There was nothing to do for the others." in words(decide("exclude", [keys[0]]))
    assert "There was nothing to do for the others." in words(decide("return", [keys[1]]))


def test_the_list_of_what_is_set_aside_offers_to_return_it_and_nothing_else(lead, lights, send):
    send("set_aside", 0, follow=False)
    shown = lead.get(reverse("items", args=[lights.slug]), {"state": "set_aside"}).content.decode()
    assert re.findall(r'name="action" value="(\w+)"', shown) == ["return"]
    shown = lead.get(reverse("items", args=[lights.slug])).content.decode()
    assert re.findall(r'name="action" value="(\w+)"', shown)[-2:] == ["withdraw", "set_aside"]


def test_where_everything_is_set_aside_the_list_says_so(lead, lights, decide, keys):
    decide("set_aside", list(keys.values()))
    shown = words(lead.get(reverse("items", args=[lights.slug])))
    assert "Everything is set aside for exams" in shown
    assert "Nothing has been imported yet" not in shown


def test_what_was_withdrawn_before_is_in_the_list_of_what_is_set_aside_alone(lights, listed, send, keys, lead):
    lena = lights.memberships.get(role="lead").user
    reports.cancel(Item.objects.get(pk=keys[3]), by=lena, reason="its licence", now=NOON)
    send("set_aside", 3, follow=False)
    assert listed(state="cancelled") == []
    assert listed(state="set_aside") == [3]
    send("return_to_work", 3, follow=False)
    assert listed(state="cancelled") == [3]
    assert Task.objects.get(item=keys[3]).state == TaskState.CANCELLED


@pytest.fixture
def compared(db, tmp_path):
    """An item with two annotations, and the browsers of a lead and of an expert who sees answers."""
    made = disagreeing(tmp_path, people=2, least=None, slug="compared")
    item = answered(made, [("question", {"verdict": "good"}), ("long_answer", 0), ("short_answer", {"kind": "none"})])
    return made, item


def test_a_lead_sets_an_item_aside_from_the_side_by_side_page_and_still_sees_it_there(compared):
    made, item = compared
    lead = browser(join(made, "lena", "lead"))
    address = reverse("compare", args=[made.slug, "annotate", item.pk])
    assert "Set aside for an exam…" in words(lead.get(address))
    done = lead.post(reverse("set_aside", args=[made.slug, item.pk]), {"reason": WHY}, follow=True)
    assert "<b>Set aside for an exam</b>" in words(done)
    shown = words(lead.get(address))
    assert '<span class="badge blue">set aside for an exam</span>' in shown
    assert "Nothing to compare" not in shown
    assert "Return to the work…" in shown


def test_an_expert_is_not_offered_it_and_does_not_see_what_is_set_aside(compared):
    made, item = compared
    erin = browser(join(made, "erin", "expert"))
    erin.post(reverse("see_answers", args=[made.slug]))
    address = reverse("compare", args=[made.slug, "annotate", item.pk])
    assert "Set aside" not in words(erin.get(address))
    setting_aside.set_aside([item], by=join(made, "lena", "lead"), reason=WHY, now=NOON)
    assert erin.get(address).status_code == 404
