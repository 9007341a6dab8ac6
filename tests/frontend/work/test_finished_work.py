"""People can read what they have finished, and nobody else's."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.models import Membership
from tests.builders import Worker, open_with, questions
from tests.people import NOON


@pytest.fixture
def done(nq, alice, bob, tmp_path):
    """Alice has found a question bad and Bob has not found an answer."""
    open_with(nq, tmp_path, questions(3))
    Worker(alice, nq).finish_bad()
    Worker(bob, nq).finish_without_answer()
    return nq


def page_of(user):
    browser = Client(SERVER_NAME="127.0.0.1")
    browser.force_login(user)
    return browser.get("/finished/").content.decode()


def test_everybody_sees_their_own_finished_answers_only(done, alice, bob, carol):
    assert "Ambiguous" in page_of(alice)
    assert "the page does not answer it" not in page_of(alice)
    assert "the page does not answer it" in page_of(bob)
    assert "Ambiguous" not in page_of(bob)
    assert "Nothing finished yet" in page_of(carol)


def test_work_that_is_not_finished_is_not_shown(done, alice):
    before = page_of(alice)
    Worker(alice, done).claim()
    assert page_of(alice).count("<section") == before.count("<section") == 1


def test_whoever_has_left_a_project_no_longer_sees_its_questions(done, alice):
    Membership.objects.filter(user=alice).update(ended_at=NOON)
    assert "Nothing to show here" in page_of(alice)
