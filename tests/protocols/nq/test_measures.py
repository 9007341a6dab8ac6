"""What is compared of two annotations of a question, ours and published."""

from __future__ import annotations

import pytest

from annotation.protocols.nq.comparing import MEASURES
from tests.protocols.nq.test_similarity_of_annotations import BAD, NONE, box, imported, short

BY_KEY = {one.key: one for one in MEASURES}
SPANS = box(3, short((5, 7), (9, 10)))


@pytest.mark.parametrize(
    ("annotation", "question", "long", "answer"),
    [
        (BAD, "bad", "bad", None),
        (NONE, "good", "none", None),
        (box(3), "good", "3", frozenset()),
        (box(3, {"kind": "yes"}), "good", "3", frozenset({"yes"})),
        (SPANS, "good", "3", frozenset({5, 6, 9})),
        (imported(-1), None, "none", None),
        (imported(3, (5, 7), yes_no="NONE"), None, "3", frozenset({5, 6})),
        (imported(3, yes_no="NO"), None, "3", frozenset({"no"})),
    ],
)
def test_values(annotation, question, long, answer):
    found = [BY_KEY[key].value(annotation) for key in ("question", "long_answer", "short_answer")]
    assert found == [question, long, answer]


@pytest.mark.parametrize(
    ("a", "b", "long", "short_f1"),
    [
        (BAD, NONE, (0, 0), (0, 0)),
        (box(3), NONE, (0, 1), (0, 0)),
        (box(3), box(4), (0, 2), (0, 0)),
        (SPANS, box(3), (1, 2), (0, 1)),
        (SPANS, imported(3, (9, 10), (5, 7)), (1, 2), (1, 2)),
        (SPANS, box(3, short((5, 7))), (1, 2), (0, 2)),
        (box(3, {"kind": "yes"}), box(4, {"kind": "yes"}), (0, 2), (1, 2)),
        (box(3, {"kind": "yes"}), box(3, {"kind": "no"}), (1, 2), (0, 2)),
    ],
)
def test_the_same_answer_counts_by_how_many_gave_one(a, b, long, short_f1):
    for key, (same, weight) in (("long_f1", long), ("short_f1", short_f1)):
        one = BY_KEY[key]
        for first, second in ((a, b), (b, a)):
            parts = one.part(first), one.part(second)
            assert (one.compare(*parts), one.weight(*parts)) == (same, weight)
