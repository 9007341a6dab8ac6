"""End to end: two judges give five published answers to each of ten questions a score from 1 to 5, on one screen."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from tests.browser.judging.desk import Rater, furnish, seal, take_in
from tests.waiting.settled import keys

SLUG, ROUND = "two-judges", "Ten questions, five answers each"
JUDGES = ("judge-one", "judge-two")
TYPES = ("YES_NO", "ENTITY", "DESCRIPTION")
ITEMS, ANSWERS = 10, 5


def row(number: int) -> dict:
    """A published row with five answers to a question."""
    kind = TYPES[number % len(TYPES)]
    each = {"YES_NO": {"yesno_answers": ["Yes"] * ANSWERS}, "ENTITY": {"entity_answers": [["gas"]] * ANSWERS}}
    return {
        "question_id": number,
        "question": f"which oil did lamp {number} burn",
        "question_type": kind,
        "fact_or_opinion": "FACT",
        "documents": [{"title": "Lamps", "paragraphs": ["Lamps burned rape oil."], "is_selected": True}],
        "answers": [f"Lamp {number} burned gas, says source {source}." for source in range(ANSWERS)],
        **each.get(kind, {}),
    }


def chosen(page):
    """The mark of each answer by its letter, "" for none."""
    candidates = page.locator("fieldset[data-candidate]")
    return candidates.evaluate_all(
        "all => all.map((one) => one.dataset.candidate + (one.querySelector(':checked')?.value ?? ''))"
    )


def now(page):
    """The letter of the answer that keys mark."""
    return page.locator("fieldset[data-candidate][data-now]").get_attribute("data-candidate")


@pytest.mark.in_test_all(
    shown_by="tests/browser/judging/test_two_systems.py::test_two_systems_are_brought_judged_and_compared"
)
def test_keys_mark_one_answer_after_another_and_drafts_outlast_the_page(site, page, new_context):
    path = site.folder / "search.dev.json"
    path.write_text("\n".join(json.dumps(row(number)) for number in range(2)) + "\n", encoding="utf-8")
    take_in(site, "by-keys", "dureader", path, raters=["judge-keys"])
    seal(site, page, "by-keys", "answers", title="By keys", sample=None, raters=["judge-keys"], every=True)
    judge = Rater(site, new_context().new_page(), "judge-keys").begin("By keys")
    there = judge.page
    keys(there).press("4", "3")
    assert (chosen(there), now(there)) == (["A4", "B3", "C", "D", "E"], "C")
    keys(there).press("ArrowDown", "5", "ArrowUp", "ArrowUp", "u")
    assert (chosen(there), now(there)) == (["A4", "B3", "C", "D", "E"], "D")
    keys(there).press("ArrowUp", "c")
    keys(there).type("Why 4?")
    keys(there).press("Escape")
    keys(there).press("Control+Enter")
    expect(there.locator("[data-problems]")).to_contain_text("C: Choose a mark.")
    assert now(there) == "C"
    expect(there.locator("[data-saved]")).to_contain_text("Saved")
    there.reload()
    judge.at(1)
    assert chosen(there) == ["A4", "B3", "C", "D", "E"]
    expect(there.get_by_label("Comment").nth(2)).to_have_value("Why 4?")
    there.locator("fieldset[data-candidate=C] input[type=radio]").nth(0).focus()
    assert now(there) == "C"
    keys(there).press("2", "2", "2")
    assert chosen(there) == ["A4", "B3", "C2", "D2", "E2"]
    keys(there).press("Control+Enter")
    judge.at(6)
    keys(there).press("[")
    judge.at(1)
    assert chosen(there) == ["A4", "B3", "C2", "D2", "E2"]


@pytest.mark.in_test_all(
    shown_by="tests/browser/judging/test_two_systems.py::test_two_systems_are_brought_judged_and_compared"
)
def test_ten_questions_with_five_answers_by_two_judges(site, page, new_context):
    path = site.folder / "zhidao.dev.json"
    path.write_text("\n".join(json.dumps(row(number)) for number in range(ITEMS)) + "\n", encoding="utf-8")
    take_in(site, SLUG, "dureader", path, raters=list(JUDGES))
    seal(site, page, SLUG, "answers", title=ROUND, sample=None, raters=JUDGES, every=True)
    sealed = page.url
    judge = Rater(site, new_context().new_page(), JUDGES[0]).begin(ROUND)
    for number in range(1, ITEMS * ANSWERS + 1, ANSWERS):
        judge.at(number).mark(*["5" if judge.prompt.endswith("lamp 3 burn") else "4"] * ANSWERS)
    judge.lock()
    furnish(site, "judge", SLUG, JUDGES[1], {"which oil did lamp 3 burn": "5", "which oil did lamp 4 burn": "3"}, "4")
    furnish(site, "measure")
    page.goto(sealed)
    expect(page.locator("main")).to_contain_text("2 of 2 raters")
    for words in ("Pearson", "Krippendorff", "Entities", "Yes or no"):
        expect(page.locator("main")).to_contain_text(words)
    with page.expect_download() as saved:
        page.get_by_role("link", name="JSON").click()
    results = json.loads(saved.value.path().read_text(encoding="utf-8"))["results"]
    assert {key: share["marks"] for key, share in results["shares"].items()} == {
        "1": 0,
        "2": 0,
        "3": 5,
        "4": 85,
        "5": 10,
    }
    assert (results["exhibits"], results["unanimous"]) == (50, 45)
    assert set(results["by_type"]) == set(TYPES)
