"""Our Markdown texts: the anchors of headings."""

from __future__ import annotations

import pytest

from frontend.markdown import as_html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("## Stage 1: the question {#question}", '<h2 id="question">Stage 1: the question</h2>\n'),
        ("## The long answer", '<h2 id="the-long-answer">The long answer</h2>\n'),
        ("##", "<h2></h2>\n"),
    ],
)
def test_a_heading_has_the_anchor_that_it_states_or_one_made_of_its_words(text, html):
    assert as_html(text) == html
