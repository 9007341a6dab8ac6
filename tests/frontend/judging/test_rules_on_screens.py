"""What rules make of a round is said where people see it: on raters' screens, and in results."""

from __future__ import annotations

import csv
import io
import json

import pytest
from django.test import Client
from django.urls import reverse

from tasks import jobs
from tasks.judging import working
from tests.tasks.judging.test_draws import alike, judge, sealed_with

__all__ = ["alike"]


@pytest.fixture
def lena(lead):
    client = Client()
    client.force_login(lead)
    return client


def words(response) -> str:
    return " ".join(response.content.decode().split())


def test_practice_is_numbered_by_itself_on_the_screen(lights, lead, experts):
    row = sealed_with(lights, lead, experts, practice=1)
    client = Client()
    client.force_login(experts[0])
    assert "3 exhibits to judge" in words(client.get(reverse("home")))
    page = words(client.post(reverse("begin_judging", args=[row.uuid]), follow=True))
    assert "<b>Practice 1</b> of 1" in page
    assert "For practice: this mark is in no result." in page
    second = working.work_in(working.lease_of(row, experts[0]))[1]
    page = words(client.get(reverse("work", args=[second.uuid])))
    assert "<b>Exhibit 1</b> of 2" in page
    assert "For practice" not in page


def test_results_say_how_alike_second_marks_are_and_what_was_copied(lena, lights, lead, experts, alike):
    row = sealed_with(lights, lead, experts, repeats=50)
    for person, second in zip(experts, "CW", strict=True):
        judge(row, person, lambda _exhibit, number, own=second: "C" if number == 1 else own)
    jobs.measure_judging_rounds()
    page = words(lena.get(reverse("judging_round", args=["lights", row.uuid])))
    assert "1 exhibit looks like an earlier one and has its marks" in page
    table = page.split("Judged a second time")[1].split("</table>")[0]
    assert [row.count("2.00") for row in table.split("<tr>")[2:]] == [0, 1, 0]  # the second rater: from C to W
    assert table.split("<tr>")[4].count('<td class="num">50 %</td>') == 1
    saved = {
        kind: lena.get(reverse(f"judging_results_{kind}", args=["lights", row.uuid])).content
        for kind in ("csv", "json")
    }
    rows = list(csv.DictReader(io.StringIO(saved["csv"].decode("utf-8-sig"))))
    again = {each["of"]: float(each["value"]) for each in rows if each["figure"] == "self-consistency"}
    assert again == {"all": 0.5, "rater 1": 1, "rater 2": 0}
    assert json.loads(saved["json"])["results"]["self_consistency"]["1"]["n"] == 2
