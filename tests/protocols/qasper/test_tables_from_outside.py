"""The HTML of a table is reduced to rows of cells; a template writes what the page shows of it."""

import json

import pytest
from django.template.loader import render_to_string

from annotation.protocols.qasper import writing
from annotation.protocols.qasper.paper_tables import LARGEST, Cell, Piece, parse_table
from annotation.protocols.qasper.papers import PaperText
from annotation.protocols.qasper.schemas import FloatUnit
from tests.protocols.qasper.builders import paper, question, read, sheet_at
from tests.protocols.records import item_of

GOOD = (
    "<table><thead><tr><td>System</td><td colspan='2'>F<sub>1</sub></td></tr></thead>"
    "<tbody><tr><th rowspan=2>ours</th><td>84.2<br>&plusmn;1</td><td><b>90</b></td></tr></tbody></table>"
)


def words(table):
    return [["".join(piece.text for piece in cell.pieces).strip() for cell in row] for row in table]


def test_rows_headings_spans_and_small_marks_are_kept():
    head, body = parse_table(GOOD)
    assert head == (
        Cell((Piece("System"),), heading=True),
        Cell((Piece("F"), Piece("1", "sub")), heading=True, columns=2),
    )
    assert body == (
        Cell((Piece("ours"),), heading=True, rows=2),
        Cell((Piece("84.2"), Piece("", "br"), Piece("±1"))),
        Cell((Piece("90", "b"),)),
    )


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<table/>",
        "no table",
        "<table><tr><td> </td></tr></table>",
        "<script>x</script>",
        "<td>1</td>",
        "<table><tr><td>" + "x" * LARGEST,
        "<table>" + "<tr><td>1" * 5001,
    ],
)
def test_a_table_without_visible_cells_or_that_is_too_large_is_not_shown(html):
    assert parse_table(html) == ()


HOSTILE = [
    "<table><tr><td><script>alert(1)</script>1</td></tr></table>",
    "<table onload=alert(1) style='position:fixed'><tr class=frame><td onclick=alert(1) id=answer>1</td></tr></table>",
    "<table><tr><td><img src=x onerror=alert(1)>1</td></tr></table>",
    "<table><tr><td><a href='javascript:alert(1)'>1</a></td></tr></table>",
    "<table><tr><td><svg><style><img src=x onerror=alert(1)></style></svg>1</td></tr></table>",
    "<table><tr><td><math><mtext><table><mglyph><style><!--</style>"
    "<img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>"
    "</table></mtext></math></td><td>1</td></tr></table>",
    "<table><tr><td>1</td></tr></table></div></article></main><form action=//evil><input name=kind>",
    "<table><tr><td><iframe srcdoc='<script>alert(1)</script>'></iframe>1</td></tr></table>",
    "<table><tr><td><!--><script>alert(1)</script>-->1</td></tr></table>",
    "<table><tr><td data-float-toggle hx-get=/logout/ data-passage=0 data-module=//evil>1</td></tr></table>",
    "<table><tr><td>&lt;script&gt;alert(1)&lt;/script&gt; 1</td></tr></table>",
]


@pytest.mark.parametrize("html", HOSTILE)
def test_hostile_markup_never_reaches_the_page(html):
    table = parse_table(html)
    shown = render_to_string("qasper/_table.html", {"float": {"table": table}})
    for word in (
        "<script",
        "onclick",
        "onerror=alert(1)>",
        "<img",
        "<a ",
        "style",
        "<svg",
        "<iframe",
        "<form",
        "hx-get",
    ):
        assert word not in shown
    assert "1" in shown
    assert shown.count("<div") == shown.count("</div") == 1


def test_a_cell_spans_a_bounded_number_of_columns_and_rows():
    ((cell, other),) = parse_table(
        "<table><tr><td colspan=1000 rowspan=65534>1</td><td colspan=-5 rowspan=zwei>2</td></tr>"
    )
    assert (cell.columns, cell.rows) == (50, 500)
    assert (other.columns, other.rows) == (1, 1)


def test_cells_that_cannot_be_shown_are_reported_by_the_import():
    floats = [{"file": "1.png", "caption": "Table 1", "content": html} for html in ("", GOOD, "<table/>", "x")]
    (found,) = read({"1": paper(figures_and_tables=floats)})
    notes = [note for note in found.notes if "cells" in note]
    assert [note.split("figure or table ")[1] for note in notes] == [
        "3 can't be shown; its caption is shown instead.",
        "4 can't be shown; its caption is shown instead.",
    ]


def test_a_nested_table_is_text_of_its_cell_and_tables_side_by_side_are_one():
    nested = parse_table("<table><tr><td>a<table><tr><td>b</td><td>c</td></tr></table></td><td>d</td></tr></table>")
    assert [[" ".join(cell.split()) for cell in row] for row in words(nested)] == [["a b c", "d"]]
    assert words(parse_table("<table><tr><td>a</table> between <table><tr><td>b</table>")) == [["a"], ["b"]]


def test_the_tables_of_a_parsed_pdf_are_shown_and_empty_ones_are_not(shared):
    name = "pdf2json-2020.acl-main.207.json"
    (found,) = read(json.loads((shared / "s2orc" / name).read_bytes()), name=name)
    text = PaperText.from_document(item_of(found).documents[0])
    tables = [parse_table(entry.get("content", "")) for entry in text.raw["figures_and_tables"]]
    assert [len(table) for table in tables] == [0, 0, 4, 2, 0]
    assert words(tables[3])[1] == ["SPECTER", "84.2 88.4 91.5 36.9 80.0"]


def test_the_content_of_a_table_is_shown_and_changes_no_evidence():
    floats = [{"file": "2-Table1-1.png", "caption": "Table 1: Otters by river.", "content": GOOD}]
    found, asked = read({"1": paper(qas=[question()], figures_and_tables=floats)})
    sheet = sheet_at("answer", item_of(asked, root=item_of(found)), ())
    assert sheet.floats[0].table == parse_table(GOOD)
    unit = FloatUnit(kind="float", index=0, quote="Table 1: Otters by river.")
    text = PaperText.from_document(item_of(found).documents[0])
    assert writing.evidence((unit,), text) == writing.highlighted((unit,), text)
    assert writing.evidence((unit,), text) == ["FLOAT SELECTED: Table 1: Otters by river."]
