"""What people post at each stage becomes a payload, or is refused in words."""

import json

import orjson
import pytest
from django.http import QueryDict

from annotation.protocols.nq.forms import FORMS
from annotation.protocols.nq.protocol import ANNOTATE

SPAN = {"start": 3, "end": 5, "quote": "25 July"}
WORDS = {"kind": "spans", "spans": [SPAN]}


def posted(stage, **fields):
    data = QueryDict(mutable=True)
    for name, value in fields.items():
        data.setlist(name, value if isinstance(value, list) else [value])
    return FORMS[stage](data)


@pytest.mark.parametrize(
    ("stage", "fields", "payload"),
    [
        ("question", {"verdict": "good"}, {"verdict": "good"}),
        (
            "question",
            {"verdict": "bad", "reasons": ["opinion", "ambiguous", "opinion"]},
            {"verdict": "bad", "reasons": ["ambiguous", "opinion"]},
        ),
        (
            "long_answer",
            {"kind": "box", "candidate": "7", "quote": " a  b", "reason": "page"},
            {"kind": "box", "candidate": 7, "quote": " a  b"},
        ),
        ("long_answer", {"kind": "none", "reason": "spread", "quote": "x"}, {"kind": "none", "reason": "spread"}),
        ("short_answer", {"kind": "yes"}, {"kind": "yes"}),
        ("short_answer", {"kind": "no", "spans": "[]"}, {"kind": "no"}),
        ("short_answer", {"kind": "yes", "spans": json.dumps([SPAN])}, {"kind": "yes"}),
        ("short_answer", {"kind": "none", "spans": " "}, {"kind": "none"}),
        ("short_answer", {"kind": "spans", "spans": json.dumps([SPAN])}, WORDS),
    ],
)
def test_a_post_becomes_a_payload_that_its_schema_takes(stage, fields, payload):
    form = posted(stage, **fields)
    assert form.is_valid(), form.errors
    assert form.payload() == payload
    ANNOTATE.stage(stage).schema.validate_json(orjson.dumps(payload))


@pytest.mark.parametrize(
    ("stage", "fields", "field", "words"),
    [
        ("question", {}, "verdict", "Choose Good or Bad."),
        ("question", {"verdict": "so-so"}, "verdict", "not one of the available choices"),
        ("question", {"verdict": "bad"}, "reasons", "choose at least one reason"),
        ("question", {"verdict": "bad", "reasons": ["ugly"]}, "reasons", "not one of the available choices"),
        ("question", {"verdict": "good", "reasons": ["opinion"]}, "reasons", "Only a bad question has reasons"),
        ("long_answer", {}, "kind", "Choose a box, or No answer."),
        ("long_answer", {"kind": "box", "quote": "a"}, "candidate", "Choose a box on the page."),
        ("long_answer", {"kind": "box", "candidate": "-1"}, "candidate", "greater than or equal to 0"),
        ("long_answer", {"kind": "box", "candidate": "1", "quote": "a" * 201}, "quote", "longer than 200 characters"),
        ("long_answer", {"kind": "none"}, "reason", "Say why there is no answer"),
        ("short_answer", {}, "kind", "Choose Words, Yes, No or None."),
        ("short_answer", {"kind": "spans"}, "spans", "Mark at least one word"),
        ("short_answer", {"kind": "spans", "spans": "[]"}, "spans", "Mark at least one word"),
        ("short_answer", {"kind": "spans", "spans": "[{"}, "spans", "could not be read"),
        ("short_answer", {"kind": "spans", "spans": '{"start": 1}'}, "spans", "could not be read"),
        ("short_answer", {"kind": "spans", "spans": json.dumps([SPAN | {"x": 1}])}, "spans", "could not be read"),
        ("short_answer", {"kind": "spans", "spans": f"[{10**30}]"}, "spans", "could not be read"),
        ("short_answer", {"kind": "spans", "spans": "[" * 99 + "]" * 99}, "spans", "could not be read"),
    ],
)
def test_a_wrong_post_is_refused_in_words_at_its_field(stage, fields, field, words):
    form = posted(stage, **fields)
    assert not form.is_valid()
    assert list(form.errors) == [field]
    assert words in form.errors[field][0]


@pytest.mark.parametrize(
    ("stage", "payload"),
    [
        ("question", {"verdict": "good"}),
        ("question", {"verdict": "bad", "reasons": ["ambiguous", "opinion"]}),
        ("long_answer", {"kind": "box", "candidate": 7, "quote": "a"}),
        ("long_answer", {"kind": "none", "reason": "page"}),
        ("short_answer", WORDS),
        ("short_answer", {"kind": "no"}),
    ],
)
def test_an_earlier_answer_fills_the_form_that_made_it(stage, payload):
    form = posted(stage, **FORMS[stage].fields_of(payload))
    assert form.is_valid(), form.errors
    assert form.payload() == payload
