"""What every work screen has around the answer: menu, notices, the button that sends, undo, finish and stop."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk, outside


def boxed(site, page, name: str) -> Desk:
    """At the words of a box."""
    desk = Desk(site, page, name).take_up().good().choose("Anna Berg came from Bergen")
    return desk.press("Control+Enter").at("short_answer")


@pytest.fixture
def mira(site, page):
    return Desk(site, page, "mira-menu").take_up().good()


@pytest.mark.in_test_all(shown_by="tests/browser/nq/test_by_keyboard.py::test_a_question_is_answered_by_keys_alone")
def test_the_menu_closes_by_escape_and_by_a_click_in_the_page(mira):
    menu, button = mira.page.locator("#account"), mira.page.get_by_role("button", name="Menu")
    button.click()
    expect(menu).to_be_visible()
    mira.press("Escape")
    expect(menu).to_be_hidden()
    button.click()
    # While a menu is open, the page below it takes no pointer: this click closes the menu and chooses no box.
    box = mira.frame.locator("p").first.bounding_box()
    mira.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(menu).to_be_hidden()


@pytest.fixture
def nils(site, page):
    return Desk(site, page, "nils-offline").take_up().good()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_said_aloud.py"
    "::test_a_save_is_only_shown_and_a_failed_one_is_announced_once_and_again_when_it_recovers"
)
def test_without_a_connection_there_is_one_notice_that_moves_nothing_and_is_not_covered_by_the_menu(nils):
    page = nils.page
    before = page.locator("iframe[data-frame]").bounding_box()
    page.route("**/draft/", lambda route: route.abort())
    page.route("**/long_answer/", lambda route: route.abort())
    nils.choose("Anna Berg came from Bergen")
    notices = page.locator("[data-notices] [role=status]")
    expect(notices).to_have_text(["Not connected. Your work is kept on this device."])
    expect(page.locator(".saved use[href='#i-unsaved']")).to_be_visible()
    expect(page.locator(".saved use[href='#i-saved']")).to_be_hidden()
    nils.press("Control+Enter")
    expect(notices).to_have_count(1)
    expect(notices).to_contain_text("Not sent: the connection is gone")
    assert page.locator("iframe[data-frame]").bounding_box() == before
    for width, height in [(1440, 900), (960, 700), (390, 844), (390, 640)]:
        page.set_viewport_size({"width": width, "height": height})
        page.get_by_role("button", name="Menu").click()
        menu, notice = page.locator("#account").bounding_box(), notices.bounding_box()
        assert not overlap(menu, notice), f"{width} x {height}"
        nils.press("Escape")


def overlap(one: dict[str, float], other: dict[str, float]) -> bool:
    """Whether two boxes have a place in common."""
    ends = [(("x", "width"), one, other), (("y", "height"), one, other)]
    return all(a[at] < b[at] + b[size] and b[at] < a[at] + a[size] for (at, size), a, b in ends)


@pytest.fixture
def pina(site, page):
    return boxed(site, page, "pina-pinned")


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_zoomed.py::test_all_three_stages_are_done_in_a_short_and_narrow_window"
)
def test_the_button_that_sends_stays_where_it_is_and_below_the_reason_why_it_does_not_send(pina):
    button = pina.page.locator("form[data-commit] [type=submit]").first
    before = button.bounding_box()
    pina.press("Control+Enter")
    reason, size = pina.page.locator("[data-problems] [role=alert]"), pina.page.viewport_size
    for width in (1920, 1440, 1280, 390, 320):
        pina.page.set_viewport_size({"width": width, "height": 700})
        expect(reason).to_be_in_viewport(ratio=1)
        expect(button).to_be_in_viewport(ratio=1)
        assert outside(pina.page) == [], f"{width} px"
    pina.page.set_viewport_size(size)
    pina.select().press("Shift+ArrowRight", "Enter", "Escape")
    expect(pina.page.locator("[data-spans] li")).to_have_count(1)
    assert button.bounding_box() == before
    pina.press("y")
    assert button.bounding_box() == before


@pytest.fixture
def udo(site, browser):
    context = browser.new_context(has_touch=True, viewport={"width": 390, "height": 844})
    yield Desk(site, context.new_page(), "udo-taps").take_up().good()
    context.close()


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_four_ways_to_select.py"
    "::test_mouse_keyboard_touch_and_a_pasted_quote_give_the_same_offsets"
)
def test_taps_undo_a_choice_and_go_through_the_matches(udo):
    page = udo.page
    udo.choose("Anna Berg came from Bergen")
    expect(page.locator("[data-summary]")).to_have_text("List item, 5 words")
    page.get_by_role("button", name="Undo").tap()
    expect(page.locator("[data-summary]")).to_have_text("Nothing chosen yet")
    page.get_by_role("button", name="Find on this page").tap()
    page.locator("[data-find]").fill("berg")
    expect(page.locator("[data-found]")).to_have_text("1 of 3")
    page.get_by_role("button", name="Next match").tap()
    expect(page.locator("[data-found]")).to_have_text("2 of 3")
    page.get_by_role("button", name="Previous match").tap()
    expect(page.locator("[data-found]")).to_have_text("1 of 3")


@pytest.fixture
def fina(site, page):
    return Desk(site, page, "fina-stops").take_up()


@pytest.mark.in_test_all(shown_by="tests/browser/nq/test_by_keyboard.py::test_a_question_is_answered_by_keys_alone")
def test_the_last_answer_can_be_sent_without_being_given_another_question(fina):
    page, stop = fina.page, fina.page.get_by_role("button", name="Finish and stop")
    expect(stop).to_be_hidden()
    fina.good()
    expect(stop).to_be_hidden()
    fina.press("n", "1")
    stop.click()
    expect(page.get_by_text("Nothing else is held for you.")).to_be_visible()
    assert fina.answers()[1] == {"kind": "none", "reason": "page"}
    code = "from tasks.models import Assignment; print('HELD', Assignment.objects.filter(annotator__username="
    assert "HELD 0" in fina.site.manage("shell", "-c", f"{code}{fina.name!r}, state='leased').count())")


@pytest.fixture
def skip(site, page):
    return Desk(site, page, "sven-skips").take_up()


@pytest.mark.in_test_all(shown_by="tests/browser/test_drafts_in_the_browser.py::test_a_skip_is_undone_with_one_key")
def test_a_question_is_skipped_without_a_reason(skip):
    before = skip.page.url
    skip.press("Alt+s")
    skip.page.get_by_role("button", name="Skip – next question").click()
    expect(skip.page.locator(".toast")).to_contain_text("Skipped")
    assert skip.page.url != before


@pytest.fixture
def rita(site, page):
    return boxed(site, page, "rita-replaces")


@pytest.mark.in_test_all(shown_by="tests/browser/nq/test_by_keyboard.py::test_a_question_is_answered_by_keys_alone")
def test_words_that_overlap_marked_ones_say_what_they_replace(rita):
    page = rita.page
    rita.select().press("Shift+ArrowRight", "Enter")
    expect(page.locator("[data-spans] q")).to_have_text(["Anna Berg"])
    rita.press("Shift+ArrowRight")
    bar = page.locator("[data-pending-bar]")
    expect(bar).to_contain_text("Adding these words replaces “Anna Berg”.")
    bar.get_by_role("button", name="Replace").click()
    expect(page.locator("[data-spans] q")).to_have_text(["Berg came"])
