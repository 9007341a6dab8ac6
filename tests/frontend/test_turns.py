"""Few requests are at work at a time, and a slow one holds nobody up for longer than a moment."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

from frontend.turns import Turns


class Views:
    """An application that counts how many are in it at once; the first `slow` ones wait until they are let go."""

    def __init__(self, *, slow=0):
        self.slow, self.go, self.lock = slow, threading.Event(), threading.Lock()
        self.inside = self.most = self.begun = 0

    def __call__(self, environ, start_response):
        with self.lock:
            self.begun += 1
            self.inside += 1
            self.most = max(self.most, self.inside)
            waits = self.begun <= self.slow
        if waits:
            self.go.wait(30)
        else:
            time.sleep(0.01)
        with self.lock:
            self.inside -= 1
        return [b"done"]


def ask(turns, pool, count):
    return [pool.submit(turns, {}, None) for _ in range(count)]


def test_no_more_are_at_work_than_there_are_turns():
    views = Views()
    with ThreadPoolExecutor(8) as pool:
        answers = ask(Turns(views, at_once=2, patience=30), pool, 40)
        assert all(answer.result() == [b"done"] for answer in answers)
    assert views.most == 2


def test_who_waits_for_slow_ones_begins_after_a_moment():
    views = Views(slow=2)
    with ThreadPoolExecutor(8) as pool:
        turns = Turns(views, at_once=2, patience=0.05)
        slow = ask(turns, pool, 2)
        while views.begun < 2:
            pass
        assert [answer.result(30) for answer in ask(turns, pool, 6)] == [[b"done"]] * 6
        assert not any(answer.done() for answer in slow)
        views.go.set()


def test_a_view_that_fails_gives_its_turn_back():
    def fails(environ, start_response):
        raise ValueError

    turns = Turns(fails, at_once=1, patience=30)
    with ThreadPoolExecutor(1) as pool:
        assert all(isinstance(answer.exception(10), ValueError) for answer in ask(turns, pool, 3))
