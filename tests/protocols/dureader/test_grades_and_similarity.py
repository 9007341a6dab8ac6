"""How alike two people's answers are, what is compared of them, what an answer is worth, and how well people do."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.protocols.dureader import adapted_metric
from annotation.protocols.dureader.comparing import MEASURES
from annotation.protocols.dureader.human import HUMAN
from annotation.protocols.dureader.protocol import PROTOCOL
from annotation.protocols.dureader.statistics import figures
from annotation.values.records import AnnotationRecord
from tests.protocols.dureader.builders import NONE, answered_row, composed, item, ours, published, record

OIL, GAS = composed("Rape oil."), composed("Gas.", used=[1])


def similarity(one, other):
    return PROTOCOL.compare("compose", ours(one), ours(other))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (OIL, OIL, 1),
        (NONE, NONE, 1),
        (NONE, OIL, 0),
        (composed("It burned rape oil."), composed("it burned gas, later"), 0.5),
        (composed("abcd"), composed("abce"), 0),
        (composed("abcd", "xyz"), composed("Abcd!"), (1 + 0 + 1) / 3),
        (composed("灯塔用油。"), composed("用油"), 2 * 2 / 6),
    ],
)
def test_the_words_that_both_share_or_the_characters_of_chinese(one, other, expected):
    assert similarity(one, other) == pytest.approx(expected)
    assert similarity(other, one) == pytest.approx(expected)


TEXTS = st.lists(st.text("ab c灯", min_size=1, max_size=6).filter(str.strip), max_size=3, unique=True)


@given(TEXTS, TEXTS)
def test_similarity_is_symmetric_and_one_for_the_same_answers(one, other):
    first, second = composed(*one), composed(*other)
    assert similarity(first, second) == pytest.approx(similarity(second, first))
    assert similarity(first, first) == pytest.approx(1)
    assert 0 <= similarity(first, second) <= 1 + 1e-12


def test_what_is_compared_of_two_people():
    values = {each.key: each.value for each in MEASURES if hasattr(each, "value")}
    found = ours(composed(("It did.", "Yes"), ("It did not.", "No")), kind=("YES_NO", "FACT"))
    assert values["opinion"](found) == "No Yes"
    assert values["answered"](found) == "answered"
    assert values["answered"](ours(NONE)) == "no answer"
    assert values["question_type"](found) == "YES_NO"
    assert values["opinion"](ours(OIL)) is None
    named = ours(composed(("a", ["Oil", " gas"]), ("b", ["Oil"])))
    assert values["entities"](named) == {"Oil", "gas"}


def graded(answer, *references, kind="DESCRIPTION"):
    found = PROTOCOL.grade("compose", item(kind), answer, references)
    return [(score.part.key, score.points) for score in found]


def test_words_opinions_and_entities_are_graded_against_the_best_reference():
    yes, no = ours(composed(("It did.", "Yes"))), ours(composed(("It did.", "No")))
    assert graded(yes, yes) == [("answered", 1), ("words", 1), ("opinion", 1)]
    assert graded(no, yes) == [("answered", 1), ("words", 1), ("opinion", 0)]
    assert graded(no, yes, no) == [("answered", 1), ("words", 1), ("opinion", 1)]
    one, both = ours(composed(("Oil", ["oil"]))), ours(composed(("Oil", ["oil", "gas"])))
    assert graded(one, both) == [("answered", 1), ("words", 1), ("entities", Fraction(2, 3))]


@pytest.mark.parametrize(("answer", "reference", "points"), [(NONE, OIL, 0), (OIL, NONE, 0), (NONE, NONE, 1)])
def test_no_answer_is_right_or_wrong(answer, reference, points):
    assert graded(ours(answer), ours(reference)) == [("answered", points), ("words", points)]


def test_nothing_is_wrong_even_where_there_is_no_answer():
    assert graded(AnnotationRecord("compose", ()), ours(NONE)) == [("answered", 0), ("words", 0)]


def test_the_references_alone_decide_which_scores_there_are():
    assert [key for key, _points in graded(ours(composed(("x", "Yes"))), ours(OIL))] == ["answered", "words"]


def test_the_human_bound_takes_each_first_answer_against_those_of_the_others():
    found = HUMAN.part(record([composed("abcd", "zzzz"), composed("abxy")]), "seed")
    assert [(one.candidate, one.references) for one in found.judged] == [
        (tuple("abcd"), (tuple("abxy"),)),
        (tuple("abxy"), (tuple("abcd"), tuple("zzzz"))),
    ]
    measured = HUMAN.measure([found], "seed")
    assert measured.figures["plain.rouge_l"].estimate.value == pytest.approx(0.5)
    counts = adapted_metric.count_n_grams(found.judged, adapted_metric.Weights(alpha=0, beta=0))
    assert measured.figures["plain.bleu_4"].estimate.value == pytest.approx(adapted_metric.bleu(counts)[-1])


def test_a_right_opinion_raises_the_adapted_bound():
    same = HUMAN.part(record([composed(("abcd", "Yes")), composed(("abxy", "Yes"))], kind="YES_NO"), "seed")
    other = HUMAN.part(record([composed(("abcd", "Yes")), composed(("abxy", "No"))], kind="YES_NO"), "seed")
    for found, higher in ((same, True), (other, False)):
        values = {key: one.estimate.value for key, one in HUMAN.measure([found], "seed").figures.items()}
        assert (values["adapted.rouge_l"] > values["plain.rouge_l"]) is higher


def test_of_published_answers_each_is_taken_for_another_person_s():
    found = HUMAN.part(published(answered_row(answers=["ab", "abc", "x"])), "seed")
    assert found.people == len(found.judged) == 3


def test_without_two_people_who_answer_there_is_no_bound():
    alone = HUMAN.part(record([composed("abcd"), NONE]), "seed")
    nobody = HUMAN.part(record([NONE, NONE]), "seed")
    assert HUMAN.measure([alone], "seed").why_not["plain"].code == "too_few"
    assert HUMAN.measure([nobody], "seed").why_not["plain"].code == "nothing"
    two = HUMAN.part(record([composed("abcd"), composed("abcd")]), "seed")
    found = HUMAN.measure([alone, nobody, two], "seed")
    assert [(one.code, one.numbers) for one in found.left_out] == [("few", {"n": 1})]
    assert found.figures["plain.rouge_l"].counts == (1, 2)


def test_the_figures_of_a_project():
    found = figures(
        [
            record([composed(("It did.", "Yes"), ("It did not.", "No"), used=[0, 1]), NONE], kind="YES_NO"),
            record([composed("灯塔用油。")]),
            record([]),
        ]
    )
    values = {key: one.value for key, one in found.items() if hasattr(one, "value")}
    assert values["opinion_or_entities"] == pytest.approx(1 / 3)
    assert values["answers_per_question"] == 1.5
    assert values["several_answers"] == 0.5
    assert values["used_documents"] == 1.5
    assert values["documents"] == 2
    assert values["opposite_opinions"] == 1
    assert values["answer_length"] == pytest.approx((2 + 3 + 4) / 3)
    assert found["opinions"]["Depends"].value == 0
