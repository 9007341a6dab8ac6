"""Clients that send or read slowly occupy no thread, so that everybody else is served."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.frontend.server.server_rig import HALF_A_POST, LARGE
from tests.proving import size

READ_NOTHING = "GET /large HTTP/1.1\nHost: here\n\n"
SHORT = 1.0
"""Seconds after which the control counts as unanswered."""
HONEST, AT_ONCE = size(200, 10_000), 20
SENDERS, READERS = size(8, 200), size(8, 50)
"""Slow clients beside the well-behaved ones."""


def _enter(views, times):
    for _ in range(times):
        assert views.entered.acquire(timeout=30)


def test_eight_slow_senders_do_not_stop_others(wrapped, views):
    for _ in range(8):
        wrapped.raw(HALF_A_POST)
    wrapped.until(lambda: len(wrapped.server.server_state.tasks) == 8)
    response, _ = wrapped.ask()
    assert response.status == 200
    assert views.stored == []


def test_without_the_gateway_eight_slow_senders_stop_the_site(bare, views):
    for _ in range(8):
        bare.raw(HALF_A_POST)
    _enter(views, 8)
    with pytest.raises(TimeoutError):
        bare.ask(timeout=SHORT)


def test_eight_slow_readers_do_not_stop_others(wrapped, views):
    for _ in range(8):
        wrapped.raw(READ_NOTHING, small_buffer=True)
    _enter(views, 8)
    response, _ = wrapped.ask()
    assert response.status == 200


def test_without_the_gateway_eight_slow_readers_stop_the_site(bare, views):
    for _ in range(8):
        bare.raw(READ_NOTHING, small_buffer=True)
    _enter(views, 8)
    with pytest.raises(TimeoutError):
        bare.ask(timeout=SHORT)


def _answered(rig, **patience):
    """How many of the well-behaved requests are answered."""

    def one(_number):
        try:
            return rig.ask(**patience)[0].status == 200
        except OSError:
            return False

    with ThreadPoolExecutor(AT_ONCE) as people:
        return sum(people.map(one, range(HONEST)))


def test_beside_slow_senders_and_slow_readers_every_well_behaved_request_is_answered(wrapped, views, record_property):
    record_property("size", HONEST)
    rude = [wrapped.raw(HALF_A_POST) for _ in range(SENDERS)]
    rude += [wrapped.raw(READ_NOTHING, small_buffer=True) for _ in range(READERS)]
    _enter(views, READERS)
    wrapped.until(lambda: len(wrapped.server.server_state.tasks) == len(rude))
    assert _answered(wrapped) == HONEST
    # They hang to the end; the task of an answered request may outlive its last byte by a moment.
    wrapped.until(lambda: len(wrapped.server.server_state.tasks) <= len(rude))
    assert len(wrapped.server.server_state.tasks) == len(rude)
    assert views.stored == []


def test_without_the_gateway_no_well_behaved_request_is_answered_beside_them(bare, views):
    for _ in range(8):
        bare.raw(HALF_A_POST)
    for _ in range(8):
        bare.raw(READ_NOTHING, small_buffer=True)
    _enter(views, 8)
    assert _answered(bare, timeout=SHORT / 4) == 0
    for one in bare.open:
        one.close()
    assert bare.ask()[0].status == 200  # so the slow clients had caused it


def test_a_large_response_arrives_whole(wrapped):
    response, body = wrapped.ask(path="/large")
    assert (int(response.headers["Content-Length"]), body) == (LARGE, b"x" * LARGE)


def test_a_reader_that_stopped_is_disconnected(serve, gateway, views):
    rig = serve(gateway(patience=0.2))
    rig.raw(READ_NOTHING, small_buffer=True)
    _enter(views, 1)
    rig.until_quiet()
    response, _ = rig.ask()
    assert response.status == 200
