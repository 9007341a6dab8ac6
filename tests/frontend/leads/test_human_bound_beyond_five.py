"""What the page of the human upper bound shows of more than five annotations, and if it can't be measured any more."""

from __future__ import annotations

import csv
import io

import pytest

from annotation.models import Project, User
from annotation.protocols.nq import human
from tasks.measuring import human_bound
from tests.frontend.leads.conftest import scored_project
from tests.frontend.leads.pages import page_of, rows_of
from tests.protocols.nq.test_threshold_of_other_questions import OFTEN, SELDOM, measured

WHY = "Conversation 7 is another one."


@pytest.fixture(scope="module")
def scored_once(shared_rows, shared):
    made, lena = scored_project(shared, "nq")
    return made.pk, lena.pk


@pytest.fixture
def found(scored_once, db):
    return Project.objects.get(pk=scored_once[0])


@pytest.fixture
def lena(scored_once, db):
    return User.objects.get(pk=scored_once[1])


@pytest.fixture
def beyond_five(found, lena):
    """A project as if it had two questions with 25 annotations."""
    kept = human_bound.of_page(found)
    kept.values["splits"] = {"dev": measured(OFTEN, SELDOM).as_json()}
    kept.save()
    return found, lena


def test_the_threshold_sweep_is_a_table_once_there_are_more_than_five(beyond_five):
    shown = page_of(*beyond_five)
    [group] = [one for one in shown.context["bound"].groups if one.key == "super"]
    assert [threshold for threshold, _figures in group.sweep.rows] == list(range(1, 21))
    assert len(group.sweep.columns) == 7
    assert group.sweep.used == human.THRESHOLD
    assert "By threshold" in shown.content.decode()


def test_the_threshold_that_other_questions_chose_has_its_figures_and_says_which_it_was(beyond_five):
    shown = page_of(*beyond_five)
    kept = human_bound.of_page(beyond_five[0]).values["splits"]["dev"]
    row = rows_of(shown)["crossed", "Long answer: F1"]
    assert row.ours == f"{100 * kept['figures']['crossed.long_f1']['value']:.1f}"
    assert (row.published, row.n) == ("–", ("2", "50"))
    numbers = kept["notes"]["crossed"]["numbers"]
    chosen = f"The thresholds that were chosen: {numbers['long_low']} to {numbers['long_high']} in 20 for long answers"
    assert chosen in shown.content.decode()
    rows = csv.DictReader(io.StringIO(page_of(*beyond_five, "human_bound_csv").content.decode("utf-8-sig")))
    by_key = {row["figure"]: row for row in rows}
    assert float(by_key["crossed.short_f1"]["value"]) == kept["figures"]["crossed.short_f1"]["value"]


def test_what_cannot_be_measured_any_more_says_why_beside_the_figures_of_the_last_time(found, lena):
    kept = human_bound.of_page(found)
    kept.values["refused"] = WHY
    kept.save()
    shown = page_of(found, lena)
    assert WHY in shown.content.decode()
    assert rows_of(shown)["single", "Long answer: F1"].n == ("64", "320")
    kept.values = {"refused": WHY}
    kept.save()
    assert WHY in page_of(found, lena).content.decode()
    assert page_of(found, lena, "human_bound_csv").status_code == 404
