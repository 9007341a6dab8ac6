"""Our Markdown texts: the anchors of headings, the list of contents."""

from __future__ import annotations

import re

import pytest

from annotation import registry
from frontend.markdown import document, first_line_in_plain_text


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("## Stage 1: the question {#question}", '<h2 id="question">Stage 1: the question</h2>\n'),
        ("## The long answer", '<h2 id="the-long-answer">The long answer</h2>\n'),
        ("##", "<h2></h2>\n"),
    ],
)
def test_a_heading_has_the_anchor_that_it_states_or_one_made_of_its_words(text, html):
    assert document(text).html == html


def test_a_text_has_its_title_and_a_list_of_its_sections():
    shown = document("# Guidelines\n\nRead *this*.\n\n## The *long* answer {#long}\n\n### Boxes\n\n## Rows\n")
    assert shown.title == "Guidelines"
    assert "<h1" not in shown.html
    assert "Read <em>this</em>." in shown.html
    assert shown.contents == (("long", "The long answer"), ("rows", "Rows"))


@pytest.mark.parametrize("protocol", registry.all_protocols(), ids=lambda protocol: protocol.key)
def test_every_column_of_a_table_in_the_guidelines_has_a_heading(protocol):
    shown = document(protocol.guideline()).html
    assert re.findall(r"<th[^>]*></th>", shown) == []


def test_code_that_may_be_too_wide_takes_the_focus_so_that_keys_scroll_it():
    assert document("```\n<pre>\n```\n").html == '<pre tabindex="0"><code>&lt;pre&gt;\n</code></pre>\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Is a *caption* **evidence**?", "Is a caption evidence?"),
        ("The paper says:\n\n> We cover `four` languages.", "The paper says:"),
        ("One line\nand the next", "One line and the next"),
        ("", ""),
    ],
)
def test_the_beginning_of_a_text_is_said_without_its_marks(text, said):
    assert first_line_in_plain_text(text) == said
