"""Admins see everybody's account, close and open it again, and end its sessions; nobody else finds these pages."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation import membership
from annotation.models import Event, Role, User
from frontend.site import accounts as pages
from tests.builders import project
from tests.factories.people import UserFactory
from tests.frontend.accounts.codes import set_up
from tests.frontend.accounts.conftest import PASSWORD
from tests.frontend.site.conftest import signed_in
from tests.people import NOON, join

WHY = "They left the institute."


@pytest.fixture
def nq(db):
    return project()


@pytest.fixture
def anna(nq):
    user = UserFactory(username="anna", password=PASSWORD, email="anna@home.example")
    membership.join(project=nq, user=user, role=Role.EXPERT, by=None, now=NOON)
    return user


def by_password(name="anna"):
    browser = Client(SERVER_NAME="127.0.0.1")
    browser.post(reverse("login"), {"username": name, "password": PASSWORD})
    return browser


def text(answer):
    return html.unescape(re.sub(r"\s+", " ", answer.content.decode()))


def listed(admin, **query):
    return [one.user.username for one in admin.get(reverse("accounts"), query).context["found"]]


def decide(admin, what, user, reason=WHY):
    return admin.post(reverse(what, args=[user.worker_code]), {"reason": reason})


def test_the_list_says_of_everybody_what_an_admin_has_to_know(nq, anna, admin):
    by_password()
    [one] = admin.get(reverse("accounts"), {"q": "anna"}).context["found"]
    assert one.user.email == "anna@home.example"
    assert one.roles == ((nq.title, ("Expert",)),)
    assert one.seen is not None
    assert (one.second_step, one.is_admin, one.user.is_active) == (False, False, True)


def test_a_second_step_is_shown(anna, admin):
    set_up(by_password())
    assert listed(admin, state="no_second_step") == ["grace"]
    [one] = admin.get(reverse("accounts"), {"q": "anna"}).context["found"]
    assert one.second_step


@pytest.mark.parametrize("words", ["ANNA", "home.example", "nn"])
def test_an_account_is_found_by_a_part_of_its_name_or_address(anna, admin, words):
    assert listed(admin, q=words) == ["anna"]


def test_an_account_is_found_by_its_code(anna, admin):
    assert listed(admin, q=anna.worker_code) == ["anna"]
    assert listed(admin, q="nobody") == []


def test_the_address_says_which_accounts_and_which_page(monkeypatch, anna, admin):
    monkeypatch.setattr(pages, "PER_PAGE", 1)
    assert listed(admin) == ["anna"]
    assert listed(admin, page="2") == ["grace"]
    assert listed(admin, state="admin") == ["grace"]
    assert "page=2" in admin.get(reverse("accounts"), {"state": "active"}).content.decode()
    assert "state=active" in admin.get(reverse("accounts"), {"state": "active"}).content.decode()


@pytest.mark.parametrize("query", [{"page": "x"}, {"state": "x"}, {"q": "\x00"}, {"page": "9" * 30}])
def test_an_address_that_says_nothing_shows_all(anna, admin, query):
    assert listed(admin, **query) == ["anna", "grace"]


def test_authors_of_imported_annotations_are_no_accounts(admin):
    author = UserFactory(username="imported-1", imported_as="nq/1")
    assert listed(admin) == ["grace"]
    assert admin.get(reverse("account_of", args=[author.worker_code])).status_code == 404


def test_the_number_of_queries_does_not_grow_with_the_accounts(nq, admin, django_assert_max_num_queries):
    for n in range(20):
        join(nq, f"person-{n}")
    with django_assert_max_num_queries(12):
        admin.get(reverse("accounts"))


def test_a_closed_account_is_signed_out_and_cannot_sign_in_and_the_history_says_why(anna, grace, admin):
    browser = by_password()
    assert browser.get(reverse("account")).status_code == 200
    assert decide(admin, "close_account", anna).status_code == 302
    assert browser.get(reverse("account")).status_code == 302
    assert by_password().get(reverse("account")).status_code == 302
    [event] = Event.objects.filter(kind="account.closed")
    assert (event.by, event.data) == (grace.pk, {"reason": WHY})
    page = text(admin.get(reverse("account_of", args=[anna.worker_code])))
    assert WHY in page
    assert "Open it again" in page
    assert listed(admin, state="closed") == ["anna"]


def test_an_account_that_was_opened_again_is_as_before(nq, anna, admin):
    decide(admin, "close_account", anna)
    assert decide(admin, "open_account", anna, "They are back.").status_code == 302
    assert by_password().get(reverse("account")).status_code == 200
    assert membership.roles_of(anna, nq) == {Role.EXPERT}
    kinds = Event.objects.filter(kind__startswith="account.").order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["account.closed", "account.opened"]


def test_sessions_are_ended_and_the_account_stays(anna, admin):
    browser = by_password()
    assert decide(admin, "sign_out_account", anna).status_code == 302
    assert browser.get(reverse("account")).status_code == 302
    assert by_password().get(reverse("account")).status_code == 200
    assert Event.objects.get(kind="account.signed_out").data == {"reason": WHY}


@pytest.mark.parametrize("what", ["close_account", "sign_out_account"])
def test_a_decision_needs_a_reason(anna, admin, what):
    assert decide(admin, what, anna, " ").status_code == 422
    assert User.objects.get(pk=anna.pk).is_active
    assert not Event.objects.filter(kind__startswith="account.").exists()


def test_nobody_closes_their_own_account_or_one_that_is_closed(anna, grace, admin):
    assert decide(admin, "close_account", grace).status_code == 409
    assert decide(admin, "open_account", anna).status_code == 409
    decide(admin, "close_account", anna)
    assert decide(admin, "close_account", anna).status_code == 409
    assert User.objects.get(pk=grace.pk).is_active


def test_a_lead_is_no_admin_and_finds_none_of_the_pages(nq, anna, grace):
    lead = signed_in(join(nq, "lena", Role.LEAD))
    assert lead.get(reverse("accounts")).status_code == 404
    assert lead.get(reverse("account_of", args=[anna.worker_code])).status_code == 404
    assert decide(lead, "close_account", anna).status_code == 404
    assert "Everybody’s accounts" not in text(lead.get(reverse("home")))
    assert "Everybody’s accounts" in text(signed_in(grace).get(reverse("home")))


def test_an_admin_without_the_second_step_that_is_required_is_led_to_it(settings, anna, admin):
    settings.GOLDFINCH_MFA, settings.GOLDFINCH_MFA_DAYS = "required", 0
    assert admin.get(reverse("accounts")).status_code != 200
