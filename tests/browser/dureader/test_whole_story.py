"""End to end: two writers answer an English and a Chinese question, a lead releases both formats, all is scored."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests import signed_in
from tests.site import Site
from tests.waiting.settled import keys, ready

SLUG = "documents-story"
SWIM, TEA = "may one swim in the lake of Borgen", "茶叶分为哪几大类"
LINES = [
    {
        "question_id": 1,
        "question": SWIM,
        "question_type": "YES_NO",
        "fact_or_opinion": "OPINION",
        "documents": [
            {"title": "The lake", "paragraphs": ["Swimming is allowed from May to September."]},
            {"title": "Birds of Borgen", "paragraphs": ["Please keep out of the reeds, where grebes breed."]},
        ],
    },
    {
        "question_id": 2,
        "question": TEA,
        "documents": [{"title": "一杯闲茶", "paragraphs": ["中国茶一般分为六大类，绿茶和红茶最有名。"]}],
    },
]
WRITTEN = {
    "story-one": (("Yes, from May to September.", "Yes"), ("绿茶、红茶等六大类", ("绿茶", "红茶"))),
    "story-two": (("Not in the reeds, where birds breed.", "No"), ("分为六大类，如绿茶", ("绿茶",))),
}
"""What each writer says to both questions: (text, opinion), (text, entities)."""


@pytest.fixture
def project(site: Site) -> str:
    """Two questions with their documents, one without its type, for two writers each."""
    path = site.folder / "search.dev.json"
    path.write_text("\n".join(map(json.dumps, LINES)) + "\n", encoding="utf-8")
    site.manage("create_project", SLUG, "--protocol", "dureader", "--title", "Swimming and tea")
    site.manage("import_items", SLUG, str(path))
    site.manage("open_queue", SLUG, "--activity", "compose")
    for name in WRITTEN:
        signed_in.join(site, SLUG, name)
    signed_in.join(site, SLUG, "documents-lead", role="lead")
    return SLUG


def answer_both(page: Page, name: str) -> None:
    """Answer the two questions in the order in which they come."""
    (swim, opinion), (tea, entities) = WRITTEN[name]
    seen: set[str] = set()
    while len(seen) < 2:
        page.locator("#screen[data-started]").wait_for()
        ready(page)
        question = page.locator("h1").inner_text()
        seen.add(question)
        if question == TEA:
            keys(page).press("2", "f", "Control+Enter")
            page.locator("#screen[data-stage=answers][data-started]").wait_for()
        keys(page).press("j", "m")
        box = page.get_by_label("Answer 1", exact=True)
        box.focus()
        keys(page).insert_text(swim if question == SWIM else tea)
        if question == SWIM:
            page.locator("[data-row='1']").get_by_text(opinion, exact=True).click()
        for entity in entities if question == TEA else ():
            box.evaluate(
                """(box, entity) => {
                  const at = box.value.indexOf(entity);
                  box.setSelectionRange(at, at + entity.length);
                }""",
                entity,
            )
            page.get_by_role("button", name="Add selected words").first.click()
        work = page.locator("#screen").get_attribute("data-work")
        keys(page).press("Control+Enter")
        page.locator(f"#screen:not([data-work='{work}'])").wait_for()


@pytest.mark.in_test_all(
    shown_by="tests/browser/dureader/test_by_keyboard.py"
    "::test_a_question_is_told_its_type_and_answered_with_entities_by_keys_alone"
)
def test_two_writers_make_a_dataset_that_both_metrics_read(site, project, new_context, tmp_path):
    for name in WRITTEN:
        page = new_context(viewport={"width": 1440, "height": 900}).new_page()
        signed_in.take_up(site, page, project, "compose", name)
        answer_both(page, name)
        page.context.close()

    lead = new_context().new_page()
    signed_in.sign_in(site, lead, "documents-lead")
    lead.goto(f"{site.url}/projects/{project}/items/")
    lead.locator("#items tbody tr", has_text=TEA).get_by_role("link").first.click()
    expect(lead.locator("article.version")).to_have_count(2)

    for format in ("v2.0", "repository"):
        site.manage("export_release", project, "--format", format, "--out", str(tmp_path / format))
    published = rows(tmp_path / "v2.0")
    assert sorted(published[1]["answers"]) == sorted(WRITTEN[name][0][0] for name in WRITTEN)
    assert sorted(published[1]["yesno_answers"]) == ["No", "Yes"]
    assert (published[2]["question_type"], published[2]["fact_or_opinion"]) == ("ENTITY", "FACT")
    assert sorted(published[2]["entity_answers"]) == [["绿茶"], ["绿茶", "红茶"]]
    assert [each["is_selected"] for each in published[1]["documents"]] == [True, False]

    references = rows(tmp_path / "repository")
    gold, predictions = tmp_path / "gold.json", tmp_path / "predictions.json"
    gold.write_text("\n".join(map(json.dumps, references.values())), encoding="utf-8")
    (swim, opinion), (tea, entities) = WRITTEN["story-one"]
    first = [
        {"question_id": 1, "question_type": "YES_NO", "answers": [swim], "yesno_answers": [opinion]},
        {"question_id": 2, "question_type": "ENTITY", "answers": [tea], "yesno_answers": []},
    ]
    first[0]["entity_answers"], first[1]["entity_answers"] = [[]], [list(entities)]
    predictions.write_text("\n".join(map(json.dumps, first)), encoding="utf-8")
    said = site.manage("score", "dureader", "--gold", str(gold), "--predictions", str(predictions))
    scores = json.loads(said)
    assert scores["plain"]["all"]["ROUGE-L"] == 100.0
    assert scores["adapted"].keys() >= {"all", "YES_NO", "ENTITY"}
    assert "repository" in scores


def rows(folder: Path) -> dict[int, dict]:
    """The rows of the file of questions in a release, by their question_id."""
    (path,) = [one for one in folder.iterdir() if one.name.partition(".")[0].startswith("dev") or "dev" in one.name]
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return {row["question_id"]: row for row in map(json.loads, text.splitlines())}
