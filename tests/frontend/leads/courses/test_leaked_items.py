"""An item that far more people get right since a day is marked in the figures, which say since when; so is its row in
the file.
"""

from __future__ import annotations

import csv
import io
import re

import pytest

from tests.people import NOON
from tests.qualification.courses.crowds import a_crowd_that_passed_an_item_on


@pytest.fixture
def leaked(published):
    return a_crowd_that_passed_an_item_on(published, first=NOON)


def rows_of_items(desk) -> list[str]:
    page = desk.text("exam_figures")
    return re.findall(r"<tr>.*?</tr>", page[page.index('id="items"') :])[1:]


def test_its_row_has_a_badge_and_says_since_when_as_the_file_does_and_no_other_row_has(desk, leaked):
    [row] = [each for each in rows_of_items(desk) if "leaked" in each]
    assert f"#{leaked}" in row
    assert '<span class="badge bad">leaked</span>' in row
    assert "90 % right since 26 November 2026, 50 % before." in row
    assert f'id="{leaked}"' in desk.text("course_version", 1)
    lines = desk.get("exam_figures_csv", "items").content.decode("utf-8-sig")
    told = {row["item"]: row for row in csv.DictReader(io.StringIO(lines)) if row["leaked_since"]}
    assert {key: (row["remark"], row["leaked_since"]) for key, row in told.items()} == {
        leaked: ("leaked", "2026-11-26")
    }
