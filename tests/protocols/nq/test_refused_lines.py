"""Lines that can't be imported are refused by number and field, with a sentence that says why."""

import json

import pytest

from annotation.errors import ImportRefused
from annotation.parsing.incoming import RefusedLine
from annotation.parsing.sources import TOO_LONG
from tests.protocols.nq.builders import NULL, PAGE, annotation, original, read

LINE = {"question_text": "q", "document_html": PAGE}


def refused(line, **options):
    (found,) = read(line, **options)
    assert isinstance(found, RefusedLine), found
    assert found.line == 1
    return found.field, found.reason


def refused_published(record):
    return refused(record, name="nq-dev-00.jsonl.gz", published=True)


def test_a_truncated_line_says_where_and_inside_what():
    line = json.dumps(LINE).encode()[:200]
    assert refused(line) == ("document_html", "Cut off at byte 200. The JSON ends inside a string.")


@pytest.mark.parametrize(
    ("line", "field", "reason"),
    [
        ('{"question_text": "q", "question_tokens": ["a", ', "question_tokens", "inside a list."),
        ('{"question_text": "q"', "question_text", "inside an object."),
        ('{"question_text": "q", ', "", "inside an object."),
        ('{"question_text": "a \\" b', "question_text", "inside a string."),
        ('{"question_text": "a \\u00', "question_text", "inside a string."),
        ('{"split": {"a": [1, {"b": "c', "split", "inside a string."),
    ],
)
def test_every_place_where_a_line_can_end_is_named(line, field, reason):
    found = refused(line.encode())
    assert found[0] == field
    assert found[1] == f"Cut off at byte {len(line)}. The JSON ends {reason}"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"question_text": x, "split": "dev"}', "This is not JSON: a value is missing at byte 18."),
        (b"question: who", "This is not JSON: a value is missing at byte 0."),
        (b'{"question_text": "x" "split": "dev"}', "This is not JSON: a comma is missing at byte 22."),
        (
            b'{"question_text": "\\x", "split": "dev"}',
            "This is not JSON: a text has an escape that does not exist at byte 19.",
        ),
        (b'{"question_text": "x"} {}', "This is not JSON: more follows after its end at byte 23."),
        (b'{"question_text": "\xff"}', "Not UTF-8 at byte 19."),
        (b"[]", "The line is a list, not an object."),
        (b"null", "The line is null, not an object."),
        (TOO_LONG, "The line is over 64 MB."),
    ],
)
def test_broken_json_is_refused_as_a_whole(line, reason):
    assert refused(line) == ("", reason)


UNSTORABLE = "A string contains a NUL or an unpaired surrogate, at byte {}."


@pytest.mark.parametrize(
    ("line", "field", "reason"),
    [
        ('{"question_text": NaN}', "question_text", "NaN is not JSON, at byte 18."),
        ('{"é": [{"a": 1}, {"b": [0, -Infinity]}]}', "é[1].b[1]", "-Infinity is not JSON, at byte 28."),
        ('{"a": {"b": 1, "c": {"b": 2}, "b": 3}}', "a.b", "The key 'b' occurs twice, at byte 30."),
        ('{"a": "[{NaN", "question_text": "x\\ud800y"}', "question_text", UNSTORABLE.format(32)),
        ('{"a": "\\ud83d\\ude00", "b": ["", "\\u0000"]}', "b[1]", UNSTORABLE.format(32)),
        ('{"a": {"\\uDC00": 1}}', "a.\udc00", UNSTORABLE.format(7)),
        ('{"a": [1e999]}', "a[0]", "The number 1e999 is too large, at byte 7."),
        ('{"a": [[], 0.1, ' + "9" * 41 + "]}", "a[2]", "A number has 41 digits, at byte 16."),
    ],
)
def test_a_value_that_json_does_not_allow_is_named_by_its_field_and_byte(line, field, reason):
    assert refused(line.encode()) == (field, reason)
    assert line.encode()[int(reason.split()[-1].rstrip("."))] in b'"-N19'


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"question": "q"}, "question", "There is no such field."),
        ({"question_text": 1}, "question_text", "This is an integer, not text."),
        ({"question_text": "  "}, "question_text", "The question is empty."),
        ({"question_text": "\u200b ?"}, "question_text", "The question is empty."),
        ({"question_text": "x" * 10_001}, "question_text", "10,001 characters; the limit is 10,000."),
        ({"question_tokens": ["x" * 10_001]}, "question_tokens[0]", "10,001 characters; the limit is 10,000."),
        ({"document_url": "x" * 10_001}, "document_url", "10,001 characters; the limit is 10,000."),
        ({"example_id": 2**63}, "example_id", "does not fit a signed 64-bit integer"),
        ({"example_id": "5"}, "example_id", "This is text, not an integer."),
        ({"example_id": True}, "example_id", "This is true or false, not an integer."),
        ({"question_tokens": ["a", None]}, "question_tokens[1]", "This is null, not text."),
        ({"split": "../dev"}, "split", "A split name has"),
        ({"document_title": None}, "document_title", "This is null, not text."),
        ({"document_file": "a.html"}, "document_file", "given twice"),
        ({"document_html": "<p></p>"}, "document_html", "no visible words"),
        ({"document_html": "a\x01" * 3 * 2**20}, "document_html", "the limit is 4,194,304"),
    ],
)
def test_a_raw_field_is_refused_by_name(change, field, words):
    found = refused(LINE | change)
    assert found[0] == field
    assert words in found[1]


