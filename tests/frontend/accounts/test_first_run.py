"""A site without accounts: every address asks for the code that the server printed, and makes the admin's account."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from annotation import membership
from annotation.errors import NotFound
from annotation.models import User
from frontend.accounts import first_run
from tests.factories.people import UserFactory
from tests.frontend.accounts.test_joining import ANNA

ADDRESSES = ("/", "/login/", "/projects/lights/", "/join/some-link/", "/no/such/address/")


@pytest.fixture
def fresh(db):
    """The code of a site that nobody has an account on; authors of imported files are there."""
    UserFactory(username="imported-1", imported_as="file 1")
    return first_run.offer()


def test_whatever_address_is_opened_the_page_for_the_first_account_comes(fresh, client):
    assert all("has no account yet" in client.get(address).content.decode() for address in ADDRESSES)
    assert client.get("/health/live/").json() == {"status": "ok"}
    assert client.get("/health/").json()["reasons"] == ["No background job has run yet."]


def test_the_code_makes_an_admin_who_is_signed_in_and_the_page_is_gone(fresh, client):
    assert client.post("/", ANNA | {"code": fresh.upper().replace("-", " ")})["Location"] == "/"
    assert membership.is_admin(User.objects.get(username="anna"))
    assert "no account yet" not in client.get("/").content.decode()
    stranger = Client()
    assert stranger.get("/")["Location"] == "/login/?next=/"
    assert stranger.post("/", ANNA | {"code": fresh, "username": "otto"}).status_code == 401
    assert not User.objects.filter(username="otto").exists()


def test_a_wrong_code_makes_nothing(fresh, client):
    refused = client.post("/", ANNA | {"code": "aaaa-bbbb-cccc-dddd"})
    assert (refused.status_code, "This is not the code" in refused.content.decode()) == (422, True)
    assert not User.objects.filter(username="anna").exists()


def test_the_code_is_stored_as_a_hash_only(fresh, settings):
    kept = (Path(settings.GOLDFINCH_DATA) / first_run.NAME).read_text()
    assert fresh not in kept
    assert fresh.replace("-", "") not in kept


def test_codes_of_several_servers_work_until_there_is_an_account(fresh):
    other = first_run.offer()
    assert first_run.is_right(fresh)
    assert first_run.is_right(other)
    UserFactory(username="made-by-a-command")
    assert not first_run.is_open()
    with pytest.raises(NotFound):
        first_run.make_admin(other, username="otto", password_hash="!", email="", now=None)
    assert first_run.offer() is None


def test_the_page_needs_the_csrf_token(fresh):
    assert Client(enforce_csrf_checks=True).post("/", ANNA | {"code": fresh}).status_code == 403
