"""End to end: two judges give the published answers to ten questions a score from 1 to 5, each alone."""

from __future__ import annotations

import json

from playwright.sync_api import expect

from tests.browser.judging.desk import Rater, furnish, seal, take_in

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


def test_ten_questions_with_five_answers_by_two_judges(site, page, new_context):
    path = site.folder / "zhidao.dev.json"
    path.write_text("\n".join(json.dumps(row(number)) for number in range(ITEMS)) + "\n", encoding="utf-8")
    take_in(site, SLUG, "dureader", path, raters=list(JUDGES))
    seal(site, page, SLUG, "answers", title=ROUND, sample=None, raters=JUDGES, every=True)
    sealed = page.url
    judge = Rater(site, new_context().new_page(), JUDGES[0]).begin(ROUND)
    for number in range(1, ITEMS * ANSWERS + 1):
        judge.at(number).mark("5" if judge.prompt.endswith("lamp 3 burn") else "4")
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
