"""Paragraphs, and questions about them, come in from a spreadsheet."""

from __future__ import annotations

import pytest

from annotation.errors import ImportRefused
from annotation.imports.run import LinesRefused, Mode
from annotation.models import Item
from tests.builders import load, project

TABLE = """title,context,question,id
Skerrow,"Built in 1871, by Anna Holt.",Who built it?,q-1
Skerrow,Its light is seen from afar.,,
Lund,It rings at noon.,When does it ring?,
Skerrow,"Built in 1871, by Anna Holt.",In which year?,
"""


@pytest.fixture
def articles(db):
    return project("articles", "squad")


def take_in(into, tmp_path, text, name="dev.csv", **options):
    path = tmp_path / name
    path.write_text(text)
    return load(into, path, **options)


def by_kind(kind):
    return list(Item.objects.filter(kind=kind).order_by("position"))


def test_rows_of_a_title_are_an_article_and_rows_of_a_text_a_paragraph(articles, tmp_path):
    report = take_in(articles, tmp_path, TABLE)
    assert report.read_as == "Read as a table: its first row names the columns, and every other row is a record."
    assert list(report.notes) == []
    paragraphs = [(item.payload["title"], item.payload["place"]) for item in by_kind("paragraph")]
    assert paragraphs == [("Skerrow", 1), ("Skerrow", 2), ("Lund", 1)]
    asked = {item.payload["question"]: item for item in by_kind("question")}
    assert set(asked) == {"Who built it?", "In which year?", "When does it ring?"}
    assert asked["Who built it?"].external_id == "q-1"
    assert asked["Who built it?"].root_id == asked["In which year?"].root_id
    assert {item.split for item in asked.values()} == {"dev"}


def test_the_same_table_in_another_order_brings_nothing_new(articles, tmp_path):
    take_in(articles, tmp_path, TABLE)
    head, first, *others = TABLE.splitlines(keepends=True)
    report = take_in(articles, tmp_path, head + "".join(others[:1]) + first + "".join(others[1:]), name="dev-again.csv")
    assert (report.items, Item.objects.filter(kind="question").count()) == (0, 3)


@pytest.mark.parametrize(
    ("row", "field", "reason"),
    [
        ("Skerrow,,Who?,", "context", "The field is missing."),
        (",Text.,Who?,", "title", "The field is missing."),
        ("Skerrow,Text.,,q-7", "question", "There is an id, and no question."),
        ("Skerrow,Text.,Who?,q-7,more", "", "The row has more cells than the first one."),
    ],
)
def test_a_row_that_says_too_little_or_too_much_is_refused_by_its_number(articles, tmp_path, row, field, reason):
    with pytest.raises(LinesRefused) as refused:
        take_in(articles, tmp_path, f"{TABLE}{row}\n")
    [line] = refused.value.report.refused
    assert (line.line, line.field) == (6, field)
    assert line.reason.startswith(reason)


def test_published_data_is_no_table(articles, tmp_path):
    with pytest.raises(ImportRefused, match="is a table, and what is imported here is JSON"):
        take_in(articles, tmp_path, TABLE, published=True)


def test_a_column_that_is_not_read_refuses_the_table_in_one_sentence(articles, tmp_path):
    with pytest.raises(ImportRefused) as refused:
        take_in(articles, tmp_path, TABLE.replace("context", "text", 1))
    assert str(refused.value) == (
        "dev.csv has a column text, which is not read. Those that are read: title, context, question, id."
        " Rename it or take it out."
    )


def test_every_row_counts_as_a_line_and_the_good_ones_come_in(articles, tmp_path):
    rows = f"{TABLE}Skerrow,,Who?,\nSkerrow,Its light is seen from afar.,From where?,\n"
    report = take_in(articles, tmp_path, rows, mode=Mode.GOOD)
    assert [found.line for found in report.refused] == [6]
    assert report.read == 6
    assert "From where?" in {item.payload["question"] for item in by_kind("question")}


def test_a_refused_article_refuses_each_of_its_rows(articles, tmp_path):
    rows = f"{TABLE}Lund,It rings at noon.,How?,{'q' * 151}\n"
    report = take_in(articles, tmp_path, rows, mode=Mode.GOOD)
    assert [found.line for found in report.refused] == [4, 6]
    assert (report.read, len(by_kind("paragraph"))) == (5, 2)
