"""A published file that is imported and released again has the same JSON values, field for field, in the same order."""

import json

import pytest

from annotation.errors import ImportRefused
from annotation.protocols.squad.writing import notes_v1
from tests.protocols.squad.builders import (
    CONTEXT,
    answer,
    article,
    file_v1,
    file_v2,
    paragraph,
    question,
    question_v1,
    read,
    read_release,
    records_of,
    round_trip,
    written,
)


def notes(data, **options):
    return " ".join(note for item in read_release(data, **options) for note in item.notes)


def test_an_ordinary_file_of_2_0_is_the_same_to_the_byte():
    data = file_v2(
        article(paragraph(question(1), question(2, impossible=True)), paragraph(question(3), context="Anna Holt.")),
        article(paragraph(question(4, answer(), answer("Holt"), answer())), title="Another"),
    )
    assert json.dumps(round_trip(data)) == json.dumps(data)
    assert notes(file_v2(data["data"][0])).count("is not at offset") == 1  # of question 3, in another context


def test_an_ordinary_file_of_1_1_is_the_same_to_the_byte():
    data = file_v1([question_v1(1), question_v1(2, answer(), answer("Holt"), answer())], [question_v1(3)])
    assert json.dumps(round_trip(data, "v1.1", name="dev-v1.1.json")) == json.dumps(data)
    assert notes(data) == ""


ODD_ANSWERS = {
    "elsewhere": answer(answer_start=3),
    "before the text": answer(answer_start=-1),
    "behind the text": answer(answer_start=10_000),
    "of no word": answer("", answer_start=0),
    "a blank": answer(" "),
    "half a word": answer("Skerr"),
    "after a character beyond the basic plane": answer("lighthouse"),
    "with unknown fields": answer(confidence=0.5, by={"a": [1, None, "é🦊"]}),
}


@pytest.mark.parametrize("odd", ODD_ANSWERS.values(), ids=ODD_ANSWERS.keys())
def test_odd_answers_come_out_as_they_went_in(odd):
    data = file_v2(article(paragraph(question(1, odd, answer(), odd), question(2, plausible_answers=[odd, odd]))))
    assert round_trip(data) == data


ODD_QUESTIONS = {
    "leading blanks": {"question": "  \tWho built it?\n"},
    "empty": {"question": ""},
    "impossible with an answer": {"is_impossible": True},
    "no answer and not impossible": {"answers": []},
    "impossible without plausible answers": {"is_impossible": True, "answers": []},
    "impossible with none of several": {"is_impossible": True, "answers": [], "plausible_answers": []},
    "unknown fields": {"asker": None, "votes": [1, 2.5, {"b": True}]},
}


@pytest.mark.parametrize("fields", ODD_QUESTIONS.values(), ids=ODD_QUESTIONS.keys())
def test_odd_questions_come_out_as_they_went_in(fields):
    data = file_v2(article(paragraph(question(1) | fields)))
    assert round_trip(data) == data


@pytest.mark.parametrize("key", ["answers", "is_impossible"])
def test_a_missing_field_of_a_question_stays_missing(key):
    bare = question(1)
    del bare[key]
    data = file_v2(article(paragraph(bare, question(2))))
    assert round_trip(data) == data


def test_articles_without_paragraphs_and_neighbours_of_one_title_keep_their_places():
    same = article(paragraph(question(1)), title="Same")
    data = file_v2(
        article(title="first", note="nothing here"),
        article(title="second"),
        same,
        article(paragraph(question(2)), title="Same"),
        article(title="Same"),
        article(paragraph(question(3)), title="Same"),
        article(title="last"),
        article(title="last"),
    )
    assert round_trip(data) == data


def test_paragraphs_without_questions_repeated_ones_and_unknown_fields_come_out():
    data = file_v2(
        article(
            paragraph(),
            paragraph(),
            paragraph(question(1), context="  two\r\nlines\u2028 \u00a0 🦊 ", page=7),
            paragraph(context=""),
            url="https://example.org/a",
            links=[],
        )
    )
    assert round_trip(data) == data


def test_offsets_count_code_points():
    [_, one] = read_release(file_v2(article(paragraph(question(1)))))
    assert one.annotations[0].responses[0][2]["answer_start"] == CONTEXT.index("Anna Holt")
    assert one.notes == ()


