"""Pages whose published layout or display does not match: refused in words, never a crash, never another text."""

import dataclasses

import pytest

from annotation import html
from annotation.documents.layout import Candidate, Layout
from annotation.html import sanitizer
from annotation.parsing.incoming import IncomingDocument, IncomingItem, RefusedLine
from annotation.protocols.nq import formats
from annotation.protocols.nq.pages import Pages, ParsedPage
from annotation.protocols.nq.scoring import compare
from annotation.values.records import ReleaseRecord
from tests.protocols.nq.builders import (
    GOOD,
    NULL,
    annotation,
    annotations_of,
    box_where,
    item_of,
    original,
    parsed,
    problems_at,
    published,
    raw_item,
    read,
    round_trip,
    spans_of,
)

HIDDEN = '<html><body><p>Seen.</p><p style="display:none">Unseen words.</p></body></html>'
UNFAITHFUL = "The page is built in a way that cannot be shown faithfully."


def codes(item, stage, payload, *before):
    said = (parsed("question", GOOD), *(parsed("long_answer", box) for box in before))
    return [problem.code for problem in problems_at(stage, parsed(stage, payload).payload, item, said)]


def with_candidate(record, start, end):
    """The record with a box over the bytes of a piece of its page and over no more than one token."""
    box = {"start_byte": start, "end_byte": end, "start_token": 0, "end_token": 1, "top_level": True}
    return record | {"long_answer_candidates": [*record["long_answer_candidates"], box]}


def test_a_box_that_the_page_hides_cannot_be_chosen():
    (record,) = formats.write("nq", [ReleaseRecord(raw_item(HIDDEN, example_id=1))])
    at = HIDDEN.index("<p style")
    item = item_of(published(with_candidate(record, at, HIDDEN.index("</body>"))))
    for quote in ("", "Unseen words."):
        chosen = {"kind": "box", "candidate": 1, "quote": quote}
        assert codes(item, "long_answer", chosen) in (["not_shown"], ["other_text"])


def test_a_box_must_match_on_the_screen_and_in_the_bytes():
    item, other = raw_item(), raw_item(HIDDEN.replace("Seen", "Something else is said here"))
    box = box_where(item, "The old lighthouse")
    short = spans_of(item, box, "25 July 1823")
    shown = other.documents[0].rendering(0)
    document = dataclasses.replace(item.documents[0], load_rendering=lambda *address: shown)
    changed = dataclasses.replace(item, documents=(document,))
    assert codes(changed, "long_answer", box) == ["not_as_shown"]
    assert codes(changed, "short_answer", short, box) == ["not_as_shown"]


def test_a_layout_that_does_not_fit_its_page_is_kept_and_noted():
    record = with_candidate(original(), 10**9, 10**9 + 5)
    record["document_tokens"][9]["end_byte"] = 10**9
    incoming = published(record)
    assert round_trip(record) == record
    assert any("outside the page" in note for note in incoming.notes)
    item = item_of(incoming)
    beyond = {"kind": "box", "candidate": len(record["long_answer_candidates"]) - 1, "quote": "x"}
    assert codes(item, "long_answer", beyond) == ["other_text"]


@pytest.mark.parametrize(
    ("given", "note"),
    [
        ({"long": NULL | {"candidate_index": 99}}, "the long answer is not one of the page's candidates."),
        ({"yes_no": "yes"}, "the yes/no label is not in capitals."),
        ({"yes_no": "YES"}, "it has a short answer but no long answer."),
        (
            {"shorts": [{"start_token": 5, "end_token": 99999}]},
            "short answer 1: its tokens are not a range of the page.",
        ),
        ({"shorts": [{"start_token": 8, "end_token": 10}]}, "short answer 1: it begins or ends at a tag."),
        (
            {
                "long": NULL | {"candidate_index": 0, "start_token": 8, "end_token": 9},
                "shorts": [{"start_token": -1, "end_token": -1}],
            },
            "short answer 1: it is not inside the long answer.",
        ),
    ],
)
def test_each_oddity_of_a_published_annotation_is_noted(given, note):
    record = original(annotations=[annotation(**given)])
    incoming = published(record)
    assert f"Annotation 7: {note}" in incoming.notes
    assert round_trip(record) == record


