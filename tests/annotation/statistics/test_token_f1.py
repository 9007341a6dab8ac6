"""Token F1 as an exact fraction is what the figures of the official scripts round."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.statistics.token_f1 import f1, f1_fraction, f1_of_counts, f1_points, f1_similarity

TEXTS = st.lists(st.sampled_from(["Big", "big", "cat", "cat,", "the", "a", "of", "É", "…", "!"]), max_size=7).map(
    " ".join
)


@pytest.mark.parametrize(
    ("one", "other", "points"),
    [
        ("the big cat", "Big cat!", Fraction(1)),
        ("big big cat", "big cat", Fraction(4, 5)),  # 2 of 3 and 2 of 2
        ("cat", "big black cat", Fraction(1, 2)),
        ("big cat", "cat", Fraction(2, 3)),
        ("dog", "cat", Fraction(0)),
        ("", "cat", Fraction(0)),
        ("the", "a", Fraction(0)),
        ("A", "A", Fraction(1)),
    ],
)
def test_points_are_exact(one, other, points):
    assert f1_points(one, other) == points


@given(TEXTS, TEXTS)
def test_points_are_the_float_before_rounding(one, other):
    assert float(f1_points(one, other)) == pytest.approx(f1_similarity(one, other), abs=1e-15)
    if one != other:
        assert float(f1_points(one, other)) == pytest.approx(f1(one, other), abs=1e-15)
    assert f1_points(one, other) == f1_points(other, one)


@given(st.integers(0, 1000), st.integers(0, 1000), st.integers(0, 1000))
def test_the_fraction_of_counts_is_their_float_before_rounding(same, more, others):
    counts = (same, same + more, same + others)
    assert float(f1_fraction(*counts)) == pytest.approx(f1_of_counts(*counts), abs=1e-15)
