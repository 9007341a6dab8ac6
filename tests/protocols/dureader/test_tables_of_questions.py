"""Questions with their documents in a table, as a spreadsheet saves it."""

import csv
import io

import orjson
import pytest

from annotation.engine.loading import item_record
from annotation.errors import ImportRefused
from annotation.imports.run import LinesRefused
from annotation.models import Item
from annotation.protocols.dureader import rules
from annotation.values.records import Step
from tests.builders import load, project
from tests.protocols.dureader.builders import context

HEADER = ["question_id", "question", "question_type", "fact_or_opinion", "title_1", "text_1", "title_2", "text_2"]
LAMP = [
    "7",
    "which oil did lamp 7 burn",
    "ENTITY",
    "FACT",
    "Lamps",
    "Rape oil.\r\n\r\nThen gas.",
    "灯塔",
    "灯塔用油灯。",
]


@pytest.fixture
def lamps(db):
    return project("lamps", "dureader")


def load_rows(into, folder, *rows, name="questions.csv", delimiter=",", **options):
    """Import a table of these rows."""
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows(rows)
    path = folder / name
    path.write_text(text.getvalue(), encoding="utf-8-sig", newline="")
    return load(into, path, **options)


@pytest.mark.parametrize(("name", "delimiter"), [("a.csv", ","), ("a.csv", ";"), ("a.tsv", "\t")])
def test_a_row_is_a_question_whose_lines_of_text_are_paragraphs(lamps, tmp_path, name, delimiter):
    load_rows(lamps, tmp_path, HEADER, LAMP, name=name, delimiter=delimiter, split="dev")
    item = Item.objects.get()
    assert (item.external_id, item.split) == ("7", "dev")
    sheet = rules.sheet(context(item_record(item)), Step("answers"))
    assert (sheet.prompt, sheet.question_type, sheet.fact_or_opinion) == (LAMP[1], "ENTITY", "FACT")
    assert [(each.title, each.paragraphs) for each in sheet.documents] == [
        ("Lamps", ("Rape oil.", "Then gas.")),
        ("灯塔", ("灯塔用油灯。",)),
    ]


def test_empty_cells_are_left_out_so_that_writers_say_the_type(lamps, tmp_path):
    load_rows(lamps, tmp_path, HEADER, [*LAMP[:2], "", "", *LAMP[4:6], "", ""])
    assert rules.next_step(context(item_record(Item.objects.get()))) == Step("kind", seat="one")


def test_a_row_and_a_line_of_json_give_the_same_question(lamps, tmp_path):
    load_rows(lamps, tmp_path, HEADER, LAMP)
    path = tmp_path / "same.json"
    documents = [
        {"title": "Lamps", "paragraphs": ["Rape oil.", "Then gas."]},
        {"title": "灯塔", "paragraphs": ["灯塔用油灯。"]},
    ]
    typed = {"question_type": "ENTITY", "fact_or_opinion": "FACT"}
    path.write_bytes(orjson.dumps({"question_id": 7, "question": LAMP[1], "documents": documents} | typed))
    load(lamps, path)
    assert Item.objects.count() == 1


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"question_id": "seven"}, "question_id"),
        ({"question_id": ""}, "question_id"),
        ({"question_type": "Entity"}, "This is one of DESCRIPTION, ENTITY, YES_NO."),
        ({"text_2": ""}, "One of the two cells is empty."),
        ({"title_1": ""}, "One of the two cells is empty."),
        ({"title_1": "", "text_1": "", "title_2": "", "text_2": ""}, "A question has 1 to 5 documents."),
    ],
)
def test_a_row_that_can_not_be_read_is_refused_in_a_sentence(lamps, tmp_path, change, sentence):
    cells = dict(zip(HEADER, LAMP, strict=True)) | change
    with pytest.raises(LinesRefused) as why:
        load_rows(lamps, tmp_path, HEADER, list(cells.values()))
    [refused] = why.value.report.refused
    assert refused.line == 2
    assert sentence in f"{refused.field}: {refused.reason}"
    assert not Item.objects.exists()


@pytest.mark.parametrize("column", ["text_6", "answers", "Title_1 "])
def test_a_column_that_is_not_read_is_named(lamps, tmp_path, column):
    with pytest.raises(ImportRefused, match=f"a column {column.strip()}, which is not read"):
        load_rows(lamps, tmp_path, [*HEADER, column], [*LAMP, "x"])