def test_a_raw_line_needs_its_question_its_page_and_the_file_it_names():
    assert refused({"document_html": PAGE}) == ("question_text", "The field is missing.")
    assert refused({"question_text": "q"}) == ("document_html", "The field is missing.")
    line = {"question_text": "q", "document_file": "b.html"}
    assert refused(line) == ("document_file", "There is no file b.html.")
    assert refused(line, files={"b.html": b"\xff\xfe"})[0] == "document_file"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"annotations": [annotation(-1)]}, "annotations[0].annotation_id"),
        ({"annotations": [annotation(2**64)]}, "annotations[0].annotation_id"),
        ({"annotations": [annotation("7")]}, "annotations[0].annotation_id"),
        ({"annotations": [annotation(), annotation()]}, "annotations[1].annotation_id"),
        ({"annotations": [annotation(yes_no="MAYBE")]}, "annotations[0].yes_no_answer"),
        ({"annotations": [annotation(long=NULL | {"end_token": "1"})]}, "annotations[0].long_answer.end_token"),
        ({"annotations": [annotation(long=NULL | {"end_byte": None})]}, "annotations[0].long_answer.end_byte"),
        ({"annotations": [annotation(shorts=[{"start_token": 1}])]}, "annotations[0].short_answers[0].end_token"),
        ({"annotations": [annotation(shorts=[3])]}, "annotations[0].short_answers[0]"),
        ({"annotations": [annotation(extra=2**64)]}, "annotations[0].extra"),
        ({"annotations": None}, "annotations"),
        ({"document_tokens": [{"token": "a", "html_token": 0}]}, "document_tokens[0].html_token"),
        ({"long_answer_candidates": [[]]}, "long_answer_candidates[0]"),
        ({"document_html": 5}, "document_html"),
        ({"example_id": 1.0}, "example_id"),
        ({"question_text": ""}, "question_text"),
        ({"question_text": "x" * 10_001}, "question_text"),
        ({"document_tokens": [{"token": "x" * 1_000_001}]}, "document_tokens[0].token"),
        ({"more": {"deep": [10**30]}}, "more"),
        ({"more": {"deep": [-1e16]}}, "more"),
    ],
)
def test_a_malformed_published_field_is_refused_by_name(change, field):
    assert refused_published(original(**change))[0] == field


def test_a_published_line_must_be_original_or_simplified():
    assert "neither document_html" in refused_published({"question_text": "q", "example_id": 1})[1]


def test_a_simplified_candidate_outside_the_text_is_refused():
    record = {"question_text": "q", "example_id": 1, "document_text": "a b", "annotations": []}
    record["long_answer_candidates"] = [{"start_token": 0, "end_token": 3, "top_level": True}]
    assert refused_published(record) == ("long_answer_candidates", "Tokens 0 to 3 are not among the page's 2.")


@pytest.mark.parametrize(
    ("name", "split"),
    [
        ("nq-dev-00.jsonl.gz", "dev"),
        ("simplified-nq-train.jsonl.gz", "train"),
        ("v1.0-simplified_simplified-nq-train.jsonl.gz", "train"),
        ("nq-dev-all.jsonl", "dev"),
        ("folder-nq-test/nq-train-49.jsonl.gz", "train"),
    ],
)
def test_the_split_stands_in_the_name_of_a_published_file(name, split):
    (found,) = read(original(), name=name, published=True)
    assert found.split == split


def test_a_published_file_with_another_name_needs_its_split_stated():
    (found,) = read(original(), name="mine.jsonl", published=True, split="dev")
    assert found.split == "dev"
    with pytest.raises(ImportRefused, match=r"mine\.jsonl does not say which split"):
        read(original(), name="mine.jsonl", published=True)
