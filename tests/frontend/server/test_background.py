"""Jobs run in the server's own process without Redis, and in Celery's processes with it."""

import subprocess
import sys
import threading

import pytest
from celery import Celery, signals

from annotation.processes import children
from frontend.celery import app
from frontend.server.background import Background
from tests.site import CHECKOUT, Site


@pytest.fixture
def background():
    """The worker and beat in threads, as `serve` starts them."""
    made = []

    def start() -> Background:
        made.append(Background())
        made[0].start()
        return made[0]

    yield start
    for one in made:
        one.stop()


@pytest.fixture
def ran():
    """An event that the job `tests.ring` sets."""
    event = threading.Event()

    @app.task(name="tests.ring")
    def ring():
        event.set()

    yield event
    del app.tasks["tests.ring"]


def test_a_job_sent_by_the_process_runs_in_it(background, ran):
    background()
    app.tasks["tests.ring"].delay()
    assert ran.wait(30)


def test_beat_sends_what_the_schedule_says(background, ran, monkeypatch):
    monkeypatch.setitem(app.conf, "beat_schedule", {"ring": {"task": "tests.ring", "schedule": 0.1}})
    background()
    assert ran.wait(30)


def test_a_stop_that_one_worker_has_not_read_does_not_end_the_next(background, ran):
    first = Background()
    first.start()
    try:
        app.tasks["tests.ring"].delay()
        assert ran.wait(30)
    finally:
        first.stop()
    app.control.shutdown(destination=[first.name])  # what a worker leaves unread that ends before it reads its stop
    ran.clear()
    background()
    app.tasks["tests.ring"].delay()
    assert ran.wait(30)


def test_every_scheduled_job_exists():
    app.loader.import_default_modules()
    scheduled = {entry["task"] for entry in (app.conf.beat_schedule or {}).values()}
    assert scheduled <= set(app.tasks)


def test_a_process_of_a_worker_ends_the_children_of_its_jobs(monkeypatch):
    ended = []
    monkeypatch.setattr(children, "end_all", lambda: ended.append(True))
    signals.worker_process_shutdown.send(sender=None, pid=1, exitcode=0)
    assert ended == [True]


def test_with_redis_a_worker_process_runs_the_jobs(redis_url, tmp_path):
    site = Site(tmp_path, REDIS_URL=redis_url).prepare()
    words = ["worker", "--pool", "solo", "--loglevel", "info", "--without-mingle", "--without-gossip"]
    worker = subprocess.Popen(
        [sys.executable, "-m", "celery", "-A", "frontend", *words],
        cwd=CHECKOUT,
        env=site.environment,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        with Celery(broker=redis_url, set_as_current=False) as sender:  # as another process would, without its imports
            sender.send_task("tasks.jobs.expire_leases", ignore_result=True)
        said = []
        for line in worker.stderr:
            said.append(line)
            if "tasks.jobs.expire_leases" in line and ("succeeded" in line or "raised" in line):
                break
        assert "succeeded" in said[-1], "".join(said)
    finally:
        worker.terminate()
        worker.communicate(timeout=60)
