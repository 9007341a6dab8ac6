"""The command for those who run the site helps people who can't sign in, and makes admins."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils.http import int_to_base36

from annotation import membership
from annotation.models import User
from tests.factories.people import UserFactory
from tests.frontend.accounts.codes import set_up
from tests.frontend.accounts.test_passwords import NEW, choose


def run(*words):
    out = io.StringIO()
    call_command("account", *words, stdout=out)
    return out.getvalue()


def test_it_prints_a_link_for_a_new_password(anna, sign_in):
    link = run("anna", "--password-link").splitlines()[-1]
    assert choose(link).status_code == 302
    assert sign_in(password=NEW)[1].status_code == 302


def test_it_removes_a_lost_second_step_and_ends_all_sign_ins(anna, sign_in):
    browser, _answer = sign_in()
    set_up(browser)
    run("anna", "--remove-second-step")
    assert browser.get("/account/").status_code == 302
    assert sign_in()[1]["Location"] == "/"


def test_it_makes_admins_and_takes_it_back(anna):
    for choice, may in (("yes", True), ("no", False)):
        run("anna", "--admin", choice)
        assert membership.may_make_projects(User.objects.get(pk=anna.pk)) is may


def test_it_knows_no_authors_of_imported_files(db):
    UserFactory(username="imported-1", imported_as="file 1")
    with pytest.raises(CommandError, match="Nobody has the user name"):
        run("imported-1", "--password-link")


def test_the_link_of_another_account_does_not_fit(anna, mallory):
    link = run("anna", "--password-link").splitlines()[-1]
    token = link.rstrip("/").rsplit("/", 1)[1]
    assert Client(SERVER_NAME="127.0.0.1").get(f"/login/new/{int_to_base36(mallory.pk)}/{token}/").status_code == 404