@pytest.fixture
def faithless(monkeypatch):
    """Make every page read back differently than it was written."""
    monkeypatch.setattr(sanitizer, "clean", lambda page: page + "!")


def test_a_page_that_cannot_be_shown_is_refused_raw_and_noted_published(faithless):
    (found,) = read({"question_text": "q", "document_html": HIDDEN})
    assert (found.field, found.reason) == ("document_html", UNFAITHFUL)
    layout = html.lay_out(HIDDEN.encode())
    cut = Pages().original(HIDDEN.encode(), layout)
    assert cut.notes == (f"This page can't be shown. {UNFAITHFUL}",)


def test_a_box_that_cannot_be_shown_cannot_be_chosen(faithless):
    item = raw_item_without_rendering()
    assert codes(item, "long_answer", {"kind": "box", "candidate": 0, "quote": "Seen."}) == ["not_shown"]


def raw_item_without_rendering():
    layout = html.lay_out(HIDDEN.encode())
    document = IncomingDocument(HIDDEN.encode(), "text/html", layout)
    return item_of(IncomingItem(1, "example", "1", "train", {"question_text": "q"}, (document,)))


WORDS = "word " * 60_001
BEYOND_RAW = {
    "nested deep": "<p>" + "<div>" * 300 + "a" + "</div>" * 300,
    "many tokens": f"<html lang=cy><p>{WORDS}</p>",
    "many bytes": "<html lang=cy><p>It was lit in 1823.</p><!--" + "x" * 4 * 2**20 + "-->",
    "many tags": "<p>It was lit in 1823.</p>" + "<br>" * 200_001,
}


@pytest.mark.parametrize("page", BEYOND_RAW.values(), ids=BEYOND_RAW)
def test_a_published_page_over_a_limit_of_raw_pages_is_kept_with_its_annotations(page):
    tokens = [{"token": "It", "start_byte": 17, "end_byte": 19, "html_token": False}]
    record = original(document_html=page, document_tokens=tokens * (60_001 if WORDS in page else 1))
    incoming = published(record)
    assert "This page can't be shown." in " ".join(incoming.notes)
    assert incoming.payload.get("page_lang", "") == ("cy" if "lang" in page else "")
    assert round_trip(record) == record
    (raw,) = read({"question_text": "q", "document_html": page})
    assert isinstance(raw, RefusedLine)


def test_a_published_layout_over_the_limit_is_not_shown_even_if_its_page_has_few_words():
    tokens = original()["document_tokens"]
    record = original(document_tokens=tokens * (60_000 // len(tokens) + 1))
    incoming = published(record)
    assert any(note.endswith("tokens; the limit is 60,000.") for note in incoming.notes)
    with pytest.raises(html.PageRefused, match="the limit is 60,000"):
        item_of(incoming).documents[0].rendering()


def test_a_simplified_text_over_the_limit_is_kept_with_its_annotations():
    record = {"question_text": "q", "example_id": 1, "document_url": "", "document_text": WORDS.strip()}
    record |= {"long_answer_candidates": [], "annotations": []}
    incoming = published(record)
    assert incoming.notes == ("This page can't be shown. The page has more tokens than the limit, 60,000.",)
    assert round_trip(record, "nq-simplified") == record


def test_the_cache_of_pages_is_bounded_and_evicts_the_oldest():
    made = []

    def cut(name):
        made.append(name)
        return ParsedPage(b"x" * 40, Layout("goldfinch/1", (), (Candidate(0, 1, 0, 1, True),)))

    pages = Pages(kept_bytes=500)
    for name in (b"a", b"b", b"a", b"c", b"a", b"b"):
        pages.get(name, lambda name=name: cut(name))
    assert made == [b"a", b"b", b"c", b"b"]


def test_published_answers_without_a_box_are_compared_by_their_tokens():
    def record(start):
        long = NULL | {"start_token": start, "end_token": 30}
        return annotations_of(published(original(annotations=[annotation(long=long)])))[0]

    assert compare("annotate", record(8), record(8)) == 1
    assert compare("annotate", record(8), record(9)) == 0
