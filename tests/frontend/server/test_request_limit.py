"""Few requests run at a time, and a slow one delays others only for a moment."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from frontend.server.wrappers import RequestLimit


class Views:
    """An application that counts its concurrent requests; `meet` of them wait for each other in it."""

    def __init__(self, meet):
        self.meeting, self.lock = threading.Barrier(meet), threading.Lock()
        self.inside = self.most = 0

    def __call__(self, environ, start_response):
        with self.lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
        self.meeting.wait(30)
        with self.lock:
            self.inside -= 1
        return [b"done"]


def ask(limited, pool, count):
    return [pool.submit(limited, {}, None) for _ in range(count)]


def most_at_work(*, at_once):
    views = Views(meet=at_once)
    with ThreadPoolExecutor(8) as pool:
        answers = ask(RequestLimit(views, at_once=at_once, patience=30), pool, 40)
        assert all(answer.result() == [b"done"] for answer in answers)
    return views.most


@pytest.mark.parametrize("at_once", [2, 4])
def test_as_many_run_as_allowed_and_no_more(at_once):
    assert most_at_work(at_once=at_once) == at_once


def test_a_request_waiting_for_slow_ones_starts_after_a_moment():
    begun, go = threading.Barrier(3), threading.Event()

    def view(environ, start_response):
        if environ:
            begun.wait(30)
            go.wait(30)
        return [b"done"]

    with ThreadPoolExecutor(8) as pool:
        limited = RequestLimit(view, at_once=2, patience=0.05)
        slow = [pool.submit(limited, {"slow": "yes"}, None) for _ in range(2)]
        begun.wait(30)
        assert [answer.result(30) for answer in ask(limited, pool, 6)] == [[b"done"]] * 6
        assert not any(answer.done() for answer in slow)
        go.set()


def test_a_view_that_fails_lets_the_next_one_run():
    def fails(environ, start_response):
        raise ValueError

    limited = RequestLimit(fails, at_once=1, patience=30)
    with ThreadPoolExecutor(1) as pool:
        assert all(isinstance(answer.exception(10), ValueError) for answer in ask(limited, pool, 3))
