"""What is compared of two answers to a question about a paper, ours and published."""

from __future__ import annotations

import pytest

from annotation.protocols.qasper.comparing import MEASURES
from tests.protocols.qasper.comparing.test_similarity_of_annotations import NAMES, annotation

BY_KEY = {one.key: one for one in MEASURES}


@pytest.mark.parametrize(
    ("name", "kind", "answerable", "evidence"),
    [
        ("unanswerable", "unanswerable", "unanswerable", None),
        ("kelp", "extractive", "answered", frozenset({0})),
        ("the kelp", "abstractive", "answered", frozenset({0, 2})),
        ("yes", "yes_no", "answered", frozenset({"f0", 0})),
        ("absent", "yes_no", "answered", frozenset()),
        ("published kelp", "extractive", "answered", None),
        ("published none", "unanswerable", "unanswerable", None),
        ("published yes", "yes_no", "answered", None),
        ("of no type", None, None, None),
    ],
)
def test_values(name, kind, answerable, evidence):
    found = [BY_KEY[key].value(annotation(name)) for key in ("kind", "answerable", "evidence")]
    assert found == [kind, answerable, evidence]


def alike(key, a, b):
    one = BY_KEY[key]
    parts = [one.part(annotation(name)) for name in (a, b)]
    assert one.compare(*parts) == pytest.approx(one.compare(*reversed(parts)))
    return one.compare(*parts)


@pytest.mark.parametrize(
    ("a", "b", "answer", "evidence"),
    [
        ("unanswerable", "unanswerable", 1, 1),
        ("unanswerable", "published none", 1, 1),
        ("unanswerable", "kelp", 0, 0),
        ("unanswerable", "absent", 0, 1),
        ("kelp", "the kelp", 1, 2 / 3),
        ("kelp", "published kelp", 1, 1),
        ("kelp", "published both", 1, 2 / 3),
        ("yes", "published yes", 1, 1),
        ("yes", "absent", 0, 0),
    ],
)
def test_answers_and_evidence_are_compared_as_the_evaluator_does(a, b, answer, evidence):
    assert alike("answer_f1", a, b) == pytest.approx(answer)
    assert alike("evidence_f1", a, b) == pytest.approx(evidence)


@pytest.mark.parametrize("name", NAMES)
def test_every_answer_is_like_itself(name):
    assert alike("answer_f1", name, name) == alike("evidence_f1", name, name) == 1
