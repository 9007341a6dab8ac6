"""Two annotations are as alike as their answers, turn by turn."""

import pytest

from annotation.protocols.coqa.scoring import compare
from tests.protocols.coqa.builders import (
    asked,
    dialogue,
    ended,
    file_of,
    game,
    imported,
    parsed,
    read_release,
    said,
    talk,
)


@pytest.mark.parametrize(
    ("activity", "one", "other", "similarity"),
    [
        ("guess", game(), game(), 1),
        ("guess", game(text="Anna Holt"), game(text="Holt!", number=2), 2 / 3),
        ("guess", game(text="The"), game(text="...", number=2), 1),
        ("guess", game(text="Anna"), game(text="Holt", number=2), 0),
        ("guess", game(turns=5), game(number=2), 0.5),
        ("guess", game(verdicts={1: "match"}), game(verdicts={1: "no_match"}), 1),
        ("guess", game(turns=0), game(turns=0), 1),
        ("converse", talk(), talk(asked(11), said(11), number=2), 10 / 11),
        ("converse_alone", talk(), talk(ended(11), number=2), 1),
    ],
)
def test_similarity(activity, one, other, similarity):
    assert compare(activity, one, other) == pytest.approx(similarity)
    assert compare(activity, other, one) == pytest.approx(similarity)


def test_turns_are_compared_as_they_are_released():
    refused = parsed("closing", {"agreed": False}, 11, "answerer")
    one = talk(ended(11), refused, asked(12), said(12, "Holt"))
    assert compare("converse", one, talk(asked(11), said(11, "Holt"), number=2)) == 1


def test_published_games_are_compared_with_ours_and_unknown_with_unknown():
    passage, conversation = read_release(file_of(dialogue(2, games=2)), name="coqa-dev-v1.0.json")
    first, second = map(imported, conversation.annotations)
    assert compare("guess", first, second) == 0.5  # “Anna 0” and “Anna 1”
    assert compare("guess", first, game(turns=2, text="anna 0")) == 1
    assert compare("converse", *[imported(passage.annotations[0])] * 2) == 1
    nobody = [said(turn, words="", stage="guess") for turn in (1, 2)]
    assert compare("guess", game()._replace(answers=tuple(nobody)), game(turns=2, text="Unknown.")) == 1