def test_what_our_rules_forbid_is_noted_for_the_report():
    odd = [
        question(1, answer(answer_start=0), question=" Who?"),
        question(2, impossible=True, answers=[answer()]),
        question(3, answers=[]),
        question(4, plausible_answers=[answer("")]),
    ]
    found = notes(file_v2(article(paragraph(*odd), paragraph(context=" "))) | {"version": "3"})
    for sentence in (
        "the question has leading or trailing white space.",
        "the answer “Anna Holt” is not at offset 0.",
        "it is impossible but has an answer.",
        "it is not impossible but has no answer.",
        "it has plausible answers but is not impossible.",
        "an answer is empty.",
        "has no text.",
        "The version of the file is “3”",
    ):
        assert sentence in found


def test_a_file_of_1_1_becomes_one_of_2_0():
    [one] = round_trip(file_v1([question_v1(1)]))["data"][0]["paragraphs"][0]["qas"]
    assert one["is_impossible"] is False
    assert list(one) == ["question", "id", "answers", "is_impossible"]


def test_1_1_leaves_out_impossible_questions_of_2_0_and_the_manifest_says_so():
    records = records_of(read_release(file_v2(article(paragraph(question(1), question(2, impossible=True))))))
    [one] = written("v1.1", records)["data"][0]["paragraphs"][0]["qas"]
    assert list(one) == ["answers", "question", "id"]
    [note] = [note for record in records for note in notes_v1(record)]
    assert note == f"Question {2:024x} has no answer in its paragraph; SQuAD 1.1 leaves it out."


def test_the_split_is_the_given_one_or_that_of_the_file_name():
    data = file_v2(article(paragraph(question(1))))
    assert {item.split for item in read_release(data, name="folder/dev-v2.0.json")} == {"dev"}
    assert {item.split for item in read_release(data, split="test")} == {"test"}
    assert {item.split for item in read(data, name="articles.json")} == {"train"}
    with pytest.raises(ImportRefused, match="does not say which split"):
        read_release(data, name="articles.json")


def test_answers_of_an_unpublished_file_are_left_out():
    items = read(file_v2(article(paragraph(question(1), question(2, impossible=True)))))
    assert [one.annotations for one in items] == [(), (), ()]
    assert [sorted(one.payload) for one in items[1:]] == [["question"], ["question"]]


BROKEN = {
    "": "text",
    "title": {"paragraphs": [paragraph()]},
    "paragraphs": {"title": "x", "paragraphs": {}},
    "paragraphs[0]": article("text"),
    "paragraphs[0].context": article({"qas": []}),
    "paragraphs[0].qas": article({"context": "x"}),
    "paragraphs[0].qas[0]": article(paragraph("x")),
    "paragraphs[0].qas[0].id": article(paragraph(question(1, id=5))),
    "paragraphs[0].qas[0].question": article(paragraph(question(1, question=None))),
    "paragraphs[0].qas[0].is_impossible": article(paragraph(question(1, is_impossible="no"))),
    "paragraphs[0].qas[0].answers[0].text": article(paragraph(question(1, {"answer_start": 1}))),
    "paragraphs[0].qas[0].answers[0].answer_start": article(paragraph(question(1, answer(answer_start=True)))),
    "paragraphs[0].qas[0].plausible_answers": article(paragraph(question(1, plausible_answers={}))),
}


@pytest.mark.parametrize(("field", "broken"), BROKEN.items())
def test_an_article_of_another_structure_is_refused_with_the_field(field, broken):
    good = article(paragraph(question(9)))
    found = read_release(file_v2(good, broken, good))
    assert [(one.line, one.field) for one in found if hasattr(one, "reason")] == [(2, field)]


@pytest.mark.parametrize("text", ["", "?", "\u200b"])
def test_a_question_without_words_is_refused_where_somebody_is_to_answer_it(text):
    data = file_v2(article(paragraph(question(1, question=text))))
    [refused] = read(data)
    assert (refused.field, refused.reason) == ("paragraphs[0].qas[0].question", "The question is empty.")
    assert len(read_release(data)) == 2


@pytest.mark.parametrize("data", [[], {}, {"data": {}}, {"data": []}, file_v2(article())])
def test_a_file_without_a_paragraph_is_refused(data):
    with pytest.raises(ImportRefused):
        read_release(data)


def test_ids_are_stable_and_depend_on_the_split():
    data = file_v2(article(paragraph(), paragraph()), article(paragraph()))
    ids = [one.external_id for one in read_release(data)]
    assert [one.external_id for one in read_release(data)] == ids
    assert len(set(ids)) == 3
    assert not set(ids) & {one.external_id for one in read_release(data, split="dev")}


def test_a_file_reads_as_bytes_of_any_spacing():
    data = file_v2(article(paragraph(question(1))))
    spaced = json.dumps(data, indent=3).encode()
    assert [vars(one) for one in read_release(spaced)] == [vars(one) for one in read_release(data)]
