"""End to end: one rater says how the free answers of a conversation come from the passage, with the finer kinds."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from tests.browser.judging.desk import Rater, furnish, seal, take_in
from tests.protocols.coqa.builders import answer, dialogue, file_of

SLUG, ROUND = "one-rater", "Free answers"
RATER = "rater-alone"
SAID = (
    answer(1),
    answer(2, "Yes", "seen from 19 miles"),
    answer(3, "No", "seen from 19 miles"),
    answer(4, "It was seen from far away", "seen from 19 miles"),
)
KEYS = {"Yes": ("1",), "No": ("2",), "It was seen from far away": ("3", "b")}


@pytest.mark.in_test_all(shown_by="tests/browser/judging/test_four_experts.py::test_from_the_sample_to_the_table")
def test_one_rater_gives_marks_with_their_finer_kinds(site, page, new_context):
    path = site.folder / "coqa-dev-v1.0.json"
    path.write_text(json.dumps(file_of(dialogue(len(SAID), answers=list(SAID)))), encoding="utf-8")
    take_in(site, SLUG, "coqa", path, raters=[RATER])
    seal(site, page, SLUG, "free_answers", title=ROUND, sample=None, raters=[RATER])
    sealed = page.url
    rater = Rater(site, new_context().new_page(), RATER).begin(ROUND)
    for number in range(1, len(KEYS) + 1):
        judged = rater.at(number).page.locator(".judged").first.inner_text().splitlines()
        rater.mark(*next(pressed for said, pressed in KEYS.items() if said in judged))
    rater.lock()
    furnish(site, "measure")
    page.goto(sealed)
    expect(page.locator("main")).to_contain_text("1 of 1 raters")
    expect(page.locator("main")).to_contain_text("CoQA paper, Table 6")
    with page.expect_download() as saved:
        page.get_by_role("link", name="JSON").click()
    results = json.loads(saved.value.path().read_text(encoding="utf-8"))["results"]
    assert {key: share["marks"] for key, share in results["shares"].items()} == {
        "yes": 1,
        "no": 1,
        "fluency": 1,
        "counting": 0,
        "choice": 0,
    }
    assert results["parts"]["fluency"]["coreference_added"] == 1
