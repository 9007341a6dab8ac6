"""Nothing that was entered is lost: drafts, reloads, lost connections, undone skips, simultaneous sends."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk
from tests.browser.qasper.desk import PaperDesk
from tests.waiting.page_clock import resume_clock
from tests.waiting.settled import keys


@pytest.fixture
def maya(site, page):
    return Desk(site, page, "maya-drafts").take_up()


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_trying.py::test_a_trial_keeps_its_draft_over_a_reload_and_ends_on_its_own_page"
)
def test_a_reload_brings_the_verdict_and_its_reasons_back(maya):
    maya.press("b", "3").saved()
    maya.page.reload()
    maya.at("question")
    expect(maya.page.get_by_label("False presupposition")).to_be_checked()
    expect(maya.page.locator("[data-saved]")).to_contain_text("Restored from")


@pytest.fixture
def nils(site, page):
    return Desk(site, page, "nils-drafts").take_up().good()


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_trying.py::test_a_trial_keeps_its_draft_over_a_reload_and_ends_on_its_own_page"
)
def test_a_reload_brings_the_chosen_box_back_into_the_frame(nils):
    nils.choose("Olaf Lund came from Oslo").saved()
    nils.page.reload()
    nils.at("long_answer")
    expect(nils.frame.locator("[data-chosen]")).to_have_text("Olaf Lund came from Oslo.")
    expect(nils.page.locator(".marked .meta")).to_have_text("List item, 5 words")


@pytest.fixture
def oda(site, page):
    return Desk(site, page, "oda-drafts").take_up()


@pytest.mark.in_test_all(
    shown_by="tests/proofs/browser/test_killed_tabs.py"
    "::test_what_was_shown_as_saved_survives_the_tab_and_at_most_one_autosave_is_missing"
)
def test_input_that_never_reached_the_server_is_restored_from_this_browser(oda):
    page = oda.page
    page.route("**/draft/", lambda route: route.abort())
    oda.press("b", "5")
    expect(page.locator("[data-saved]")).to_have_text("Not saved, trying again")
    page.unroute("**/draft/")
    page.reload()
    oda.at("question").saved()
    expect(page.get_by_label("Not a request for facts")).to_be_checked()


@pytest.fixture
def paul(site, page):
    return Desk(site, page, "paul-drafts").take_up()


@pytest.mark.in_test_all(shown_by="tests/js/test_units.py::test_the_scripts_do_what_their_tests_say")
def test_a_send_overtakes_a_save_that_is_stuck(paul):
    page, held = paul.page, []
    page.route("**/draft/", lambda route: held.append(route))
    with page.expect_request("**/draft/"):
        paul.press("g")
    keys(page, hurried=True).press("Control+Enter")
    page.locator("#screen[data-stage=long_answer]").wait_for()
    assert len(held) == 1
    assert paul.answers() == [{"verdict": "good"}]


@pytest.fixture
def ruth(site, page):
    page.clock.install()
    return Desk(site, page, "ruth-drafts").take_up()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_connection_and_restart.py"
    "::test_an_unsent_answer_goes_out_when_its_page_is_opened_again_and_signing_out_erases_it"
)
def test_a_failed_send_says_so_and_can_be_repeated(ruth):
    page = ruth.page
    page.route("**/question/", lambda route: route.abort())
    ruth.still().press("g", "Control+Enter")
    expect(page.locator("[data-notice=sending]")).to_contain_text("Not sent: the connection is gone")
    page.unroute("**/question/")
    with page.expect_request("**/question/"):
        page.get_by_role("button", name="Send again").click()
    resume_clock(page)
    ruth.at("long_answer")
    assert ruth.answers() == [{"verdict": "good"}]


@pytest.fixture
def sven(site, page):
    return Desk(site, page, "sven-drafts").take_up()


def test_a_skip_is_undone_with_one_key(sven):
    page = sven.page
    first = page.url
    sven.press("Alt+s")
    page.get_by_label("Not my subject").check()
    page.get_by_role("button", name="Skip – next question").click()
    expect(page.locator(".toast")).to_contain_text("Skipped")
    assert page.url != first
    sven.press("u")
    page.wait_for_url(first)


@pytest.fixture
def tina(site, page):
    return Desk(site, page, "tina-drafts").take_up()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_connection_and_restart.py"
    "::test_an_unsent_answer_goes_out_when_its_page_is_opened_again_and_signing_out_erases_it"
)
def test_signing_out_leaves_no_draft_in_the_browser(tina):
    page = tina.page
    page.route("**/draft/", lambda route: route.abort())
    tina.press("b", "1")
    expect(page.locator("[data-saved]")).to_have_text("Not saved, trying again")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("heading", name="Sign in").wait_for()
    assert page.evaluate("() => Object.keys(localStorage).filter(key => key.includes('draft'))") == []


@pytest.fixture
def rhea(site, page):
    return PaperDesk(site, page, "rhea-drafts", "answer").begin()


@pytest.mark.in_test_all(shown_by="tests/js/test_units.py::test_the_scripts_do_what_their_tests_say")
def test_an_overlong_draft_is_reported_and_saved_once_it_is_shorter(rhea):
    page = rhea.page
    said = page.locator("[data-saved]")
    page.get_by_role("radio", name="Own words").check()
    page.locator("#own-words").fill("very long " * 10_001)
    expect(said).to_contain_text("Too long to save. It is kept on this device")
    expect(page.locator("[data-live]")).to_contain_text("Too long to save")
    page.reload()
    expect(page.locator("#own-words")).to_have_value("very long " * 10_001)
    page.locator("#own-words").fill("38 bells")
    expect(said).to_contain_text("Saved")
