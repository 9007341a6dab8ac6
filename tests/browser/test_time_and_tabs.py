"""The lease, and the same work in two tabs: said in words, and nothing that was entered is lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk
from tests.waiting.settled import settled

PASSWORD = "nine lighthouses"


@pytest.fixture
def uma(site, page):
    page.clock.install()
    return Desk(site, page, "uma-time").take_up()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_time_and_tabs.py"
    "::test_one_key_keeps_working_at_least_ten_times_whatever_the_browsers_clock_says"
)
def test_two_minutes_before_the_end_a_line_that_moves_nothing_offers_to_keep_working(uma):
    page = uma.page
    question = page.locator("h1[data-prompt]")
    before = question.bounding_box()
    page.clock.fast_forward("18:30")
    expect(page.locator("[data-notice=lease]")).to_contain_text("2 minutes left on this question")
    assert question.bounding_box() == before
    page.get_by_role("button", name="Keep working").click()
    expect(page.locator("[data-notice=lease]")).to_have_count(0)


@pytest.fixture
def ursa(site, page):
    page.clock.install(time="2001-01-01T00:00:00")  # the browser's clock is wrong by decades: the server's decides
    return Desk(site, page, "ursa-time").take_up()


def test_one_key_keeps_working_at_least_ten_times_whatever_the_browsers_clock_says(ursa):
    page = ursa.page
    line = page.locator("[data-notice=lease]")
    for _ in range(10):
        # On a slow machine Alt and K are two renewals: the answer to the second would take the notice away.
        settled(page).clock.fast_forward("18:30")
        expect(line).to_contain_text("2 minutes left on this question")
        ursa.press("Alt+k")
        expect(line).to_have_count(0)


@pytest.fixture
def xena(site, page):
    return Desk(site, page, "xena-tabs", password=PASSWORD).take_up()


def test_a_lost_session_asks_to_sign_in_over_the_untouched_form_and_sends_it_with_the_same_key(xena):
    page = xena.page
    xena.press("b", "2").saved()
    page.context.clear_cookies(name="goldfinch_session")
    key = page.locator("[name=submission_key]").input_value()
    xena.press("Control+Enter")
    dialog = page.get_by_role("dialog", name="Please sign in again")
    dialog.get_by_label("Password").fill("not the password")
    dialog.get_by_role("button", name="Sign in and go on").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Wrong user name or password")
    expect(page.get_by_label("Incomprehensible")).to_be_checked()
    dialog.get_by_label("Password").fill(PASSWORD)
    with page.expect_request("**/question/") as sent:
        dialog.get_by_role("button", name="Sign in and go on").click()
    assert key in sent.value.post_data
    expect(page.get_by_label("Incomprehensible")).not_to_be_checked()
    assert xena.answers() == [{"verdict": "bad", "reasons": ["incomprehensible"]}]


@pytest.fixture
def xilla(site, page):
    return Desk(site, page, "xilla-tabs", password=PASSWORD).take_up()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_time_and_tabs.py"
    "::test_a_lost_session_asks_to_sign_in_over_the_untouched_form_and_sends_it_with_the_same_key"
)
def test_a_save_that_finds_no_session_asks_too_and_is_made_after_signing_in_again(xilla):
    page = xilla.page
    page.context.clear_cookies()
    xilla.press("b", "1")
    dialog = page.get_by_role("dialog", name="Please sign in again")
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Sign in and go on").click()
    xilla.saved()
    expect(page.locator("[data-notice=session]")).to_have_count(0)


@pytest.fixture
def xiomara(site, page):
    return Desk(site, page, "xiomara-tabs", password=PASSWORD).take_up()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_time_and_tabs.py"
    "::test_a_lost_session_asks_to_sign_in_over_the_untouched_form_and_sends_it_with_the_same_key"
)
def test_somebody_who_mistypes_too_often_is_told_how_long_to_wait_and_keeps_their_work(xiomara):
    page = xiomara.page
    xiomara.press("b", "2").saved()
    page.context.clear_cookies(name="goldfinch_session")
    xiomara.press("Control+Enter")
    dialog = page.get_by_role("dialog", name="Please sign in again")
    for words in ["Wrong user name or password."] * 5 + ["Wait 5 minutes, then try again."]:
        dialog.get_by_label("Password").fill("not the password")
        with page.expect_response(lambda answer: answer.request.method == "POST" and "/login/" in answer.url):
            dialog.get_by_role("button", name="Sign in and go on").click()
        expect(dialog.get_by_role("alert")).to_contain_text(words)
    expect(dialog.get_by_text("Wrong user name or password.")).to_be_hidden()
    expect(page.get_by_label("Incomprehensible")).to_be_checked()


@pytest.fixture
def yrsa(site, page):
    return Desk(site, page, "yrsa-theme").take_up()


def test_the_switch_turns_the_frame_dark_too_and_is_remembered(yrsa):
    yrsa.good()
    yrsa.page.get_by_role("button", name="Switch between light and dark").click()
    expect(yrsa.frame.locator("html")).to_have_attribute("data-theme", "dark")
    yrsa.page.reload()
    yrsa.at("long_answer")
    expect(yrsa.page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(yrsa.frame.locator("html")).to_have_attribute("data-theme", "dark")
