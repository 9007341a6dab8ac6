"""Figures and tables are placed where the text mentions them; choosing them there or in the strip is the same."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.qasper.desk import FLOATS, PaperDesk


@pytest.fixture
def finn(site, page):
    return PaperDesk(site, page, "finn-floats", "answer").begin()


@pytest.mark.in_test_all(
    shown_by="tests/browser/qasper/test_by_mouse.py"
    "::test_a_paper_is_answered_by_mouse_and_its_last_answer_may_stop_the_work"
)
def test_a_table_is_placed_after_the_paragraph_that_mentions_it_and_the_others_at_the_end(finn):
    page = finn.page
    order = page.locator("[data-passage], [data-float]").evaluate_all(
        "all => all.map(each => each.dataset.passage ? `p${each.dataset.passage}` : `f${each.dataset.float}`)"
    )
    assert order == ["p0", "p1", "p2", "p3", "f1", "p4", "f0"]
    finn.press("j", "j", "j", "j", "j")
    expect(page.locator("[data-crumbs]")).to_have_text("Method › ListeningTable")
    finn.press("j")
    expect(page.locator("[data-crumbs]")).to_contain_text("Paragraph 5")
    expect(page.locator("[data-outline] a")).to_have_text(
        [
            "Introduction",
            "Method",
            "Counting",
            "Listening",
            "Table 1: Ports of call.",
            "Limits",
            "Figures and tables",
            "Figure 1: Bells by coast.",
        ]
    )


@pytest.fixture
def gina(site, page):
    return PaperDesk(site, page, "gina-floats", "answer").begin()


@pytest.mark.in_test_all(
    shown_by="tests/browser/qasper/test_by_mouse.py"
    "::test_a_paper_is_answered_by_mouse_and_its_last_answer_may_stop_the_work"
)
def test_a_float_is_chosen_in_place_by_key_and_in_the_strip_with_the_same_effect(gina):
    page = gina.page
    tray = page.locator("[data-tray] q")
    place, strip = page.locator("#float-1 [data-float-toggle]"), page.locator("[data-strip-toggle='1']")
    gina.press("f")
    strip.click()
    expect(tray).to_have_text(["Table 1: Ports of call."])
    expect(place).to_have_attribute("aria-pressed", "true")
    place.click()
    expect(tray).to_have_count(0)
    expect(strip).to_have_attribute("aria-pressed", "false")
    page.locator("[data-strip] [data-to-float='1']").focus()
    gina.press("e")
    expect(tray).to_have_text(["Table 1: Ports of call."])
    expect(place).to_have_attribute("aria-pressed", "true")
    gina.press("u", "Escape")
    expect(tray).to_have_count(0)
    expect(page.locator("[data-strip]")).to_be_hidden()


@pytest.mark.in_test_all(
    shown_by="tests/browser/qasper/test_by_mouse.py"
    "::test_a_paper_is_answered_by_mouse_and_its_last_answer_may_stop_the_work"
)
def test_the_cells_of_a_table_are_not_part_of_its_evidence(hugo):
    page = hugo.page
    page.locator("#float-1 [data-float-toggle]").click()
    page.get_by_label("Own words").check()
    page.get_by_role("textbox", name="Your answer").fill("three harbours")
    page.get_by_role("button", name="Keep this answer – question 2").click()
    page.locator(".questions a.committed").wait_for()
    assert hugo.answers()[0]["evidence"] == [{"kind": "float", "index": 1, "quote": FLOATS[1]["caption"]}]


@pytest.fixture
def hugo(site, page):
    return PaperDesk(site, page, "hugo-floats", "answer").begin()


@pytest.fixture
def ida(site, browser):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    yield PaperDesk(site, context.new_page(), "ida-floats", "answer").begin()
    context.close()


@pytest.mark.in_test_all(
    shown_by="tests/browser/qasper/test_by_mouse.py"
    "::test_a_paper_is_answered_by_mouse_and_its_last_answer_may_stop_the_work"
)
def test_a_wide_table_scrolls_in_its_own_box_and_keeps_no_markup_of_its_own(ida):
    page = ida.page
    cells = page.locator("#float-1 .cells")
    expect(cells.locator("th")).to_have_attribute("colspan", "2")
    expect(cells.locator("th sup")).to_have_text("a")
    width = cells.evaluate("box => [box.clientWidth, box.scrollWidth]")
    assert width[1] > 2 * width[0] > 0
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    names = cells.evaluate(
        "box => [...new Set([...box.querySelectorAll('*')].flatMap(e => [...e.attributes]).map(a => a.name))].sort()"
    )
    assert set(names) <= {"class", "colspan", "dir"}
    assert cells.locator("script, img").count() == 0
    assert page.title() != "broken"
    page.get_by_role("button", name="Find in the paper").tap()
    page.get_by_role("searchbox", name="Find in the paper").fill("year 1919")
    expect(page.locator("[data-found]")).to_have_text("1 of 1")


@pytest.fixture
def gwen(site, page):
    return PaperDesk(site, page, "gwen-floats", "answer").begin()


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_page_images.py"
    "::test_the_image_is_painted_in_the_page_and_in_the_box_and_no_other_host_is_contacted"
)
def test_nothing_of_the_paper_shifts_while_its_images_load(gwen):
    page, waiting = gwen.page, []
    page.route("**/image/**", lambda route: waiting.append(route))
    with page.expect_request("**/image/**"):
        page.reload(wait_until="commit")
    gwen.ready()
    page.locator("code.maths.set").first.wait_for()  # until then the source of the equations is shown
    figure, below = page.locator("#float-0 img"), page.locator(".licence")
    before = below.bounding_box(), figure.bounding_box()
    assert figure.evaluate("image => image.complete") is False
    for route in waiting:
        route.continue_()
    page.unroute("**/image/**")
    figure.evaluate("image => image.decode()")
    assert figure.evaluate("image => image.naturalWidth") == 900
    assert (below.bounding_box(), figure.bounding_box()) == before
