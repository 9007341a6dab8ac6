"""The original answer is revealed only after the guess is stored, and then no other guess is ever accepted (P23)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.http.cookie import SimpleCookie
from django.test import Client
from django.urls import resolve, reverse

from annotation import randomness
from annotation.engine import committing
from annotation.engine.work import Work
from annotation.models import Response
from annotation.protocols.coqa.forms import GuessForm
from annotation.values.records import Step
from tasks.models import Assignment
from tests.people import join
from tests.protocols.coqa.pairs import HIDDEN_FIELD, Seated, answered, ended, seated, talk, talk_project
from tests.proving import size
from tests.races.rigs.crowd import together

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge("postgresql")]
TURNS = 10
SEED = 2311
READS = 4


@dataclass
class Sight:
    """What a reader saw of the original answer: the guess shown beside it, and what came of sending a copy."""

    guess: str
    accepted: bool


class Game:
    """One person's run of the game, in which every turn is raced for."""

    def __init__(self, player: Seated, rng: Random) -> None:
        self.player, self.rng, self.sights = player, rng, 0
        self.cookies = player.client.cookies

    def race(self, turn: int) -> list[str]:
        """Two tabs guess, one of them twice, while two read whatever might reveal the answer; return the faults."""
        hidden = dict(HIDDEN_FIELD.findall(self.player.get()))
        first, second = (self._form(hidden, f"Guess {name} of turn {turn}") for name in ("one", "two"))
        sends = [partial(self._post, turn, fields) for fields in (first, first, second)]
        reads = [partial(self._read, turn, hidden) for _ in range(2)]
        actions: list[Callable[[], Any]] = [*sends, *reads]
        self.rng.shuffle(actions)
        seen = [found for found in together(actions) if isinstance(found, Sight)]
        self.sights += len(seen)
        rows = Response.objects.filter(annotation=self.player.held.annotation_id, stage="guess", turn=turn)
        stored = [row.payload["text"] for row in rows.order_by("pk")]
        faults = [f"turn {turn} has the guesses {stored}"] if len(stored) != 1 else []
        faults += [f"turn {turn}: a copy was accepted after the reveal" for sight in seen if sight.accepted]
        faults += [f"turn {turn}: revealed beside {sight.guess!r}" for sight in seen if sight.guess != stored[0]]
        return faults

    def _form(self, hidden: dict[str, str], text: str) -> dict[str, str]:
        """The form of a page with another guess, under an idempotency key of its own."""
        return hidden | {"submission_key": str(randomness.handle())} | GuessForm.fields_of(answered(text))

    def _browser(self) -> Client:
        browser = Client(SERVER_NAME="127.0.0.1")
        browser.cookies = SimpleCookie({name: morsel.value for name, morsel in self.cookies.items()})
        return browser

    def _post(self, turn: int, fields: dict[str, str]) -> int:
        return self._browser().post(self.player.address(f"guess-{turn}"), fields).status_code

    def _read(self, turn: int, hidden: dict[str, str]) -> Sight | None:
        """Look wherever the original might be; whoever sees it sends it as their guess."""
        browser, original = self._browser(), f"Answer number {turn}"
        for address in [self.player.address(), self.player.address(f"verdict-{turn}")] * READS:
            answer = browser.get(address)
            page = answer.content.decode()
            if f"{original}<" not in page:
                continue
            shown = next((name for name in ("one", "two") if f"Guess {name} of turn {turn}<" in page), "")
            copied = self._form(hidden | dict(HIDDEN_FIELD.findall(page)), original)
            self._browser().post(self.player.address(f"guess-{turn}"), copied)
            rows = Response.objects.filter(annotation=self.player.held.annotation_id, stage="guess", turn=turn)
            accepted = any(row.payload["text"] == original for row in rows)
            return Sight(f"Guess {shown} of turn {turn}", accepted)
        return None

    def judge(self) -> None:
        self.player.say({"verdict": "match", "mistyped": ""})


def games(folder: Path, *, count: int) -> list[Game]:
    """So many people, each with a run of the same conversation."""
    made = talk_project(folder, passages=1, activities={"guess": {"overlap": {"dev": count}}})
    pair = seated(made)
    talk(*pair, turns=TURNS)
    pair[0].say(ended())
    pair[1].say({"agreed": True})
    found = []
    for number in range(count):
        player = Seated.at(None, join(made, f"player-{number}"))  # type: ignore[arg-type]
        claimed = player.client.post(reverse("claim", args=[made.slug, "guess"]))
        player.held = Assignment.objects.get(uuid=resolve(claimed["Location"]).kwargs["uuid"])
        found.append(Game(player, Random(SEED + number)))
    return found


def faults(game: Game) -> list[str]:
    """Race for every turn; return what went wrong."""
    found = []
    for turn in range(1, TURNS + 1):
        found += game.race(turn)
        game.judge()
    return found


def test_nobody_sees_the_original_before_their_guess_is_locked_for_good(tmp_path, record_property):
    count = size(1, 100)
    record_property("size", count * TURNS)
    record_property("seed", SEED)
    played = games(tmp_path, count=count)
    assert [fault for game in played for fault in faults(game)] == []
    assert sum(game.sights for game in played) > count, "hardly anybody read in time, so nothing was shown"


def test_the_control_without_the_seal_a_copy_of_the_original_is_accepted(tmp_path, monkeypatch):
    monkeypatch.setattr(Work, "locked", lambda work, address: False)
    monkeypatch.setattr(committing, "_fresh", lambda work, address, seen: Step.at(address))
    (game,) = games(tmp_path, count=1)
    assert any("accepted after the reveal" in fault for _ in range(3) for fault in game.race(1))
