"""A lead opens, pauses and closes queues on their page, changes their numbers, and reads how they stand."""

from __future__ import annotations

import html
import re
from datetime import timedelta

import pytest
from django.urls import reverse

from annotation.models import Event, Project
from annotation.setup import changes
from annotation.statistics.intervals import wilson
from tasks.engine import skip_and_return
from tasks.engine.leases import expire_early
from tasks.engine.no_work import NoWork
from tasks.models import Queue
from tasks.setup import numbers
from tests.builders import Worker, load, open_papers, project, questions, reload, spend, write_lines
from tests.disagreeing import browser
from tests.people import NOON, join

NUMBERS = {"lease_minutes": "30", "least_agreement": "0.6"}


@pytest.fixture(scope="module")
def loaded_once(shared_rows, tmp_path_factory):
    """Three questions of the development split, for five people each; no queue is open."""
    load(project(), write_lines(tmp_path_factory.mktemp("lights") / "lights.jsonl", questions(3, split="dev")))


@pytest.fixture
def nq(loaded_once, db):
    return Project.objects.get(slug="lights")


@pytest.fixture
def lights(nq):
    return nq


@pytest.fixture
def lead(lena):
    return browser(lena)


def press(lead, lights, what, fields=None, *, follow=True):
    return lead.post(reverse(what, args=[lights.slug, "annotate"]), fields or {}, follow=follow)


def text(answer):
    page = re.sub(r"<svg.*?</svg>|<[^>]+>", " ", answer.content.decode(), flags=re.DOTALL)
    return html.unescape(" ".join(page.split()))


def kinds(lights):
    rows = Event.objects.filter(kind__startswith="queue.", project_id=lights.pk).order_by("pk")
    return list(rows.values_list("kind", flat=True))


def test_an_opened_queue_hands_out_every_item_with_the_numbers_that_were_given(lights, lead, alice):
    page = text(press(lead, lights, "open_queue", NUMBERS))
    assert "Open. 3 new tasks." in page
    queue = Queue.objects.get()
    assert (queue.lease_minutes, queue.least_agreement) == (30, 0.6)
    held = Worker(alice, lights).claim()
    assert held.lease.expires_at == NOON + timedelta(minutes=30)


@pytest.mark.parametrize(
    "fields",
    [
        {"lease_minutes": ""},
        {"lease_minutes": "0"},
        {"lease_minutes": "x"},
        {"lease_minutes": "99999999"},
        {"least_agreement": "1.5"},
        {"least_agreement": "nan"},
    ],
)
def test_impossible_numbers_are_refused_beside_their_field_and_nothing_is_opened(lights, lead, fields):
    answer = press(lead, lights, "open_queue", NUMBERS | fields)
    assert answer.status_code == 422
    [name] = fields
    assert f'name="{name}"' in answer.content.decode().split("aria-invalid")[0].rsplit("<input", 1)[1]
    assert not Queue.objects.exists()


def test_a_paused_or_closed_queue_hands_out_nothing_until_it_is_opened_again(lights, lead, lena, alice, bob):
    press(lead, lights, "open_queue", NUMBERS, follow=False)
    held = Worker(alice, lights).claim()
    for what in ("pause_queue", "close_queue"):
        press(lead, lights, what, follow=False)
        assert Worker(bob, lights).claim() == NoWork("not_open")
        press(lead, lights, "open_queue", NUMBERS, follow=False)
    Worker(alice, lights).commit(held, "question", {"verdict": "bad", "reasons": ["ambiguous"]})
    assert not isinstance(Worker(bob, lights).claim(), NoWork)
    assert kinds(lights) == ["queue.open", "queue.paused", "queue.open", "queue.closed", "queue.open"]
    assert set(Event.objects.filter(kind__startswith="queue.").values_list("by", flat=True)) == {lena.pk}


def test_what_closing_means_is_said_before_it_is_done(lights, lead, alice):
    press(lead, lights, "open_queue", NUMBERS, follow=False)
    Worker(alice, lights).claim()
    page = text(lead.get(reverse("queues", args=[lights.slug])))
    assert "1 person holds work. They keep it and can finish it." in page
    assert "14 places stay empty." in page
    assert "You can open the queue again at any time." in page


def test_new_numbers_are_an_event_with_what_was_before_and_the_same_ones_are_not(lights, lead):
    press(lead, lights, "open_queue", NUMBERS, follow=False)
    page = text(press(lead, lights, "change_queue", {"lease_minutes": "45", "least_agreement": ""}))
    assert "Kept for, in minutes: 30 → 45 · Least agreement: 0.6 → none · lena" in page
    assert "Nothing was different." in text(press(lead, lights, "change_queue", {"lease_minutes": "45"}))
    [changed] = Event.objects.filter(kind="queue.changed")
    assert changed.data == {
        "before": {"lease_minutes": 30, "least_agreement": 0.6},
        "after": {"lease_minutes": 45, "least_agreement": None},
    }


def undo_of(answer):
    [url] = re.findall(r'action="(/projects/[^"]*/settings/\d+/undo/)"', answer.content.decode().split("queue-foot")[0])
    return url


