"""The rater's screen asks for the checks of the rubric beside the mark, and leads see how often each was said."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import JudgingRound, Project, Response
from tasks.judging import working
from tasks.measuring import judging_rounds
from tests.frontend.judging.test_drafts import TWO, kept, lena, made, sent
from tests.frontend.judging.test_rating_pages import erin, fields, judge
from tests.people import NOON
from tests.tasks.judging.checked_rounds import sealed_with_checks
from tests.tasks.judging.judged_once import people
from tests.tasks.judging.sealed_once import EXPERTS

__all__ = ["erin", "lena", "made"]

ANSWERED = {"check-named": "no", "check-dates": "2", "check-dates-of": "3"}


@pytest.fixture(scope="module")
def checked_once(staffed_once) -> int:
    return sealed_with_checks(Project.objects.get(pk=staffed_once), people("lena")[0], people(*EXPERTS)).pk


@pytest.fixture
def checked(checked_once, db) -> JudgingRound:
    """With two experts."""
    return JudgingRound.objects.get(pk=checked_once)


@pytest.fixture
def at(checked, erin) -> str:
    """The address of the first exhibit."""
    return erin.post(reverse("begin_judging", args=[checked.uuid])).url


def chosen(page: str) -> dict[str, str]:
    """What the fields of checks say on a page."""
    found = re.findall(r'name="(check-[\w-]+)" value="([^"]*)"\s+(?:inputmode|checked)', page)
    return {name: value for name, value in found if value}


def test_the_screen_asks_for_each_check_with_its_key_and_none_is_answered_at_first(erin, at):
    page = erin.get(at).content.decode()
    assert re.search(r"It names the keeper</span>\s*<kbd>Q</kbd>", page)
    assert re.search(r"Dates</span>\s*<kbd>W</kbd>", page)
    assert chosen(page) == {}
    assert re.search(r'name="check-named" value="" checked', page)


def test_answered_checks_are_stored_shown_again_and_may_be_changed_or_taken_back(erin, at, experts):
    judge(erin, at, "Cd", **ANSWERED)
    stored = Response.objects.get(author=experts[0])
    assert stored.payload["checks"] == {"named": False, "dates": [2, 3]}
    assert chosen(erin.get(at).content.decode()) == ANSWERED
    judge(erin, at, "Cd", **{"check-named": "yes", "check-dates": "", "check-dates-of": ""})
    judge(erin, at, "Cd", **{"check-named": ""})
    payloads = Response.objects.filter(author=experts[0]).order_by("pk").values_list("payload", flat=True)
    assert [each.get("checks") for each in payloads] == [stored.payload["checks"], {"named": True}, None]


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"check-dates": "3", "check-dates-of": "2"}, "Dates: the first number is at most the second."),
        ({"check-dates": "3", "check-dates-of": ""}, "Dates: say how many of how many, or leave both empty."),
        ({"check-tone": "yes"}, "This round does not ask for that check."),
    ],
)
def test_what_can_not_be_taken_is_refused_with_a_sentence_and_stays_on_the_screen(erin, at, experts, more, why):
    refused = judge(erin, at, "C", **{"check-named": "yes", **more})
    page = refused.content.decode()
    assert refused.status_code == 422
    assert why in page
    assert chosen(page) == {"check-named": "yes"} | {k: v for k, v in more.items() if v and k != "check-tone"}
    assert not Response.objects.filter(author=experts[0]).exists()


def test_a_round_without_checks_asks_for_none(sealed, erin):
    page = erin.get(erin.post(reverse("begin_judging", args=[sealed.uuid])).url).content.decode()
    assert "check-" not in re.search(r"<form[^>]*data-commit.*?</form>", page, re.S)[0]


def test_practice_asks_for_them_too(lights, lead, experts, erin):
    row = sealed_with_checks(lights, lead, experts, sample=2, practice=1)
    page = erin.get(erin.post(reverse("begin_judging", args=[row.uuid])).url).content.decode()
    assert "Practice 1" in page
    assert 'name="check-named"' in page


def stage_of(client: Client, address: str) -> tuple[str, dict[str, str]]:
    """The address that takes a mark, and the hidden fields, of a page that is opened now."""
    page = client.get(address).content.decode()
    return re.search(r'data-url-stage="([^"]+)"', page)[1], fields(page)


def test_two_versions_that_differ_in_checks_only_are_shown_with_what_differs(erin, at):
    (stage, one), (_stage, other) = stage_of(erin, at), stage_of(erin, at)
    mark = {"mark": "C", "part": "", "comment": ""}
    erin.post(stage, other | mark | {"check-named": "yes", "check-dates": "1", "check-dates-of": "3"})
    refused = erin.post(stage, one | mark | ANSWERED)
    assert refused.status_code == 409
    both = refused.context["both"]
    assert both.differ == ("It names the keeper", "Dates")
    for version, named, dates in ((both.mine, "No", "2 of 3"), (both.theirs, "Yes", "1 of 3")):
        said = " ".join(re.sub(r"<[^>]+>", " ", version.marked).split())
        assert f"It names the keeper {named} Dates {dates}" in said


def test_an_unfinished_version_is_told_in_words(erin, at):
    """Without a mark it is no judgement: the fields are shown one by one."""
    (stage, one), (_stage, other) = stage_of(erin, at), stage_of(erin, at)
    draft = re.search(r'data-url-draft="([^"]+)"', erin.get(at).content.decode())[1]
    data = {"mark": "", "comment": "", **ANSWERED}
    erin.post(stage, other | {"mark": "C", "part": "", "comment": ""})
    refused = erin.post(draft, one | {"seq": "1", "base": "0", "data": json.dumps(data)})
    assert refused.status_code == 409
    fields_of_mine = dict(refused.context["both"].mine.fields)
    assert fields_of_mine == {"It names the keeper": ("No",), "Dates": ("2", "of 3")}


def test_a_draft_keeps_them(erin, at):
    page = erin.get(at).content.decode()
    draft = re.search(r'data-url-draft="([^"]+)"', page)[1]
    saved = erin.post(draft, fields(page) | {"seq": "1", "base": "0", "data": json.dumps({"mark": "C", **ANSWERED})})
    assert saved.status_code == 200
    assert chosen(erin.get(at).content.decode()) == ANSWERED


@pytest.fixture
def judged(checked, erin, experts):
    """One rater has locked: a C and a W with checks, a C without."""
    at = erin.post(reverse("begin_judging", args=[checked.uuid])).url
    for mark, more in (("C", {"check-named": "yes"}), ("W", ANSWERED), ("C", {})):
        at = judge(erin, at, mark, **more).url
    working.lock(checked, by=experts[0], now=NOON)
    judging_rounds.keep(checked, now=NOON)
    return checked


@pytest.mark.on_both_databases  # PostgreSQL's jsonb would put the marks into another order
def test_leads_see_how_often_each_was_said_in_all_and_beside_each_mark(judged, lena):
    page = lena.get(reverse("judging_round", args=["lights", judged.uuid]))
    named, dates = page.context["results"].checks
    assert [(title, [(row.title, *row.cells) for row in rows]) for title, rows in named.groups] == [
        ("", [("All", "1", "1", "50 %", "1")]),
        ("Beside the mark", [
            ("Correct", "1", "0", "100 %", "1"),
            ("Correct, debatable", "0", "0", "–", "0"),
            ("Wrong", "0", "1", "0 %", "0"),
        ]),
    ]  # fmt: skip
    assert dates.groups[0][1][0].cells == ("2 of 3", "67 %", "1", "2")
    assert "Checks beside the mark" in page.content.decode()


def test_files_have_them_at_full_precision_and_the_shares_are_those_of_the_marks(judged, lena):
    text = lena.get(reverse("judging_results_csv", args=["lights", judged.uuid])).content.decode("utf-8-sig")
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["figure"] == "check"]
    said = {(row["mark"], row["of"]): (row["marks"], row["value"]) for row in rows}
    assert said["named/yes", "all"] == ("3", "1")
    assert said["named/unanswered", "mark C"] == ("2", "1")
    assert said["dates/mean", "all"] == ("3", "0.666667")
    assert said["dates/m", "mark W"] == ("1", "3")
    results = json.loads(lena.get(reverse("judging_results_json", args=["lights", judged.uuid])).content)["results"]
    assert results["checks"]["dates"]["all"] == {"n": 2, "m": 3, "mean": 0.666667, "answered": 1, "unanswered": 2}
    assert results["shares"]["C"]["marks"] == 2


def test_a_lead_adds_a_check_to_definitions_and_raters_are_asked_for_it(lena, made):
    page = lena.post(reverse("judging_definitions", args=["lights", made.uuid]), sent(*TWO, go="add-check"))
    assert [row.is_new for row in page.context["rows"].checks] == [True]
    assert 'name="check_title"' in page.content.decode()
    more = {"check_key": [""], "check_title": ["It is polite"], "counted": []}
    lena.post(reverse("judging_definitions", args=["lights", made.uuid]), sent(*TWO, **more))
    assert [(check.key, check.title, check.counted) for check in kept(made).checks] == [
        ("it_is_polite", "It is polite", False)
    ]


def test_definitions_say_each_check_with_its_key(checked, erin):
    page = erin.get(reverse("judge", args=[checked.uuid])).content.decode()
    assert re.search(r"It names the keeper <kbd>Q</kbd>\s+\(yes or no\)", page)
    assert re.search(r"Dates <kbd>W</kbd>\s+\(n of m\)", page)
