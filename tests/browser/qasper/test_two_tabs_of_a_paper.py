"""A question about a paper in two tabs: the newer one counts, the older one shows both and can take the work back."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.qasper.desk import PaperDesk


@pytest.fixture
def tom(site, page):
    return PaperDesk(site, page, "tom-tabs", "answer").begin()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_two_tabs.py"
    "::test_the_older_tab_shows_both_texts_turns_read_only_in_its_place_and_takes_the_work_back"
)
def test_the_older_tab_shows_both_answers_turns_read_only_and_takes_the_question_back(tom):
    older = tom.page
    tom.press("3")
    older.get_by_role("textbox", name="Your answer").fill("forty")
    older.locator("[data-saved]", has_text="Saved").wait_for(state="attached")
    newer = older.context.new_page()
    with newer.expect_response("**/take/"):
        newer.goto(older.url)
    newer.locator("#screen[data-started]").wait_for()
    expect(newer.get_by_role("textbox", name="Your answer")).to_have_value("forty")
    newer.get_by_role("textbox", name="Your answer").fill("thirty-eight of them")
    newer.locator("[data-saved]", has_text="Saved").wait_for(state="attached")
    older.get_by_role("textbox", name="Your answer").fill("forty bells")
    both = older.locator("dialog#overtaken")
    expect(both.locator(".version").first).to_contain_text("forty bells")
    expect(both.locator(".version").last).to_contain_text("thirty-eight of them")
    both.get_by_role("button", name="Take back").click()
    expect(both).to_be_hidden()
    older.locator("[data-saved]", has_text="Saved").wait_for(state="attached")
    newer.get_by_role("textbox", name="Your answer").fill("none")
    expect(newer.locator("dialog#overtaken")).to_contain_text("forty bells")
    assert tom.answers() == []
    newer.close()
    tom.sentence("Anna Berg counted forty bells").click()
    expect(older.locator("[data-tray] li")).to_have_count(1)
    tom.press("Control+Enter")
    older.locator(".questions a.committed").wait_for(state="attached")
    [answer] = tom.answers()
    assert answer["text"] == "forty bells"
