"""A page generated from a simplified record keeps the record's tokens and can be shown and cut."""

from __future__ import annotations

import json

import pytest

from annotation.documents.layout import Candidate
from annotation.html import check_layout, cut, open_page, render, synthesise


def nowhere(start: int, end: int, *, top: bool = True) -> Candidate:
    return Candidate(-1, -1, start, end, top)


def test_the_published_simplified_example_is_shown_with_the_same_tokens_and_candidates(shared):
    record = json.loads((shared / "nq" / "simplified-1example.json").read_text())
    tokens = record["document_text"].split(" ")
    candidates = [nowhere(c["start_token"], c["end_token"]) for c in record["long_answer_candidates"]]
    source, layout = synthesise(tokens, candidates)
    assert open_page(source).source == source
    assert check_layout(source, layout) == []
    assert [token.text.replace(" ", "_") for token in layout.tokens] == tokens
    assert [(c.start_token, c.end_token) for c in layout.candidates] == [
        (c.start_token, c.end_token) for c in candidates
    ]
    rendering = render(source, layout)
    assert [box.kind for box in rendering.candidates] == ["P"] * 10
    assert rendering.candidates[0].excerpt.startswith("The trade winds are the prevailing pattern of easterly surface")
    for candidate in layout.candidates:
        assert cut(source, candidate.start_byte, candidate.end_byte) == rendering.quote(
            candidate.start_token, candidate.end_token
        )


def test_every_word_of_a_generated_page_cuts_to_itself():
    tokens = [
        "T",
        "<P>",
        "a",
        "<b>",
        "&amp;",
        "``",
        "é\U0001f600",
        "a<b",
        "</P>",
        "<Table>",
        "<Tr>",
        '<Th_colspan="2">',
    ]
    tokens += ["x", "</Th>", "</Tr>", "</Table>"]
    source, layout = synthesise(tokens, [nowhere(1, 9), nowhere(9, 16), nowhere(10, 15, top=False)])
    rendering = render(source, layout)
    for index in (2, 3, 4, 5, 6, 7, 12):
        token = layout.tokens[index]
        assert cut(source, token.start, token.end) == tokens[index] == rendering.quote(index, index + 1)
    assert [box.kind for box in rendering.candidates] == ["P", "Table", "Tr"]
    assert '<th colspan="2">' in rendering.html


def test_words_before_the_first_tag_are_the_title():
    source, layout = synthesise(["A", "title", "<P>", "text", "</P>"], [])
    assert open_page(source).title == "A title"
    assert not render(source, layout).shows(0)


def test_a_record_without_tags_or_tokens_gives_a_page_too():
    assert render(*synthesise(["just", "words"], [])).html.strip() == ""
    assert render(*synthesise([], [])).html.strip() == ""


def test_a_candidate_outside_the_tokens_is_refused():
    with pytest.raises(ValueError, match="no tokens 1 to 9"):
        synthesise(["<P>", "a", "</P>"], [nowhere(1, 9)])
