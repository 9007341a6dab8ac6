"""Answers are graded by the official F1, against the best reference, and unanswerable is right or wrong."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.protocols.squad import scoring
from annotation.protocols.squad.protocol import PROTOCOL
from annotation.values.records import AnnotationRecord, GivenAnswer
from tests.protocols.squad.builders import NONE, asked, marked, ours, question_item

PUBLISHED = PROTOCOL.activity("answer").stages[0].published


def answered(text):
    """A published answer with this text."""
    payload = PUBLISHED.validate_python({"text": text, "answer_start": 0})
    return AnnotationRecord("answer", (GivenAnswer("answer", payload),), imported=True)


def graded(answer, *references, activity="answer"):
    """(part, points) of each score."""
    found = PROTOCOL.grade(activity, question_item(), answer, references)
    return [(score.part.key, score.points) for score in found]


@pytest.mark.parametrize(
    ("answer", "references", "answerable", "points"),
    [
        (marked("Anna Holt"), [marked("Anna Holt")], 1, 1),
        (marked("by Anna Holt"), [marked("Anna Holt")], 1, Fraction(4, 5)),
        (marked("Holt"), [marked("1871"), marked("Anna Holt"), NONE], 1, Fraction(2, 3)),
        (marked("1871"), [marked("Anna Holt")], 1, 0),
        (marked("1871"), [NONE], 0, 0),
        (NONE, [marked("1871")], 0, 0),
        (NONE, [NONE], 1, 1),
        (NONE, [marked("1871"), NONE], 1, 1),
    ],
)
def test_the_best_reference_counts(answer, references, answerable, points):
    found = graded(ours(answer), *map(ours, references))
    assert found == [("answerable", answerable), ("answer", points)]


def test_nothing_is_wrong_even_where_there_is_no_answer():
    assert graded(AnnotationRecord("answer", ()), ours(NONE)) == [("answerable", 0), ("answer", 0)]


def test_the_page_of_marks_shows_both_answers():
    kind, text = PROTOCOL.grade("answer", question_item(), ours(NONE), [ours(marked("Anna Holt"))])
    assert (kind.said, kind.wanted) == (("Unanswerable", False), ("Answerable", False))
    assert (text.said, text.wanted) == (("Unanswerable", False), ("Anna Holt", True))


def test_questions_are_graded_by_how_alike_they_are():
    one, other = (ours(asked((text, "1871")), stage="questions") for text in ("When was it built?", "When?"))
    assert graded(one, one, activity="ask") == [("whole", 1)]
    assert graded(one, other, activity="ask") == [("whole", Fraction(2, 5))]  # 1 of 4 and 1 of 1


WORDS = st.lists(st.sampled_from(["Anna", "Holt", "Holt,", "1871", "miles"]), min_size=1, max_size=5).map(" ".join)


@given(WORDS, st.lists(WORDS, min_size=1, max_size=4))
def test_points_are_the_f1_of_both_official_scripts(said, texts):
    [_, (_, points)] = graded(answered(said), *map(answered, texts))
    for evaluate in (scoring.evaluate_v1, scoring.evaluate_v2):
        assert 100 * float(points) == pytest.approx(evaluate({"q": texts}, {"q": said})["f1"], abs=1e-12)
