"""The advice to questioners: content words of their question that stand in the passage."""

import pytest

from annotation.protocols.coqa.overlap import STOP_WORDS, content_words, words_of_passage

STORY = "Anna’s lighthouse stands at Zürich-Nord; it cost 3.5 million. She didn’t sell it. 灯塔 很 高"


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Who built the lighthouse?", ("lighthouse",)),
        ("LIGHTHOUSE, lighthouse?", ("lighthouse",)),
        ("Did Anna sell it?", ("anna", "sell")),
        ("Is it Anna's?", ("anna",)),
        ("What did it cost: 3.5?", ("cost", "3.5")),
        ("Is it in Zürich?", ()),  # a part of a word is another word
        ("In zürich-nord?", ("zürich-nord",)),
        ("Does it stand there?", ()),  # no stemming
        ("Why didn't she?", ()),
        ("灯塔 在 哪里", ("灯塔",)),
        ("", ()),
    ],
)
def test_content_words_of_a_question(question, words):
    assert words_of_passage(question, STORY) == words


def test_function_words_are_no_content_words():
    assert content_words("And who's that, if not he himself? It’s the one’s") == ()
    assert all(word == word.lower() and "’" not in word for word in STOP_WORDS)
