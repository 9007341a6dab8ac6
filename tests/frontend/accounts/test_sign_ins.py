"""A person sees where they are signed in, and ends any of it at once; and changes their e-mail address."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from annotation import clock
from annotation.models import User
from frontend.sockets.admission import Session
from frontend.sockets.places import SocketPlace, look
from tests.builders import Worker, open_with, questions
from tests.frontend.accounts.conftest import PASSWORD
from tests.people import join

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
PHONE = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Mobile Safari/537.36"


def ends(browser):
    """The addresses that end another session, as the page shows them."""
    return re.findall(r'action="(/account/sign-ins/\d+/end/)"', browser.get(reverse("account")).content.decode())


def test_each_sign_in_is_listed_with_browser_and_address(anna, sign_in):
    sign_in(**{"User-Agent": PHONE})
    browser, _answer = sign_in(**{"User-Agent": FIREFOX})
    page = browser.get(reverse("account")).content.decode()
    assert page.index("Firefox on Linux") < page.index("This one") < page.index("Chrome on Android")
    assert page.count("127.0.0.1") == 2


def test_ending_another_one_signs_that_browser_out_and_no_other(anna, sign_in):
    (phone, _answer), (here, _answer), (third, _answer) = sign_in(), sign_in(), sign_in()
    third.post(reverse("logout"))
    [address] = ends(here)
    here.post(address)
    assert [each.get(reverse("account")).status_code for each in (phone, here)] == [302, 200]
    assert ends(here) == []


def test_ending_all_others_keeps_this_one(anna, sign_in):
    others, (here, _answer) = [sign_in()[0] for _ in range(3)], sign_in()
    here.post(reverse("end_sign_ins"))
    assert [each.get(reverse("account")).status_code for each in (*others, here)] == [302, 302, 302, 200]


def test_nobody_ends_a_session_of_somebody_else(anna, mallory, sign_in):
    (mine, _answer), (_other, _answer) = sign_in(), sign_in()
    [address] = ends(mine)
    theirs, _answer = sign_in("mallory", "no-member-of-anything")
    assert theirs.post(address).status_code == 302
    assert ends(mine) == [address]


def test_an_ended_session_may_not_listen_to_anything_any_more(nq, anna, sign_in):
    join(nq, "anna")
    (phone, _answer), (here, _answer) = sign_in(), sign_in()
    place = SocketPlace(phone.session.session_key, anna.password, anna.pk, nq.pk, "a topic")
    assert look([place], now=clock.now()).allowed
    here.post(ends(here)[0])
    assert not look([place], now=clock.now()).allowed
    assert not Session(place.session).exists(place.session)


def test_joining_by_an_invitation_is_a_sign_in_as_well(nq, lena, client):
    from tests.frontend.accounts.test_joining import ANNA, link_for

    client.post(link_for(nq, lena), ANNA)
    assert "This one" in client.get(reverse("account")).content.decode()


@pytest.mark.parametrize(
    ("password", "address", "kept"),
    [(PASSWORD, "new@home.example", "new@home.example"), (PASSWORD, "", ""), ("wrong", "new@home.example", None)],
)
def test_the_address_changes_only_with_the_password(anna, sign_in, password, address, kept):
    browser, _answer = sign_in()
    answer = browser.post(reverse("account_email_change"), {"email": address, "password": password})
    assert answer.status_code == (422 if kept is None else 302)
    assert User.objects.get(pk=anna.pk).email == ("anna@home.example" if kept is None else kept)


def test_guessing_the_password_in_the_account_is_limited_like_signing_in(anna, sign_in):
    browser, _answer = sign_in()
    asked = [browser.post(reverse("account_email_change"), {"password": f"guess {n}"}) for n in range(6)]
    assert [each.status_code for each in asked] == [422] * 5 + [429]
    assert sign_in()[1].status_code == 429


def test_the_record_counts_what_was_finished(nq, alice, client, tmp_path):
    open_with(nq, tmp_path, questions(2))
    Worker(alice, nq).finish_bad()
    client.force_login(alice)
    page = " ".join(client.get(reverse("account")).content.decode().split())
    assert "Finished</a></dt> <dd>1</dd>" in page
