"""The rendered fragment: text, words, boxes, headings, a single box, and storing it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.documents.layout import Candidate, Layout, Token
from annotation.html import RENDERER, Rendering, lay_out, open_page, render
from annotation.html.limits import PageRefused
from tests.annotation.html.pages import hard, real_and_hard


def shown(source: str, *, root: int | None = None) -> Rendering:
    data = open_page(source.encode()).source
    return render(data, lay_out(data), root=root)


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def test_words_are_found_by_utf16_offset_after_astral_characters():
    rendering = shown("<p>\U0001f600 a &#x1F600;&amp;b e\u0301</p>")
    assert [rendering.cut(start, end) for _, start, end in rendering.words] == [
        "\U0001f600", "a", "\U0001f600", "&", "b", "e\u0301",
    ]  # fmt: skip
    assert rendering.words[1][1] == units(rendering.text[: rendering.text.index("a")])


def test_every_word_of_the_hard_page_is_shown_except_those_of_the_title():
    source = hard()
    layout = lay_out(source)
    rendering = render(source, layout)
    missing = [t.text for n, t in enumerate(layout.tokens) if not t.html and not rendering.shows(n)]
    assert missing == ["Odd", "&", "hard"]
    for index, start, end in rendering.words:
        assert 0 <= start < end <= units(rendering.text), layout.tokens[index]


def test_a_quote_is_the_shown_text_between_words_and_empty_where_none_is_shown():
    rendering = shown("<title>T</title><p>The <b>trade</b>\n winds<sup class=reference>[1]</sup> blow.</p><p>B</p>")
    assert rendering.quote(2, 5) == "The trade winds"
    assert rendering.quote(2, 6) == "The trade winds[1] blow"
    assert rendering.quote(1, 8) == "The trade winds[1] blow."
    assert rendering.quote(0, 1) == ""


def test_boxes_know_kind_size_place_and_first_words():
    rendering = shown(
        "<h1>Page</h1><p>one two</p><h2>Part</h2><ul><li>a<li>b c</ul><h3>Sub</h3><p>three</p><h2>Next</h2><p>four</p>"
    )
    assert [(b.kind, b.words, b.parent, b.position, b.heading_path, b.excerpt) for b in rendering.candidates] == [
        ("P", 2, None, 1, ("Page",), "one two"),
        ("Ul", 3, None, 1, ("Page", "Part"), "a b c"),
        ("Li", 1, 1, 1, ("Page", "Part"), "a"),
        ("Li", 2, 1, 2, ("Page", "Part"), "b c"),
        ("P", 1, None, 2, ("Page", "Part", "Sub"), "three"),
        ("P", 1, None, 3, ("Page", "Next"), "four"),
    ]


def test_a_long_box_is_labelled_by_its_beginning():
    (box,) = shown("<p>" + "word " * 500).candidates
    assert box.words == 500
    assert len(box.excerpt) <= 202
    assert box.excerpt.endswith("word …")


def test_headings_have_level_text_place_and_an_identifier_in_the_fragment():
    rendering = shown(
        "<h1>A <i>b</i></h1><h2><span id=x>C</span><span class=mw-editsection>[edit]</span></h2><h3> </h3>"
    )
    assert [(h.level, h.text, h.id, h.start_byte) for h in rendering.headings] == [
        (1, "A b", "gf-h1", 0),
        (2, "C", "gf-h2", 19),
    ]
    assert '<h2 id="gf-h2">C</h2>' in rendering.html


@pytest.mark.parametrize(
    ("source", "root", "html"),
    [
        ("<p>a</p><p>b</p>", 1, '<p data-c="1">b</p>'),
        ("<table class=infobox><tr><td>a<tr><td>b</table>", 2, '<table class="gf-infobox"><tbody><tr data-c="2">'),
        ("<ol start=5 type=a><li>a<li>b</ol>", 2, '<ol start="6" type="a"><li data-c="2">'),
        ("<ol><li value=9>a<li>b</ol>", 2, '<ol start="10"><li data-c="2">'),
        ("<ul class=hlist><li>a</ul>", 1, '<ul class="gf-hlist"><li data-c="1">'),
        ("<dl><dt>a<dd>b</dl>", 2, '<dl><dd data-c="2">'),
        ("<div lang=ar dir=rtl><p>a</p></div>", 0, '<div lang="ar" dir="rtl"><p data-c="0">'),
    ],
)
def test_a_single_box_is_shown_inside_the_ancestors_that_it_needs(source, root, html):
    assert shown(source, root=root).html.startswith(html)


def test_a_single_box_has_only_its_own_text_words_and_headings_but_all_boxes():
    source = "<h1>Secret</h1><p>before</p><table><tr><td><h2>In</h2>\U0001f600 it</td></tr></table><p>after</p>"
    whole, part = shown(source), shown(source, root=2)
    assert part.text.split() == ["In", "\U0001f600", "it"]
    assert "before" not in part.html
    assert "Secret" not in part.html
    assert [part.cut(start, end) for _, start, end in part.words] == ["In", "\U0001f600", "it"]
    assert [heading.text for heading in part.headings] == ["In"]
    assert part.candidates == whole.candidates
    for token, _, _ in part.words:
        assert part.quote(token, token + 1) == whole.quote(token, token + 1)


def test_each_single_box_quotes_as_the_whole_page_does(shared):
    for source, layout in real_and_hard(shared):
        whole = render(source, layout)
        for index in range(0, len(layout.candidates), 25):
            candidate = layout.candidates[index]
            part = render(source, layout, root=index)
            assert part.quote(candidate.start_token, candidate.end_token) == whole.quote(
                candidate.start_token, candidate.end_token
            )


def test_a_box_that_does_not_exist_or_is_not_shown_is_refused():
    source = b"<p>a</p><p hidden>b</p>"
    layout = lay_out(source)
    with pytest.raises(IndexError):
        render(source, layout, root=1)
    hidden = replace(layout, candidates=(*layout.candidates, Candidate(8, 23, 3, 3, True)))
    with pytest.raises(PageRefused, match="not shown"):
        render(source, hidden, root=1)


def test_a_layout_that_does_not_fit_the_page_is_shown_without_the_missing_words_and_boxes():
    source = "<p>é a</p>".encode()
    tokens = (Token("<P>", 0, 3, True), Token("é", 3, 4, False), Token("a", 6, 7, False), Token("x", 90, 99, False))
    candidates = (Candidate(1, 5, 0, 3, True), Candidate(70, 99, 3, 4, True), Candidate(-5, 10**9, 10**6, -3, True))
    layout = Layout("published", tokens, candidates)
    rendering = render(source, layout)
    assert [word[0] for word in rendering.words] == [2]
    assert "data-c" not in rendering.html
    assert [(box.kind, box.words) for box in rendering.candidates] == [("P", 1), ("x", 0), ("", 0)]


def test_a_tree_that_html_cannot_express_is_shown_flat_with_the_same_text_and_boxes():
    source = "<h2>a<table><tr><td>x</table><table><h1>b</h1></table></h2><p>c</p>"
    rendering = shown(source)
    assert '<div role="heading" aria-level="1"' in rendering.html
    assert '<div data-c="' in rendering.html
    assert "".join(rendering.text.split()) == "axbc"


def test_a_rendering_survives_being_stored_and_another_version_is_refused():
    rendering = render(hard(), lay_out(hard()))
    kept = rendering.to_bytes()
    assert Rendering.from_bytes(kept) == rendering
    with pytest.raises(ValueError, match="version 0"):
        Rendering.from_bytes(kept.replace(f'"renderer":"{RENDERER}"'.encode(), b'"renderer":"0"'))


def test_formatting_that_is_never_closed_is_not_repeated_inside_itself():
    source = b"<p><b><i>one<p><b>two<i>three<p>four <em>five</em>"
    layout = lay_out(source)
    shown = render(source, layout)
    assert shown.html.replace("\n", "") == (
        '<p data-c="0"><b><i>one</i></b></p><p data-c="1"><b><i>twothree</i></b></p>'
        '<p data-c="2"><b><i>four <em>five</em></i></b></p>'
    )
    assert [shown.quote(n, n + 1) for n, _, _ in shown.words] == ["one", "two", "three", "four", "five"]
    for box in layout.candidates:
        assert source[box.start_byte : box.end_byte].startswith(b"<p>")


def test_unclosed_formatting_in_many_boxes_makes_three_elements_a_box():
    source = b"<p><b><i>word" * 2000
    assert render(source, lay_out(source)).html.count("</") == 3 * 2000
