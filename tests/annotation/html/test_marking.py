"""Boxes and words that people chose are marked in the page, with letters, and the page stays what it was."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from annotation.html import lay_out, render, with_marks
from tests.annotation.html.pages import HARD

SOURCE = (
    "<p>Trade <b>winds</b> &amp; calms\xa0\U0001f600 blow.</p>"
    "<table><tr><td>Height</td>\n<td>26 m</td></tr></table><ul><li>One</li><li>Two</li></ul>"
).encode()
LAYOUT = lay_out(SOURCE)
RENDERING = render(SOURCE, LAYOUT)
KINDS = {box.kind: box.index for box in reversed(RENDERING.candidates)}


class Reader(HTMLParser):
    """The text of a page without labels, the words in marks by their letters, and the open elements at each label."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text, self.marked, self.labels, self._open = "", [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self._open.append((tag, dict(attrs)))
        if tag == "mark":
            self.marked.append((dict(attrs)["data-by"], ""))

    def handle_endtag(self, tag):
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if ("b", {"class": "by"}) in self._open:
            self.labels.append((data, self._open[-2][0] if len(self._open) > 1 else ""))
            return
        self.text += data
        if any(tag == "mark" for tag, _attrs in self._open):
            letters, words = self.marked.pop()
            self.marked.append((letters, words + data))


def tokens(text):
    """The range of tokens of these words."""
    words = [(token, RENDERING.cut(start, end)) for token, start, end in RENDERING.words]
    wanted = text.split()
    for place in range(len(words)):
        if [word for _token, word in words[place : place + len(wanted)]] == wanted:
            return words[place][0], words[place + len(wanted) - 1][0] + 1
    raise LookupError(text)


def test_the_words_of_each_answer_are_marked_also_across_elements_and_where_they_overlap():
    page = with_marks(RENDERING, {}, [(tokens("Trade winds"), "A"), (tokens("winds & calms"), "B")])
    assert Reader(page).marked == [("A", "Trade "), ("A B", "winds"), ("B", " & calms")]
    assert re.findall(r'data-end="([^"]*)"', page) == ["A", "B"]


def test_what_stands_after_a_character_of_two_units_is_marked_where_it_is():
    assert Reader(with_marks(RENDERING, {}, [(tokens("blow"), "A")])).marked == [("A", "blow")]


def test_a_box_has_the_letters_of_those_who_chose_it_where_html_allows_them():
    page = with_marks(RENDERING, {KINDS["P"]: "A B", KINDS["Tr"]: "C", KINDS["Ul"]: "D", KINDS["Table"]: "E"}, [])
    assert Reader(page).labels == [("A B", "p"), ("E", ""), ("C", "td"), ("D", "")]
    assert re.findall(r'data-by="([^"]*)"', page) == ["A B", "E", "C", "D"]
    chosen = with_marks(RENDERING, {KINDS["P"]: "A"}, [], chosen=KINDS["P"])
    assert '<p data-c="0" id="chosen" data-chosen data-by="A"><b class="by">A</b>' in re.sub(
        r" data-top(=\"\")?", "", chosen
    )


def test_no_white_space_between_the_cells_of_a_table_is_marked():
    page = with_marks(RENDERING, {}, [(tokens("Height 26 m"), "A")])
    assert [words for _letters, words in Reader(page).marked] == ["Height", "26 m"]


@pytest.mark.parametrize("spans", [[], [((0, 10**6), "A")], [((10**6, 10**6 + 1), "A")]])
def test_the_text_of_a_hard_page_stays_as_it_was(spans):
    source = HARD.encode()
    rendering = render(source, lay_out(source))
    marked = with_marks(rendering, {box.index: "A" for box in rendering.candidates}, spans)
    assert Reader(marked).text == rendering.text
    if not spans:
        assert re.sub(r'<b class="by">A</b>| data-by="A"', "", marked) == rendering.html
