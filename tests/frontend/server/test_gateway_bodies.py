"""A view gets a request whole and unforged, or not at all."""

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from frontend.server import gateway as gateway_module
from tests.frontend.server.server_rig import HALF_A_POST


def test_a_truncated_body_stores_nothing(serve, gateway, views):
    door = gateway()
    rig, whole = serve(door), door.arriving.free
    client = rig.raw(HALF_A_POST)
    rig.until(lambda: door.arriving.free == whole - 671)
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
    door, go_on = gateway(), threading.Event()
    rig, room = serve(door), door.at_work.free
    waits = iter([lambda: go_on.wait(30)])
    views.on_call = lambda: next(waits, lambda: None)()
    part = b"x" * (gateway_module.LARGE + 1)
    with ThreadPoolExecutor(2) as pool:
        sent = [pool.submit(rig.ask, "POST", "/save", body=part) for _ in range(2)]
        rig.until(lambda: door.at_work.free == room - 2 * len(part))
        assert rig.ask("POST", "/save", body=b"small")[0].status == 200
        assert views.stored == [b"small"]
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


def test_a_body_that_finds_no_room_takes_that_of_one_held_back(serve, gateway, views):
    door = gateway(memory=1000)
    rig = serve(door)
    held_back = rig.raw(HALF_A_POST)
    rig.until(lambda: door.arriving.free == 1000 - 671)
    response, _ = rig.ask("POST", "/save", body=b"x" * 671)
    assert (response.status, len(views.stored)) == (200, 1)
    refused = held_back.makefile("rb").read()
    assert refused.startswith(b"HTTP/1.1 503")
    assert b"\r\nretry-after: 1\r\n" in refused
    rig.until_quiet()
    assert door.arriving.free == 1000


def test_the_address_that_has_most_of_the_room_makes_way(serve, gateway, views):
    door = gateway(memory=3000)
    rig = serve(door)
    slow_but_honest = rig.raw(HALF_A_POST, source="127.0.0.2")
    rig.until(lambda: door.arriving.free == 3000 - 671)
    greedy = []
    for count in (2, 3):
        greedy.append(rig.raw(HALF_A_POST))
        rig.until(lambda count=count: door.arriving.free == 3000 - count * 671)
    assert rig.ask("POST", "/save", body=b"x" * 1200, source="127.0.0.3")[0].status == 200
    assert greedy[0].recv(12) == b"HTTP/1.1 503"
    slow_but_honest.sendall(b"x" * (2000 - 671))
    assert slow_but_honest.recv(12) == b"HTTP/1.1 200"


def test_while_many_hold_bodies_back_every_well_behaved_request_is_answered(serve, gateway, views):
    rig = serve(gateway(memory=20 * 671))
    for _ in range(40):
        rig.raw(HALF_A_POST)
    rig.until(lambda: len(rig.server.server_state.tasks) >= 19)
    answers = [rig.ask("POST", "/save", body=b"x" * 671)[0].status for _ in range(50)]
    assert answers == [200] * 50


def test_bodies_at_work_have_room_of_their_own_and_no_more_than_that(serve, gateway, views):
    door, (entered, leave) = gateway(memory=1000), (threading.Event(), threading.Event())
    rig = serve(door)
    views.on_call = lambda: (entered.set(), leave.wait(30))
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(rig.ask, "POST", "/save", body=b"x" * 671)
        assert entered.wait(30)
        assert door.arriving.free == 1000
        assert rig.ask("POST", "/save", body=b"x" * 671)[0].status == 503
        leave.set()
        assert first.result()[0].status == 200
    assert rig.ask("POST", "/save", body=b"x" * 671)[0].status == 200


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


def test_memory_is_released_after_every_kind_of_end(serve, gateway):
    door = gateway(longest_body=1000, patience=0.1)
    rig, whole = serve(door), door.arriving.free
    rig.ask("POST", "/save", body=b"x" * 900)
    rig.ask("POST", "/save", body=b"x" * 9000)
    rig.raw(HALF_A_POST.replace("x" * 671, "x" * 5)).makefile("rb").read()
    cut = rig.raw(HALF_A_POST)
    rig.until(lambda: door.arriving.free == whole - 671)
    cut.close()
    rig.until_quiet()
    assert door.arriving.free == whole


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
