"""Finding a paper by keys alone, the list of keys, and that letters in a text field are just letters."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.qasper.desk import TITLE, PaperDesk
from tests.waiting.settled import keys


def at_the_search(site, page, name) -> PaperDesk:
    desk = PaperDesk(site, page, name, "ask").begin()
    desk.page.goto(f"{site.url}/projects/{desk.slug}/ask/search/")
    desk.page.locator("[data-result]").first.wait_for()
    return desk


@pytest.fixture
def sven(site, page):
    return at_the_search(site, page, "sven-searches")


@pytest.fixture
def gus(site, page):
    return at_the_search(site, page, "gus-reads")


def test_a_paper_is_found_and_opened_by_keys_that_the_page_lists(sven):
    page, focused = sven.page, sven.page.locator("[data-result]:focus-within")
    expect(page.locator("[data-result] p").first).to_contain_text("lighthouses [3]. Sailors")
    expect(page.locator("[data-result] .maths.set").first).to_have_attribute("title", "$k = 5$")
    sven.press("?")
    listed = page.get_by_role("dialog", name="Keys of this page").locator("[data-keymap] kbd")
    expect(listed).to_have_text(["/", "J", "K", "↵", "R", "Esc", "Alt G", "?"])
    sven.press("Escape")
    at = page.url
    sven.press("r")
    page.wait_for_url(lambda url: url != at)
    sven.press("j", "j", "k")
    expect(page.locator("[data-result]").first.locator("button")).to_be_focused()
    sven.press("/")
    expect(page.get_by_label("Search titles and abstracts")).to_be_focused()
    keys(page).type("bells jkr?/")
    expect(page.get_by_label("Search titles and abstracts")).to_have_value("bells jkr?/")
    page.get_by_label("Search titles and abstracts").fill("bells")
    sven.press("Enter")
    page.wait_for_url("**/?q=bells")
    sven.press("/", "ArrowDown", "j")
    expect(focused).to_have_count(1)
    expect(page.locator("[data-result]").nth(1).locator("button")).to_be_focused()
    sven.press("Enter")
    sven.ready()
    expect(page.get_by_role("heading", name=TITLE)).to_be_visible()


@pytest.mark.in_test_all(
    shown_by="tests/browser/qasper/test_search_keys.py::test_a_paper_is_found_and_opened_by_keys_that_the_page_lists"
)
def test_the_guidelines_open_beside_the_results_and_close_by_the_same_key(gus):
    panel = gus.page.get_by_role("dialog", name="Guidelines")
    for key in ("Alt+g", "Escape"):
        gus.press("Alt+g")
        expect(panel.get_by_role("heading", name="Writing questions")).to_be_visible()
        gus.press(key)
        expect(panel).to_be_hidden()
    assert gus.page.url.split("?")[0].endswith("/ask/search/")


@pytest.fixture
def sara(site, page):
    return PaperDesk(site, page, "sara-asks", "ask").begin()


@pytest.mark.in_test_all(
    shown_by="tests/browser/qasper/test_search_keys.py::test_a_paper_is_found_and_opened_by_keys_that_the_page_lists"
)
def test_asking_lists_its_keys_and_skips_a_paper_in_its_own_words(sara):
    sara.press("?")
    keymap = sara.page.locator("dialog#keys[open] [data-keymap] kbd")
    listed = keymap.all_inner_texts()
    assert {"↵", "ALT ↑", "ALT ↓", "CTRL ↵", "ALT S"} <= {key.upper() for key in listed}
    sara.press("Escape", "Alt+s")
    dialog = sara.page.get_by_role("dialog", name="Skip this paper")
    expect(dialog).to_contain_text("You then choose another one.")
    dialog.get_by_label("I know this paper too well").check(force=True)
    dialog.get_by_role("button", name="Skip – choose another paper").click()
    sara.page.get_by_text("Skipped. Choose another one.").wait_for()


@pytest.fixture
def selma(site, page):
    return PaperDesk(site, page, "selma-asks", "ask").begin()


@pytest.mark.in_test_all(shown_by="tests/browser/test_drafts_in_the_browser.py::test_a_skip_is_undone_with_one_key")
def test_skipping_a_paper_can_be_undone_on_the_next_page(selma):
    page, paper = selma.page, selma.page.url
    page.locator("textarea").first.fill("Who counted the bells")
    page.locator("[data-saved]", has_text="Saved").wait_for(state="attached")
    selma.press("Alt+s")
    page.get_by_label("I know this paper too well").check(force=True)
    page.get_by_role("button", name="Skip – choose another paper").click()
    page.locator(".toast", has_text="Skipped").wait_for()
    selma.press("u").ready()
    assert page.url == paper
    expect(page.locator("textarea").first).to_have_value("Who counted the bells")


@pytest.fixture
def stan(site, page):
    return PaperDesk(site, page, "stan-answers", "answer").begin()


@pytest.mark.in_test_all(
    shown_by="tests/browser/qasper/test_search_keys.py::test_a_paper_is_found_and_opened_by_keys_that_the_page_lists"
)
def test_answering_lists_its_keys_skips_in_its_own_words_and_letters_are_letters_until_esc_leaves_the_field(stan):
    stan.press("?")
    listed = {key.upper() for key in stan.page.locator("dialog#keys[open] [data-keymap] kbd").all_inner_texts()}
    wanted = {"J", "K", "SHIFT J", "SHIFT K", "E", "S", "1", "4", "ALT S", "[", "]", "/", "T", "F", "CTRL ↵"}
    assert wanted <= listed
    stan.press("Escape", "Alt+s")
    dialog = stan.page.get_by_role("dialog", name="Skip this question")
    expect(dialog).to_contain_text("choose “Unanswerable” instead: that is an answer")
    expect(dialog.get_by_label("I don’t know enough about this field")).to_have_count(1)
    stan.press("Escape", "3")
    page = stan.page
    box = page.get_by_role("textbox", name="Your answer")
    box.fill("")
    box.press_sequentially("jkJKestf1234[]/?u")
    expect(box).to_have_value("jkJKestf1234[]/?u")
    expect(page.locator("[data-tray] li")).to_have_count(0)
    expect(page.get_by_role("radio", name="Own words")).to_be_checked()
    stan.press("Escape", "j", "e")
    expect(box).to_have_value("jkJKestf1234[]/?u")
    expect(page.locator("[data-tray] li")).to_have_count(1)


@pytest.fixture
def sina(site, page):
    return PaperDesk(site, page, "sina-asks", "ask").begin()


@pytest.mark.in_test_all(
    shown_by="tests/browser/qasper/test_search_keys.py::test_a_paper_is_found_and_opened_by_keys_that_the_page_lists"
)
def test_a_question_very_similar_to_another_is_queried_and_kept_on_purpose(sina):
    page, rows = sina.page, sina.page.locator("[data-asks] textarea")
    sina.background()
    rows.first.fill("How many lighthouses have bells on the coast?")
    sina.press("Enter")
    rows.nth(1).fill("Have many lighthouses on the coast bells?")
    expect(page.get_by_text("Very similar to a question of yours")).to_have_count(0)
    sina.press("Control+Enter")
    expect(page.locator("[data-wrong]").nth(1)).to_contain_text("Very similar to a question of yours above.")
    keep = page.get_by_role("button", name="Keep it: it has a different answer")
    expect(keep).to_have_count(1)
    keep.click()
    expect(page.locator("[data-wrong]").nth(1)).to_be_hidden()
    sina.press("Control+Enter")
    page.get_by_text("Sent. Choose the next one.").wait_for()
    assert [question["kept"] for question in sina.answers()[0]["questions"]] == [False, True]
    told = [data for kind, data in sina.lines() if kind == "questions"]
    assert sum(data["added"] for data in told) == 1
    assert sum(data["kept"] for data in told) == 1
