"""What somebody has begun is shown by labels, choices and words, never by the names and values of its fields."""

from __future__ import annotations

import json

import pytest

from annotation import registry
from frontend.work import conflicts
from frontend.work.differences import differences_in_words, parts_that_differ

SPAN = json.dumps([{"passage": 0, "start": 4, "end": 9, "quote": "forty bells"}])
EVIDENCE = json.dumps(
    [{"kind": "sentences", "paragraph": 0, "start": 0, "end": 1, "quote": "Anna Berg counted forty bells."}]
)


@pytest.mark.parametrize(
    ("protocol", "stage", "given", "shown"),
    [
        ("nq", "short_answer", {"kind": "spans", "spans": "[]"}, {"Kind of answer": ["Words"]}),
        (
            "nq",
            "long_answer",
            {"kind": "box", "candidate": "3", "quote": "Olaf Lund"},
            {"Answer": ["A box"], "Box": ["Olaf Lund"]},
        ),
        ("nq", "question", {"verdict": "bad", "reasons": []}, {"Good or bad": ["Bad"]}),
        (
            "qasper",
            "answer",
            {"evidence": "[]", "kind": "abstractive", "text": "forty", "spans": "", "value": ""},
            {"Kind of answer": ["My own words"], "Own words": ["forty"]},
        ),
        (
            "qasper",
            "answer",
            {"evidence": EVIDENCE, "kind": "extractive", "spans": SPAN, "in_abstract": "on"},
            {
                "Kind of answer": ["Words of the paper"],
                "Evidence": ["Anna Berg counted forty bells."],
                "Marked words": ["forty bells"],
                "Title and abstract say this already": ["Yes"],
            },
        ),
        (
            "squad",
            "questions",
            {f"kind_{n}": "answerable" for n in range(1, 6)} | {"text_2": "Who rang it?", "span_3": SPAN},
            {
                "Question 2": ["Who rang it?", "The paragraph answers it"],
                "Question 3": ["The paragraph answers it", "forty bells"],
            },
        ),
        ("squad", "answer", {"kind": "span", "span": "[]"}, {"Answer": ["Words"]}),
        ("coqa", "answer", {"rationale": SPAN, "text": ""}, {"Rationale": ["forty bells"]}),
        ("coqa", "guess", {"note": "as typed"}, {"note": ["as typed"]}),
        ("coqa", "guess", {"text": "None"}, {"Answer": ["None"]}),
        (
            "qasper",
            "questions",
            {"questions": json.dumps([{"text": "Why?", "answerable_from_abstract": True}, {"text": "Who?"}])},
            {"Questions": ["Why? (the abstract answers it)", "Who?"]},
        ),
        (
            "qasper",
            "answer",
            {"evidence": json.dumps([{"kind": "float", "index": 2, "quote": ""}])},
            {"Evidence": ["A figure or table without a caption"]},
        ),
        ("coqa", "question", {"text": "[why] {not}?"}, {"Question": ["[why] {not}?"]}),
    ],
)
def test_what_is_begun_is_shown_in_words(protocol, stage, given, shown):
    form = registry.form_of(protocol, stage)
    assert dict(differences_in_words(form, conflicts.as_posted(given))) == {
        name: tuple(texts) for name, texts in shown.items()
    }


@pytest.mark.parametrize(
    ("protocol", "stage", "given"),
    [
        ("squad", "questions", {f"kind_{n}": "answerable" for n in range(1, 6)}),
        ("qasper", "answer", {"evidence": "[]", "spans": "", "text": "", "value": ""}),
        ("coqa", "guess", {"rationale": "", "text": ""}),
    ],
)
def test_a_form_in_which_nothing_is_written_has_nothing_to_show(protocol, stage, given):
    assert differences_in_words(registry.form_of(protocol, stage), conflicts.as_posted(given)) == ()


@pytest.mark.parametrize(
    ("protocol", "stage", "one", "other", "differ"),
    [
        ("coqa", "guess", {"rationale": SPAN}, {"rationale": json.dumps(json.loads(SPAN), indent=1)}, ()),
        ("coqa", "guess", {"rationale": SPAN}, {"rationale": SPAN.replace('"start": 4', '"start": 5')}, ("Rationale",)),
        ("coqa", "guess", {"text": "forty  bells "}, {"text": "forty bells"}, ()),
        ("coqa", "answer", {"text": "x", "may_end": "off"}, {"text": "x"}, ()),
        ("squad", "questions", {"kind_3": "answerable"}, {}, ()),
        ("squad", "questions", {"kind_3": "impossible", "text_3": "Who?"}, {"text_3": "Who?"}, ("Question 3",)),
        (
            "qasper",
            "questions",
            {"questions": json.dumps([{"text": "Why?", "answerable_from_abstract": False}, {"text": " "}])},
            {"questions": json.dumps([{"kept": False, "answerable_from_abstract": False, "text": "Why?"}])},
            (),
        ),
        (
            "qasper",
            "questions",
            {"questions": json.dumps([{"text": "Why?", "answerable_from_abstract": True}])},
            {"questions": json.dumps([{"text": "Why?", "answerable_from_abstract": False}])},
            ("Questions",),
        ),
        ("nq", "long_answer", {"candidate": "3", "quote": "Olaf"}, {"candidate": "4", "quote": "Olaf"}, ("Box",)),
        ("nq", "question", {"verdict": "bad"}, {"verdict": "good"}, ("Good or bad",)),
    ],
)
def test_only_what_a_person_would_notice_differs(protocol, stage, one, other, differ):
    versions = conflicts.as_posted(one), conflicts.as_posted(other)
    assert parts_that_differ(registry.form_of(protocol, stage), *versions)[0] == differ
