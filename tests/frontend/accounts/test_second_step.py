"""The second step of signing in: set up with a code, asked for at each sign-in, needed by leads if it is required."""

from __future__ import annotations

import time

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from django.urls import reverse

from annotation.models import Membership, User
from tests.authenticator import PERIOD, code
from tests.factories.people import MembershipFactory
from tests.frontend.accounts.codes import set_up
from tests.frontend.accounts.conftest import PASSWORD
from tests.people import NOON

CODE, SET_UP = "/login/code/", "/account/second-step/"


@pytest.fixture
def clock():
    """The time stands still until it is moved, so that codes don't change on their own."""
    with time_machine.travel(time.time(), tick=False) as traveller:
        yield traveller


@pytest.fixture
def anna_has(anna, sign_in, clock):
    """Anna's key and recovery codes; the code that she set it up with is used up."""
    browser, _answer = sign_in()
    made = set_up(browser)
    clock.shift(PERIOD)
    return made


def is_signed_in(browser):
    return browser.get(reverse("account")).status_code == 200


def test_the_key_is_shown_as_a_picture_that_our_policy_allows(anna, sign_in):
    browser, _answer = sign_in()
    page = browser.get(SET_UP).content.decode()
    assert '<svg class="qr" viewBox="0 0 ' in page
    assert '<path d="M' in page
    assert "data:" not in page


def test_a_wrong_code_sets_nothing_up(anna, sign_in):
    browser, _answer = sign_in()
    browser.get(SET_UP)
    assert "This code is not right" in browser.post(SET_UP, {"code": "000000"}).content.decode()
    assert not Authenticator.objects.exists()


def test_after_the_password_a_code_is_wanted_and_only_then_one_is_signed_in(anna_has, sign_in):
    key, _recovery = anna_has
    browser, answer = sign_in()
    assert answer["Location"] == CODE
    assert not is_signed_in(browser)
    assert "This code is not right" in browser.post(CODE, {"code": "12345"}).content.decode()
    assert not is_signed_in(browser)
    assert browser.post(CODE, {"code": code(key)})["Location"] == "/"
    assert is_signed_in(browser)


def test_a_code_works_once(anna_has, sign_in):
    key, _recovery = anna_has
    seen = code(key)
    (first, _answer), (second, _answer) = sign_in(), sign_in()
    assert [first.post(CODE, {"code": seen}).status_code, second.post(CODE, {"code": seen}).status_code] == [302, 200]


def test_a_recovery_code_works_once(anna_has, sign_in):
    _key, recovery = anna_has
    assert len(recovery) == 10
    statuses = [sign_in()[0].post(CODE, {"code": recovery[0]}).status_code for _ in range(2)]
    assert statuses == [302, 200]


def test_after_five_wrong_codes_even_the_right_one_is_refused(anna_has, sign_in):
    key, _recovery = anna_has
    browser, _answer = sign_in()
    for number in range(5):
        browser.post(CODE, {"code": f"{number:06}"})
    assert "Too many wrong codes" in browser.post(CODE, {"code": code(key)}).content.decode()
    assert not is_signed_in(browser)


def test_a_password_that_is_wrong_says_nothing_of_a_second_step(anna_has, sign_in):
    browser, answer = sign_in(password="not the right one")
    assert answer.status_code == 200
    assert browser.get(CODE)["Location"].startswith(reverse("login"))


def test_the_dialog_over_a_work_page_asks_for_the_code_too(anna_has, sign_in):
    key, _recovery = anna_has
    browser, answer = sign_in(**{"X-Requested-With": "fetch"})
    assert answer.status_code == 202
    assert [browser.post(CODE, {"code": found}).status_code for found in ("123456", code(key))] == [422, 204]
    assert is_signed_in(browser)


def test_somebody_between_the_steps_can_sign_in_as_somebody_else(anna_has, sign_in, mallory):
    browser, _answer = sign_in()
    assert browser.get(reverse("login"))["Location"] == CODE
    assert browser.get(f"{reverse('login')}?again").status_code == 200
    browser.post(reverse("login"), {"username": "mallory", "password": "no-member-of-anything"})
    assert int(browser.session["_auth_user_id"]) == mallory.pk


