"""A pasted quote is found in plain texts, in whatever Unicode form it is."""

from __future__ import annotations

import itertools
import re

import pytest

from annotation.documents.quotes import MAX_MATCHES, find_in_texts

TEXTS = (
    "Bells are old 🔔, and bells ring. Bellringers don’t.",
    "",
    "The “bell” – so to say – of state-of-the-art  harbours\rrings.",
    "नमस्ते दुनिया",
)


def found(quote: str) -> list[tuple[int, str]]:
    return [(place.text, TEXTS[place.text][place.start : place.end]) for place in find_in_texts(TEXTS, quote)]


@pytest.mark.parametrize(
    ("quote", "places"),
    [
        ("bells", [(0, "bells")]),
        ("BELLS", [(0, "Bells"), (0, "bells")]),
        ("🔔, and bells", [(0, "🔔, and bells")]),
        ("bell", [(2, "bell")]),
        ("Bellring", [(0, "Bellring")]),
        ("don't", [(0, "don’t")]),
        ('the "bell" - so', [(2, "The “bell” – so")]),
        ("of-the", [(2, "of-the")]),
        ("art harbours  rings", [(2, "art  harbours\rrings")]),
        ("नमस्त", [(3, "नमस्ते")]),
        ("nowhere", []),
        ("\n ", []),
        ("", []),
    ],
)
def test_a_quote_is_matched_exactly_first_then_normalised_and_whole_words_win(quote, places):
    assert found(quote) == places


@pytest.mark.parametrize(
    ("text", "quote", "places"),
    [
        ("Manning's helmet", "Manning", ["Manning"]),
        ("the art of a party", "art", ["art"]),
        ("a party", "art", ["art"]),
        ("Un cafe\u0301 noir", "caf\u00e9", ["cafe\u0301"]),
        ("Un caf\u00e9 noir", "cafe\u0301", ["caf\u00e9"]),
        ("Un caf\u00e9 noir", "cafe", []),
        ("Un cafe\u0301 noir", "cafe", ["cafe\u0301"]),  # a part of a character, as it is written here
        ("Straße", "STRASSE", ["Straße"]),
        ("ﬁne", "FINE", ["ﬁne"]),
        ("ｆｕｌｌ width", "full width", ["ｆｕｌｌ width"]),
        ("각", "각", ["각"]),
        ("İstanbul'da", "İstanbul", ["İstanbul"]),
    ],
)
def test_what_is_found_is_what_people_would_say_is_the_same(text, quote, places):
    assert [text[place.start : place.end] for place in find_in_texts([text], quote)] == places


def test_every_run_of_words_is_found_where_it_was_taken():
    for place, text in enumerate(TEXTS):
        words = [match.span() for match in re.finditer(r"\S+", text)]
        for (start, _), (_, end) in itertools.combinations_with_replacement(words, 2):
            assert (place, start, end) in find_in_texts(TEXTS, text[start:end])


def test_a_text_full_of_the_quote_gives_a_hundred():
    assert len(find_in_texts(["a " * 500, "a"], "a")) == MAX_MATCHES
    assert len(find_in_texts(["aa " * 500], "a")) <= MAX_MATCHES
