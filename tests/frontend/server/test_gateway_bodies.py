"""A view gets a request whole and unforged, or not at all."""

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from frontend.server import gateway as gateway_module
from tests.frontend.server.server_rig import HALF_A_POST


def test_a_truncated_body_stores_nothing(serve, gateway, views):
    rig = serve(gateway())
    client = rig.raw(HALF_A_POST)
    rig.until(lambda: len(rig.server.server_state.tasks) == 1)
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


def test_large_bodies_are_worked_on_one_at_a_time_and_others_beside_them(serve, gateway, views):
    rig, go_on = serve(gateway()), threading.Event()
    waits = iter([lambda: go_on.wait(30)])
    views.on_call = lambda: next(waits, lambda: None)()
    part = b"x" * (gateway_module.LARGE + 1)
    with ThreadPoolExecutor(2) as pool:
        sent = [pool.submit(rig.ask, "POST", "/save", body=part) for _ in range(2)]
        assert views.entered.acquire(timeout=30)
        rig.until(lambda: len(rig.server.server_state.tasks) == 2)
        assert rig.ask("POST", "/save", body=b"small")[0].status == 200
        assert views.stored == [b"small"]
        assert views.entered.acquire(timeout=30)  # by the small one
        assert not views.entered.acquire(blocking=False)
        go_on.set()
        assert [one.result()[0].status for one in sent] == [200, 200]
    assert views.stored[1:] == [part, part]


def test_a_body_that_a_view_has_read_is_kept_by_nothing():
    receive = gateway_module._receiver(b"a part of a file")
    assert asyncio.run(receive())["body"] == b"a part of a file"
    assert asyncio.run(receive())["body"] == b""


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


@pytest.mark.parametrize("charset", ["hex", "idna", "punycode", "utf-16", "latin-1", "unheard-of", "rot13"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_text_in_another_charset_than_utf_8_is_refused_with_400(wrapped, views, method, charset):
    headers = {"Content-Type": f"application/x-www-form-urlencoded; charset={charset}"}
    assert wrapped.ask(method, body=b"a=1", headers=headers)[0].status == 400
    assert views.stored == []


@pytest.mark.parametrize(
    "kind", ["text/plain; charset*=hex''%61", "text/plain; charset*=idna''a", 'text/plain; charset="hex"; a=b']
)
def test_a_charset_in_an_encoded_parameter_is_refused_too(wrapped, kind):
    assert wrapped.ask("POST", body=b"a=1", headers={"Content-Type": kind})[0].status == 400


def test_two_content_types_are_refused(wrapped):
    lines = "Content-Type: text/plain\nContent-Type: text/plain; charset=hex\nConnection: close\n"
    answer = wrapped.raw(f"GET / HTTP/1.1\nHost: here\n{lines}\n").makefile("rb").read()
    assert answer.startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize("charset", ["", "; charset=utf-8", '; charset="UTF-8"', "; boundary=x; Charset=utf8"])
def test_utf_8_is_accepted(wrapped, charset):
    assert wrapped.ask("POST", body=b"a=1", headers={"Content-Type": f"text/plain{charset}"})[0].status == 200


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