def test_removing_it_needs_the_password_or_a_code_again(anna_has, anna, client):
    client.force_login(anna)
    asked = client.get(f"{SET_UP}remove/")["Location"]
    assert asked.startswith(reverse("account_reauthenticate"))
    client.post(asked, {"password": "wrong", "next": f"{SET_UP}remove/"})
    assert client.post(f"{SET_UP}remove/")["Location"].startswith("/account/again/")
    # The POST that was held back is carried out now.
    assert client.post(asked, {"password": PASSWORD, "next": f"{SET_UP}remove/"})["Location"] == reverse("account")
    assert not Authenticator.objects.exists()


def test_new_recovery_codes_replace_the_old_ones(anna_has, sign_in, client, clock):
    key, old = anna_has
    browser, _answer = sign_in()
    browser.post(CODE, {"code": code(key)})
    page = browser.post(f"{SET_UP}codes/").content.decode()
    assert "Keep these recovery codes" in page
    assert not any(one in page for one in old)


LEADS_PAGES = ("project", "people", "project_time", "disputes")


@pytest.mark.parametrize(
    ("rule", "days", "status"), [("required", 7, 302), ("required", 10**6, 200), ("offered", 0, 200)]
)
def test_a_lead_without_one_sees_no_work_of_others_once_it_is_due(nq, lena, client, settings, rule, days, status):
    settings.GOLDFINCH_MFA, settings.GOLDFINCH_MFA_DAYS = rule, days
    Membership.objects.filter(user=lena).update(since=NOON.replace(year=2020))
    client.force_login(lena)
    due = status == 302
    answers = [client.get(reverse(name, args=[nq.slug])) for name in (LEADS_PAGES if due else LEADS_PAGES[:1])]
    assert {answer.status_code for answer in answers} == {status}
    if due:
        assert {answer["Location"] for answer in answers} == {SET_UP}
        assert client.get(reverse("home")).status_code == 200


def test_an_admin_without_one_makes_no_projects_once_it_is_due(anna, client, settings):
    settings.GOLDFINCH_MFA, settings.GOLDFINCH_MFA_DAYS = "required", 7
    anna.is_staff = True
    anna.save()
    client.force_login(anna)
    assert client.get(reverse("new_project"))["Location"].startswith(reverse("new_project"))
    User.objects.filter(pk=anna.pk).update(date_joined=NOON.replace(year=2020))
    assert client.get(reverse("new_project"))["Location"] == SET_UP


@pytest.mark.parametrize(("rule", "page"), [("required", SET_UP), ("offered", "/")])
def test_a_lead_is_asked_to_set_one_up_when_they_sign_in(nq, anna, sign_in, settings, rule, page):
    settings.GOLDFINCH_MFA = rule
    MembershipFactory(project=nq, user=anna, role="lead", since=NOON.replace(year=2050))
    browser, answer = sign_in()
    assert answer["Location"] == page
    assert browser.get(page).status_code == 200


def test_annotators_and_experts_need_none(nq, alice, erin, client, settings):
    settings.GOLDFINCH_MFA, settings.GOLDFINCH_MFA_DAYS = "required", 0
    for person, page in ((alice, "guidelines"), (erin, "disputes")):
        client.force_login(person)
        assert client.get(reverse(page, args=[nq.slug])).status_code == 200


def test_a_lead_who_needs_one_is_told_until_when_and_cannot_remove_it(nq, anna, sign_in, settings, clock):
    settings.GOLDFINCH_MFA = "required"
    MembershipFactory(project=nq, user=anna, role="lead", since=NOON.replace(year=2050))
    browser, _answer = sign_in()
    assert "Needed by" in browser.get(reverse("account")).content.decode()
    set_up(browser)
    assert "can’t be removed" in browser.get(reverse("account")).content.decode()
    assert browser.post(f"{SET_UP}remove/")["Location"] == reverse("account")
    assert Authenticator.objects.filter(type="totp").exists()
