"""Tokens and candidates of raw pages, compared with the published ones and by rule."""

from __future__ import annotations

import html

import pytest

from annotation.html import VERSION, check_layout, lay_out
from tests.annotation.html.pages import hard, published, random_page, wikipedia

NORMALISED = {"``": '"“', "''": '"”', "(": "[", ")": "]", "'": "’‘", "--": "–—―", "...": "…"}


def texts(source: str) -> str:
    return " ".join(token.text for token in lay_out(source.encode()).tokens)


def boxes(source: str) -> list[str]:
    data = source.encode()
    return [data[c.start_byte : c.end_byte].decode() for c in lay_out(data).candidates]


def test_ninety_nine_of_a_hundred_published_tokens_are_found_and_no_others(shared):
    source, layout = published(shared)
    theirs = {(token.start, token.end): token.text for token in layout.tokens}
    ours = {(token.start, token.end): token.text for token in lay_out(source).tokens}
    both = theirs.keys() & ours.keys()
    assert len(theirs) == 2983
    assert len(both) >= 0.99 * len(theirs)
    assert len(both) >= 0.99 * len(ours)
    assert [theirs[place] for place in both if theirs[place] != ours[place]] == ["wikipedia"]


def test_all_published_candidates_are_found_and_no_others(shared):
    source, layout = published(shared)
    places = [(c.start_byte, c.end_byte, c.top_level) for c in layout.candidates]
    assert [(c.start_byte, c.end_byte, c.top_level) for c in lay_out(source).candidates] == places


def test_the_bytes_of_each_token_cut_the_source_to_its_text(shared):
    for source in [*wikipedia(shared), hard()]:
        layout = lay_out(source)
        assert check_layout(source, layout) == []
        for token in layout.tokens:
            raw = source[token.start : token.end].decode()
            if token.html:
                name = token.text.strip("</>").split(" ")[0].lower()
                assert raw.lower().startswith((f"<{name}", f"</{name}"))
                assert raw.endswith(">")
                continue
            meant = html.unescape(raw)
            assert meant == token.text or meant in NORMALISED.get(token.text, "") or _same(meant, token.text)


def _same(meant: str, text: str) -> bool:
    return meant.replace("’", "'").replace(" ", "") == text or (set(meant) == {"."} and text == "...")


def test_a_layout_of_any_page_fits_the_page():
    for seed in range(300):
        source = random_page(seed)
        assert check_layout(source, lay_out(source)) == [], seed


def test_a_layout_survives_being_stored():
    layout = lay_out(hard())
    assert layout.version == VERSION == "goldfinch/1"
    assert type(layout).from_bytes(layout.to_bytes()) == layout


@pytest.mark.parametrize(
    ("source", "expected", "version"),
    [
        ("<p>ภาษาไทยง่ายมาก 10 คน</p>", "<P> ภาษา ไทย ง่าย มาก 10 คน </P>", "goldfinch/2"),
        ("<p>ພາສາລາວ</p>", "<P> ພາສາ ລາວ </P>", "goldfinch/2"),
        ("<p>&#3616;&#3634;&#3625;&#3634;&#3652;&#3607;&#3618;</p>", "<P> ภาษา ไทย </P>", "goldfinch/2"),
        ("<p>北京 is Beijing's name</p>", "<P> 北 京 is Beijing 's name </P>", "goldfinch/1"),
    ],
)
def test_words_of_languages_without_spaces_are_cut(source, expected, version):
    assert texts(source) == expected
    assert lay_out(source.encode()).version == version


def test_tags_are_tokens_with_the_columns_of_wide_cells_only():
    source = '<DIV><TABLE class=x><TR><TH colspan="3" id=y>a</TH><td colspan=1>b</td></TR></TABLE></DIV><h4>c</h4>'
    assert texts(source) == '<Table> <Tr> <Th colspan="3"> a </Th> <Td> b </Td> </Tr> </Table> c'


def test_the_title_comes_first_and_has_no_tags():
    assert texts("<head><title>Trade winds</title></head><h1>Trade</h1>") == "Trade winds <H1> Trade </H1>"


@pytest.mark.parametrize(
    "unread",
    [
        "<script>x</script>",
        "<style>x</style>",
        "<!-- x -->",
        '<sup class="reference">[1]</sup>',
        '<span style="color:red;Display : none">x</span>',
        "<div hidden>x</div>",
        '<div class="noprint">x</div>',
        '<div id="footer">x</div>',
        "<nav>x</nav>",
        "<noscript>x</noscript>",
        "<template>x</template>",
        "<svg><text>x</text></svg>",
        "<math><mi>x</mi></math>",
        "<textarea>x</textarea>",
        "<select><option>x</select>",
    ],
)
def test_invisible_elements_give_no_tokens(unread):
    assert texts(f"a {unread} b") == "a b"


