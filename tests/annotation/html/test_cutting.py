"""The quote of any range of words is what its bytes hold in the original page."""

from __future__ import annotations

import random
from bisect import bisect_left

import pytest
import turbohtml

from annotation.html import Rendering, cut, lay_out, open_page, render
from annotation.html.rendering import squeeze
from annotation.layout import Layout
from tests.annotation.html.pages import hard, random_page, real_and_hard


def mismatches(source: bytes, layout: Layout, rendering: Rendering, *, spans: int, seed: int) -> list[tuple[str, str]]:
    """Random ranges of shown words inside random candidates whose quote is not the cut of their bytes."""
    rng = random.Random(seed)
    shown = [word[0] for word in rendering.words]
    wrong = []
    for _ in range(spans):
        candidate = rng.choice(layout.candidates)
        low, high = bisect_left(shown, candidate.start_token), bisect_left(shown, candidate.end_token)
        first = rng.randrange(low, high)
        last = rng.randrange(first, min(high, first + rng.choice([1, 5, 40, 1000])))
        start, end = layout.tokens[shown[first]].start, layout.tokens[shown[last]].end
        quote, again = rendering.quote(shown[first], shown[last] + 1), cut(source, start, end)
        if quote != again or not quote:
            wrong.append((quote, again))
    return wrong


def test_twenty_thousand_spans_of_four_pages_cut_the_original_to_what_was_shown(shared):
    pages = real_and_hard(shared)
    assert len(pages) == 4
    for source, layout in pages:
        assert mismatches(source, layout, render(source, layout), spans=5000, seed=1) == []


def test_a_page_that_is_read_one_byte_off_would_be_noticed(shared):
    source, layout = real_and_hard(shared)[0]
    assert mismatches(b"!" + source, layout, render(source, layout), spans=100, seed=1) != []


def test_each_candidate_of_each_page_shows_what_its_bytes_hold(shared):
    for source, layout in real_and_hard(shared):
        tree = turbohtml.parse("<!DOCTYPE html><body>" + render(source, layout).html)
        for index, candidate in enumerate(layout.candidates):
            element = tree.find(attrs={"data-c": str(index)})
            assert squeeze(element.text) == cut(source, candidate.start_byte, candidate.end_byte)


def test_random_pages_are_parsed_again_to_the_same_text_boxes_and_words():
    for seed in range(400):
        source = open_page(random_page(seed)).source
        layout = lay_out(source)
        rendering = render(source, layout)
        tree = turbohtml.parse(f"<!DOCTYPE html><body><main>{rendering.html}</main>").find("main")
        assert tree.text == rendering.text, seed
        for token, _, _ in rendering.words:
            place = layout.tokens[token]
            assert rendering.quote(token, token + 1) == cut(source, place.start, place.end), seed
        for index, candidate in enumerate(layout.candidates):
            element = tree.find(attrs={"data-c": str(index)})
            assert squeeze(element.text) == cut(source, candidate.start_byte, candidate.end_byte), seed
        if layout.candidates:
            assert mismatches(source, layout, rendering, spans=10, seed=seed) == [], seed


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("a <b>b</b>c", "a bc"),
        ("<td>a</td><td>b</td>", "a b"),
        ("a<br>b", "a b"),
        ("a<script>x</script>b", "ab"),
        ("a <!-- x --> b", "a b"),
        ('a<span style="display:none">x<span>y</span></span>b', "ab"),
        ("a&nbsp;&amp;&#x1F600;&notit", "a &\U0001f600¬it"),
        ("a</p> b", "a b"),
        ("a<p hidden>x<p>b", "a b"),
        ("a<svg><title/>x</svg>b<math><mi>x</mi></math>", "ab"),
        ("a<3 &lt;b&gt;", "a<3 <b>"),
        ("", ""),
    ],
)
def test_a_piece_of_source_is_cut_to_its_visible_text(source, text):
    assert cut(source.encode(), 0, len(source.encode())) == text


def test_a_range_that_is_none_or_splits_a_character_is_refused():
    for start, end in ((-1, 2), (2, 1), (0, 10**9)):
        with pytest.raises(ValueError, match="no bytes"):
            cut(hard(), start, end)
    with pytest.raises(ValueError, match="decode"):
        cut("é".encode(), 0, 1)