def test_new_numbers_are_undone_by_the_button_of_their_message_and_the_history_says_so(lights, lead, lena):
    press(lead, lights, "open_queue", NUMBERS, follow=False)
    url = undo_of(press(lead, lights, "change_queue", {"lease_minutes": "45", "least_agreement": ""}))
    page = text(lead.post(url, follow=True))
    assert "The queue has its earlier numbers again." in page
    assert "Kept for, in minutes: 45 → 30 · Least agreement: none → 0.6 · lena · undoes the change of" in page
    queue = Queue.objects.get()
    assert (queue.lease_minutes, queue.least_agreement) == (30, 0.6)
    first, second = Event.objects.filter(kind="queue.changed").order_by("pk")
    assert (second.by, second.data["undoes"]) == (lena.pk, first.pk)


def test_numbers_that_were_changed_again_are_not_undone_out_of_turn(lights, lead):
    press(lead, lights, "open_queue", NUMBERS, follow=False)
    first = undo_of(press(lead, lights, "change_queue", {"lease_minutes": "45", "least_agreement": "0.6"}))
    second = undo_of(press(lead, lights, "change_queue", {"lease_minutes": "60", "least_agreement": "0.6"}))
    assert lead.post(first).status_code == 409
    page = lead.post(second, follow=True).content.decode()
    assert re.findall(r'action="([^"]*/undo/)"', page) == [first]
    lead.post(first)
    assert Queue.objects.get().lease_minutes == 30
    assert "/undo/" not in lead.get(reverse("queues", args=[lights.slug])).content.decode()


def test_opening_a_queue_with_other_numbers_offers_to_undo_only_these(lights, lead):
    assert "/undo/" not in press(lead, lights, "open_queue", NUMBERS).content.decode()
    press(lead, lights, "pause_queue", follow=False)
    lead.post(undo_of(press(lead, lights, "open_queue", NUMBERS | {"lease_minutes": "45"})))
    assert (Queue.objects.get().lease_minutes, Queue.objects.get().state) == (30, "open")


def test_places_are_counted_as_filled_in_work_or_free_and_ended_work_by_how_it_ended(lights, lead):
    press(lead, lights, "open_queue", NUMBERS, follow=False)
    people = [Worker(join(lights, name), lights) for name in ("ada", "ben", "cleo", "dan")]
    people[0].finish_bad()
    skip_and_return.skip(reload(people[1].claim()), by=people[1].user, reason="other", text="", now=NOON)
    expire_early(people[2].claim().lease, now=NOON)
    people[3].claim(now=NOON + timedelta(minutes=1))
    found = numbers.of_project(lights)["annotate"]
    assert (found.filled, found.leased, found.free, found.total, found.done) == (1, 1, 13, 3, 0)
    assert found.oldest == NOON + timedelta(minutes=1)
    assert found.skipped == found.expired == wilson(1, 3)
    assert "33.3 %" in text(lead.get(reverse("queues", args=[lights.slug])))


def test_the_median_time_is_that_of_finished_work(lights, lead):
    press(lead, lights, "open_queue", NUMBERS, follow=False)
    for name, seconds in (("ada", 30), ("ben", 50), ("cleo", 100)):
        worker = Worker(join(lights, name), lights)
        spend(worker.claim(), now=NOON + timedelta(minutes=5), ms=1000 * seconds, active=1000 * seconds)
        worker.finish_bad(now=NOON + timedelta(minutes=5))
    page = text(lead.get(reverse("queues", args=[lights.slug])))
    assert "Median time 50 s n = 3 · published mean: 80 s" in page


def test_a_queue_counts_what_it_hands_out_papers_to_ask_about_or_questions_to_answer(db):
    papers = open_papers()
    lead = browser(join(papers, "lena", "lead"))
    page = text(lead.get(reverse("queues", args=[papers.slug])))
    assert re.search(r"Ask about papers Open 0 of \d+ papers done", page)
    assert "Answer from papers Open 0 of 0 questions done" in page


def test_an_interval_is_that_of_wilson():
    found = wilson(1, 10)
    assert (round(found.low, 3), round(found.high, 3)) == (0.018, 0.404)  # Brown, Cai and DasGupta's formula
    assert wilson(0, 20).low == 0
    assert wilson(20, 20).high == 1
    assert [wilson(part, 3).part for part in range(4)] == [0, 1, 2, 3]


def test_the_history_says_what_became_of_items_that_existed(lights, lead, lena):
    press(lead, lights, "open_queue", NUMBERS, follow=False)
    changes.change(lights, config={"activities": {"annotate": {"overlap": {"dev": 7}}}}, by=lena, now=NOON)
    lead.post(reverse("existing_items", args=[lights.slug]))
    page = text(lead.get(reverse("queues", args=[lights.slug])))
    assert "Places of items that existed: 3 with more, 0 with fewer, 0 as they were" in page


def test_a_queue_says_what_is_given_to_nobody_because_nobody_is_to_annotate_it(lights, lead, alice):
    lights.config = {"activities": {"annotate": {"overlap": {"dev": 0, "train": 1}}}}
    lights.save()
    page = text(press(lead, lights, "open_queue", NUMBERS))
    assert "3 of the questions are given to nobody: in dev, the number of people for each is 0." in page
    assert "questions done" not in page
    found = numbers.of_project(lights)["annotate"]
    assert (found.handed_out, found.finished, found.left_out_in) == (0, 0, ("dev",))


def test_a_queue_with_people_for_every_split_leaves_nothing_out(lights, lead):
    page = text(press(lead, lights, "open_queue", NUMBERS))
    assert "given to nobody" not in page
    assert "0 of 3 questions done" in page
