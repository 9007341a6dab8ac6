"""A link for a new password works while its giver may give it, and nothing has been decided about the person since."""

from __future__ import annotations

import re

import pytest
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils.http import int_to_base36

from annotation import clock, membership
from annotation.models import Role, User
from qualification import accounts
from tasks.people import memberships
from tests.builders import project
from tests.factories.people import UserFactory
from tests.frontend.accounts.test_passwords import NEW, choose
from tests.people import join


def given(nq, person, by) -> str:
    """A link that this lead or admin makes on the People page."""
    browser = Client(SERVER_NAME="127.0.0.1")
    browser.force_login(by)
    page = browser.post(reverse("give_password", args=[nq.slug, person.worker_code])).content.decode()
    [link] = re.findall(r'value="(http://[^"]+)"', page)
    return link


@pytest.fixture
def otto(nq) -> User:
    return join(nq, "otto", Role.LEAD)


def joins_elsewhere(nq, alice, lena, otto):
    membership.join(project=project("elsewhere"), user=alice, role=Role.ANNOTATOR, by=alice, now=clock.now())


def joins_what_the_giver_leads_too(nq, alice, lena, otto):
    other = project("elsewhere")
    join(other, "lena", Role.LEAD)
    membership.join(project=other, user=alice, role=Role.ANNOTATOR, by=alice, now=clock.now())


def becomes_an_expert(nq, alice, lena, otto):
    said = {"to": Role.EXPERT, "by": lena, "reason": "knows it", "now": clock.now()}
    memberships.change_role(nq, alice, Role.ANNOTATOR, **said)


def leaves_and_comes_back(nq, alice, lena, otto):
    memberships.end(nq, alice, Role.ANNOTATOR, finish=False, by=lena, reason="left", now=clock.now())
    memberships.give_back(nq, alice, Role.ANNOTATOR, by=lena, reason="is back", now=clock.now())


def leaves(nq, alice, lena, otto):
    memberships.end(nq, alice, Role.ANNOTATOR, finish=False, by=lena, reason="left", now=clock.now())


def becomes_an_admin(nq, alice, lena, otto):
    call_command("account", alice.username, "--admin", "yes")


def is_closed_and_opened(nq, alice, lena, otto):
    accounts.close(alice, by=otto, reason="lost", now=clock.now())
    accounts.reopen(alice, by=otto, reason="found", now=clock.now())


def is_closed(nq, alice, lena, otto):
    accounts.close(alice, by=otto, reason="lost", now=clock.now())


def is_signed_out_everywhere(nq, alice, lena, otto):
    accounts.sign_out(alice, by=otto, reason="lost", now=clock.now())


def gets_another_link(nq, alice, lena, otto):
    given(nq, alice, lena)


ABOUT_THE_PERSON = [
    joins_elsewhere,
    joins_what_the_giver_leads_too,
    becomes_an_expert,
    leaves_and_comes_back,
    leaves,
    becomes_an_admin,
    is_closed_and_opened,
    is_closed,
    is_signed_out_everywhere,
    gets_another_link,
]


def giver_is_put_out(nq, alice, lena, otto):
    memberships.end(nq, lena, Role.LEAD, finish=False, by=otto, reason="left", now=clock.now())


def giver_becomes_an_expert(nq, alice, lena, otto):
    memberships.change_role(nq, lena, Role.LEAD, to=Role.EXPERT, by=otto, reason="new", now=clock.now())


def giver_is_closed(nq, alice, lena, otto):
    accounts.close(lena, by=otto, reason="left", now=clock.now())


ABOUT_THE_GIVER = [giver_is_put_out, giver_becomes_an_expert, giver_is_closed]


def said(happens):
    return happens.__name__


@pytest.mark.parametrize("happens", [*ABOUT_THE_PERSON, *ABOUT_THE_GIVER], ids=said)
def test_a_link_ends_with(nq, alice, lena, otto, happens):
    link, before = given(nq, alice, lena), User.objects.get(pk=alice.pk).password
    happens(nq, alice, lena, otto)
    page = choose(link)
    assert page.status_code == 404
    assert "This link doesn’t work" in page.content.decode()
    assert User.objects.get(pk=alice.pk).password == before


