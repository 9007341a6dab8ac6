"""The game that follows a conversation, on the site: what its player gets before and after each guess is locked."""

from __future__ import annotations

import pytest
from django.urls import resolve, reverse

from tasks.models import Assignment
from tests.people import join
from tests.protocols.coqa.pairs import Seated, answered, ended, seated, seated_still, talk, talk_project

HTMX = {"HX-Request": "true"}


@pytest.fixture(scope="module")
def games(shared_rows, tmp_path_factory):
    """A project with a conversation of ten turns, its two people, and somebody who plays it."""
    made = talk_project(tmp_path_factory.mktemp("passages"))
    pair = seated(made)
    talk(*pair, turns=10)
    pair[0].say(ended())
    pair[1].say({"agreed": True})
    player = Seated.at(None, join(made, "petra"))
    claimed = player.client.post(reverse("claim", args=[made.slug, "guess"]))
    player.held = Assignment.objects.get(uuid=resolve(claimed["Location"]).kwargs["uuid"])
    return made, pair, player


@pytest.fixture
def player(games, db):
    [found] = seated_still((games[2],))
    return found


def test_before_the_lock_nothing_of_the_original_or_of_later_turns_is_sent(player):
    for here in range(1, 11):
        if here % 3 == 1:
            assert_nothing_is_sent_of_what_comes(player, here)
        player.say(answered(f"Guess number {here}"))
        if here % 3 == 1:
            revealed = player.get()
            assert f"Answer number {here}<" in revealed
            assert f"Question number {here + 1}?" not in revealed
            assert "quote&quot;" not in revealed
            assert '"quote"' not in revealed
        player.say({"verdict": "match", "mistyped": ""})


def assert_nothing_is_sent_of_what_comes(player, here):
    page = player.get()
    assert f"Question number {here}?" in page
    assert f"Answer number {here - 1}<" in page or here == 1
    for later in range(here, 11):
        assert f"Answer number {later}<" not in page
        assert later == here or f"Question number {later}?" not in page
    for step in (f"verdict-{here}", f"guess-{here + 1}", "now"):
        assert player.client.get(player.address(step)).status_code == 404


def test_a_locked_guess_does_not_change(player):
    player.say(answered("Guess number 1"))
    later = player.send("guess-1", text="Answer number 1", unknown="on", headers=HTMX)
    assert later.status_code == 409
    assert [entry.payload.text for entry in player.work().answers] == ["Guess number 1"]


def test_nobody_plays_their_own_conversation(games, db):
    project, pair, _player = games
    for person in seated_still(pair):
        answer = person.client.post(reverse("claim", args=[project.slug, "guess"]), headers=HTMX)
        assert "guess-1" not in answer.content.decode()
        assert not Assignment.objects.filter(annotator=person.user, task__activity="guess").exists()