def test_words_in_one_character_reference_are_one_token():
    assert texts("x&NotEqualTilde;y") == "x \u2242\u0338 y"
    assert texts("&notit;") == "¬ it ;"


def test_candidates_are_the_nine_kinds_outer_before_inner():
    source = (
        "<table><tr><td><ul><li>a</li></ul></td></tr></table><dl><dt>b</dt><dd>c</dd></dl><ol><li>d</li></ol><p>e</p>"
    )
    found = [box[1 : box.index(">")] for box in boxes(source)]
    assert found == ["table", "tr", "ul", "li", "dl", "dt", "dd", "ol", "li", "p"]
    assert [c.top_level for c in lay_out(source.encode()).candidates] == [1, 0, 0, 0, 1, 0, 0, 1, 0, 1]


def test_boxes_without_words_and_in_the_page_footer_are_not_candidates():
    source = (
        "<p> </p><p><img alt=x></p><p>a</p><h2>See also</h2><ul><li>b</li></ul><h3>More</h3><p>c</p>"
        "<h2>History</h2><p>d</p><h2>References <span class=mw-editsection>[edit]</span></h2><p>e</p>"
    )
    assert boxes(source) == ["<p>a</p>", "<p>d</p>"]


def test_contents_navigation_boxes_and_chrome_contain_no_candidates():
    source = (
        "<div id=toc><ul><li>a</li></ul></div><table class=navbox><tr><td>b</td></tr></table>"
        "<div id=mw-navigation><ul><li>c</li></ul></div><p>d</p>"
    )
    assert boxes(source) == ["<p>d</p>"]


LINKS = "<ul><li>About</li></ul>"


@pytest.mark.parametrize(
    "page",
    [
        f"<body><p>a</p><div id=footer><div>{LINKS}</div></body>",
        f"<body><p>a</p><div id=footer><div>{LINKS}</div>",
        f"<body><p>a</p><div role=contentinfo>{LINKS}<p>b</body>",
        f"<p>a</p><section><div id=footer>{LINKS}</section>",
        "<p>a</p><div id=footer></div><ul id=footer-places><li>About</li></ul><ul id=footer-info><li>Last</li></ul>",
    ],
)
def test_a_footer_that_is_not_closed_or_too_early_contains_no_boxes(page):
    assert boxes(page) == ["<p>a</p>"]
    assert texts(page).startswith("<P> a </P> ")
    assert "About" not in texts(page)


@pytest.mark.parametrize(
    ("page", "found"),
    [
        (f"<section><div id=footer>{LINKS}</section><p>a</p>", ["<p>a</p>"]),
        ("<table><tr><td>a<tr><td id=footer>b<tr><td>c</table>", ["<tr><td>a", "<tr><td>c"]),
        ("<p>a<img id=footer>b</p><hr role=contentinfo><p>c</p>", ["<p>a<img id=footer>b</p>", "<p>c</p>"]),
        ("<nav><p>menu</p><div class=noprint><p>a</p>", ["<p>menu</p>", "<p>a</p>"]),
    ],
)
def test_what_only_seems_to_be_in_an_unclosed_footer_keeps_its_boxes(page, found):
    assert [box for box in boxes(page) if not box.startswith("<table")] == found


def test_a_box_that_is_never_closed_ends_with_its_contents():
    assert boxes("<ul><li>a <li>b</ul><p>c<p>d") == ["<ul><li>a <li>b</ul>", "<li>a ", "<li>b", "<p>c", "<p>d"]


def test_a_table_that_loses_its_text_is_not_a_candidate():
    assert boxes("<table>lost<tr><td>kept</td></tr></table>") == ["<tr><td>kept</td></tr>"]


@pytest.mark.parametrize("name", ["menu", "dir"])
def test_a_menu_is_shown_as_a_list_but_is_no_box_since_it_has_no_token(name):
    source = f"<p>before</p><{name}><li>one</li><li>two</li></{name}>"
    assert boxes(source) == ["<p>before</p>", "<li>one</li>", "<li>two</li>"]
    layout = lay_out(source.encode())
    assert check_layout(source.encode(), layout) == []
    assert [candidate.top_level for candidate in layout.candidates] == [True, True, True]