@pytest.mark.parametrize("happens", [joins_elsewhere, giver_is_put_out], ids=said)
def test_a_link_that_was_opened_before_does_not_choose_a_password_after_it_ends_with(nq, alice, lena, otto, happens):
    link, browser = given(nq, alice, lena), Client(SERVER_NAME="127.0.0.1")
    form = browser.get(link)["Location"]
    happens(nq, alice, lena, otto)
    assert browser.post(form, {"password1": NEW}).status_code == 404
    assert not User.objects.get(pk=alice.pk).check_password(NEW)


def test_a_link_works_again_when_its_giver_leads_again(nq, alice, lena, otto):
    link = given(nq, alice, lena)
    giver_is_put_out(nq, alice, lena, otto)
    memberships.give_back(nq, lena, Role.LEAD, by=otto, reason="is back", now=clock.now())
    assert choose(link).status_code == 302


def test_what_happens_to_others_ends_no_link(nq, alice, bob, lena, otto):
    link = given(nq, alice, lena)
    joins_elsewhere(nq, bob, lena, otto)
    memberships.end(nq, otto, Role.LEAD, finish=False, by=lena, reason="left", now=clock.now())
    assert choose(link).status_code == 302


def test_who_has_left_the_project_is_given_no_link_by_whoever_leads_it(nq, alice, lena, otto):
    assert membership.may_give_password(lena, alice)
    leaves(nq, alice, lena, otto)
    assert not membership.may_give_password(lena, alice)


def test_the_link_of_an_admin_ends_when_they_are_none(nq, alice, otto):
    admin = join(nq, "admin", Role.LEAD)
    becomes_an_admin(nq, admin, None, None)
    join(project("elsewhere"), "alice")
    link = given(nq, alice, User.objects.get(pk=admin.pk))
    call_command("account", "admin", "--admin", "no")
    assert choose(link).status_code == 404
    call_command("account", "admin", "--admin", "yes")
    assert choose(link).status_code == 302


def test_a_link_from_the_server_ends_with_a_new_role(nq, alice, capsys):
    call_command("account", alice.username, "--password-link")
    link = capsys.readouterr().out.splitlines()[-1]
    joins_elsewhere(nq, alice, None, None)
    assert choose(link).status_code == 404


@pytest.fixture
def mailed(settings, nq):
    """Return a function: the link that somebody has mailed to their address."""
    settings.EMAIL_HOST = "smtp.example"
    anna = join(nq, "anna")
    User.objects.filter(pk=anna.pk).update(email="anna@home.example")
    Client(SERVER_NAME="127.0.0.1").post(reverse("account_reset_password"), {"email": "anna@home.example"})
    return anna, re.findall(r"http://\S+", mail.outbox[0].body)[0]


def test_a_mailed_link_outlives_a_new_role_since_its_reader_can_ask_for_another(nq, mailed):
    anna, link = mailed
    joins_elsewhere(nq, anna, None, None)
    assert choose(link).status_code == 302


@pytest.mark.parametrize("change", [{"is_active": False}, {"email": "other@home.example"}], ids=str)
def test_a_mailed_link_ends_with_the_address_and_with_the_account(mailed, change):
    anna, link = mailed
    User.objects.filter(pk=anna.pk).update(**change)
    assert choose(link).status_code == 404


def test_nobody_else_can_be_named_as_the_giver(nq, alice, lena, otto):
    link = given(nq, alice, lena).rstrip("/")
    own, giver = link.rsplit("_", 1)
    assert giver == str(lena.pk)
    admin = UserFactory(username="admin", is_staff=True)
    for forged in (own, f"{own}_", f"{own}_0", f"{own}_{otto.pk}", f"{own}_{admin.pk}", f"{link}_", f"{own}_00{giver}"):
        assert choose(f"{forged}/").status_code == 404, forged
    other = link.replace(f"/{int_to_base36(alice.pk)}/", f"/{int_to_base36(otto.pk)}/")
    assert choose(f"{other}/").status_code == 404
    assert choose(f"{link}/").status_code == 302
