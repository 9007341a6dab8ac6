"""What a screen reader announces: the live regions, in each state that nobody may miss."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.desk import Desk
from tests.waiting.settled import keys, settled

TAKE_OUT = """
from annotation import clock, membership
from annotation.models import User
from tasks.items import reports
from tasks.models import Assignment
held = Assignment.objects.get(uuid="{uuid}")
project = held.task.item.project
lead, _ = membership.add(project=project, username="lead-{name}", role="lead", by=None, now=clock.now())
reports.cancel(held.task.item, by=lead, reason="a stub", now=clock.now())
"""


@pytest.fixture
def vera(site, page):
    return Desk(site, page, "vera-listens").take_up()


def polite(desk: Desk) -> Locator:
    """The polite live region that every screen has for what just happened."""
    return desk.page.locator("[aria-live=polite][data-live]")


def line(desk: Desk, name: str) -> Locator:
    """A persistent line above the work that is a live status of its own."""
    return desk.page.locator(f"[role=status][data-notice={name}]")


def test_a_save_is_only_shown_and_a_failed_one_is_announced_once_and_again_when_it_recovers(vera):
    vera.press("b", "1").saved()
    settled(vera.page)
    expect(polite(vera)).not_to_contain_text("Saved")
    vera.page.route("**/draft/", lambda route: route.abort())
    vera.press("2")
    expect(line(vera, "connection")).to_have_text("Not connected. Your work is kept on this device.")
    expect(polite(vera)).not_to_contain_text("Not saved")
    expect(vera.page.locator("[data-saved]")).to_have_text("Not saved, trying again")
    vera.page.unroute("**/draft/")
    expect(polite(vera)).to_have_text("Connected again")
    expect(vera.page.locator("[data-saved]")).to_contain_text("Saved")


@pytest.fixture
def viola(site, page):
    return Desk(site, page, "viola-listens").take_up()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_time_and_tabs.py"
    "::test_one_key_keeps_working_at_least_ten_times_whatever_the_browsers_clock_says"
)
def test_the_end_of_the_time_is_announced_before_and_after_it_and_so_is_an_extension_by_key(viola):
    page = viola.page
    page.clock.install()
    page.reload()
    viola.at("question")
    page.clock.fast_forward("18:30")
    expect(line(viola, "lease")).to_contain_text("2 minutes left on this question")
    keys(page).press("Alt+k")
    expect(line(viola, "lease")).to_have_count(0)
    settled(page).clock.fast_forward("00:01")
    expect(polite(viola)).to_have_text("You have the full time again")
    settled(page).clock.fast_forward("19:30")
    expect(line(viola, "lease")).to_contain_text("1 minute left on this question")
    page.route("**/renew/", lambda route: route.abort())
    page.clock.fast_forward("01:00")
    ended = "The time for this question has ended. Your work is kept as you left it. You can still send it."
    expect(line(viola, "lease")).to_have_text(ended)


@pytest.fixture
def vito(site, page):
    return Desk(site, page, "vito-listens").take_up()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_two_tabs.py"
    "::test_the_older_tab_shows_both_texts_turns_read_only_in_its_place_and_takes_the_work_back"
)
def test_another_tab_taking_over_is_announced_and_both_versions_are_a_named_dialog(vito):
    vito.press("b", "1").saved()
    other = vito.page.context.new_page()
    with other.expect_response("**/take/"):
        other.goto(vito.page.url)
    vito.press("2")
    expect(line(vito, "elsewhere")).to_contain_text("You have this open in another tab or on another device")
    expect(vito.page.get_by_role("dialog", name="You have this open in another tab")).to_be_visible()
    other.close()


@pytest.fixture
def vroni(site, page):
    return Desk(site, page, "vroni-listens").take_up()


def test_withdrawal_during_work_is_announced_keeps_the_input_and_leads_on(vroni):
    page = vroni.page
    vroni.press("b", "1").saved()
    uuid = page.url.rstrip("/").rsplit("/", 1)[1]
    vroni.site.manage("shell", "-c", TAKE_OUT.format(uuid=uuid, name=vroni.name))
    vroni.press("2")
    why = page.get_by_role("dialog", name="This was withdrawn from the project")
    expect(why).to_contain_text("We are sorry: you did nothing wrong.")
    expect(why.get_by_role("definition").filter(has_text="Ambiguous")).to_contain_text("Incomprehensible")
    expect(why.get_by_role("button", name="Take back")).to_have_count(0)
    keys(page).press("Escape")
    expect(line(vroni, "closed")).to_contain_text("This was withdrawn from the project")
    expect(page.locator("[data-saved]")).to_be_hidden()
    line(vroni, "closed").get_by_role("link", name="Go on").click()
    expect(page.get_by_role("heading", name="This was withdrawn from the project")).to_be_visible()
    page.get_by_role("button", name="Next one").click()
    vroni.at("question")
    assert uuid not in page.url


@pytest.fixture
def vince(site, page):
    return Desk(site, page, "vince-listens").take_up()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_said_aloud.py"
    "::test_a_save_is_only_shown_and_a_failed_one_is_announced_once_and_again_when_it_recovers"
)
def test_somebody_only_reading_withdrawn_work_is_not_told_that_the_connection_is_lost(vince):
    page = vince.page
    uuid = page.url.rstrip("/").rsplit("/", 1)[1]
    vince.site.manage("shell", "-c", TAKE_OUT.format(uuid=uuid, name=vince.name))
    keys(page).press("Alt+k")
    expect(page.get_by_role("dialog", name="This was withdrawn from the project")).to_be_visible()
    expect(line(vince, "connection")).to_have_count(0)
