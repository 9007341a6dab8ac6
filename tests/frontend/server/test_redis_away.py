"""Redis, which holds the sessions, is down: 503 in words, and recovery without a restart."""

from __future__ import annotations

import os
from random import Random

import pytest
from django.core.cache import caches

from annotation.models import Response
from frontend.bots.bot import HIDDEN_FIELD, Bot
from tests import servers
from tests.builders import open_with, questions

HTMX, SCRIPT = {"HX-Request": "true"}, {"X-Requested-With": "fetch"}
BAD = {"verdict": "bad", "reasons": "ambiguous"}


@pytest.fixture
def server(tmp_path, settings):
    """A Redis for this test alone, which holds the sessions as with `REDIS_URL`."""
    if "TEST_REDIS_URL" in os.environ:
        pytest.skip("the Redis of TEST_REDIS_URL is not ours to stop")
    server = servers.redis_server(tmp_path)
    of_redis = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": server.url}
    settings.CACHES = settings.CACHES | {"default": of_redis}
    yield server
    caches["default"].close()
    server.stop()


def test_while_redis_is_down_everything_answers_503_and_afterwards_the_same_answer_is_accepted(
    server, nq, alice, tmp_path
):
    open_with(nq, tmp_path, questions(2))
    bot = Bot(alice, Random(1))
    page = bot.claim(nq, "annotate")
    hidden = dict(HIDDEN_FIELD.findall(bot.client.get(page).content.decode()))
    place = server.url.rsplit(":", 1)[1].split("/")[0]
    server.stop()

    def ask():
        yield bot.client.get("/")
        yield bot.client.get(page)
        yield bot.client.post(f"{page}question/draft/", hidden | {"seq": 1, "data": "{}"}, headers=SCRIPT)
        yield bot.client.post(f"{page}question/", hidden | BAD, headers=HTMX)

    for answer in ask():
        assert (answer.status_code, answer["Retry-After"]) == (503, "5"), answer.request["PATH_INFO"]
        assert "Nothing was changed and your draft is kept." in answer.content.decode()
    again = servers.redis_server(tmp_path, port=int(place))
    try:
        assert [answer.status_code for answer in ask()] == [200] * 4
        assert Response.objects.count() == 1
    finally:
        again.stop()
