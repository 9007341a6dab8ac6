"""Where the settings don't know the address of the site, the page and the log say what is missing."""

from __future__ import annotations

import pytest
from django.test import Client

from frontend import unknown_proxy

SITE = "goldfinch.example.org"
OWN = {"host": SITE, "origin": f"https://{SITE}", "sec-fetch-site": "same-origin"}
PROXIED = ("HTTP_X_FORWARDED_PROTO", "https")
TOKEN = "c" * 32


@pytest.fixture(autouse=True)
def site(settings, db, monkeypatch):
    """A site that serves that host, without HTTPS and a proxy, and has said nothing in its log."""
    settings.ALLOWED_HOSTS, settings.HTTPS, settings.SECURE_PROXY_SSL_HEADER = [SITE], False, None
    settings.GOLDFINCH_CONTACT = "desk@lab.example"
    monkeypatch.setattr(unknown_proxy, "_said", set())
    return settings


def sign_in(token=TOKEN, **headers):
    """What the form of the sign-in page is answered with."""
    named = {name.replace("_", "-"): value for name, value in headers.items() if value is not None}
    browser = Client(enforce_csrf_checks=True, headers=named)
    if token:
        browser.cookies["csrftoken"] = token
    return browser.post("/login/", {"username": "anna", "password": "wrong", "csrfmiddlewaretoken": TOKEN})


def lacking(answer) -> tuple[str, ...]:
    """What the page says is missing; () for the page of an earlier sign-in."""
    assert answer.status_code == 403
    page = " ".join(answer.content.decode().split())
    if "This form is from an earlier sign-in" in page:
        return ()
    assert "You did nothing wrong" in page
    assert "desk@lab.example" in page
    wanted = answer.context["wanted"]
    assert all(f"<code>{line}</code>" in page for line in (*wanted.settings, *wanted.headers))
    return (*wanted.settings, *wanted.headers, *filter(None, [wanted.instead]))


def test_behind_a_proxy_that_the_settings_do_not_know_they_are_named_and_once_set_people_sign_in(site, caplog):
    assert lacking(sign_in(**OWN, x_forwarded_proto="https")) == ("BEHIND_PROXY=1", "HTTPS=1")
    sign_in(**OWN)
    [warning] = said(caplog)
    assert f"Nobody can sign in at https://{SITE}" in warning
    assert "It needs BEHIND_PROXY=1, HTTPS=1." in warning
    site.SECURE_PROXY_SSL_HEADER, site.HTTPS = PROXIED, True
    assert sign_in(**OWN, x_forwarded_proto="https").status_code == 200


def said(caplog) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == "frontend.unknown_proxy"]


def test_a_proxy_that_passes_no_host_on_is_told_to(site, caplog):
    site.ALLOWED_HOSTS = ["127.0.0.1"]
    found = lacking(sign_in(**OWN | {"host": "127.0.0.1:8000"}))
    assert found == (
        "BEHIND_PROXY=1", "HTTPS=1", f"ALLOWED_HOSTS={SITE}", "X-Forwarded-Proto: https", f"Host: {SITE}",
    )  # fmt: skip
    assert "from the proxy the headers X-Forwarded-Proto: https, Host: goldfinch.example.org" in said(caplog)[0]


def test_a_known_proxy_that_does_not_say_that_it_is_https_is_told_to(site):
    site.SECURE_PROXY_SSL_HEADER, site.HTTPS = PROXIED, True
    assert lacking(sign_in(**OWN)) == ("X-Forwarded-Proto: https",)


def test_an_address_that_lacks_nothing_else_is_to_be_trusted(site):
    site.SECURE_PROXY_SSL_HEADER = PROXIED
    found = lacking(sign_in(**OWN | {"origin": f"http://{SITE}"}, x_forwarded_proto="https"))
    assert found == (f"CSRF_TRUSTED_ORIGINS=http://{SITE}",)


def test_without_https_where_cookies_need_it_the_address_with_it_is_named(site):
    site.HTTPS = True
    plain = OWN | {"origin": f"http://{SITE}"}
    assert lacking(sign_in("", **plain)) == ("HTTPS=", f"https://{SITE}")
    site.HTTPS = False
    assert lacking(sign_in("", **plain)) == ()


@pytest.mark.parametrize(
    ("headers", "told"),
    [
        ({"sec_fetch_site": None}, True),
        ({"sec_fetch_site": None, "origin": "https://other.example", "x_forwarded_for": "192.0.2.1"}, True),
        ({"sec_fetch_site": None, "origin": "https://other.example", "via": "1.1 gate"}, True),
        ({"sec_fetch_site": None, "origin": "https://other.example"}, False),
        ({"sec_fetch_site": "cross-site", "origin": "https://other.example", "x_forwarded_for": "192.0.2.1"}, False),
        ({"sec_fetch_site": "same-site", "origin": "https://other.example.org"}, False),
        ({"origin": "null"}, False),
        ({"origin": f"https://{SITE}/<b>"}, False),
        ({"origin": f"https://{SITE} BEHIND_PROXY=0"}, False),
        ({"origin": f"ftp://{SITE}"}, False),
        ({"origin": f"https://{'a' * 254}"}, False),
        ({"origin": "https://[2001:db8::1]:8443"}, True),
    ],
    ids=str,
)
def test_a_form_of_another_site_is_told_from_one_of_our_own(headers, told, caplog):
    own = {name.replace("-", "_"): value for name, value in OWN.items()}
    assert bool(lacking(sign_in(**own | headers))) is told
    assert bool(said(caplog)) is told


def test_behind_a_known_proxy_its_headers_say_nothing_about_a_form_of_another_site(site):
    site.SECURE_PROXY_SSL_HEADER, site.HTTPS = PROXIED, True
    foreign = {"host": SITE, "origin": "https://other.example", "x_forwarded_proto": "https", "x_forwarded_for": "::1"}
    assert lacking(sign_in(**foreign)) == ()


def test_a_form_of_an_earlier_sign_in_is_still_said_to_be_one(site, caplog):
    assert lacking(sign_in("d" * 32, **OWN | {"origin": f"http://{SITE}"})) == ()
    assert said(caplog) == []


def test_the_log_speaks_of_no_more_than_twenty_addresses(site, caplog):
    for number in range(unknown_proxy.MOST_SAID + 5):
        sign_in(**OWN | {"origin": f"https://host-{number}.example"})
    assert len(said(caplog)) == unknown_proxy.MOST_SAID


def test_a_host_that_the_site_does_not_serve_is_named_with_its_setting(site, caplog):
    for _ in range(2):
        answer = Client(headers={"host": "annotate.lab.example:8080"}, raise_request_exception=False).get("/login/")
        assert answer.status_code == 400
        assert "set ALLOWED_HOSTS=annotate.lab.example." in answer.content.decode()
    [warning] = said(caplog)
    assert "annotate.lab.example:8080" in warning
    assert "ALLOWED_HOSTS=annotate.lab.example." in warning


@pytest.mark.parametrize("host", ["a,b", "[::1", "x y", "<b>", "a\\b"])
def test_what_is_no_host_is_repeated_nowhere(site, caplog, host):
    answer = Client(headers={"host": host}, raise_request_exception=False).get("/login/")
    assert (answer.status_code, answer.content.decode()) == (400, "This request can’t be read.")
    assert said(caplog) == []
