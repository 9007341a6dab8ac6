"""A header can't pass for another one, and threads know the event loop of the sockets."""

import json
import threading

from tests.frontend.server.server_rig import Rig

FORGED = "GET / HTTP/1.1\nHost: here\nX_Forwarded_Proto: https\nX-Kept: yes\nConnection: close\n\n"


def _seen(rig: Rig) -> dict:
    answer = rig.raw(FORGED).makefile("rb").read()
    return json.loads(answer[answer.index(b"{") : answer.rindex(b"}") + 1])


def test_a_name_with_an_underscore_never_reaches_a_view(wrapped):
    seen = _seen(wrapped)
    assert "HTTP_X_FORWARDED_PROTO" not in seen
    assert seen["HTTP_X_KEPT"] == "yes"


def test_without_the_gateway_the_forged_header_passes(bare):
    assert _seen(bare)["HTTP_X_FORWARDED_PROTO"] == "https"


def test_a_thread_can_schedule_work_on_the_event_loop_of_the_sockets(serve, gateway, views):
    door, poked = gateway(), threading.Event()
    views.on_call = lambda: door.event_loop.call_soon_threadsafe(poked.set)
    rig = serve(door)
    rig.ask()
    assert poked.wait(10)
    assert door.event_loop is rig.loop


def test_headers_of_a_response_arrive_with_its_length(wrapped, views):
    views.extra = [("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")]
    response, body = wrapped.ask()
    assert response.headers.get_all("Set-Cookie") == ["a=1", "b=2"]
    assert int(response.headers["Content-Length"]) == len(body)


def test_a_response_to_head_has_no_body(wrapped):
    response, body = wrapped.ask("HEAD")
    assert (response.status, body) == (200, b"")
