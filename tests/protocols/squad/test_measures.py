"""What is compared of two answers to a question about a paragraph, ours and published."""

from __future__ import annotations

import pytest

from annotation.protocols.squad.comparing import MEASURES
from tests.protocols.squad.builders import NONE, marked, ours
from tests.protocols.squad.test_similarity_of_annotations import published

BY_KEY = {one.key: one for one in MEASURES}


@pytest.mark.parametrize(
    ("annotation", "answerable", "answer"),
    [
        (ours(marked("Anna Holt")), "answered", "anna holt"),
        (published("the Anna, Holt"), "answered", "anna holt"),
        (ours(NONE), "unanswerable", ""),
        (published(""), "unanswerable", ""),
    ],
)
def test_values(annotation, answerable, answer):
    assert [BY_KEY[key].value(annotation) for key in ("answerable", "answer")] == [answerable, answer]


def test_words_are_compared_as_the_script_does():
    f1 = BY_KEY["f1"]
    parts = [f1.part(one) for one in (ours(marked("Anna Holt")), published("Holt"), ours(NONE))]
    assert f1.compare(parts[0], parts[1]) == pytest.approx(2 / 3)
    assert f1.compare(parts[0], parts[2]) == 0
    assert f1.compare(parts[2], parts[2]) == 1
