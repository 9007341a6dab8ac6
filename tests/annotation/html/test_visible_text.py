"""What a piece of the source cuts to, and that boxes and words of a page are found by their bytes."""

from __future__ import annotations

import pytest
import turbohtml

from annotation.html import cut, lay_out, open_page, render
from annotation.html.rendering import squeeze
from tests.annotation.html.pages import hard, random_page, real_and_hard
from tests.annotation.html.spans import mismatches


def test_each_candidate_of_each_page_shows_what_its_bytes_contain(shared):
    for source, layout in real_and_hard(shared):
        tree = turbohtml.parse("<!DOCTYPE html><body>" + render(source, layout).html)
        for index, candidate in enumerate(layout.candidates):
            element = tree.find(attrs={"data-c": str(index)})
            assert squeeze(element.text) == cut(source, candidate.start_byte, candidate.end_byte)


def test_random_pages_are_reparsed_to_the_same_text_boxes_and_words():
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


def test_an_empty_range_or_one_that_splits_a_character_is_refused():
    for start, end in ((-1, 2), (2, 1), (0, 10**9)):
        with pytest.raises(ValueError, match="no bytes"):
            cut(hard(), start, end)
    with pytest.raises(ValueError, match="decode"):
        cut("é".encode(), 0, 1)
