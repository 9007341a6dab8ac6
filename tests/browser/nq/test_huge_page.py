"""A page over 1 MB: what is far away is not laid out, but find and pasted quotes reach all of it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk
from tests.builders import questions, write_lines
from tests.waiting.settled import keys

SLUG = "long-desk"
FILLING = " ".join(["lighthousekeepersandtheirladdersandlamps"] * 45)
LAST = "Kelp grew on the last of the ladders. Nobody climbed it."
PARAGRAPHS = "".join(f"<p><b>Part</b> {number}. {FILLING}</p>" for number in range(600))
PAGE = f"<html lang=en><body><h1>Ladders</h1>{PARAGRAPHS}<h2>The last</h2><p><b>Kelp</b>{LAST[4:]}</p></body></html>"
LAID_OUT = "block => block.querySelector('b').checkVisibility({ contentVisibilityAuto: true })"


class LongDesk(Desk):
    """Somebody at questions about a page over 1 MB."""

    slug = SLUG

    def furnish(self, site):
        file = site.folder / "long.jsonl"
        if not file.exists():
            write_lines(file, questions(2, start=700, page=PAGE))
            site.manage("create_project", SLUG, "--protocol", "nq", "--title", "Long questions")
            site.manage("import_items", SLUG, str(file))
            site.manage("open_queue", SLUG)


@pytest.fixture
def lars(site, page):
    return LongDesk(site, page, "lars-long").take_up().good()


def test_find_and_a_pasted_quote_reach_a_block_far_below_that_was_not_laid_out(lars):
    assert len(PAGE) > 1_000_000
    page, found = lars.page, lars.page.locator("[data-found]")
    blocks = lars.frame.locator("#material p")
    expect(blocks).to_have_count(601)
    assert blocks.first.evaluate(LAID_OUT)
    assert not blocks.last.evaluate(LAID_OUT)
    lars.press("/")
    keys(page).type("kelp GREW")
    expect(found).to_have_text("1 of 1")
    expect(blocks.last).to_be_in_viewport()
    assert blocks.last.evaluate(LAID_OUT)
    page.locator("[data-find]").fill("part 300.")
    expect(found).to_have_text("1 of 1")
    expect(blocks.nth(300)).to_be_in_viewport()
    expect(blocks.last).not_to_be_in_viewport()
    page.locator("[data-find]").fill("ladders. nobody")
    expect(blocks.last).to_be_in_viewport()
    lars.press("Escape")
    blocks.last.click(position={"x": 12, "y": 8})
    expect(page.locator(".marked q")).to_have_text(LAST)
    lars.press("Control+Enter").at("short_answer")
    page.get_by_label("Paste a quote from the box").fill("last of  the LADDERS")
    page.get_by_role("button", name="Find", exact=True).click()
    expect(page.locator("[data-pending-bar] [data-pending-words]")).to_have_text("last of the ladders")
    lars.press("Control+Enter").at("question")
    assert [span["quote"] for span in lars.answers()[2]["spans"]] == ["last of the ladders"]
