"""A rehearsal ends with the server, whether that stops or is killed: nothing goes on writing."""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.forking import ForkedSite
from tests.site import Site
from tests.waiting import polling

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

ASK = """
from pathlib import Path
from annotation import clock
from annotation.models import Role
from tasks.background import long_jobs
from tests.builders import load, project, questions, write_lines
from tests.people import join
made = project("rehearsed")
load(made, write_lines(Path({folder!r}) / "lights.jsonl", questions(3)))
asked = dict(items=3, rates=dict(wrong=0.0, late=0.0, abandoned=0.0, returned=0.0))
by = join(made, "lena", Role.LEAD)
long_jobs.ask(made, "rehearsal", subject="3", asked=asked, by=by, now=clock.now())
"""
STATE = "SELECT state, attempts FROM annotation_job WHERE kind = 'rehearsal'"


@pytest.fixture
def site(tmp_path, fork_server_of_all):
    """A site on whose data a rehearsal waits to begin."""
    made = Site(tmp_path).prepare()
    asking = ForkedSite(tmp_path)
    asking.forked_by = fork_server_of_all
    asking.manage("shell", "--no-imports", "-c", ASK.format(folder=str(tmp_path)))
    yield made
    made.kill()


def processes(site: Site) -> dict[int, str]:
    """What runs on the data folder, or on a copy in it, besides the server: command lines by process id."""
    found = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            environment, words = (place / "environ").read_bytes(), (place / "cmdline").read_bytes()
        except OSError:
            continue
        if f"GOLDFINCH_DATA={site.folder}".encode() in environment and words and int(place.name) != site.server.pid:
            found[int(place.name)] = words.replace(b"\0", b" ").decode()
    return found


def both(site: Site) -> bool:
    """Whether the job and its bots are there."""
    words = " ".join(processes(site).values())
    return "run_job" in words and "rehearse" in words


def job_of(site: Site) -> tuple[str, int]:
    """The state of the rehearsal, and how often it was begun."""
    with closing(sqlite3.connect(site.folder / "goldfinch.sqlite3")) as database:
        return database.execute(STATE).fetchone()


def test_it_has_ended_when_the_server_says_that_it_has_stopped_and_ends_with_one_that_is_killed(site):
    site.start()
    polling.until(lambda: both(site))
    site.server.terminate()
    assert "Goldfinch has stopped.\n" in iter(site.server.stdout.readline, "")
    assert processes(site) == {}
    assert not list((site.folder / "rehearsals").glob("*/*"))
    assert job_of(site) == ("queued", 0)
    site.stop()

    site.start()  # the next server begins it anew
    polling.until(lambda: both(site))
    os.kill(site.server.pid, 9)
    polling.until(lambda: processes(site) == {})
