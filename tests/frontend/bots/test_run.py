"""`make run` in an empty folder; nothing here has a transaction in the database of the server."""

from __future__ import annotations

import urllib.request


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
