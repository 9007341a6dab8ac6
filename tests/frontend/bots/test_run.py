"""`make run` in an empty folder; nothing here has a transaction in the database of the server."""

from __future__ import annotations

import urllib.request

from tests import prepared
from tests.site import Site


def test_run_has_created_tables_and_the_demo_and_next_time_serves_what_is_there(site):
    file = site.folder / "demo-logins.txt"
    logins = file.read_text()
    site.start(command="run")
    with urllib.request.urlopen(f"{site.url}/login/") as response:
        assert response.status == 200
    assert site.stop() == 0
    assert file.read_text() == logins
    assert "Creating the demo" in site.first_said
    assert "Creating the demo" not in site.said
    assert "Sign in as" in site.said


def test_without_the_demo_it_serves_an_empty_site_that_asks_for_the_first_account(tmp_path):
    prepared.static(tmp_path / "static")
    prepared.sqlite(tmp_path / "goldfinch.sqlite3")
    empty = Site(tmp_path).start(command="run", options=["--no-demo"])
    with urllib.request.urlopen(f"{empty.url}/") as response:
        assert "This site has no account yet" in response.read().decode()
    assert empty.stop() == 0
    assert not (tmp_path / "demo-logins.txt").exists()
