"""End to end: a lead brings what two systems predict, one person judges it, and the systems are compared."""

from __future__ import annotations

import json

from playwright.sync_api import expect

from tests import signed_in
from tests.browser.judging.desk import Rater, furnish, seal, take_in

SLUG, ROUND, JUDGE = "two-systems", "Which system is better?", "judge-of-systems"
ITEMS = 4
GOOD, BAD = "Lamp {} burned rape oil.", "Nobody knows of lamp {}."
ALPHA = [GOOD, GOOD, GOOD, GOOD]
BETA = [GOOD, BAD, BAD, GOOD]
EXHIBITS = 6
"""Two of the eight answers look like another one to their item, and are judged once."""


def row(number):
    """A published row with an answer to a question."""
    return {
        "question_id": number,
        "question": f"which oil did lamp {number} burn",
        "question_type": "DESCRIPTION",
        "fact_or_opinion": "FACT",
        "documents": [{"title": "Lamps", "paragraphs": ["Lamps burned rape oil."], "is_selected": True}],
        "answers": [f"It was rape oil in lamp {number}."],
    }


def bring(page, system, answers):
    """Add a system on the page of predictions."""
    rows = [{"question_id": number, "answers": [text.format(number)]} for number, text in enumerate(answers)]
    page.get_by_label("Name of the system").fill(system)
    data = "\n".join(map(json.dumps, rows)).encode()
    page.get_by_label("File").set_input_files({"name": "rows.jsonl", "mimeType": "text/plain", "buffer": data})
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_text(f"{ITEMS} answers are kept.")).to_be_visible()
    expect(page.get_by_role("heading", name=system)).to_be_visible()


def test_two_systems_are_brought_judged_and_compared(site, page, new_context):
    path = site.folder / "search.dev.json"
    path.write_text("\n".join(json.dumps(row(number)) for number in range(ITEMS)) + "\n", encoding="utf-8")
    take_in(site, SLUG, "dureader", path, raters=[JUDGE])
    signed_in.sign_in(site, page, f"{SLUG}-lead")
    page.goto(f"{site.url}/projects/{SLUG}/judging/")
    page.get_by_role("link", name="Predictions of models").click()
    for system, answers in (("Alpha net", ALPHA), ("Beta net", BETA)):
        bring(page, system, answers)
    seal(site, page, SLUG, "answers", title=ROUND, sample=None, raters=[JUDGE], systems=["Alpha net", "Beta net"])
    expect(page.get_by_text("8 of 8 to 4 items")).to_be_visible()
    sealed = page.url
    judge = Rater(site, new_context().new_page(), JUDGE).begin(ROUND)
    number = 1
    while number <= EXHIBITS:
        judge.at(number)
        expect(judge.page.locator("body")).not_to_contain_text("net")
        answers = judge.page.locator("fieldset[data-candidate]").all_inner_texts()
        judge.mark(*("1" if "Nobody knows" in answer else "5" for answer in answers))
        number += len(answers)
    judge.lock()
    furnish(site, "measure")
    page.goto(sealed)
    found = page.get_by_role("row").filter(has_text="Alpha net against Beta net")
    expect(found).to_contain_text("2.00")
    expect(found).to_contain_text("50 %")
    with page.expect_download() as saved:
        page.get_by_role("link", name="JSON").click()
    said = json.loads(saved.value.path().read_text(encoding="utf-8"))["results"]["systems"]
    assert {name: each["mean"][0] for name, each in said["by"].items()} == {"Alpha net": 5.0, "Beta net": 3.0}
