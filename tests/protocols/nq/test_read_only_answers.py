"""What readers of an answer are shown: our answers and published ones alike."""

import html

import pytest
from django.template.loader import render_to_string

from annotation.protocols.nq import rules, schemas
from tests.protocols.nq.builders import (
    GOOD,
    NULL,
    annotation,
    annotations_of,
    box_where,
    item_of,
    original,
    parsed,
    published,
    raw_item,
    spans_of,
)


@pytest.fixture(scope="module")
def item():
    return raw_item()


def read(item, stage, payload):
    return rules.view(stage, parsed(stage, payload).payload, item)


def test_a_verdict_is_read_with_its_reasons(item):
    assert read(item, "question", GOOD) == schemas.GoodQuestion(verdict="good")
    bad = {"verdict": "bad", "reasons": ["opinion"]}
    assert read(item, "question", bad) == schemas.BadQuestion(verdict="bad", reasons=("opinion",))


def test_a_long_answer_is_read_with_its_box(item):
    view = read(item, "long_answer", box_where(item, "One door"))
    assert (view.kind, view.box.kind, view.box.excerpt) == ("box", "Li", "One door")
    none = read(item, "long_answer", {"kind": "none", "reason": "spread"})
    assert (none.kind, none.reason, none.box) == ("none", "spread", None)


def test_a_short_answer_is_read_as_its_words(item):
    box = box_where(item, "The old lighthouse")
    view = read(item, "short_answer", spans_of(item, box, "25 July 1823", "1901"))
    assert view == rules.ShortAnswerView("spans", ("25 July 1823", "1901"))
    assert read(item, "short_answer", {"kind": "yes"}) == rules.ShortAnswerView("yes")


def readings(page="", **given):
    """How a published annotation is read, on this page if one is given."""
    record = original(annotations=[annotation(**given)])
    incoming = published(record | ({"document_html": page} if page else {}))
    (record,) = annotations_of(incoming)
    return [rules.view(entry.stage, entry.payload, item_of(incoming)) for entry in record.answers]


def test_a_published_answer_that_is_no_box_is_read_as_its_tokens():
    answer = {"candidate_index": -1, "start_token": 3, "end_token": 7}
    incoming = published(original(annotations=[annotation(long=answer)]))
    (record,) = annotations_of(incoming)
    view = rules.view("long_answer", record.answers[0].payload, item_of(incoming))
    shown = render_to_string("nq/long_answer_read.html", {"view": view})
    assert "Tokens 3 to 7, not one of the page’s boxes" in html.unescape(" ".join(shown.split()))


def test_a_published_null_has_no_reason():
    long, short = readings()
    assert (long.kind, long.reason, long.box) == ("null", "", None)
    assert short == rules.ShortAnswerView("none")


def test_published_spans_are_read_as_the_tokens_they_are():
    tokens = [token["token"] for token in original()["document_tokens"]]
    at = tokens.index("July")
    long, short = readings(
        long=NULL | {"candidate_index": 0, "start_token": 8, "end_token": 30},
        shorts=[{"start_token": at - 1, "end_token": at + 2}, {"start_token": 5, "end_token": 9999}],
    )
    assert (long.kind, long.box.index, long.offsets) == ("box", 0, (8, 30))
    assert short.spans == ("25 July 1823", "")


def test_a_published_box_that_the_page_does_not_have_is_read_by_its_offsets():
    long, short = readings(long=NULL | {"candidate_index": 99, "start_token": 8, "end_token": 30}, yes_no="Yes")
    assert (long.kind, long.box, long.offsets) == ("box", None, (8, 30))
    assert short == rules.ShortAnswerView("yes")


def test_a_published_box_of_a_page_that_cant_be_shown_is_read_by_its_offsets():
    deep = "<p>" + "<div>" * 300 + "a" + "</div>" * 300
    long, _short = readings(deep, long=NULL | {"candidate_index": 0, "start_token": 8, "end_token": 30})
    assert (long.kind, long.box, long.offsets) == ("box", None, (8, 30))
