"""Question writers see only the paragraph, annotators the question with it; written questions become items."""

import pytest

from annotation.errors import NotFound
from annotation.protocols.squad import rules
from annotation.protocols.squad.protocol import PROTOCOL
from annotation.values.records import Context, Step, Waiting
from tests.protocols.squad.builders import CONTEXT, asked, ours, paragraph_item, question_item, sheet_at


def test_a_writer_sees_the_paragraph_and_the_title_of_its_article():
    sheet = sheet_at("questions", paragraph_item(title="Beyonc%C3%A9_at__Skerrow_"))
    assert (sheet.prompt, sheet.title, sheet.text) == ("Beyoncé at Skerrow", "Beyoncé at Skerrow", CONTEXT)
    assert sheet.passages == (CONTEXT,)
    assert sheet.word_count == len(CONTEXT.split()) - 1 + 3, "the emoji is no word"


@pytest.mark.parametrize(("version", "impossible"), [("1.1", False), ("2.0", True)])
def test_the_project_says_whether_questions_without_an_answer_are_wanted(version, impossible):
    assert sheet_at("questions", paragraph_item(), version).impossible is impossible


def test_an_annotator_sees_only_the_question_and_its_paragraph():
    sheet = sheet_at("answer", question_item(question="  Who built it? "))
    assert vars(sheet) == {
        "stage": "answer", "prompt": "Who built it?", "title": "Skerrow lighthouse", "text": CONTEXT,
        "lang": "", "dir": "", "frame": None, "images": (),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("stage", "item"), [("answer", paragraph_item()), ("questions", question_item()), ("other", paragraph_item())]
)
def test_there_is_no_other_sheet(stage, item):
    with pytest.raises(NotFound):
        rules.sheet(Context(item, "ask"), Step(stage))


def test_nobody_waits():
    with pytest.raises(NotFound):
        rules.sheet(Context(paragraph_item(), "ask"), Waiting(Step("questions")))


def test_each_question_becomes_an_item_under_the_paragraph():
    item = paragraph_item()
    made = ours(asked(("Who built it?", "Anna Holt"), ("When was it lit?", "1871", "impossible")), "questions")
    one, two = rules.follow_ups(item, made)
    assert {one.kind, two.kind} == {"question"}
    assert one.parent == two.parent == ("paragraph", item.external_id)
    assert [one.external_id, two.external_id] == [found.external_id for found in rules.follow_ups(item, made)]
    assert len({one.external_id, two.external_id}) == 2
    assert len(one.external_id) == 24
    start = CONTEXT.index("1871")
    assert two.payload == {
        "question": "When was it lit?",
        "is_impossible": True,
        "plausible_answers": [{"text": "1871", "answer_start": start}],
    }
    assert one.payload["is_impossible"] is False
    assert one.payload["answer"]["quote"] == "Anna Holt"


def test_captions_are_what_people_read():
    assert PROTOCOL.caption("paragraph", paragraph_item().payload) == "Skerrow lighthouse (1)"
    assert PROTOCOL.caption("question", question_item(question=" Who? ").payload) == "Who?"
