"""Oddities of published layouts are reported in sentences."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.html import check_layout, lay_out
from tests.annotation.html.pages import published

SOURCE = "<p>é one</p><ul><li>two</li></ul>".encode()
GOOD = lay_out(SOURCE)


def with_token(index: int, **changes):
    tokens = list(GOOD.tokens)
    tokens[index] = tokens[index]._replace(**changes)
    return replace(GOOD, tokens=tuple(tokens))


def with_candidate(index: int, **changes):
    candidates = list(GOOD.candidates)
    candidates[index] = candidates[index]._replace(**changes)
    return replace(GOOD, candidates=tuple(candidates))


def test_the_published_layout_and_our_own_have_nothing_odd(shared):
    assert check_layout(*published(shared)) == []
    assert check_layout(SOURCE, GOOD) == []


@pytest.mark.parametrize(
    ("layout", "sentence"),
    [
        (with_token(1, text=""), "Token 1: no text."),
        (with_token(2, end=999), "Token 2: bytes that are no range of the page."),
        (with_token(2, start=6, end=6), "Token 2: bytes that are no range of the page."),
        (with_token(2, start=4), "Token 2: begins before the end of the token before."),
        (with_token(1, end=4), "Token 1: splits a character."),
        (with_token(3, text="</Ul>"), "Token 3: a tag that is not at its bytes."),
        (with_candidate(0, end_token=99), "Candidate 0: tokens that are no range of the page's."),
        (with_candidate(2, end_byte=999), "Candidate 2: bytes that are no range of the page."),
        (with_candidate(2, start_byte=20), "Candidate 2: bytes that differ from its tokens'."),
        (with_candidate(1, top_level=False), "Candidate 1: wrong about being at top level."),
        (with_candidate(1, end_token=7, end_byte=24), "Candidate 2: ends outside the candidate it begins in."),
        (replace(GOOD, candidates=GOOD.candidates[::-1]), "Candidate 1 and 1 more: out of order."),
        (replace(GOOD, candidates=(GOOD.candidates[0],) * 2), "Candidate 1: the same as the one before."),
        (with_candidate(0, start_token=1, start_byte=3), "Candidate 0: no paragraph, table, row, list or item."),
    ],
)
def test_an_oddity_is_reported_in_a_sentence(layout, sentence):
    assert sentence in check_layout(SOURCE, layout)


def test_many_oddities_of_a_kind_are_one_sentence():
    layout = replace(GOOD, tokens=tuple(token._replace(text="") for token in GOOD.tokens))
    assert "Token 0 and 8 more: no text." in check_layout(SOURCE, layout)
