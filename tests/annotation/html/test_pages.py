"""Which pages are accepted and which are refused, with the reason."""

from __future__ import annotations

import pytest

from annotation.html import PageRefused, lay_out, open_page, render

LIMIT = 4 * 1024 * 1024


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"<p>caf\xe9", "not UTF-8"),
        (b"<p>a\x00b", "binary"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00", "binary"),
        (b"<p>\xed\xa0\x80", "not UTF-8"),
        (b"a" * (LIMIT + 1), "bytes"),
        (b"<p>" + b"word " * 60_001, "limit, 60,000"),
        (b"<p>" + b"&amp; " * 70_000, "limit, 60,000"),
        (b"<div>" * 257, "nested"),
        (b"<ul><li>" * 40_000, "nested"),
        (b"<b>" * 100_000, "nested"),
        (b"<i>" * 300_000, "tags"),
        (b"&amp;" * 800_000, "references"),
        (b"<svg><title/>" * 10_000, "broken drawings"),
        (b"<p>" + b"<b><i><u><s><em><strong><small><code>" * 3 + b"<p>x" * 29_000, "more than 100,000 elements"),
    ],
)
def test_a_page_out_of_bounds_is_refused_with_the_reason(data, reason):
    with pytest.raises(PageRefused, match=reason) as refused:
        open_page(data)
    assert refused.value.reason.endswith(".")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no markup",
        b"<div>" * 256,
        b"<p " + b"a " * 1_000_000 + b">x",
        b"<p " + b" ".join(b"a%d" % n for n in range(100_000)) + b">x",
        b"<!--" + b"-<!" * 50_000,
        b"&nbsp;" * 100_000,
        b"a" * LIMIT,
        b"<p>a" + "\u0301".encode() * 500_000,
        b"<plaintext><p>x",
        b"<script><!--<script></script>x",
        b"<table>" + b"<tr>x<td>y" * 200,
        b"<frameset><frame src=x></frameset>",
        b"<p hidden>" * 20_000,
        b"</p></div></body></html>",
        b"<svg><p>x",
    ],
    ids=range(16),
)
def test_an_odd_page_is_accepted_laid_out_and_shown(data):
    source = open_page(data).source
    layout = lay_out(source)
    assert len(render(source, layout).candidates) == len(layout.candidates)


def test_the_last_token_allowed_is_accepted():
    assert len(lay_out(open_page(b"word " * 60_000).source).tokens) == 60_000


def test_newlines_become_line_feeds_and_the_byte_order_mark_is_removed():
    assert open_page(b"\xef\xbb\xbfa\rb\r\nc\n").source == b"a\nb\nc\n"


def test_language_direction_and_title_are_read():
    page = open_page("<html lang=ar dir=RTL><title> Ein &amp; \n zwei é</title>".encode())
    assert (page.lang, page.dir, page.title) == ("ar", "rtl", "Ein & zwei é")


def test_an_invalid_language_or_direction_is_ignored():
    page = open_page(b"<html lang='\"><script>' dir=sideways><p>x")
    assert (page.lang, page.dir, page.title) == ("", "", "")


def test_the_title_of_a_drawing_is_not_the_title_of_the_page():
    assert open_page(b"<body><p>Text</p><svg><title>Drawing</title></svg>").title == ""


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("<p>a b</p></><p>c d</p>", "a b c d"),
        ("<p>a b</p></>tail word", "a b tail word"),
        ("<p>één</>twee</></>drie</></p></>", "één twee drie"),
        ("</><p>a</>&amp;</>b <i>c</></i></>d</p>", "a & b c d"),
        ("<p><</>/> x</p><p>y</p>", "< / > x y"),
        ("<title>no </> tag</title><p>a</></p>b", "no < / > tag a b"),
        ("<p title='</>'>a<!-- </> --></>b</p>", "a b"),
        ("<style></></style><p>a</p>", "a"),
        ("\n</>\n<table></>\n<tr></>\n<td></>a\n</></td></tr></table>", "a"),
    ],
)
def test_an_end_tag_without_a_name_is_ignored_wherever_it_is(page, words):
    source = open_page(page.encode()).source
    layout = lay_out(source)
    tokens = [token for token in layout.tokens if not token.html]
    assert " ".join(token.text for token in tokens) == words
    for token in tokens:
        assert source[token.start : token.end].decode() in (token.text, "&amp;")
    shown = render(source, layout)
    assert [shown.quote(n, n + 1) for n, _, _ in shown.words] == [layout.tokens[n].text for n, _, _ in shown.words]
