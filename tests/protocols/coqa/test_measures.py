"""What is compared of two games on a conversation, in each turn."""

from __future__ import annotations

import pytest

from annotation.protocols.coqa.comparing import MEASURES
from annotation.values.records import AnnotationRecord
from tests.protocols.coqa.builders import game, said

BY_KEY = {one.key: one for one in MEASURES}


def turn(*entries):
    return AnnotationRecord("guess", entries)


@pytest.mark.parametrize(
    ("text", "words", "kind", "guess"),
    [
        ("Anna Holt.", "Anna", "words", "anna holt"),
        ("Yes!", "Anna", "yes", "yes"),
        ("", "", "unknown", "unknown"),
    ],
)
def test_a_guess_is_compared_by_its_words_and_by_its_kind(text, words, kind, guess):
    one = turn(said(3, text, words=words, stage="guess") if words else said(3, words="", stage="guess"))
    assert BY_KEY["guess_kind"].value(one) == kind
    assert BY_KEY["guess"].value(one) == guess
    assert BY_KEY["verdict"].value(one) is None


def test_the_verdict_is_compared_in_each_turn():
    whole = game(verdicts={1: "match", 2: "no_match"})
    by_turn = [turn(*(entry for entry in whole.answers if entry.turn == number)) for number in (1, 2)]
    assert [BY_KEY["verdict"].value(one) for one in by_turn] == ["match", "no_match"]
    assert all(one.by_turn for one in MEASURES)


def test_words_are_compared_as_the_script_does():
    f1 = BY_KEY["f1"]
    parts = [f1.part(turn(said(1, text, stage="guess"))) for text in ("Anna Holt", "Holt!")]
    assert f1.compare(*parts) == pytest.approx(2 / 3)
    assert f1.part(turn()) is None
