"""A published page keeps its carriage returns; people are shown newlines, and byte offsets stay the same."""

from __future__ import annotations

import pytest

from annotation import html
from annotation.documents.layout import Candidate, Layout, Token

PAGE = b"<P>One\r\ntwo\rthree <B>four</B>\r\n</P>"


@pytest.fixture
def layout() -> Layout:
    words = [(word, PAGE.index(word), PAGE.index(word) + len(word)) for word in (b"One", b"two", b"three", b"four")]
    tokens = [Token(word.decode(), start, end, False) for word, start, end in words]
    end = len(PAGE)
    tokens = (Token("<P>", 0, 3, True), *tokens, Token("</P>", end - 4, end, True))
    return Layout("published", tokens, (Candidate(0, end, 0, 6, True),))


def test_the_page_is_shown(layout):
    assert html.render(PAGE, layout).quote(1, 5) == "One two three four"


def test_every_span_is_cut_from_the_original_bytes(layout):
    rendering = html.render(PAGE, layout)
    for start in range(1, 5):
        for end in range(start + 1, 6):
            first, last = layout.tokens[start], layout.tokens[end - 1]
            assert html.cut(PAGE, first.start, last.end) == rendering.quote(start, end)
