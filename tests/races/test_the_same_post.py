"""Idempotency: an answer sent many times at once takes effect once; another answer under its key is refused."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest
from django.test import Client

from annotation import randomness
from annotation.errors import KeyReused
from annotation.models import Response
from frontend.bots.bot import Bot
from tasks.models import Assignment, Lease
from tests.builders import BAD, GOOD, Worker
from tests.people import join
from tests.proving import size
from tests.races.rigs.crowd import study, together
from tests.races.rigs.papers import UNANSWERABLE, library

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge("postgresql")]
TIMES = 20


@pytest.fixture
def alice(tmp_path):
    lights = study(tmp_path, items=30, slots=1)
    return Worker(join(lights, "alice"), lights)


def post(cookies, address, fields):
    browser = Client(SERVER_NAME="127.0.0.1")
    browser.cookies = cookies
    return browser.post(address, fields)


def test_a_post_sent_twenty_times_at_once_is_stored_once_and_answered_alike(alice):
    bot = Bot(alice.user, Random(1))
    for _ in range(size(1, 50)):
        page = bot.claim(alice.project, "annotate")
        mine = Assignment.objects.latest("pk")
        address, fields = bot.filled(page, mine.uuid, "nq", "question", GOOD)
        answers = together([partial(post, bot.client.cookies, address, fields)] * TIMES)
        assert {(answer.status_code, answer["Location"]) for answer in answers} == {(302, page)}
        assert Response.objects.filter(annotation=mine.annotation).count() == 1
        bot.client.post(*bot.filled(page, mine.uuid, "nq", "long_answer", {"kind": "none", "reason": "page"}))


def test_the_last_post_sent_twenty_times_at_once_gives_one_next_piece_of_work(alice):
    bot = Bot(alice.user, Random(1))
    page = bot.claim(alice.project, "annotate")
    mine = Assignment.objects.get()
    address, fields = bot.filled(page, mine.uuid, "nq", "question", BAD)
    answers = together([partial(post, bot.client.cookies, address, fields)] * TIMES)
    assert len({(answer.status_code, answer["Location"]) for answer in answers}) == 1
    assert Response.objects.count() == 1
    assert Assignment.objects.filter(annotator=alice.user).count() == 2


def test_an_answer_of_a_block_sent_twenty_times_at_once_is_stored_once_and_leads_to_the_next(tmp_path):
    papers = library(tmp_path, papers=1, questions=size(2, 12))
    bot = Bot(join(papers, "adam"), Random(1))
    page = bot.claim(papers, "answer")
    led = []
    for _ in range(size(2, 12)):
        mine = Assignment.objects.get(uuid=page.rstrip("/").rsplit("/", 1)[-1])
        address, fields = bot.filled(page, mine.uuid, "qasper", "answer", UNANSWERABLE)
        answers = together([partial(post, bot.client.cookies, address, fields)] * TIMES)
        ((status, page),) = {(answer.status_code, answer["Location"]) for answer in answers}
        assert status == 302
        assert Response.objects.filter(annotation=mine.annotation).count() == 1
        led.append(page)
    assert len(set(led)) == len(led)
    assert not Lease.objects.filter(closed_at__isnull=True).exists()


def test_of_two_answers_under_one_key_one_is_stored_and_the_other_refused(alice):
    def commit(assignment, payload, key):
        try:
            return alice.commit(assignment, "question", payload, key=key, seen=0)
        except KeyReused as refused:
            return refused

    for _ in range(size(3, 200)):
        mine, key = alice.claim(), randomness.handle()
        outcomes = together(partial(commit, mine, payload, key) for payload in [GOOD, BAD] * 4)
        stored = Response.objects.get(annotation=mine.annotation)
        refused = {number % 2 for number, outcome in enumerate(outcomes) if isinstance(outcome, KeyReused)}
        assert refused == {1 if stored.payload == GOOD else 0}
        if stored.payload == GOOD:
            alice.commit(mine, "long_answer", {"kind": "none", "reason": "page"})
