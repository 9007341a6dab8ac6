"""The figures of the report, each computed by hand, beside the published ones."""

import json

import pytest

from annotation.protocol_tools import ScoreRequest
from annotation.protocols.coqa import statistics
from annotation.protocols.coqa.scorer import SCORER
from annotation.protocols.coqa.statistics import PUBLISHED
from annotation.statistics.clustered_means import plain_values
from annotation.values.records import AnnotationRecord
from tests.protocols.coqa.builders import (
    answer,
    asked,
    dialogue,
    file_of,
    game,
    question,
    read_release,
    record_of,
    records_of,
    said,
    talk,
)


def report(records):
    return plain_values(statistics.figures(records))


def figures_of(*exchanges, **options):
    """The report on one conversation with these (question, answer, rationale), filled up to ten turns."""
    every = [*exchanges, *[("Why so?", "unknown", "")] * (10 - len(exchanges))]
    told = [
        one
        for turn, (text, answered, words) in enumerate(every, start=1)
        for one in (asked(turn, text), said(turn, answered, words))
    ]
    return report([record_of(AnnotationRecord("converse", tuple(told), id_hex="1" * 40), **options)])


def test_an_answer_is_edited_if_it_differs_from_its_rationale_in_anything():
    found = figures_of(
        ("Who?", "Anna Holt", "Anna Holt"),
        ("Who?", " Anna Holt ", "Anna Holt"),
        ("Who?", "anna holt", "Anna Holt"),
        ("Who?", "Anna Holt.", "Anna Holt"),
        ("Who?", "Holt", "Anna Holt"),
    )
    assert found["answers_edited"] == 3 / 5  # unknown has no rationale


def test_yes_no_and_unknown_are_told_by_their_words():
    found = figures_of(("Is it?", "Yes!", "Anna"), ("Is it?", "no", "Anna"), ("Is it?", "No, it is not", "Anna"))
    assert (found["yes"], found["no"], found["unknown"]) == (0.1, 0.1, 0.7)


def test_a_question_shares_a_content_word_with_its_rationale_not_with_the_story():
    found = figures_of(
        ("Who built the lighthouse?", "Anna", "by Anna Holt"),
        ("Who was Anna?", "Holt", "by Anna Holt"),
        ("Who was it by?", "Holt", "by Anna Holt"),
    )
    assert found["question_shares_word"] == 1 / 3


def test_a_question_has_a_word_of_the_passage_wherever_that_stands():
    found = figures_of(("Who built the lighthouse?", "Anna", "by Anna Holt"), ("Who was Emil’s boss?", "Holt", "Anna"))
    assert found["question_in_passage"] == 1 / 10
    assert figures_of(("Why so?", "unknown", ""))["question_in_passage"] == 0


@pytest.mark.parametrize(
    ("text", "loosely", "exactly"),
    [
        ("built in 1871", 1, 1),
        ("Built in, 1871!", 1, 0),
        ("away.", 1, 1),
        ("Holt. Its", 1, 1),
        ("uilt", 0, 0),
        ("light", 1, 1),  # also the beginning of another word
        ("1871 in", 0, 0),
        ("🦊", 0, 1),
        ("unknown", 0, 0),
    ],
)
def test_an_answer_is_found_in_the_passage(text, loosely, exactly):
    found = figures_of(*[("Who?", text, "Anna")] * 10)
    assert (found["answer_found"], found["answer_found_exactly"]) == (loosely, exactly)


def test_words_are_counted_without_punctuation():
    found = figures_of(("Who -- really?", "She's 3.5 …", "Anna"))
    assert found["words_per_question"] == 2
    assert found["words_per_answer"] == (2 + 9) / 10


def test_partial_conversations_are_counted_and_left_out_of_the_rest():
    figures = report([record_of(talk(turns=9), talk(number=2), talk(turns=14, number=3, activity="converse_alone"))])
    assert (figures["turns_per_conversation"], figures["partial"], figures["solo"]) == (12, 1 / 3, 1 / 2)


def test_published_conversations_count_but_nobody_knows_who_made_them():
    short = dialogue(2, questions=[question(1), question(2)], answers=[answer(1), answer(2, "unknown", "")])
    figures = report(records_of(read_release(file_of(short))))
    assert (figures["turns_per_conversation"], figures["unknown"], figures["answers_edited"]) == (2, 0.5, 1)
    assert (figures["partial"], figures["solo"], figures["human_f1"]["overall"]) == (None, None, None)


def test_human_f1_is_what_the_scorer_prints(shared):
    path = shared / "scored/coqa/gold.json"
    figures = report(records_of(read_release(json.loads(path.read_bytes()), split="dev")))
    printed = SCORER.run(ScoreRequest((path,), flags=frozenset({"human"})))
    assert {name: round(100 * value, 1) for name, value in figures["human_f1"].items()} == {
        name: row["f1"] for name, row in printed.items() if name != "notes"
    }


def test_a_source_of_our_own_has_a_row_of_its_own():
    record = record_of(talk(), split="dev", games={0: [game(text="Anna")]}, domain="blogs")
    found = report([record])["human_f1"]
    assert (found["blogs"], found["overall"], found["in_domain"], found["news"]) == (1, 1, None, None)


def test_a_match_without_a_common_word_and_none_of_equal_answers_are_counted():
    verdicts = {1: "match", 2: "no_match", 3: "original_wrong", 4: "no_match"}
    alike, other = game(text="anna.", verdicts=verdicts), game(text="gulls", verdicts=verdicts, number=101)
    found = report([record_of(talk(), split="dev", games={0: [alike, other]})])
    assert found["verdict_against_words"] == 3 / 8


def test_nothing_to_measure_gives_no_figures_and_every_published_figure_has_ours_beside_it():
    nothing = report([])
    assert (nothing.pop("conversations"), nothing.pop("turns")) == (0, 0)
    assert set(nothing) == {*PUBLISHED, "partial", "question_in_passage", "verdict_against_words"}
    assert set(nothing["human_f1"]) == set(PUBLISHED["human_f1"])
    assert all(value is None for key, value in nothing.items() if key != "human_f1")
