"""A view gets a request whole and unforged, or not at all."""

import asyncio
import json

from tests.frontend.server.server_rig import HALF_A_POST


def test_a_truncated_body_stores_nothing(serve, gateway, views):
    door = gateway()
    rig, whole = serve(door), door.memory.free
    client = rig.raw(HALF_A_POST)
    rig.until(lambda: door.memory.free == whole - 671)
    client.close()
    rig.until_quiet()
    assert views.stored == []


def test_without_the_gateway_the_truncated_body_is_stored(bare, views):
    client = bare.raw(HALF_A_POST)
    assert views.begun_to_read.wait(30)
    client.close()
    bare.until_quiet()
    assert [len(body) for body in views.stored] == [671]


def test_a_whole_body_arrives_as_it_was_sent(wrapped, views):
    body = bytes(range(256)) * 1000
    response, _ = wrapped.ask("POST", "/save", body=body)
    assert (response.status, views.stored) == (200, [body])


def test_a_chunked_body_arrives_whole_and_with_its_length(wrapped, views):
    _, seen = wrapped.ask("POST", "/save", body=iter([b"one ", b"two"]), encode_chunked=True)
    assert views.stored == [b"one two"]
    assert json.loads(seen)["CONTENT_LENGTH"] == "7"


def test_a_body_over_the_limit_is_refused_with_413_and_no_view_is_called(serve, gateway, views):
    rig = serve(gateway(longest_body=1000))
    response, text = rig.ask("POST", "/save", body=b"x" * 300_000)
    assert (response.status, views.stored) == (413, [])
    assert b"too large" in text


def test_a_body_of_exactly_the_limit_is_accepted(serve, gateway, views):
    response, _ = serve(gateway(longest_body=1000)).ask("POST", "/save", body=b"x" * 1000)
    assert (response.status, len(views.stored[0])) == (200, 1000)


def test_a_body_that_does_not_arrive_in_time_is_refused_with_408(serve, gateway, views):
    rig = serve(gateway(patience=0.1))
    answer = rig.raw(HALF_A_POST).makefile("rb").read()
    assert answer.startswith(b"HTTP/1.1 408")
    assert views.stored == []


def test_all_bodies_together_stay_within_the_memory_for_them(serve, gateway, views):
    door = gateway(memory=1000)
    rig = serve(door)
    first = rig.raw(HALF_A_POST)
    rig.until(lambda: door.memory.free == 1000 - 671)
    response, _ = rig.ask("POST", "/save", body=b"x" * 671)
    assert (response.status, response.headers["Retry-After"]) == (503, "1")
    first.close()
    rig.until_quiet()
    response, _ = rig.ask("POST", "/save", body=b"x" * 671)
    assert (response.status, len(views.stored)) == (200, 1)


def test_memory_is_released_after_every_kind_of_end(serve, gateway):
    door = gateway(longest_body=1000, patience=0.1)
    rig, whole = serve(door), door.memory.free
    rig.ask("POST", "/save", body=b"x" * 900)
    rig.ask("POST", "/save", body=b"x" * 9000)
    rig.raw(HALF_A_POST.replace("x" * 671, "x" * 5)).makefile("rb").read()
    cut = rig.raw(HALF_A_POST)
    rig.until(lambda: door.memory.free == whole - 671)
    cut.close()
    rig.until_quiet()
    assert door.memory.free == whole


def test_a_query_with_raw_bytes_is_read_as_if_percent_encoded(gateway, views):
    asked = {"type": "http", "method": "GET", "path": "/", "query_string": b"q=caf\xc3\xa9", "headers": []}
    asked |= {"http_version": "1.1", "server": ("here", 80), "client": ("there", 1)}
    sent = []

    async def receive():
        return {"type": "http.request"}

    async def send(message):
        sent.append(message)

    asyncio.run(gateway()(asked, receive, send))
    assert json.loads(sent[1]["body"])["QUERY_STRING"] == "q=caf%C3%A9"
