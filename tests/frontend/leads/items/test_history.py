"""The history of an item: every version of every answer, every event, and the time at each stage."""

from __future__ import annotations

from datetime import timedelta

from django.urls import reverse

from annotation.models import Item, User
from frontend.leads.items import history
from tasks import corrections
from tests.builders import BAD, GOOD, NO_ANSWER, Worker, open_with, questions, reload, spend
from tests.disagreeing import browser
from tests.people import NOON


def test_every_version_and_event_is_listed_newest_first_with_who_and_when(nq, alice, lena, tmp_path):
    open_with(nq, tmp_path, questions(1))
    worker = Worker(alice, nq)
    held = worker.claim()
    spend(held, now=NOON + timedelta(minutes=1), ms=30_000)
    worker.commit(held, "question", GOOD, now=NOON + timedelta(minutes=2))
    worker.commit(held, "long_answer", NO_ANSWER, now=NOON + timedelta(minutes=3))
    later = NOON + timedelta(hours=1)
    corrections.reopen(nq, held.annotation.uuid, by=lena, reason="look again", now=later)
    worker.commit(reload(held), "long_answer", {"kind": "none", "reason": "spread"}, now=later + timedelta(minutes=1))
    item = Item.objects.get()
    lines = history.history_page(item, page="1").object_list
    code = alice.worker_code
    said = [(line.what, line.who) for line in lines]
    assert said[-1] == ("Got it to work on", code)
    assert ("Sent back to its author", "lena") in said
    answers = [(line.what, line.who) for line in lines if line.answer]
    assert [who for _what, who in answers] == [code] * 3
    assert "version 2" in answers[0][0]
    assert [line.why for line in lines if line.who == "lena" and line.why] == ["look again"]
    assert lines == sorted(lines, key=lambda line: line.at, reverse=True)
    [spent] = history.times(item)
    assert (spent["who"], spent["whole"]) == (code, 30.0)
    page = browser(lena).get(reverse("item_history", args=[nq.slug, item.pk])).content.decode()
    assert page.count("What was sent") == 3
    assert "alice" not in page


def test_a_long_history_comes_in_pages(nq, alice, tmp_path, monkeypatch):
    open_with(nq, tmp_path, questions(1))
    Worker(alice, nq).finish_bad()
    item = Item.objects.get()
    whole = history.history_page(item, page="1").object_list
    monkeypatch.setattr(history, "PER_PAGE", 2)
    parts = [line for number in range(1, 9) for line in history.history_page(item, page=str(number)).object_list]
    assert parts[: len(whole)] == whole
    assert history.history_page(item, page="99").has_next() is False


def test_an_untouched_item_has_no_history_yet(nq, lena, tmp_path):
    open_with(nq, tmp_path, questions(1))
    page = browser(lena).get(reverse("item_history", args=[nq.slug, Item.objects.get().pk]))
    assert "Nothing has happened yet" in page.content.decode()
    assert not User.objects.filter(username="nobody").exists()
    assert BAD
