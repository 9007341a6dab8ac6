"""The form field for marked words reads the picker's JSON strictly, and says what is wrong with it."""

from __future__ import annotations

import json

import pytest
from django import forms

from annotation.values.forms import SpansField

SPAN = {"passage": 0, "start": 3, "end": 7, "quote": "bell"}
OTHER = {"passage": 1, "start": 0, "end": 2, "quote": "It"}


def errors_of(field: SpansField, text: str) -> list[str]:
    with pytest.raises(forms.ValidationError) as refused:
        field.clean(text)
    return [str(message) for message in refused.value.messages]


@pytest.mark.parametrize("spans", [[SPAN], [SPAN, OTHER]])
def test_marked_words_go_into_the_field_and_out_of_it(spans):
    assert SpansField().clean(SpansField.text_of(spans)) == spans


@pytest.mark.parametrize("text", ["", "  ", "[]", None])
def test_nothing_marked_is_said_unless_it_may_be_so(text):
    assert errors_of(SpansField(), text) == ["Mark the words that answer."]
    assert SpansField(required=False).clean(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "{}",
        "[1]",
        '"bell"',
        json.dumps([SPAN | {"start": "3"}]),
        json.dumps([SPAN | {"end": -1}]),
        json.dumps([SPAN | {"more": 1}]),
        '[{"passage": 0, "start": 3, "end": 7}]',
        '[{"passage": 0, "passage": 1, "start": 3, "end": 7, "quote": "bell"}]',
        '[{"passage": 0, "start": NaN, "end": 7, "quote": "bell"}]',
    ],
)
def test_broken_data_is_answered_with_a_sentence(text):
    assert errors_of(SpansField(required=False), text) == ["The marked words could not be read. Mark them again."]


def test_more_than_may_be_marked_is_said():
    assert errors_of(SpansField(most=1), json.dumps([SPAN, OTHER])) == ["Mark one place only."]
    assert errors_of(SpansField(most=2), json.dumps([SPAN, OTHER, SPAN])) == ["Mark 2 places at most."]
    assert SpansField(most=1).clean(json.dumps([OTHER])) == [OTHER]
