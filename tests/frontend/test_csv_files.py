"""CSV is written so that no spreadsheet runs what somebody wrote, whatever its separator."""

from __future__ import annotations

import csv
import io
from datetime import date
from decimal import Decimal

import pytest
from django.utils.translation import gettext_lazy

from frontend import downloads

FORMULAS = [
    "=1+1",
    "+1+1",
    "-1+cmd|' /C calc'!A0",
    "@SUM(A1)",
    "\tx",
    "\rx",
    "\nx",
    "  =1+1",
    "\u00a0=1+1",
    "\u200b=1+1",
    "\ufeff=1+1",
    "\x00=1+1",
    "＝1+1",
    "＋1",
    "－1",
    "＠SUM(A1)",
    "\u3000＝1+1",
    "﹦1",
    "\N{MINUS SIGN}1+A1",
    "--1",
    "+49 30 1234",
    gettext_lazy("=1+1"),
]


def saved(*cells):
    """What a reader gets of one row."""
    text = downloads.table_text([cells])
    assert text.startswith("\ufeff")
    [row] = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
    return row


@pytest.mark.parametrize("text", FORMULAS, ids=repr)
def test_what_looks_like_a_formula_gets_an_apostrophe(text):
    assert saved(text) == [f"'{text}"]


@pytest.mark.parametrize("text", ["a=1", "1-2", "'=1", "–", "2026-11-20", "", " ", "a\nb", "a; b", "你好"], ids=repr)
def test_other_texts_stay_as_they_are(text):
    assert saved("x", text) == ["x", text]


@pytest.mark.parametrize("text", ["-1", "+2", "-0.5", "-.5", "1e-05", "-1E+3"])
def test_numbers_stay_numbers_also_as_text(text):
    assert saved(text) == [text]


def test_values_that_are_no_texts_are_written_plainly():
    values = (-1, -0.25, Decimal("-4.00"), None, date(2026, 11, 20), True)
    assert saved(*values) == ["-1", "-0.25", "-4.00", "", "2026-11-20", "True"]


@pytest.mark.parametrize("text", ["-١", "-1\n", "-", "+"], ids=repr)
def test_what_is_almost_a_number_is_text(text):
    assert saved(text) == [f"'{text}"]


@pytest.mark.parametrize("between", [";", "\t", "\r", "\n", "\r\n"], ids=repr)
def test_where_a_semicolon_separates_no_part_of_a_text_is_a_formula(between):
    assert saved(f"a{between}=1+1") == [f"a{between}'=1+1"]
    assert saved(f"a{between} ＝1+1") == [f"a{between}' ＝1+1"]


def test_the_names_of_columns_are_written_the_same_way():
    assert saved("=name", "b") == ["'=name", "b"]
