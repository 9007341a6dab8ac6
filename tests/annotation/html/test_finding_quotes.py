"""A pasted quote is found as ranges of tokens."""

from __future__ import annotations

import pytest

from annotation.html import find_quote, lay_out, render

SOURCE = (
    "<p>The “trade winds” blow\n from Earth's  <b>east</b> – always.</p>"
    "<p>Trade winds and trade winds, \U0001f600 and tradewinds.</p><p>Straße</p>"
).encode()
LAYOUT = lay_out(SOURCE)
RENDERING = render(SOURCE, LAYOUT)
ALL = (0, len(LAYOUT.tokens))


def found(quote: str, within: tuple[int, int] = ALL) -> list[str]:
    return [RENDERING.quote(start, end) for start, end in find_quote(RENDERING, quote, within)]


@pytest.mark.parametrize(
    ("quote", "matches"),
    [
        ("blow from Earth's east", ["blow from Earth's east"]),
        ("  blow\n\nfrom ", ["blow from"]),
        ("trade winds", ["trade winds", "trade winds"]),
        ("Trade winds", ["Trade winds"]),
        ("TRADE WINDS", ["trade winds", "Trade winds", "trade winds"]),
        ('"trade winds"', ["“trade winds”"]),
        ("earth’s east - always", ["Earth's east – always"]),
        ("\U0001f600 and", ["\U0001f600 and"]),
        ("adewin", ["tradewinds"]),
        ("STRASSE", ["Straße"]),
        ("always. Trade", ["always. Trade"]),
        ("nowhere", []),
        (" ", []),
        ("", []),
    ],
)
def test_a_quote_is_matched_exactly_first_then_normalised(quote, matches):
    assert found(quote) == matches


def test_only_the_allowed_region_is_searched():
    second = LAYOUT.candidates[1]
    assert found("trade winds", (second.start_token, second.end_token)) == ["trade winds"]
    assert found("trade winds", (5, 5)) == []


def test_every_quote_of_the_page_is_found_where_it_was_taken():
    words = [word[0] for word in RENDERING.words]
    for first in range(len(words)):
        for last in range(first, len(words)):
            start, end = words[first], words[last] + 1
            assert (start, end) in find_quote(RENDERING, RENDERING.quote(start, end), ALL)


def test_a_page_full_of_the_quote_gives_a_hundred():
    source = b"<p>" + b"a " * 500
    rendering = render(source, lay_out(source))
    assert len(find_quote(rendering, "a", (0, 501))) == 100
