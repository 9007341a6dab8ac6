"""A download stops once whoever runs it may no longer have the file, also while it waits for a slow client."""

from __future__ import annotations

import threading

import pytest
from django.urls import reverse

from annotation import membership, releases
from annotation.models import Membership, Role
from annotation.releases import building
from frontend import downloads
from frontend.server import file_sender
from tests.builders import Worker, open_with, questions
from tests.factories.corpus import JobFactory
from tests.frontend.server.server_rig import LARGE
from tests.people import NOON

ASK = "GET /large HTTP/1.1\nHost: here\nConnection: close\n\n"


@pytest.fixture(params=["file", "table"])
def answered(request, views, settings, tmp_path):
    """Have the views answer with a large file, or a table of the same size, that needs the right `1/2`."""
    if request.param == "table":
        views.extra = [(file_sender.RIGHT, "1/2")]
        return views
    settings.GOLDFINCH_DATA = tmp_path
    file = tmp_path / "releases" / "lights" / "train.jsonl.gz"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"x" * LARGE)
    response = file_sender.file_response(file, filename="train.jsonl.gz", content_type="application/gzip", right="1/2")
    views.extra = list(response.items())
    return views


def received(connection) -> int:
    """How many bytes arrive until the connection is closed."""
    total = 0
    try:
        while data := connection.recv(2**20):
            total += len(data)
    except ConnectionResetError:
        pass
    return total


@pytest.mark.parametrize("through", ["no proxy", "nginx"])
def test_a_download_that_waits_for_its_client_is_cut(request, serve, gateway, answered, through):
    asked, allowed = threading.Semaphore(0), threading.Event()
    allowed.set()

    def may_go_on(right):
        assert right == "1/2"
        asked.release()
        return allowed.is_set()

    rig = serve(gateway(may_go_on=may_go_on))
    front = request.getfixturevalue("proxy")(rig) if through == "nginx" else rig
    connection = front.raw(ASK, small_buffer=True)
    assert asked.acquire(timeout=30)
    allowed.clear()
    rig.until_quiet()
    assert received(connection) < LARGE


def test_the_control_a_download_that_may_go_on_arrives_whole(serve, gateway, answered):
    rig = serve(gateway(may_go_on=lambda right: True))
    response, body = rig.ask(path="/large")
    assert len(body) == LARGE
    assert file_sender.RIGHT not in response.headers


def test_a_download_stops_if_nothing_can_be_learned_about_the_right(serve, gateway, answered):
    def may_go_on(right):
        raise OSError("the database is away")

    rig = serve(gateway(may_go_on=may_go_on))
    connection = rig.raw(ASK, small_buffer=True)
    rig.until_quiet()
    assert received(connection) < LARGE


@pytest.fixture
def release(nq, alice, lena, tmp_path):
    open_with(nq, tmp_path, questions(1))
    Worker(alice, nq).finish_bad()
    return releases.build(nq, format="nq", by=lena, now=NOON)


def end_of_role(release, lena):
    Membership.objects.filter(user=lena, role=Role.LEAD).update(ended_at=NOON)


def retraction(release, lena):
    building.retract(release, by=lena, reason="a mistake", now=NOON)


def end_of_account(release, lena):
    lena.is_active = False
    lena.save()


@pytest.mark.parametrize("event", [end_of_role, retraction, end_of_account])
def test_the_right_ends_with_the_role_the_release_and_the_account(release, lena, event):
    right = downloads.right_to(lena, release)
    assert downloads.may_go_on(right)
    event(release, lena)
    assert not downloads.may_go_on(right)


def test_somebody_who_never_led_the_project_has_no_right(release, alice):
    assert Role.ANNOTATOR in membership.roles_of(alice, release.project)
    assert not downloads.may_go_on(downloads.right_to(alice, release))


def test_the_right_to_the_refused_lines_of_an_import_ends_with_the_role(release, lena):
    job = JobFactory(project=release.project, kind="file_import")
    right = downloads.right_to(lena, job)
    assert downloads.may_go_on(right)
    end_of_role(release, lena)
    assert not downloads.may_go_on(right)


@pytest.mark.parametrize("table", ["items_csv", "project_time_csv", "pay_csv"])
def test_a_table_of_a_project_needs_the_right_to_it_for_as_long_as_it_is_sent(release, lena, client, table):
    client.force_login(lena)
    right = client.get(reverse(table, args=[release.project.slug])).headers[file_sender.RIGHT]
    assert right == downloads.right_to(lena, release.project)
    assert downloads.may_go_on(right)
    end_of_role(release, lena)
    assert not downloads.may_go_on(right)
