"""Log-ins wait outside the threads of the pages, and clients that guess passwords slow down nobody else."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from a2wsgi import WSGIMiddleware

from frontend.server.gateway import Gateway
from frontend.server.log_in_queue import LogInQueue

LOG_IN = ("POST", "/login/")


class Door:
    """The WSGI application: log-ins in it wait for `leave`, other pages don't; the password is the status."""

    def __init__(self) -> None:
        self.leave, self.lock, self.arrived = threading.Event(), threading.Lock(), threading.Semaphore(0)
        self.inside = self.most = 0

    def __call__(self, environ, start_response):
        status = "200 OK"
        if (environ["REQUEST_METHOD"], environ["PATH_INFO"]) == LOG_IN:
            with self.lock:
                self.inside += 1
                self.most = max(self.most, self.inside)
            self.arrived.release()
            self.leave.wait(30)
            with self.lock:
                self.inside -= 1
            status = environ["wsgi.input"].read().decode()
        start_response(status, [("Content-Type", "text/plain")])
        return [b"done"]


@pytest.fixture
def door() -> Door:
    return Door()


@pytest.fixture
def open_door(serve, door):
    """Return a function: serve the application with log-in queues of these limits."""

    def make(**limits):
        threads = WSGIMiddleware(door, workers=4)
        queue = LogInQueue(threads, paths=LOG_IN[1:], **({"at_once": 2, "pause": 0} | limits))
        return serve(Gateway(WSGIMiddleware(door, workers=8), longest_body=2**20, log_ins=queue))

    return make


def _log_in(rig, status: str = "200 OK", *, source: str = "127.0.0.1") -> int:
    return rig.ask(*LOG_IN, body=status.encode(), source=source)[0].status


def test_two_log_ins_are_at_work_and_pages_are_served_meanwhile(open_door, door):
    rig = open_door()
    with ThreadPoolExecutor(20) as people:
        answers = [people.submit(_log_in, rig, source=f"127.0.0.{number + 1}") for number in range(20)]
        for _ in range(2):
            assert door.arrived.acquire(timeout=30)
        rig.until(lambda: len(rig.server.server_state.tasks) == 20)
        assert [rig.ask(path="/")[0].status for _ in range(20)] == [200] * 20
        door.leave.set()
        assert [answer.result() for answer in answers] == [200] * 20
    assert door.most == 2


def test_the_control_without_the_queue_they_take_every_thread(serve, door):
    rig = serve(WSGIMiddleware(door, workers=8))
    with ThreadPoolExecutor(20) as people:
        answers = [people.submit(_log_in, rig) for _ in range(20)]
        for _ in range(8):
            assert door.arrived.acquire(timeout=30)
        with pytest.raises(TimeoutError):
            rig.ask(path="/", timeout=0.5)
        door.leave.set()
        assert [answer.result() for answer in answers] == [200] * 20


@pytest.mark.parametrize("failure", ["200 OK", "422 Unprocessable Content", "429 Too Many Requests"])
def test_an_address_that_goes_on_guessing_waits_and_others_do_not(open_door, door, failure):
    rig = open_door(pause=60)
    door.leave.set()
    for _ in range(40):
        rig.raw(f"POST /login/ HTTP/1.1\nHost: here\nContent-Length: {len(failure)}\n\n{failure}")
    for _ in range(2):
        assert door.arrived.acquire(timeout=30)
    rig.until(lambda: len(rig.server.server_state.tasks) == 40)
    assert [_log_in(rig, "302 Found", source="127.0.0.2") for _ in range(10)] == [302] * 10
    for _ in range(10):
        assert door.arrived.acquire(timeout=30)
    assert not door.arrived.acquire(blocking=False)


def test_who_waits_too_long_is_told_to_try_again(open_door, door):
    rig = open_door(patience=0.1)
    with ThreadPoolExecutor(2) as people:
        answers = [people.submit(_log_in, rig) for _ in range(2)]
        for _ in range(2):
            assert door.arrived.acquire(timeout=30)
        response, text = rig.ask(*LOG_IN, body=b"200 OK")
        assert (response.status, text) == (503, b"Too many people are signing in at once. Try again in a moment.")
        door.leave.set()
        assert [answer.result() for answer in answers] == [200] * 2
    assert _log_in(rig) == 200


def test_a_log_in_form_is_short(open_door, door):
    rig = open_door()
    door.leave.set()
    assert rig.ask(*LOG_IN, body=b"x" * 20_000)[0].status == 413
    assert rig.ask("POST", "/elsewhere/", body=b"x" * 20_000)[0].status == 200
