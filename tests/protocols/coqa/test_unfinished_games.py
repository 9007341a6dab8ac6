"""A game that ends early: its player may go on at the same turn, another begins anew, and it is in no release."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation import clock
from tasks.engine import claiming, leases, skip_and_return
from tasks.models import Assignment
from tests.people import join
from tests.protocols.coqa.deciding import play, released
from tests.protocols.coqa.pairs import Seated, answered, ended, seated, talk, talk_project


@pytest.fixture(scope="module")
def whole(shared_rows, tmp_path_factory):
    """A project with one conversation of ten turns."""
    made = talk_project(tmp_path_factory.mktemp("passages"), split="dev", passages=1)
    pair = seated(made)
    talk(*pair, 10)
    pair[0].say(ended())
    pair[1].say({"agreed": True})
    return made


@pytest.fixture
def project(whole, db):
    return whole


def sits_down(project, name, later=timedelta()):
    person = join(project, name)
    held = claiming.claim(project, "guess", by=person, now=clock.now() + later)
    assert isinstance(held, Assignment)
    return Seated.at(held, person)


def plays(player, turns):
    for _turn in range(turns):
        player.say(answered("Zq8half"))
        player.say({"verdict": "no_match", "mistyped": ""})
    player.say(answered("Zq8half"))


def gives_back(player):
    skip_and_return.give_back(player.row(), by=player.user, now=clock.now())


def runs_out_of_time(player):
    leases.expire_early(player.row().lease, now=clock.now())


def test_another_person_begins_at_turn_1_and_only_whole_games_are_released(project):
    for name, ends in (("petra", gives_back), ("paula", runs_out_of_time)):
        quitter = sits_down(project, name)
        plays(quitter, 4)
        ends(quitter)
    other = sits_down(project, "paul")
    assert (other.work().current, other.work().answers) == ("guess-1", ())
    gives_back(other)
    play(project, "pia", "pablo", "piet")
    [dialogue], _manifest = released(project)
    assert len(dialogue["additional_answers"]) == 3
    assert all(len(answers) == 10 for answers in dialogue["additional_answers"].values())
    assert "Zq8half" not in str(dialogue)


def test_within_a_day_its_player_goes_on_at_the_same_turn(project):
    quitter = sits_down(project, "petra")
    plays(quitter, 4)
    gives_back(quitter)
    again = sits_down(project, "petra", later=timedelta(hours=23))
    assert again.work().current == "verdict-5"
