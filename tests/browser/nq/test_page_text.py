"""In Chromium a rendered page has the text, words and boxes that the server says it has, and nothing runs."""

from __future__ import annotations

import pytest

from annotation.html import cut, lay_out, open_page, render
from annotation.html.rendering import squeeze
from tests.annotation.html.pages import random_page, real_and_hard
from tests.annotation.html.payloads import PAYLOADS

EVERY = 25
"""One of so many boxes is shown alone: pages have hundreds."""
WORDS = """words => {
    const texts = [], walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    let at = 0;
    while (walker.nextNode()) { texts.push([at, walker.currentNode]); at += walker.currentNode.length; }
    const place = offset => {
        let low = 0, high = texts.length - 1;
        while (low < high) {
            const half = (low + high + 1) >> 1;
            if (texts[half][0] <= offset) low = half; else high = half - 1;
        }
        return [texts[low][1], offset - texts[low][0]];
    };
    return words.map(([, start, end]) => {
        const range = document.createRange();
        const [first, from] = place(start), [last, to] = place(end - 1);
        range.setStart(first, from);
        range.setEnd(last, to + 1);
        return range.toString();
    });
}"""
BOXES = """() => Object.fromEntries(
    [...document.querySelectorAll("main [data-c]")].map(box => [box.dataset.c, box.textContent]))"""


@pytest.fixture
def tab(browser):
    """A tab that counts its network requests and refuses them."""
    opened = browser.new_page()
    opened.asked = []
    opened.route("**/*", lambda route: (opened.asked.append(route.request.url), route.abort()))
    yield opened
    opened.close()


def show(tab, html: str) -> None:
    tab.set_content(f'<!DOCTYPE html><html><head><meta charset="utf-8"></head><body><main>{html}</main></body></html>')


def text(tab) -> str:
    return tab.evaluate('document.querySelector("main").textContent')


def test_text_boxes_and_words_of_real_pages_are_as_rendered(tab, shared):
    for source, layout in real_and_hard(shared):
        rendering = render(source, layout)
        show(tab, rendering.html)
        assert text(tab) == rendering.text
        boxes = tab.evaluate(BOXES)
        assert len(boxes) == len(layout.candidates)
        for index, candidate in enumerate(layout.candidates):
            shown = squeeze(boxes[str(index)])
            assert shown == cut(source, candidate.start_byte, candidate.end_byte)
        assert tab.evaluate(WORDS, rendering.words) == [rendering.cut(start, end) for _, start, end in rendering.words]


def test_each_box_alone_is_as_rendered(tab, shared):
    for source, layout in real_and_hard(shared):
        for index in range(0, len(layout.candidates), EVERY):
            candidate = layout.candidates[index]
            part = render(source, layout, root=index)
            show(tab, part.html)
            assert text(tab) == part.text
            assert squeeze(tab.evaluate(BOXES)[str(index)]) == cut(source, candidate.start_byte, candidate.end_byte)


@pytest.mark.in_test_all(shown_by="tests/browser/nq/test_page_text.py::test_each_box_alone_is_as_rendered")
def test_random_pages_are_as_rendered(tab):
    for seed in range(200):
        source = open_page(random_page(seed)).source
        layout = lay_out(source)
        rendering = render(source, layout)
        show(tab, rendering.html)
        assert text(tab) == rendering.text, seed
        boxes = tab.evaluate(BOXES)
        for index, candidate in enumerate(layout.candidates):
            assert squeeze(boxes[str(index)]) == cut(source, candidate.start_byte, candidate.end_byte), seed


def test_no_payload_runs_or_requests_anything(tab):
    alarms = []
    tab.on("dialog", lambda dialog: (alarms.append(dialog.message), dialog.dismiss()))
    for payload in [*PAYLOADS, "".join(PAYLOADS)]:
        source = open_page(f"<p>a</p>{payload}<p>b</p>".encode()).source
        show(tab, render(source, lay_out(source)).html)
        tab.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    assert (alarms, tab.asked) == ([], [])


def test_the_control_a_raw_payload_is_noticed(tab):
    alarms = []
    tab.on("dialog", lambda dialog: (alarms.append(dialog.message), dialog.dismiss()))
    show(tab, "<img src=http://evil.example/x onerror=alert(1)>")
    tab.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    tab.wait_for_load_state("load")
    assert tab.asked == ["http://evil.example/x"]
    assert alarms == ["1"]
