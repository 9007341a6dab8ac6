"""`manage.py serve` is one process that serves, refuses what would go wrong later, and stops cleanly."""

import json
import re
import socket
import urllib.error
import urllib.request

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.forking import ForkedSite
from tests.waiting import polling

SEAT = """
from datetime import timedelta
from annotation import clock
from tests.protocols.toy.building import Pair, toy_project
Pair.seated(toy_project(), now=clock.now() - timedelta(minutes=12))
"""
PAUSED = """
from datetime import timedelta
from tasks.models import Pause
print("PAUSED", [each.ends_at - each.began_at >= timedelta(minutes=12) for each in Pause.objects.all()])
"""


@pytest.fixture(scope="module")
def site_in(fork_server_of_all):
    """A function: a site in a folder, with these settings, whose processes are forked."""
    made = []

    def site_in(folder, **environment):
        made.append(ForkedSite(folder, **environment))
        made[-1].forked_by = fork_server_of_all
        return made[-1]

    yield site_in
    for each in made:
        each.close()


@pytest.fixture(scope="module")
def prepared(tmp_path_factory, site_in):
    """A site with tables and static files that is not being served yet."""
    return site_in(tmp_path_factory.mktemp("site")).prepare()


@pytest.fixture(scope="module")
def served(tmp_path_factory, site_in):
    """Another one, which is being served."""
    return site_in(tmp_path_factory.mktemp("served")).prepare().start()


def test_it_prints_its_url_and_answers_there(served):
    with urllib.request.urlopen(f"{served.url}/login/") as response:
        assert response.status == 200


def test_it_is_alive_at_once_and_ready_when_its_background_jobs_run(served):
    with urllib.request.urlopen(f"{served.url}/health/live/") as response:
        assert response.status == 200
    said = polling.until(lambda: urllib.request.urlopen(f"{served.url}/health/").read(), not_yet=urllib.error.HTTPError)
    assert json.loads(said) == {"status": "ok"}


def test_one_data_folder_is_served_once(served):
    result = served.run("serve", "--port", "0")
    assert result.returncode != 0
    assert "already being served" in result.stderr


def test_a_taken_port_is_refused_with_its_number(prepared):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = prepared.run("serve", "--port", port)
    assert result.returncode != 0
    assert re.search(rf"Port {port} of 127.0.0.1 is in use", result.stderr)


def test_a_database_without_tables_is_refused(tmp_path, site_in):
    result = site_in(tmp_path).run("serve", "--port", "0")
    assert result.returncode != 0
    assert "manage.py migrate" in result.stderr


def test_missing_static_files_are_refused(prepared):
    manifest = prepared.folder / "static" / "staticfiles.json"
    away = manifest.rename(manifest.with_suffix(".away"))
    try:
        result = prepared.run("serve", "--port", "0")
    finally:
        away.rename(manifest)
    assert result.returncode != 0
    assert "collectstatic" in result.stderr


def test_debug_is_refused_where_others_can_reach_it(prepared, site_in):
    open_to_all = site_in(prepared.folder, DEBUG="1")
    result = open_to_all.run("serve", "--host", "0.0.0.0", "--port", "0")
    assert result.returncode != 0
    assert "DEBUG" in result.stderr


@pytest.mark.parametrize(
    ("words", "environment", "said"),
    [
        ([], {}, "--trusted-network"),
        (["--trusted-network"], {}, "Cannot listen"),
        ([], {"BEHIND_PROXY": "1"}, "Cannot listen"),
    ],
)
def test_others_may_open_it_behind_a_proxy_or_on_a_trusted_network_only(prepared, site_in, words, environment, said):
    elsewhere = "203.0.113.1"  # an address that no machine has, so that it can't listen there
    result = site_in(prepared.folder, **environment).run("serve", "--host", elsewhere, "--port", "0", *words)
    assert result.returncode == 1
    assert said in result.stderr


def test_a_missing_trigger_of_the_record_is_refused(prepared):
    drop = (
        "from django.db import connection; from annotation.triggers import append_only;"
        "append_only.drop_triggers(connection)"
    )
    prepared.manage("shell", "--no-imports", "-c", drop)
    try:
        result = prepared.run("serve", "--port", "0")
    finally:
        prepared.manage("migrate", "--verbosity", "0")
    assert result.returncode != 0
    assert "triggers are missing" in result.stderr


def test_a_websocket_is_refused(served):
    with pytest.raises(InvalidStatus) as refusal:
        connect(f"{served.url.replace('http', 'ws')}/socket", origin=served.url)
    assert refusal.value.response.status_code == 403


def test_it_stops_cleanly_when_asked_and_the_time_without_a_server_is_a_pause_of_shared_work(prepared):
    prepared.manage("shell", "--no-imports", "-c", SEAT)
    assert prepared.start().stop() == 0
    assert "PAUSED [True]" in prepared.manage("shell", "--no-imports", "-c", PAUSED)
