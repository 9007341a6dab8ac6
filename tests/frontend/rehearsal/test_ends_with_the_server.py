"""A rehearsal ends with the server, whether that stops or is killed: nothing goes on writing."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

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
STATE = """
from annotation.models import Job
print("JOB", *Job.objects.filter(kind="rehearsal").values_list("state", "attempts").get())
"""


@pytest.fixture
def site(tmp_path):
    """A server on whose data a rehearsal waits for its turn."""
    made = Site(tmp_path).prepare()
    made.manage("shell", "--no-imports", "-c", ASK.format(folder=str(tmp_path)))
    yield made.start()
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


def test_it_has_ended_when_the_server_says_that_it_has_stopped(site):
    polling.until(lambda: both(site))
    site.server.terminate()
    assert "Goldfinch has stopped.\n" in iter(site.server.stdout.readline, "")
    assert processes(site) == {}
    assert not list((site.folder / "rehearsals").glob("*/*"))
    assert "JOB queued 0" in site.manage("shell", "--no-imports", "-c", STATE)


def test_it_ends_with_a_server_that_is_killed(site):
    polling.until(lambda: both(site))
    os.kill(site.server.pid, 9)
    polling.until(lambda: processes(site) == {})
