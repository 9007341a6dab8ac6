"""The database is down or its disk is full: 503 in words, nothing half done, and recovery without a restart."""

from __future__ import annotations

import json
from contextlib import contextmanager
from random import Random

import pytest
from django.db import OperationalError, connection
from django.db.backends.utils import CursorWrapper

from annotation.models import Draft, Event, Response
from frontend.bots.bot import HIDDEN_FIELD, Bot
from tests.builders import open_with, questions

HTMX, SCRIPT = {"HX-Request": "true"}, {"X-Requested-With": "fetch"}


@pytest.fixture
def at_work(nq, alice, tmp_path):
    """Somebody at the first stage: the bot, the page, the hidden fields."""
    open_with(nq, tmp_path, questions(2))
    bot = Bot(alice, Random(1))
    page = bot.claim(nq, "annotate")
    return bot, page, dict(HIDDEN_FIELD.findall(bot.client.get(page).content.decode()))


@pytest.fixture
def away(monkeypatch):
    """Return a function; once called, every database operation fails as if the server were gone."""

    def gone(*args, **kwargs):
        raise OperationalError("server closed the connection unexpectedly")

    def leave():
        for name in ("execute", "executemany"):
            monkeypatch.setattr(CursorWrapper, name, gone)

    return leave


def requests(bot, page, hidden):
    """The requests that people and their scripts make while they work."""
    client, draft = bot.client, {"seq": 1, "data": json.dumps({"verdict": "bad"})}
    answer = {"verdict": "bad", "reasons": "ambiguous"}
    yield client.get("/")
    yield client.get(page)
    yield client.post(f"{page}question/draft/", hidden | draft, headers=SCRIPT)
    yield client.post(f"{page}renew/", hidden, headers=SCRIPT)
    yield client.post(f"{page}question/", hidden | answer, headers=HTMX)


def test_while_the_database_is_down_everything_answers_503_with_retry_after(at_work, away):
    away()
    for answer in requests(*at_work):
        assert (answer.status_code, answer["Retry-After"]) == (503, "5"), answer.request["PATH_INFO"]
        assert "Nothing was changed and your draft is kept." in answer.content.decode()


def test_the_same_requests_succeed_once_the_database_is_back(at_work, away, monkeypatch):
    away()
    list(requests(*at_work))
    monkeypatch.undo()
    assert [answer.status_code for answer in requests(*at_work)] == [200] * 5
    assert Response.objects.count() == 1


@pytest.mark.sqlite_only
def test_on_a_full_disk_nothing_is_half_written_and_the_same_answer_is_accepted_when_there_is_room(at_work):
    bot, page, hidden = at_work
    full = {"verdict": "bad", "reasons": "ambiguous", "trace": "x" * 1000}
    before = Event.objects.count(), Draft.objects.count()
    data = json.dumps({"verdict": "bad", "note": "x" * 90_000})
    with full_disk():
        saved = bot.client.post(f"{page}question/draft/", hidden | {"seq": 1, "data": data}, headers=SCRIPT)
    assert (saved.status_code, saved["Retry-After"]) == (503, "5")
    assert (Event.objects.count(), Draft.objects.count()) == before
    again = bot.client.post(f"{page}question/draft/", hidden | {"seq": 1, "data": data}, headers=SCRIPT)
    assert again.status_code == 200
    assert bot.client.post(f"{page}question/", hidden | full, headers=HTMX).status_code == 200


@contextmanager
def full_disk():
    """Let the database file not grow, after filling the pages that earlier tests have left free in it."""
    with connection.cursor() as cursor:
        [(free,), (page_size,)] = [
            cursor.execute(f"PRAGMA {name}").fetchone() for name in ("freelist_count", "page_size")
        ]
        cursor.execute("CREATE TABLE filler AS SELECT zeroblob(%s) AS pages", [free * page_size])
        cursor.execute(f"PRAGMA max_page_count = {cursor.execute('PRAGMA page_count').fetchone()[0]}")
        try:
            yield
        finally:
            cursor.execute("PRAGMA max_page_count = 1073741823")
