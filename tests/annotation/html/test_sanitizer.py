"""Nothing of a page gets into its rendering except text and a few harmless elements."""

from __future__ import annotations

import re

import pytest
import turbohtml

from annotation.html import lay_out, open_page, render, sanitizer
from tests.annotation.html.pages import random_page
from tests.annotation.html.payloads import PAYLOADS

ATTRIBUTES = {"lang", "dir", "class", "data-c", "data-i", "id", "role", "aria-label", "aria-hidden", "aria-level"}
ATTRIBUTES |= {"colspan", "rowspan", "span", "scope", "start", "reversed", "type", "value"}
VALUES = {
    "class": r"gf-[a-z]+( gf-[a-z]+)*",
    "id": r"gf-h\d+",
    "data-c": r"\d+",
    "data-i": r"\d+",
    "role": r"img|heading",
    "aria-hidden": r"true",
    "aria-level": r"[1-6]",
    "lang": r"[A-Za-z0-9-]+",
    "dir": r"ltr|rtl|auto",
    "scope": r"row|col|rowgroup|colgroup",
    "type": r"[1aAiI]",
    "reversed": r"",
}


def show(source: str) -> str:
    data = open_page(source.encode()).source
    return render(data, lay_out(data)).html.strip()


def check_harmless(html: str) -> None:
    """Parse a fragment as a browser does and check everything in it."""
    for element in turbohtml.parse(f"<!DOCTYPE html><body><main>{html}</main>").find("main").find_all():
        assert element.tag in sanitizer.ELEMENTS, html
        for name, value in element.attrs.items():
            value = " ".join(value) if isinstance(value, list) else value or ""
            assert name in ATTRIBUTES, html
            assert name == "aria-label" or re.fullmatch(VALUES.get(name, r"-?\d+"), value), html


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_comes_out_harmless(payload):
    for source in (payload, f"<p>a {payload} b</p>", f"<table><tr><td>{payload}</table>", f"<!DOCTYPE html>{payload}x"):
        html = show(source)
        check_harmless(html)
        assert sanitizer.clean(html) == html


def test_all_payloads_together_come_out_harmless():
    check_harmless(show("".join(PAYLOADS)))
    check_harmless(show("".join(reversed(PAYLOADS))))


def test_payloads_split_and_mixed_come_out_harmless():
    for seed in range(300):
        page = random_page(seed).decode()
        payload = PAYLOADS[seed % len(PAYLOADS)]
        cut = seed % len(page)
        check_harmless(show(page[:cut] + payload + page[cut:] + payload[: seed % len(payload)]))


def test_the_second_sanitizer_alone_removes_what_is_not_ours():
    for payload in PAYLOADS:
        check_harmless_but_for_ids(sanitizer.clean(payload))


def check_harmless_but_for_ids(html: str) -> None:
    for element in turbohtml.parse(f"<!DOCTYPE html><body><main>{html}</main>").find("main").find_all():
        assert element.tag in sanitizer.ELEMENTS, html
        assert set(element.attrs) <= ATTRIBUTES, html


def test_incoming_data_attributes_are_dropped_and_ours_number_the_candidates():
    html = show('<p data-c="9" data-hx-get="/x">a</p><ul data-c=0><li>b</li></ul>')
    assert html.replace("\n", "") == '<p data-c="0">a</p><ul data-c="1"><li data-c="2">b</li></ul>'


def test_links_do_not_navigate_and_identifiers_and_unknown_classes_are_removed():
    html = show('<p id=x class="btn hatnote"><a href="/y" id=z class=external>link</a> <font color=red>text</font></p>')
    assert html == '<p class="gf-hatnote" data-c="0">link text</p>'


def test_images_and_formulas_are_empty_and_give_their_text_to_assistive_technology_only():
    html = show('<p>a<img src=x alt="q &quot;é&quot;"><math alttext="x &lt; 2"><mi>x</mi></math><img src=y alt=""></p>')
    assert html == (
        '<p data-c="0">a<span class="gf-image" data-i="4" role="img" aria-label="q &quot;é&quot;"></span>'
        '<span class="gf-formula" role="img" aria-label="x &lt; 2"></span>'
        '<span class="gf-image" data-i="80" aria-hidden="true"></span></p>'
    )


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("<td colspan=2 rowspan=3 width=9>a", '<td colspan="2" rowspan="3">'),
        ("<th scope=ROW colspan=0>a", '<th scope="row">'),
        ("<td colspan=99999>a", '<td colspan="1000">'),
        ("<td colspan=-2 rowspan=x>a", "<td>"),
        ("<td lang=pt-BR dir=RTL>a", '<td lang="pt-BR" dir="rtl">'),
    ],
)
def test_attributes_are_kept_with_checked_values(source, kept):
    assert kept in show(f"<table><tr>{source}</table>")


@pytest.mark.parametrize(
    "hidden",
    [
        '<div style="display:none">x</div>',
        "<p hidden>x</p>",
        '<div class="a noprint">x</div>',
        "<script>x</script>",
        "<style>x</style>",
        "<!-- x -->",
        '<div id="toc">x</div>',
        '<span class="mw-editsection">x</span>',
        '<li style="display:none">x<li>',
        "<dialog hidden>x</dialog>",
        "<button>x</button>",
    ],
)
def test_what_is_hidden_is_not_in_the_rendering(hidden):
    assert "x" not in show(f"<p>a</p>{hidden}<p>b</p>").replace("aria-hidden", "")
