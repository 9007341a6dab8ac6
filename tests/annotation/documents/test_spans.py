"""Marked words of plain texts: what a word is, and which spans are possible."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from annotation.documents.spans import MarkedSpan, problem_of, problems_of

BELLS = "It's 3.5 m high 🔔, well-known; “don’t”."
TEXTS = ("No bell.", BELLS, "\u200b cafe\u0301 🇩🇪, 👨\u200d👩\u200d👧")


def marked(quote: str, passage: int = 1, *, start: int | None = None) -> MarkedSpan:
    at = TEXTS[passage].index(quote) if start is None else start
    return MarkedSpan(passage=passage, start=at, end=at + len(quote), quote=quote)


@pytest.mark.parametrize("quote", ["It's", "3.5 m", "🔔", "high 🔔, well-known", "“don’t”.", "It", "3.", "know"])
def test_words_with_their_quote_are_possible_with_punctuation_and_in_part(quote):
    assert problem_of(marked(quote), TEXTS) is None


@pytest.mark.parametrize(
    ("span", "code"),
    [
        (marked("bell", 0).model_copy(update={"passage": 3}), "no_such_place"),
        (marked("bell", 0).model_copy(update={"end": 9, "quote": "bell.!"}), "no_such_place"),
        (marked("bell", 0).model_copy(update={"end": 3, "quote": ""}), "empty"),
        (marked("bell", 0).model_copy(update={"start": 7, "end": 3}), "other_text"),
        (marked(" ", 0), "empty"),
        (marked("bell", 0).model_copy(update={"quote": "Bell"}), "other_text"),
        (marked(" bell", 0), "blank"),
        (marked("\u200b", 2), "empty"),
        (marked("\u0301", 2), "empty"),
        (marked("\u200b cafe", 2), "blank"),
        (marked("cafe", 2), "cut"),
        (marked("🇩", 2), "cut"),
        (marked("🇪", 2), "cut"),
        (marked("👨\u200d👩", 2), "cut"),
    ],
)
def test_any_other_place_is_refused_with_its_reason(span, code):
    problem = problem_of(span, TEXTS, field="span")
    assert problem is not None
    assert (problem.field, problem.code) == ("span", code)


def test_other_words_come_with_both_texts():
    problem = problem_of(marked("bell", 0).model_copy(update={"quote": "Bell"}), TEXTS)
    assert problem is not None
    assert problem.texts == ("bell", "Bell")


def test_spans_that_overlap_are_refused_at_the_later_one_and_neighbours_are_not():
    spans = [marked("3.5 m"), marked("high"), marked("m high"), marked("No", 0)]
    assert [(each.field, each.code) for each in problems_of(spans, TEXTS)] == [("spans.2", "overlap")]


def test_spans_that_touch_and_spans_at_the_same_place_of_different_passages_do_not_overlap():
    for touching in (["🔔", ","], [",", "🔔"]):
        assert problems_of([marked(quote) for quote in touching], TEXTS) == []
    assert problems_of([marked("No bell", 0), marked("It's 3.5")], TEXTS) == []


@pytest.mark.parametrize(
    ("earlier", "later"), [("3.5", "It's 3.5"), ("It's 3.5", "3.5 m"), ("3.5 m high", "m"), ("m", "3.5 m high")]
)
def test_a_span_that_shares_a_word_with_an_earlier_one_overlaps_it_on_whichever_side(earlier, later):
    assert [each.code for each in problems_of([marked(earlier), marked(later)], TEXTS)] == ["overlap"]


@pytest.mark.parametrize(
    "change",
    [{"start": -1}, {"start": "1"}, {"start": 1.0}, {"passage": True}, {"more": 1}, {"end": 2**31 + 1}],
)
def test_a_stored_span_has_exactly_its_keys_and_numbers(change):
    with pytest.raises(ValidationError):
        MarkedSpan.model_validate(marked("high").model_dump() | change)


@pytest.mark.parametrize("change", [{"start": 0, "passage": 0}, {"end": 2**31}])
def test_its_numbers_are_from_0_to_the_31st_power_of_2(change):
    kept = marked("high").model_dump() | change
    assert MarkedSpan.model_validate(kept).model_dump() == kept


@pytest.mark.parametrize("field", ["passage", "start", "end"])
@pytest.mark.parametrize(("number", "fits"), [(-1, False), (0, True), (2**31, True), (2**31 + 1, False)])
def test_a_place_is_no_less_than_zero_and_no_more_than_two_to_the_31(field, number, fits):
    sent = {"passage": 0, "start": 0, "end": 1, "quote": "a"} | {field: number}
    if fits:
        assert getattr(MarkedSpan.model_validate(sent), field) == number
    else:
        with pytest.raises(ValidationError):
            MarkedSpan.model_validate(sent)
