"""A release is refused if an answer's quote is no longer what the bytes of its page say."""

import dataclasses

import pytest

from annotation.documents.layout import Layout, Token
from annotation.errors import ReleaseRefused
from annotation.protocols.nq import formats
from annotation.values.records import ReleaseRecord
from tests.protocols.nq.builders import GOOD, box_where, item_of, ours, published, raw_item, spans_of

RECORD = {
    "question_text": "q",
    "example_id": 3,
    "document_url": "u",
    "document_text": "T <P> It burns oil . </P>",
    "long_answer_candidates": [{"start_token": 1, "end_token": 7, "top_level": True}],
    "annotations": [],
}


def answer(item, **change):
    box = box_where(item, "The old lighthouse")
    short = spans_of(item, box, "25 July 1823")
    return ours(question=GOOD, long_answer=box | change.get("box", {}), short_answer=change.get("short", short))


def moved(item, by):
    """The item with a layout whose tokens have moved."""
    layout = item.documents[0].layout
    tokens = tuple(Token(one.text, one.start + by, one.end + by, one.html) for one in layout.tokens)
    other = Layout(layout.version, tokens, layout.candidates)
    document = dataclasses.replace(item.documents[0], load_layout=lambda sha256: other)
    return dataclasses.replace(item, documents=(document,))


@pytest.mark.parametrize("format", ["nq", "nq-simplified"])
def test_a_span_that_no_longer_cuts_its_words_is_named(format):
    item = raw_item(example_id=77)
    with pytest.raises(ReleaseRefused, match=r"Question 77, spans\.0: The words of this span have changed"):
        list(formats.write(format, [ReleaseRecord(moved(item, 1), (answer(item),))]))
    with pytest.raises(ReleaseRefused, match="Question 77, quote: The text of the chosen box has changed"):
        list(formats.write(format, [ReleaseRecord(item, (answer(item, box={"quote": "Something else"}),))]))


def test_a_span_outside_the_page_is_refused_without_a_crash():
    item = raw_item(example_id=77)
    with pytest.raises(ReleaseRefused, match=r"Question 77, spans\.0"):
        list(formats.write("nq", [ReleaseRecord(moved(item, 10**6), (answer(item),))]))


def test_our_answer_on_a_simplified_record_is_released_simplified_and_checked_too():
    item = item_of(published(RECORD, "simplified-nq-train.jsonl"))
    box = {"kind": "box", "candidate": 0, "quote": "It burns oil."}
    said = {"question": GOOD, "long_answer": box}
    short = {"kind": "spans", "spans": [{"start": 4, "end": 5, "quote": "oil"}]}
    (written,) = formats.write("nq-simplified", [ReleaseRecord(item, (ours(8, **said, short_answer=short),))])
    assert written == RECORD | {
        "annotations": [
            {
                "annotation_id": 8,
                "long_answer": {"candidate_index": 0, "end_token": 7, "start_token": 1},
                "short_answers": [{"end_token": 5, "start_token": 4}],
                "yes_no_answer": "NONE",
            }
        ]
    }
    wrong = {"kind": "spans", "spans": [{"start": 3, "end": 4, "quote": "oil"}]}
    with pytest.raises(ReleaseRefused, match=r"Question 3, spans\.0"):
        list(formats.write("nq-simplified", [ReleaseRecord(item, (ours(8, **said, short_answer=wrong),))]))


def test_a_page_without_tokens_has_no_simplified_text():
    item = raw_item(example_id=77)
    document = dataclasses.replace(item.documents[0], load_layout=lambda sha256: Layout("published", (), ()))
    with pytest.raises(ReleaseRefused, match="Question 77: its page has no tokens"):
        list(formats.write("nq-simplified", [ReleaseRecord(dataclasses.replace(item, documents=(document,)))]))
