"""`make run` in an empty folder; nothing here has a transaction in the database of the server."""

from __future__ import annotations

import urllib.request
from itertools import takewhile, tee

import pytest

from tests import prepared
from tests.forking import ForkedSite


class ForkedRun(ForkedSite):
    """A site whose `run` is forked; `said` is what it printed before it was listening."""

    def _arrived(self, said, *, errors):
        lines, kept = tee(said)
        super()._arrived(lines, errors=errors)
        self.said = "".join(takewhile(lambda line: "http://" not in line, kept))


@pytest.fixture
def run(fork_server_of_all):
    """A function: the site in a folder, which runs."""
    running = []

    def run(folder, *options, **environment):
        running.append(ForkedRun(folder, **environment))
        running[-1].forked_by = fork_server_of_all
        return running[-1].start(command="run", options=options)

    yield run
    for each in running:
        each.close()


def test_run_has_created_tables_and_the_demo_and_next_time_serves_what_is_there(site, run, tmp_path):
    file = site.folder / "demo-logins.txt"
    logins = file.read_text()
    theirs = {name: site.environment[name] for name in ("DATABASE_URL", "GOLDFINCH_DATA")}
    again = run(tmp_path, **theirs)
    with urllib.request.urlopen(f"{again.url}/login/") as response:
        assert response.status == 200
    assert again.stop() == 0
    assert file.read_text() == logins
    assert "Creating the demo" in site.first_said
    assert "Creating the demo" not in again.said
    assert "Sign in as" in again.said


def test_without_the_demo_it_serves_an_empty_site_that_asks_for_the_first_account(tmp_path, run):
    prepared.static(tmp_path / "static")
    prepared.sqlite(tmp_path / "goldfinch.sqlite3")
    empty = run(tmp_path, "--no-demo")
    with urllib.request.urlopen(f"{empty.url}/") as response:
        assert "This site has no account yet" in response.read().decode()
    assert empty.stop() == 0
    assert not (tmp_path / "demo-logins.txt").exists()
