"""Passages to talk about, one on each line, with their text in the line or in a file beside it."""

import pytest

from annotation.errors import ImportRefused
from tests.protocols.coqa.builders import STORY, dialogue, read


def line(**fields):
    return {"id": "p1", "domain": "wikipedia", "story": STORY} | fields


def one(record, **options):
    [found] = read([record], name="passages.jsonl", **options)
    return found


def test_a_line_has_a_domain_and_a_text_under_either_name():
    item = one(line())
    assert (item.kind, item.external_id, item.split) == ("passage", "p1", "train")
    assert item.payload == {"source": "wikipedia", "filename": "p1"}
    assert item.documents[0].source.decode() == STORY
    assert item.notes == ()
    also = one({"id": "p1", "source": "wikipedia", "text": STORY, "filename": "Skerrow.txt"})
    assert also.payload == {"source": "wikipedia", "filename": "Skerrow.txt"}
    assert also.documents[0].source.decode() == STORY


def test_the_split_of_a_line_comes_before_the_one_of_the_file():
    assert one(line(split="dev"), split="test").split == "dev"
    assert one(line(), split="test").split == "test"
    assert read([line()], name="dev.jsonl")[0].split == "dev"


def test_the_text_may_be_in_a_file_whose_line_ends_are_made_the_same():
    beside = {"texts/a.txt": b"\xef\xbb\xbfOne.\r\n\r\nTwo \xf0\x9f\xa6\x8a.\r\n"}
    item = one({"id": "p1", "domain": "news", "file": "texts/a.txt"}, beside=beside)
    assert item.documents[0].source.decode() == "One.\n\nTwo 🦊."
    assert item.payload["filename"] == "texts/a.txt"


def test_title_address_and_licence_belong_to_the_text_and_are_released():
    about = {"title": "Skerrow", "url": "https://example.org", "licence": "CC BY 4.0"}
    item = one(line(**about))
    document = item.documents[0]
    assert {"title": document.title, "url": document.url, "licence": document.licence} == about
    assert item.payload["fields"] == about


def test_a_text_from_elsewhere_is_noted():
    [note] = one(line(domain="blogs")).notes
    assert note == "Passage p1: the official script does not know the source “blogs”; score it with --domains."


REFUSED = {
    "two texts": (line(text="x"), "text"),
    "two domains": (line(source="x"), "domain"),
    "no text": ({"id": "p1", "domain": "x"}, "story"),
    "an empty text": (line(story=" \n"), "story"),
    "no domain": ({"id": "p1", "story": "x"}, "source"),
    "an empty domain": (line(domain=" "), "domain"),
    "a number as id": (line(id=5), "id"),
    "a split that is no name": (line(split="Dev set"), "split"),
    "a licence that is too long": (line(licence="x" * 201), "licence"),
    "no such file": ({"id": "p1", "domain": "x", "file": "b.txt"}, "file"),
    "a file in another encoding": ({"id": "p1", "domain": "x", "file": "latin.txt"}, "file"),
    "an empty file": ({"id": "p1", "domain": "x", "file": "empty.txt"}, "file"),
}


@pytest.mark.parametrize(("record", "field"), REFUSED.values(), ids=REFUSED.keys())
def test_a_wrong_line_is_refused_with_the_name_of_the_field(record, field):
    beside = {"latin.txt": b"caf\xe9", "empty.txt": b"\n"}
    good, bad = read([line(), record], name="passages.jsonl", beside=beside)
    assert good.external_id == "p1"
    assert (bad.line, bad.field) == (2, field)


def test_a_file_is_refused_if_it_is_empty_or_in_another_layout():
    with pytest.raises(ImportRefused, match="has no passage"):
        read([], name="passages.jsonl")
    with pytest.raises(ImportRefused, match="a list 'data'"):
        read({"dialogues": [dialogue()]}, name="passages.json")
