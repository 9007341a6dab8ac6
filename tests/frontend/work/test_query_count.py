"""The number of SQL statements of an annotator's loop: answer "bad" and get the next question, in one request."""

from __future__ import annotations

import json
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation import randomness
from annotation.models import TimeSpan
from frontend.bots.bot import HIDDEN_FIELD, Bot
from tests.builders import open_with, project, questions
from tests.people import join

AT_MOST = 20
APART = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK", "SELECT clock_timestamp()")


def statements(captured: CaptureQueriesContext) -> list[str]:
    """The statements, except those for time, session and user, and those that begin and end transactions."""
    asked = [query["sql"] for query in captured.captured_queries]
    who = ('FROM "django_session"', '"annotation_user"."password"')
    return [sql for sql in asked if not sql.startswith(APART) and not any(part in sql for part in who)]


@pytest.mark.parametrize("saved", [False, True], ids=["at once", "after a saved draft"])
def test_a_loop_takes_at_most_20_statements(tmp_path, saved, db):
    nq = project(activities={"annotate": {"draw": "in_order"}})
    open_with(nq, tmp_path, questions(5))
    bot = Bot(join(nq, "alice"), Random(1))
    page = bot.claim(nq, "annotate")
    for _warm in (True, False):
        hidden = dict(HIDDEN_FIELD.findall(bot.client.get(page).content.decode()))
        if saved:
            draft = hidden | {"seq": 1, "data": '{"verdict": "bad"}'}
            assert bot.client.post(f"{page}question/draft/", draft).status_code == 200
        fields = hidden | {"verdict": "bad", "reasons": "opinion", "submission_key": str(randomness.handle())}
        with CaptureQueriesContext(connection) as captured:
            response = bot.client.post(f"{page}question/", fields, headers={"HX-Request": "true"})
        assert response.status_code == 200
        page = response["HX-Push-Url"]
    found = statements(captured)
    assert len(found) <= AT_MOST + saved, "\n".join(found)
    assert sum("clock_timestamp" in query["sql"] for query in captured.captured_queries) <= 1


def test_the_traces_of_an_answer_take_at_most_5_more(tmp_path, db):
    nq = project(activities={"annotate": {"draw": "in_order"}})
    open_with(nq, tmp_path, questions(5))
    bot = Bot(join(nq, "alice"), Random(1))
    page = bot.claim(nq, "annotate")
    for n in (1, 2):
        hidden = dict(HIDDEN_FIELD.findall(bot.client.get(page).content.decode()))
        lines = [[1, "stage_entered", {}, ""], [900, "in_sight", {"ms": 900, "active": 400}, "mouse"]]
        told = {"trace": json.dumps([{"n": n, "lines": lines}]), "client": hidden["client"]}
        fields = hidden | {"verdict": "bad", "reasons": "opinion", "submission_key": str(randomness.handle())} | told
        with CaptureQueriesContext(connection) as captured:
            response = bot.client.post(f"{page}question/", fields, headers={"HX-Request": "true"})
        page = response["HX-Push-Url"]
    assert TimeSpan.objects.exists()
    found = statements(captured)
    assert len(found) <= AT_MOST + 5, "\n".join(found)
