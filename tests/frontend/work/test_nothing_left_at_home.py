"""The home page offers available work, says why there is none elsewhere, and has no Start that leads nowhere."""

from __future__ import annotations

from random import Random

import pytest
from django.urls import reverse

from frontend.bots.bot import Bot
from tasks import eligibility
from tests.builders import open_with, project, questions
from tests.people import join


@pytest.fixture
def lights(db, tmp_path):
    found = project()
    open_with(found, tmp_path, questions(1))
    return found


def home(bot):
    return bot.client.get(reverse("home")).content.decode()


def test_somebody_who_has_done_all_they_may_is_told_so_and_offered_no_start(lights):
    alice = Bot(join(lights, "alice"), Random(1))
    assert "Start" in home(alice)
    while alice.finish_one(lights, "annotate"):
        pass
    text = home(alice)
    assert "Start" not in text
    assert "The rest is for other people" in text or "all the answers it needs" in text
    assert "Look again" in text


def test_what_others_hold_is_mentioned_and_held_work_continues(lights):
    alice, bob = (Bot(join(lights, name), Random(1)) for name in ("alice", "bob"))
    alice.claim(lights, "annotate")
    assert "Other people are working on everything that is left." in home(bob)
    assert "Start" not in home(bob)
    assert "Go on" in home(alice)
    assert "Look again" not in home(alice)


def test_available_work_comes_before_what_is_not_available(lights, tmp_path):
    alice = Bot(join(lights, "alice"), Random(1))
    while alice.finish_one(lights, "annotate"):
        pass
    other = project("shores")
    open_with(other, tmp_path, questions(2, start=10))
    join(other, "alice")
    text = home(alice)
    assert text.index("Shores") < text.index("Lights")
    assert text.count("Start") == 1


@pytest.fixture
def harbours(db, tmp_path):
    """Six items, of which three ask one question and two another."""
    texts = ["who tended the light"] * 3 + ["who lit it"] * 2 + ["who built it"]
    found = project("harbours")
    lines = [line | {"question_text": text} for line, text in zip(questions(6), texts, strict=True)]
    open_with(found, tmp_path, lines)
    return found


def test_the_rest_counts_a_question_once_however_many_pages_it_has(harbours):
    alice = Bot(join(harbours, "alice"), Random(1))
    assert "3 questions left" in home(alice)
    alice.claim(harbours, "annotate")
    assert "2 questions left" in home(alice)


def test_a_single_one_is_counted_in_the_singular(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(1))
    assert "1 question left" in home(Bot(alice, Random(1)))


@pytest.mark.parametrize(
    ("counted", "said"), [(1, "more than 1 question left"), (2, "more than 2 questions left"), (3, "3 questions left")]
)
def test_the_rest_is_counted_up_to_a_limit_only(harbours, monkeypatch, counted, said):
    """The six items ask three questions, three items the same one: to find that out, counting goes beyond the first."""
    monkeypatch.setattr(eligibility, "COUNTED", counted)
    text = home(Bot(join(harbours, "alice"), Random(1)))
    assert said in text
    assert ("more than" in text) == ("more than" in said)
