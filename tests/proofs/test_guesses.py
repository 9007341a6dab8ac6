"""Passwords, links and codes can't be guessed: many guesses open nothing, and what is answered tells nothing (P35)."""

from __future__ import annotations

import re
from random import Random

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from annotation.models import User
from tests.authenticator import code
from tests.factories.people import UserFactory
from tests.frontend.accounts.codes import set_up
from tests.proving import size

pytestmark = [pytest.mark.django_db, pytest.mark.one_database_for_a_merge]
PASSWORD, ADDRESSES, SEED = "a few easy words", 40, 20135
CODE = reverse("mfa_authenticate")
WITHOUT = dict.fromkeys(("address", "name_at_address", "name"), (10**9, 5))
"""No limits."""


@pytest.fixture(autouse=True)
def _no_tries_yet():
    for cache in ("default", "log_ins"):
        caches[cache].clear()


@pytest.fixture
def anna(db) -> User:
    return UserFactory(username="anna", password=PASSWORD, email="anna@home.example")


@pytest.fixture
def verified(monkeypatch):
    """The passwords that were compared with one that is stored."""
    seen, verify = [], MD5PasswordHasher.verify
    monkeypatch.setattr(
        MD5PasswordHasher, "verify", lambda self, said, stored: seen.append(said) or verify(self, said, stored)
    )
    return seen


def browser_of(rng: Random) -> Client:
    """A new browser at one of the addresses of those who guess."""
    return Client(SERVER_NAME="127.0.0.1", REMOTE_ADDR=f"192.0.2.{rng.randrange(ADDRESSES)}")


def is_signed_in(browser: Client) -> bool:
    return "_auth_user_id" in browser.session


def near(word: str, rng: Random) -> str:
    """A word that differs from this one in a single place."""
    at, letters = rng.randrange(len(word)), "0123456789" if word.isdigit() else "0123456789abcdefgh"
    return word[:at] + rng.choice(letters.replace(word[at], "")) + word[at + 1 :]


def guess_passwords(count: int, *, right_from: int) -> int:
    """Guess from many addresses, every tenth time the right password from a certain guess on; how often it opened."""
    rng, opened = Random(SEED), 0
    for number in range(count):
        browser = browser_of(rng)
        right = number >= right_from and number % 10 == 0
        name = "anna" if right else rng.choice(("anna", " Anna", "ANNA"))
        said = {"username": name, "password": PASSWORD if right else near(PASSWORD, rng)}
        script = {"X-Requested-With": "fetch"} if rng.random() < 0.3 else {}
        browser.post(reverse("login"), said, headers=script)
        opened += is_signed_in(browser)
    return opened


def test_of_all_guesses_at_a_password_a_hundred_an_hour_are_looked_at(anna, verified, settings, record_property):
    limit, _minutes = settings.LOG_IN_LIMITS["name"]
    assert guess_passwords(size(130, 10_000), right_from=110) == 0
    assert 0 < len(verified) <= limit
    record_property("seed", SEED)


def test_the_control_without_limits_the_right_one_opens(anna, settings):
    settings.LOG_IN_LIMITS = WITHOUT
    assert guess_passwords(20, right_from=10) == 1


def test_with_the_password_no_code_of_a_second_step_is_found(anna, settings, record_property):
    settings.LOG_IN_LIMITS = WITHOUT  # who guesses codes knows the password, so that nothing of it fails
    mine, rng = Client(SERVER_NAME="127.0.0.1"), Random(SEED)
    mine.post(reverse("login"), {"username": "anna", "password": PASSWORD})
    key, recovery = set_up(mine)
    browser, refused = None, 0
    for number in range(size(60, 10_000)):
        if browser is None or rng.random() < 0.05:
            browser = browser_of(rng)
            browser.post(reverse("login"), {"username": "anna", "password": PASSWORD})
        late = number >= 50 and rng.random() < 0.1
        said = rng.choice([code(key), *recovery]) if late else near(rng.choice([code(key), *recovery]), rng)
        refused += "Too many wrong codes" in browser.post(CODE, {"code": said}).content.decode()
        assert not is_signed_in(browser), f"guess {number}: {said}"
    assert refused >= size(60, 10_000) // 2
    record_property("seed", SEED)


def test_no_link_for_a_new_password_is_found_beside_one_that_works(anna, settings, record_property):
    settings.EMAIL_HOST = "smtp.example"
    settings.ACCOUNT_RATE_LIMITS = {"reset_password_from_key": None}  # or an address has to wait after 20 a minute
    Client(SERVER_NAME="127.0.0.1").post(reverse("account_reset_password"), {"email": anna.email})
    [person, key] = re.search(r"/login/new/(\w+)/([\w-]+)/", mail.outbox[0].body).groups()
    rng, before = Random(SEED), User.objects.get().password
    for _ in range(size(40, 10_000)):
        guessed = near(key, rng) if rng.random() < 0.8 else near(key, rng) + rng.choice("0123456789")
        url = reverse("account_reset_password_from_key", args=[person, guessed])
        answer = browser_of(rng).post(url, {"password1": "another few words", "password2": "another few words"})
        assert answer.status_code == 404
    assert User.objects.get().password == before
    url = reverse("account_reset_password_from_key", args=[person, key])
    assert browser_of(rng).get(url).status_code == 302, "the control: the right one works"
    record_property("seed", SEED)


def test_whether_there_is_an_account_can_be_told_from_no_answer(anna, settings, monkeypatch, record_property):
    settings.LOG_IN_LIMITS = WITHOUT
    settings.EMAIL_HOST = "smtp.example"
    monkeypatch.setattr("django.middleware.csrf.get_random_string", lambda length, allowed_chars: "x" * length)

    def world(name: str) -> list[tuple[int, bytes, list[tuple[str, str]]]]:
        """What is answered about a name, whatever is asked."""
        rng, answers = Random(SEED), []
        caches["default"].clear()
        for _ in range(size(25, 5_000)):
            browser, door = browser_of(rng), rng.choice(("page", "script", "forgotten", "code"))
            if door == "forgotten":
                answer = browser.post(reverse("account_reset_password"), {"email": f"{name}@home.example"})
            elif door == "code":
                answer = browser.post(CODE, {"code": f"{rng.randrange(10**6):06}"})
            else:
                script = {"X-Requested-With": "fetch"} if door == "script" else {}
                said = {"username": name, "password": near(PASSWORD, rng)}
                answer = browser.post(reverse("login"), said, headers=script)
            assert not is_signed_in(browser)
            headers = sorted(item for item in answer.items() if item[0] != "Expires")
            answers.append((answer.status_code, answer.content.replace(name.encode(), b"?"), headers))
        return answers

    assert world("anna") == world("otto")
    record_property("seed", SEED)
