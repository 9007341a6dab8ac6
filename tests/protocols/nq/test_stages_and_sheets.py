"""What each stage shows and what comes next: the page stays hidden until the question is found good."""

import dataclasses

import pytest

from annotation.errors import NotFound
from annotation.values.sheets import PageFrame
from tests.protocols.nq.builders import GOOD, PAGE, box_where, parsed, problems_at, raw_item, sheet_at, stage_after

BAD = {"verdict": "bad", "reasons": ["ambiguous"]}
NONE = {"kind": "none", "reason": "page"}
RTL = PAGE.replace('lang="en"', 'lang="he" dir="rtl"')


@pytest.fixture(scope="module")
def item():
    return raw_item(RTL, document_title="A lighthouse", document_url="https://example.org/l")


def so_far(item, question=None, long=None, short=None):
    said = {"question": question, "long_answer": long, "short_answer": short}
    return tuple(parsed(stage, payload) for stage, payload in said.items() if payload)


@pytest.mark.parametrize(
    ("said", "stage"),
    [
        ({}, "question"),
        ({"question": BAD}, None),
        ({"question": GOOD}, "long_answer"),
        ({"question": GOOD, "long": NONE}, None),
        ({"question": GOOD, "long": {"kind": "box", "candidate": 0, "quote": "x"}}, "short_answer"),
        ({"question": GOOD, "long": {"kind": "box", "candidate": 0, "quote": "x"}, "short": {"kind": "no"}}, None),
    ],
)
def test_bad_and_no_answer_end_the_work_and_a_box_asks_for_its_short_answer(item, said, stage):
    assert stage_after(so_far(item, **said)) == stage


def test_the_question_sheet_has_the_question_and_nothing_else(item):
    sheet = sheet_at("question", item, ())
    assert dataclasses.asdict(sheet) == {
        "stage": "question",
        "prompt": "when was it lit",
        "lang": "",
        "dir": "",
        "frame": None,
        "images": (),
    }


def test_the_question_sheet_is_the_same_whatever_the_page_is():
    first, second = raw_item(RTL), raw_item("<title>Other</title><p>Quite another page.</p>")
    assert sheet_at("question", first) == sheet_at("question", second)


@pytest.mark.parametrize("said", [{}, {"question": BAD}])
def test_the_page_is_hidden_before_a_good_verdict_and_after_a_bad_one(item, said):
    for stage in ("long_answer", "short_answer"):
        with pytest.raises(NotFound):
            sheet_at(stage, item, so_far(item, **said))


def test_after_good_the_whole_page_is_shown_with_its_headings_and_boxes(item):
    sheet = sheet_at("long_answer", item, so_far(item, GOOD))
    assert sheet.frame == PageFrame(document=0, root=None, words=False)
    assert (sheet.lang, sheet.dir, sheet.page_title) == ("he", "rtl", "A lighthouse")
    assert [heading.text for heading in sheet.headings] == ["Old lighthouse", "Lamps"]
    assert [box.index for box in sheet.boxes] == list(range(len(item.documents[0].layout.candidates)))
    assert {box.kind for box in sheet.boxes} == {"P", "Table", "Tr", "Ul", "Li"}


@pytest.mark.parametrize("long", [None, NONE])
def test_without_a_box_there_is_no_short_answer_stage(item, long):
    with pytest.raises(NotFound):
        sheet_at("short_answer", item, so_far(item, GOOD, long))


def test_the_short_answer_stage_shows_the_chosen_box_only(item):
    box = box_where(item, "Its keeper")
    sheet = sheet_at("short_answer", item, so_far(item, GOOD, box))
    layout = item.documents[0].layout
    assert sheet.frame == PageFrame(document=0, root=box["candidate"], words=True)
    assert sheet.box.index == box["candidate"]
    assert sheet.box.heading_path == ("Old lighthouse",)
    assert " ".join(sheet.text.split()) == "Its keeper’s café 🦊 is well known."
    chosen = layout.candidates[box["candidate"]]
    assert all(chosen.start_token < token < chosen.end_token for token, _, _ in sheet.words)
    assert [layout.tokens[token].text for token, _, _ in sheet.words][-3:] == ["well", "known", "."]
    assert sheet.rows == ()


def test_the_rows_of_a_chosen_table_are_named_for_the_advice(item):
    table = box_where(item, "Lamp")
    table = table | {"candidate": item.documents[0].layout.parents[table["candidate"]]}
    sheet = sheet_at("short_answer", item, so_far(item, GOOD, table))
    tokens = item.documents[0].layout.tokens
    assert sheet.box.kind == "Table"
    assert [tokens[start].text + tokens[end - 1].text for _row, start, end in sheet.rows] == ["<Tr></Tr>", "<Tr></Tr>"]


def test_the_sheets_of_an_item_imported_in_the_simplified_layout_show_its_text():
    from tests.protocols.nq.builders import item_of, published

    record = {"question_text": "q", "example_id": 3, "document_url": "u"}
    record["document_text"] = "T <H1> Lamp </H1> <P> It burns oil . </P> <Ul> <Li> one </Li> </Ul>"
    record["long_answer_candidates"] = [{"start_token": 4, "end_token": 10, "top_level": True}]
    item = item_of(published(record, "simplified-nq-train.jsonl"))
    box = box_where(item, "It burns")
    sheet = sheet_at("short_answer", item, so_far(item, GOOD, box))
    assert [token for token, _, _ in sheet.words] == [5, 6, 7, 8]
    span = {"kind": "spans", "spans": [{"start": 7, "end": 8, "quote": "oil"}]}
    assert problems_at("short_answer", parsed("short_answer", span).payload, item, so_far(item, GOOD, box)) == []
