"""Raw questions with their pages: what a line may contain, and that a shared page is parsed once."""

import pytest

from annotation import html
from annotation.protocols.nq import formats
from annotation.protocols.nq.pages import LINE_ENDS
from tests.protocols.nq.builders import PAGE, Lines, read, read_item

LINE = {"question_text": "when was it lit", "document_html": PAGE}


def test_a_question_and_its_page_are_enough():
    incoming = read_item(LINE)
    (document,) = incoming.documents
    assert (incoming.kind, incoming.split, incoming.line) == ("example", "train", 1)
    assert incoming.payload == {"question_text": "when was it lit", "page_lang": "en"}
    assert document.source == PAGE.encode()
    assert document.layout == html.lay_out(PAGE.encode())
    assert (document.title, document.url, document.media_type) == ("Old lighthouse - Atlas", "", "text/html")


def test_a_line_may_state_everything_itself():
    incoming = read_item(
        LINE
        | {
            "example_id": -(2**63),
            "split": "dev",
            "document_title": "Lighthouse",
            "document_url": "https://example.org/?a=1&amp;b=2",
            "question_tokens": ["when", "was", "it", "lit"],
        }
    )
    assert (incoming.external_id, incoming.split) == ("-9223372036854775808", "dev")
    assert incoming.documents[0].title == "Lighthouse"
    assert incoming.documents[0].url == "https://example.org/?a=1&amp;b=2"
    assert incoming.payload["question_tokens"] == ["when", "was", "it", "lit"]


def test_the_split_that_was_asked_for_wins():
    assert read_item(LINE | {"split": "dev"}, split="test").split == "test"


def test_a_page_in_a_file_gives_the_same_item():
    line = {"question_text": "when was it lit", "document_file": "pages/a.html"}
    assert read_item(line, files={"pages/a.html": PAGE.encode()}) == read_item(LINE)


def test_a_generated_id_is_the_same_only_for_the_same_question_on_the_same_page():
    first = read_item(LINE).external_id
    assert -(2**63) <= int(first) < 2**63
    assert read_item(LINE | {"split": "dev", "document_title": "x"}).external_id == first
    assert read_item(LINE | {"question_text": "who lit it"}).external_id != first
    assert read_item(LINE | {"document_html": PAGE + "<p>more</p>"}).external_id != first


def test_a_page_that_many_lines_share_is_parsed_once(monkeypatch):
    cut = []

    def counted(source):
        cut.append(source)
        return take_in(source)

    take_in = html.take_in
    monkeypatch.setattr(html, "take_in", counted)
    pages = [PAGE.replace("oil", f"oil {number}") for number in range(20)]
    lines = [{"question_text": f"q{number}", "document_html": pages[number % 20]} for number in range(1000)]
    found = list(formats.read(Lines(*lines)))
    assert len(found) == 1000
    assert len({item.external_id for item in found}) == 1000
    assert sorted(cut) == sorted(page.encode() for page in pages)


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_newlines_of_a_page_become_line_feeds(newline):
    incoming = read_item(LINE | {"document_html": PAGE.replace("\n", newline)})
    assert incoming.documents[0].source == PAGE.encode()
    assert incoming.notes == (LINE_ENDS,)
    assert read_item(LINE | {"document_html": PAGE}).notes == ()


def test_a_refused_line_does_not_stop_the_others():
    found = read(LINE, {"question_text": "no page"}, LINE | {"question_text": "another"})
    assert [type(one).__name__ for one in found] == ["IncomingItem", "RefusedLine", "IncomingItem"]
    assert [one.line for one in found] == [1, 2, 3]


def test_a_page_in_another_encoding_is_converted_and_the_report_says_so():
    page = '<meta charset="windows-1252"><p>Das Café “Löwe” kostet 5 €.</p>'
    line = {"question_text": "what does it cost", "document_file": "a.html"}
    incoming = read_item(line, files={"a.html": page.encode("cp1252")})
    assert incoming.documents[0].source == page.encode()
    assert incoming.notes == ("Converted from windows-1252 to UTF-8.",)


@pytest.mark.parametrize("page", ["<title>Only a title</title>", "<p hidden>a b</p>", "<title>a</title><nav>b</nav>"])
def test_a_page_that_shows_no_word_is_refused_whatever_its_title(page):
    (found,) = read(LINE | {"document_html": page})
    assert (found.field, found.reason) == ("document_html", "The page has no visible words.")


def test_a_page_without_a_box_is_imported_with_a_note():
    incoming = read_item(LINE | {"document_html": "<div>It was lit in 1823.</div>"})
    assert incoming.notes == (
        "The page has no box: no paragraph, list or table with words. Nobody can choose a long answer on it.",
    )
