"""A pasted quote is found in plain texts, as whole words of one of them."""

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
        ("Bellring", [(0, "Bellringers")]),
        ("don't", [(0, "don’t")]),
        ('the "bell" - so', [(2, "The “bell” – so")]),
        ("of-the", [(2, "state-of-the-art")]),
        ("art harbours  rings", [(2, "state-of-the-art  harbours\rrings")]),
        ("नमस्त", [(3, "नमस्ते")]),
        ("nowhere", []),
        ("\n ", []),
        ("", []),
    ],
)
def test_a_quote_is_matched_exactly_first_then_normalised_and_last_widened_to_words(quote, places):
    assert found(quote) == places


def test_every_run_of_words_is_found_where_it_was_taken():
    for place, text in enumerate(TEXTS):
        words = [match.span() for match in re.finditer(r"\S+", text)]
        for (start, _), (_, end) in itertools.combinations_with_replacement(words, 2):
            assert (place, start, end) in find_in_texts(TEXTS, text[start:end])


def test_a_text_full_of_the_quote_gives_a_hundred():
    assert len(find_in_texts(["a " * 500, "a"], "a")) == MAX_MATCHES
    assert len(find_in_texts(["aa " * 500], "a")) <= MAX_MATCHES
