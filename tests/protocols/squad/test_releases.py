"""Our questions and answers are written in the published layouts; what these can't represent is noted."""

import pytest

from annotation.errors import ReleaseRefused
from annotation.protocols.squad import rules
from annotation.protocols.squad.statistics import PUBLISHED, figures
from annotation.protocols.squad.writing import articles, is_impossible, notes, notes_v1
from annotation.statistics.clustered_means import plain_values
from annotation.values.records import ReleaseRecord
from tests.protocols.squad.builders import (
    CONTEXT,
    NONE,
    answer,
    article,
    asked,
    file_v2,
    item_of,
    marked,
    ours,
    paragraph,
    paragraph_item,
    question,
    question_item,
    read,
    read_release,
    records_of,
    span,
    written,
)

ASKED = asked(("Who built it?", "Anna Holt"), ("When was it lit?", "1871", "impossible"))


def made_here(*answers, also=()):
    """A paragraph about which two questions were asked, with answers to the first and `also` to the second."""
    root = paragraph_item()
    items = [item_of(one, root) for one in rules.follow_ups(root, ours(ASKED, "questions"))]
    given = [tuple(ours(one, number=number) for number, one in enumerate(payloads, 1)) for payloads in (answers, also)]
    return ReleaseRecord(root, children=tuple(map(ReleaseRecord, items, given)))


def entry(text):
    return {"text": text, "answer_start": CONTEXT.index(text)}


def test_the_writer_s_answer_comes_first_and_no_answer_is_left_out():
    record = made_here(marked("Holt"), NONE, marked("Anna Holt"), also=[NONE, marked("1871")])
    one, two = written("v2.0", [record])["data"][0]["paragraphs"][0]["qas"]
    assert one["answers"] == [entry("Anna Holt"), entry("Holt"), entry("Anna Holt")]
    assert (one["question"], one["is_impossible"]) == ("Who built it?", False)
    assert "plausible_answers" not in one
    assert (two["answers"], two["is_impossible"], two["plausible_answers"]) == ([], True, [entry("1871")])
    first, second = (child.item.external_id for child in record.children)
    assert list(notes(record)) == [
        f"Question {first} has an answer; 1 of 3 people found none, which is left out.",
        f"Question {second} is impossible; 1 of 2 people marked an answer, which is left out.",
    ]


def test_1_1_has_the_same_answers_without_impossible_questions():
    record = made_here(marked("Holt"), NONE)
    [one] = written("v1.1", [record])["data"][0]["paragraphs"][0]["qas"]
    assert [found["text"] for found in one["answers"]] == ["Anna Holt", "Holt"]
    assert [note.split(" ", 2)[2] for note in notes_v1(record)] == [
        "has no answer in its paragraph; SQuAD 1.1 leaves it out.",
        "has an answer; 1 of 2 people found none, which is left out.",
    ]


@pytest.mark.parametrize(
    ("answers", "impossible"),
    [
        ([NONE], True),
        ([NONE, marked("1871")], False),
        ([NONE, marked("1871"), NONE], True),
        ([marked("1871")], False),
        ([], False),
    ],
)
def test_the_majority_decides_whether_an_imported_question_is_impossible(answers, impossible):
    record = ReleaseRecord(question_item(), tuple(ours(one, number=n) for n, one in enumerate(answers)))
    assert is_impossible(record) is impossible


def test_a_question_that_nobody_answered_is_noted():
    [record] = records_of(read(file_v2(article(paragraph(question(1))))))
    assert list(notes(record)) == [f"Question {1:024x} was not answered by anybody."]
    [record] = records_of(read_release(file_v2(article(paragraph(question(1))))))
    assert list(notes(record)) == []


def test_our_answers_follow_published_ones():
    data = file_v2(article(paragraph(question(1, answer("Holt")), question(2, impossible=True))))
    more = {f"{n:024x}": [ours(marked("Anna Holt")), ours(NONE, number=2)] for n in (1, 2)}
    one, two = written("v2.0", records_of(read_release(data), more))["data"][0]["paragraphs"][0]["qas"]
    assert [found["text"] for found in one["answers"]] == ["Holt", "Anna Holt"]
    assert two == data["data"][0]["paragraphs"][0]["qas"][1]


def test_a_missing_answers_field_is_written_once_there_are_answers():
    bare = question(1)
    del bare["answers"]
    items = read_release(file_v2(article(paragraph(bare))))
    [one] = written("v2.0", records_of(items, {bare["id"]: [ours(marked("Holt"))]}))["data"][0]["paragraphs"][0]["qas"]
    assert [found["text"] for found in one["answers"]] == ["Holt"]


def test_a_span_that_does_not_match_the_paragraph_is_never_released():
    wrong = {"kind": "span", "span": span("1871") | {"start": 0, "end": 4}}
    with pytest.raises(ReleaseRefused, match="Question"):
        written("v2.0", [made_here(wrong)])


def test_there_is_no_other_layout():
    with pytest.raises(KeyError):
        list(articles("v3", iter([])))


def test_the_report_has_the_figures_of_the_papers():
    # The writer says Anna Holt, then Holt is judged by it and by Anna: F1 2/3; "" is judged by no answer: 1.
    found = plain_values(figures([made_here(marked("Holt"), NONE, also=[NONE])]))
    assert found == {
        "human_exact": 0.5,
        "human_f1": pytest.approx((2 / 3 + 1) / 2),
        "questions_per_paragraph": 2,
        "impossible": 0.5,
        "found_unanswerable": 1,
    }
    assert found.keys() == PUBLISHED.keys()


def test_a_report_of_nothing_has_no_figures():
    assert set(figures([]).values()) == {None}
    assert set(figures(records_of(read(file_v2(article(paragraph()))))).values()) == {None}
