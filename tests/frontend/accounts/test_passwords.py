"""New passwords: chosen, mailed or given by a lead; nobody learns which addresses are known."""

from __future__ import annotations

import re

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from annotation import membership
from annotation.models import Event, Role, User
from frontend.views.accounts import urls
from tests.builders import project
from tests.factories.people import UserFactory
from tests.frontend.accounts.codes import set_up
from tests.frontend.accounts.conftest import PASSWORD
from tests.people import join

NEW = "other easy words"


@pytest.fixture
def mails(settings):
    settings.EMAIL_HOST = "smtp.example"


def choose(link, password=NEW):
    """Open the link in a new browser and choose this password; the last response."""
    browser = Client(SERVER_NAME="127.0.0.1")
    page = browser.get(link, follow=True)
    return page if page.status_code == 404 else browser.post(page.redirect_chain[-1][0], {"password1": password})


def test_changing_it_ends_all_other_sign_ins_and_keeps_this_one(anna, sign_in):
    (here, _answer), (elsewhere, _answer) = sign_in(), sign_in()
    changed = here.post(reverse("account_change_password"), {"oldpassword": PASSWORD, "password1": NEW})
    assert changed["Location"] == reverse("account")
    page = here.get(reverse("account")).content.decode()
    assert "You have a new password" in page
    assert page.count("This one") == 1
    assert "Sign out everywhere else" not in page
    assert elsewhere.get(reverse("account")).status_code == 302
    assert [sign_in(password=found)[1].status_code for found in (PASSWORD, NEW)] == [200, 302]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("wrong", NEW, "This is not your password."),
        (PASSWORD, "short", "at least 10"),
        (PASSWORD, "password12", "common"),
    ],
)
def test_a_change_needs_the_old_one_and_the_new_one_follows_the_rules(anna, sign_in, old, new, why):
    browser, _answer = sign_in()
    page = browser.post(reverse("account_change_password"), {"oldpassword": old, "password1": new}).content.decode()
    assert why in page
    assert anna.check_password(PASSWORD)


def test_an_account_without_a_password_is_led_to_the_page_that_mails_a_link(anna, sign_in, mails):
    browser, _answer = sign_in()
    anna.set_unusable_password()
    anna.save()
    browser.force_login(anna)
    assert browser.get(reverse("account_change_password"))["Location"] == reverse("account_reset_password")
    browser.post(reverse("account_reset_password"), {"email": anna.email})
    [link] = re.findall(r"http://\S+", mail.outbox[0].body)
    assert choose(link)["Location"] == reverse("login")
    assert sign_in(password=NEW)[1].status_code == 302


def test_a_mailed_link_works_once_and_ends_all_sign_ins(anna, sign_in, mails):
    browser, _answer = sign_in()
    browser.post(reverse("account_reset_password"), {"email": "Anna@home.example"})
    [sent] = mail.outbox
    assert sent.to == ["anna@home.example"]
    assert "account “anna”" in sent.body
    [link] = re.findall(r"http://\S+", sent.body)
    assert choose(link)["Location"] == reverse("login")
    assert browser.get(reverse("account")).status_code == 302
    assert choose(link, "a third password").status_code == 404
    assert sign_in(password=NEW)[1].status_code == 302


def test_a_new_password_does_not_replace_the_second_step(anna, sign_in, mails):
    set_up(sign_in()[0])
    Client().post(reverse("account_reset_password"), {"email": anna.email})
    choose(re.findall(r"http://\S+", mail.outbox[0].body)[0])
    assert sign_in(password=NEW)[1]["Location"] == reverse("mfa_authenticate")


@pytest.mark.parametrize("sends", [True, False])
def test_an_address_that_is_known_and_one_that_is_not_cannot_be_told_apart(anna, settings, monkeypatch, sends):
    settings.EMAIL_HOST = "smtp.example" if sends else ""
    monkeypatch.setattr("django.middleware.csrf.get_random_string", lambda length, allowed_chars: "x" * length)
    UserFactory(username="closed", password=PASSWORD, email="closed@home.example", is_active=False)
    worlds = []
    for address in ("anna@home.example", "nobody@home.example", "closed@home.example"):
        browser = Client(REMOTE_ADDR="192.0.2.1")
        asked = [browser.post(reverse("account_reset_password"), {"email": address}) for _ in range(7)]
        shown = browser.get(reverse("account_reset_password_done"))
        worlds.append([(each.status_code, each.content.replace(address.encode(), b"?")) for each in (*asked, shown)])
    assert worlds[0] == worlds[1] == worlds[2]
    assert len(mail.outbox) == (5 if sends else 0)


def test_without_a_mail_server_the_page_says_whom_to_ask(anna, client):
    assert "This site sends no mail" in client.get(reverse("account_reset_password")).content.decode()
    assert reverse("account_reset_password") not in client.get(reverse("login")).content.decode()


def test_a_lead_gives_a_link_which_works_once_and_the_history_says_so(nq, lena, alice, client):
    client.force_login(lena)
    page = client.post(reverse("give_password", args=[nq.slug, alice.worker_code])).content.decode()
    [link] = re.findall(r'value="(http://[^"]+)"', page)
    assert [choose(link).status_code, choose(link).status_code] == [302, 404]
    assert User.objects.get(pk=alice.pk).check_password(NEW)
    event = Event.objects.get(kind="account.password_link")
    assert (event.by, event.subject) == (lena.pk, f"user:{alice.pk}")


@pytest.fixture
def people(nq, lena):
    """Members of the project with other rights elsewhere, by what they are; and the admin of the site."""
    other = project("elsewhere")
    made = {name: join(nq, name) for name in ("annotator", "works elsewhere", "leads elsewhere", "admin")}
    made["second lead"], made["lena"] = join(nq, "second lead", Role.LEAD), lena
    join(other, "works elsewhere")
    join(other, "leads elsewhere", Role.LEAD)
    User.objects.filter(username="admin").update(is_staff=True)
    return {name: User.objects.get(pk=person.pk) for name, person in made.items()}


def test_a_lead_gives_links_only_to_those_whose_account_shows_them_nothing_new(people):
    given = {name for name, person in people.items() if membership.may_give_password(people["lena"], person)}
    assert given == {"annotator"}


def test_an_admin_gives_them_to_everybody_but_admins(people):
    given = {name for name, person in people.items() if membership.may_give_password(people["admin"], person)}
    assert given == people.keys() - {"admin"}


def test_a_lead_who_may_not_give_one_is_shown_no_button_and_gets_404(nq, people, client):
    client.force_login(people["lena"])
    page = client.get(reverse("people", args=[nq.slug])).content.decode()
    addresses = {name: reverse("give_password", args=[nq.slug, each.worker_code]) for name, each in people.items()}
    assert {name for name, address in addresses.items() if address in page} == {"annotator"}
    assert client.post(addresses["works elsewhere"]).status_code == 404


def test_no_page_of_an_account_without_a_password_fails(anna):
    anna.set_unusable_password()
    anna.save()
    for pattern in urls.urlpatterns:
        if not pattern.pattern.converters:
            for method in ("get", "post"):
                browser = Client(SERVER_NAME="127.0.0.1")
                browser.force_login(anna)
                assert getattr(browser, method)(reverse(pattern.name)).status_code < 500, pattern.name
