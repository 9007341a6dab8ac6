"""What needs a lead is listed with what settles it, and disappears when it is settled."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from annotation.models.case import FlagReason
from frontend.leads.board import needs
from frontend.leads.board.asked import BoardQuery
from frontend.leads.board.numbers import BoardNumbers
from frontend.leads.items import reports as reported
from tasks.engine import queues, transitions
from tasks.items import reports
from tasks.models.states import QueueState
from tests.builders import Worker, open_with, questions
from tests.people import NOON
from tests.uploading import imported


@pytest.fixture
def board(nq, lena):
    """The notices, the state and the text of the board."""
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(lena)

    def shown():
        answer = client.get(reverse("project", args=[nq.slug]))
        found = answer.context["board"]
        return [one.title for one in found.needs.notices], found.state.words, answer.content.decode()

    return shown


def open_with_one(nq, lena) -> None:
    imported(nq, lena, questions(1), name="first.jsonl")
    queues.open_queue(nq, "annotate", by=None, now=NOON)


def test_an_import_with_refused_lines_leads_to_them_until_it_has_worked(nq, lena, board):
    open_with_one(nq, lena)
    failed = imported(nq, lena, [*questions(1, start=5), {"x": 1}], name="more.jsonl")
    notices, _state, text = board()
    assert notices == ["The import of more.jsonl failed"]
    assert reverse("import", args=[nq.slug, failed.pk]) in text
    assert "1 line was refused." in text
    imported(nq, lena, questions(1, start=5), name="more.jsonl")
    assert board()[0] == []


BROKEN = [*questions(1, start=5), {"x": 1}]


def test_a_failed_import_is_dismissed_and_taken_up_again(nq, lena, board):
    open_with_one(nq, lena)
    failed = imported(nq, lena, BROKEN, name="more.jsonl")
    lead = Client(SERVER_NAME="127.0.0.1")
    lead.force_login(lena)
    said = lead.post(reverse("dismiss_import", args=[nq.slug, failed.pk]), follow=True).content.decode()
    take_up = reverse("take_up_import", args=[nq.slug, failed.pk])
    assert take_up in said
    assert "The import of more.jsonl failed" not in board()[0]
    lead.post(take_up)
    assert "The import of more.jsonl failed" in board()[0]


def test_a_failed_import_is_gone_when_its_records_came_in_under_such_a_name(nq, lena, board):
    open_with_one(nq, lena)
    imported(nq, lena, BROKEN, name="more.jsonl")
    imported(nq, lena, questions(1, start=5), name="others.jsonl")
    assert "The import of more.jsonl failed" in board()[0]
    for name in ("more.jsonl", "More.jsonl.gz", "refused-more.jsonl", "more.csv.zip"):
        with transaction.atomic():
            imported(nq, lena, questions(1, start=6), name=name, mode="check")
            assert "The import of more.jsonl failed" in titles(nq), name
            imported(nq, lena, questions(1, start=6), name=name)
            assert "The import of more.jsonl failed" not in titles(nq), name
            transaction.set_rollback(True)


def titles(nq) -> list[str]:
    """What the board says needs its lead, without the page."""
    return [one.title for one in needs.of_board(BoardNumbers(nq, BoardQuery(), now=NOON)).notices]


def test_without_an_open_queue_the_project_is_held_up(nq, board, tmp_path):
    open_with(nq, tmp_path, questions(2))
    assert board()[0] == []
    transitions.queue(nq.queues.get(), QueueState.PAUSED, by=None, now=NOON)
    notices, state, text = board()
    assert notices == ["No queue is open, so nobody is given work"]
    assert state == "Held up"
    assert reverse("queues", args=[nq.slug]) in text


def test_a_queue_whose_last_items_are_frozen_waits_for_the_lead(nq, board, alice, bob, tmp_path):
    open_with(nq, tmp_path, questions(1))
    for person in (alice, bob):
        held = Worker(person, nq).claim(now=NOON)
        reports.report(held, by=person, reason=FlagReason.BROKEN, text="", now=NOON)
    notices, state, text = board()
    assert notices == ["Answer questions from a page: the queue has no work left"]
    assert state == "Held up"
    assert "it waits for you" in text
    reports.unfreeze(held.task.item, by=bob, now=NOON)
    assert board()[0] == []


def test_annotators_get_nothing_of_it(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(1))
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(alice)
    for name in ("project", "board_live", "project_time_csv"):
        assert client.get(reverse(name, args=[nq.slug])).status_code == 404


def test_many_reports_are_folded_and_their_number_leads_to_all_of_them(nq, alice, board, tmp_path, monkeypatch):
    monkeypatch.setattr(reported, "SHOWN", 7)
    open_with(nq, tmp_path, questions(9))
    for _ in range(9):
        held = Worker(alice, nq).claim(now=NOON)
        reports.report(held, by=alice, reason=FlagReason.OTHER, text="odd", now=NOON)
    text = board()[2]
    assert text.count("Settle the report") == 7
    assert text.index('<details class="more-rows">') > text.index("Settle the report")
    assert "2 more" in text
    assert f'href="{reverse("reports", args=[nq.slug])}">9<' in text


def test_few_reports_are_all_in_sight(nq, alice, board, tmp_path):
    open_with(nq, tmp_path, questions(2))
    held = Worker(alice, nq).claim(now=NOON)
    reports.report(held, by=alice, reason=FlagReason.OTHER, text="odd", now=NOON)
    text = board()[2]
    assert "more-rows" not in text
    assert "?reported=1" not in text
