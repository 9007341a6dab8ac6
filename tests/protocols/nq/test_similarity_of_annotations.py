"""The similarity of two annotations of a question: 1 with itself, symmetric, null and null 1, null and an answer 0."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.protocols.nq.scoring import compare
from annotation.values.records import AnnotationRecord
from tests.protocols.nq.builders import GOOD, ours, parsed

BAD = ours(question={"verdict": "bad", "reasons": ["opinion"]})
NONE = ours(question=GOOD, long_answer={"kind": "none", "reason": "spread"})


def short(*ranges):
    return {"kind": "spans", "spans": [{"start": a, "end": b, "quote": "x"} for a, b in ranges]}


def box(candidate, answer=None):
    long = {"kind": "box", "candidate": candidate, "quote": "x"}
    return ours(question=GOOD, long_answer=long, short_answer=answer or {"kind": "none"})


def imported(index, *ranges, yes_no="NONE"):
    offsets = {"start_token": 4 if index >= 0 else -1, "end_token": 90 if index >= 0 else -1}
    shorts = [{"start_token": a, "end_token": b} for a, b in ranges]
    said = (
        parsed("long_answer", offsets | {"candidate_index": index}, "nq.long_answer/published/1"),
        parsed("short_answer", {"short_answers": shorts, "yes_no_answer": yes_no}, "nq.short_answer/published/1"),
    )
    return AnnotationRecord("annotate", said, imported=True)


@pytest.mark.parametrize(
    ("a", "b", "similarity"),
    [
        (NONE, NONE, 1),
        (BAD, NONE, 1),
        (NONE, box(3), 0),
        (BAD, box(3, short((5, 6))), 0),
        (box(3), box(3), 1),
        (box(3), box(4), 0),
        (box(3, short((5, 9))), box(3, short((5, 9))), 1),
        (box(3, short((5, 9))), box(3, short((7, 11))), 0.75),
        (box(3, short((5, 9))), box(4, short((5, 9))), 0.5),
        (box(3, short((5, 9))), box(3), 0.5),
        (box(3, short((5, 9))), box(3, {"kind": "yes"}), 0.5),
        (box(3, {"kind": "yes"}), box(3, {"kind": "yes"}), 1),
        (box(3, {"kind": "yes"}), box(3, {"kind": "no"}), 0.5),
        (box(3, {"kind": "yes"}), box(4, {"kind": "no"}), 0),
        (box(3, short((5, 7), (20, 22))), box(3, short((5, 7))), 0.5 + 1 / 3),
        (box(3, short((5, 7))), imported(3, (5, 7)), 1),
        (box(3, short((5, 7))), imported(3, (5, 6), (5, 7), (6, 7)), 1),
        (box(3, {"kind": "no"}), imported(3, yes_no="No"), 1),
        (imported(-1), NONE, 1),
        (imported(-1), imported(3), 0),
        (imported(3, (5, 2**62)), imported(3, (5, 2**62)), 1),
    ],
)
def test_similarity(a, b, similarity):
    assert compare("annotate", a, b) == pytest.approx(similarity)
    assert compare("annotate", b, a) == compare("annotate", a, b)


RANGE = st.tuples(st.integers(0, 30), st.integers(1, 10)).map(lambda pair: (pair[0], sum(pair)))
SHORT = st.sampled_from([{"kind": "yes"}, {"kind": "no"}, {"kind": "none"}]) | st.lists(
    RANGE, min_size=1, max_size=3
).map(lambda ranges: short(*ranges))
ANNOTATION = st.sampled_from([BAD, NONE]) | st.builds(box, st.integers(0, 2), SHORT)


@given(ANNOTATION, ANNOTATION)
def test_similarity_is_symmetric_within_0_and_1_and_1_with_itself(a, b):
    assert compare("annotate", a, a) == 1
    assert compare("annotate", a, b) == compare("annotate", b, a)
    assert 0 <= compare("annotate", a, b) <= 1
