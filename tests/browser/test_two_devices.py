"""One piece of work on two devices, one of them offline: no text is lost, and none is overwritten."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from playwright.sync_api import Error as BrowserError
from playwright.sync_api import expect

from tests.browser.desk import Desk

KEPT_HERE = "() => Object.keys(localStorage).filter(key => /draft|outbox/.test(key))"


def cut(desk: Desk) -> Desk:
    """From now on no save of this device arrives."""
    desk.page.route("**/draft/", lambda route: route.abort())
    return desk


def mend(desk: Desk) -> Desk:
    """The browser crashes, and the page is opened again with a connection."""
    place, dead = desk.page.url, desk.page
    desk.page = dead.context.new_page()
    with dead.expect_event("crash"), suppress(BrowserError):
        dead.goto("chrome://crash")
    dead.close()
    desk.page.goto(place)
    return desk.at("question")


def unsaved(desk: Desk) -> Desk:
    """Wait until the device has noticed that it can't save."""
    expect(desk.page.locator("[data-saved]")).to_have_text("Not saved, trying again")
    return desk


def both_versions(desk: Desk):
    """The dialog that shows the two texts side by side."""
    both = desk.page.locator("dialog#kept")
    expect(both.locator(".version")).to_have_count(2)
    return both


def version(dialog, called: str):
    """What a dialog shows as the version with this heading."""
    return dialog.locator(".version", has=dialog.page.locator("header b", has_text=called))


@pytest.fixture
def anna(site, page):
    return Desk(site, page, "anna-devices").take_up().press("b", "1").saved()


def test_text_that_was_never_saved_is_shown_beside_the_newer_of_another_device_and_can_be_chosen(anna, elsewhere):
    unsaved(cut(anna).press("3"))
    other = elsewhere(anna).press("2", "4", "5").saved()  # more changes than here, so the higher number
    both = both_versions(mend(anna))
    expect(version(both, "Elsewhere")).to_contain_text("Incomprehensible")
    expect(version(both, "On this device")).to_contain_text("False presupposition")
    both.get_by_role("button", name="Go on with what is on this device").click()
    anna.at("question").saved()
    expect(anna.page.get_by_label("False presupposition")).to_be_checked()
    expect(anna.page.get_by_label("Incomprehensible")).not_to_be_checked()
    anna.press("Control+Enter")
    expect(anna.page.locator("[name=verdict]:checked")).to_have_count(0)
    other.press("2")
    expect(other.page.locator("dialog#overtaken")).to_be_visible()
    assert anna.answers() == [{"verdict": "bad", "reasons": ["ambiguous", "false_presupposition"]}]
    assert anna.page.evaluate(KEPT_HERE) == []


@pytest.fixture
def bodil(site, page):
    return Desk(site, page, "bodil-devices").take_up().press("b", "1").saved()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_two_devices.py"
    "::test_text_that_was_never_saved_is_shown_beside_the_newer_of_another_device_and_can_be_chosen"
)
def test_text_with_the_higher_number_does_not_hide_the_newer_of_another_device_either(bodil, elsewhere):
    unsaved(cut(bodil).press("3", "4", "5"))
    elsewhere(bodil).press("2").saved()
    both = both_versions(mend(bodil))
    expect(version(both, "Elsewhere")).to_contain_text("Incomprehensible")
    expect(version(both, "On this device")).to_contain_text("Opinion")
    expect(bodil.page.get_by_label("Incomprehensible")).to_be_checked()
    expect(bodil.page.get_by_label("False presupposition")).not_to_be_checked()
    both.get_by_role("button", name="Go on with the other version").click()
    expect(both).to_have_count(0)
    assert bodil.page.evaluate(KEPT_HERE) == []
    bodil.press("Control+Enter")
    expect(bodil.page.locator("[name=verdict]:checked")).to_have_count(0)
    assert bodil.answers() == [{"verdict": "bad", "reasons": ["ambiguous", "incomprehensible"]}]


@pytest.fixture
def cilla(site, page):
    return Desk(site, page, "cilla-devices").take_up().press("b", "1").saved()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_two_devices.py"
    "::test_text_that_was_never_saved_is_shown_beside_the_newer_of_another_device_and_can_be_chosen"
)
def test_somebody_who_does_not_choose_now_is_asked_again_and_may_go_on_meanwhile(cilla, elsewhere):
    unsaved(cut(cilla).press("3"))
    elsewhere(cilla).press("2").saved()
    both = both_versions(mend(cilla))
    cilla.press("Escape")
    expect(both).not_to_be_visible()
    cilla.press("5").saved()
    cilla.page.reload()
    both = both_versions(cilla)
    expect(version(both, "Elsewhere")).to_contain_text("Not a request for facts")
    cilla.press("Escape")
    cilla.page.locator("[data-notice=kept]").get_by_role("button", name="Show it").click()
    expect(version(both, "On this device")).to_contain_text("False presupposition")


@pytest.fixture
def ditte(site, page):
    return Desk(site, page, "ditte-devices").take_up().press("b", "1").saved()


def test_the_control_continuing_the_servers_draft_or_saying_the_same_is_no_conflict(ditte, elsewhere):
    unsaved(cut(ditte).press("3"))
    mend(ditte).saved()
    expect(ditte.page.get_by_label("False presupposition")).to_be_checked()
    unsaved(cut(ditte).press("4"))
    other = elsewhere(ditte).press("4").saved()
    expect(other.page.get_by_label("Opinion")).to_be_checked()
    mend(ditte)
    expect(ditte.page.locator("[data-saved]")).to_contain_text("Restored from")
    expect(ditte.page.locator("dialog#kept")).to_have_count(0)
    assert ditte.page.evaluate(KEPT_HERE) == []


@pytest.fixture
def dorte(site, page):
    return Desk(site, page, "dorte-devices").take_up()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_two_devices.py"
    "::test_text_that_was_never_saved_is_shown_beside_the_newer_of_another_device_and_can_be_chosen"
)
def test_reloading_a_page_while_its_last_save_is_under_way_is_no_conflict_with_itself(dorte):
    dorte.press("b", "1").saved()
    for reason in ("2", "3"):
        dorte.press(reason)
        with dorte.page.expect_response("**/take/"):
            dorte.page.reload()
        dorte.at("question")
    dorte.press("4").saved()
    dorte.press("Control+Enter")
    expect(dorte.page.locator("[name=verdict]:checked")).to_have_count(0)
    assert dorte.answers() == [
        {"verdict": "bad", "reasons": ["ambiguous", "incomprehensible", "false_presupposition", "opinion"]}
    ]


@pytest.fixture
def ebba(site, page):
    return Desk(site, page, "ebba-devices").take_up()


def offline_answer(desk: Desk) -> str:
    """Reject the question as an opinion while offline, and close the tab; the URL of the work."""
    place, context = desk.page.url, desk.page.context
    context.set_offline(True)
    desk.press("b", "4", "Control+Enter")
    desk.page.locator("[data-notice=sending]").wait_for()
    desk.page.close()
    context.set_offline(False)
    desk.page = context.new_page()
    return place


def test_an_offline_answer_whose_work_another_device_finished_stays_until_it_is_dismissed(ebba, elsewhere):
    other = elsewhere(ebba)
    offline_answer(ebba)
    other.press("b", "1", "Control+Enter")
    expect(other.page.locator("[name=verdict]:checked")).to_have_count(0)
    page = ebba.page
    for _ in range(2):  # looking at it does not dismiss it
        page.goto(f"{ebba.site.url}/")
        page.get_by_role("button", name="Show it").click()
        expect(version(page.locator("dialog#kept"), "Elsewhere")).to_contain_text("Ambiguous")
        expect(version(page.locator("dialog#kept"), "On this device")).to_contain_text("Opinion")
    page.locator("dialog#kept").get_by_role("button", name="Dismiss").click()
    expect(page.get_by_role("button", name="Show it")).not_to_be_visible()
    assert page.evaluate(KEPT_HERE) == []
    assert ebba.answers() == [{"verdict": "bad", "reasons": ["ambiguous"]}]


@pytest.fixture
def frida(site, page):
    return Desk(site, page, "frida-devices").take_up()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_two_devices.py"
    "::test_an_offline_answer_whose_work_another_device_finished_stays_until_it_is_dismissed"
)
def test_an_offline_answer_to_a_stage_that_another_device_has_passed_is_shown_with_the_stage_that_is_next(
    frida, elsewhere
):
    other = elsewhere(frida)
    place = offline_answer(frida)
    other.press("g", "Control+Enter").at("long_answer")
    frida.page.goto(place)
    frida.at("long_answer")
    frida.page.locator("[data-notice=kept]").get_by_role("button", name="Show it").click()
    kept = frida.page.locator("dialog#kept")
    expect(version(kept, "On this device")).to_contain_text("Opinion")
    frida.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    kept.get_by_role("button", name="Copy").click()
    expect(kept.locator("[data-copied]")).to_be_visible()
    assert "Opinion" in frida.page.evaluate("() => navigator.clipboard.readText()")
    kept.get_by_role("button", name="Dismiss").click()
    expect(frida.page.locator("[data-notice=kept]")).to_have_count(0)
    assert frida.page.evaluate(KEPT_HERE) == []
    assert frida.answers() == [{"verdict": "good"}]


@pytest.fixture
def gerda(site, page):
    page.clock.install()
    return Desk(site, page, "gerda-devices").take_up()


@pytest.mark.in_test_all(shown_by="tests/js/test_units.py::test_the_scripts_do_what_their_tests_say")
def test_work_that_was_sent_elsewhere_is_shown_as_closed_and_not_as_a_lost_connection(gerda, elsewhere):
    page, asked = gerda.page, []
    other = elsewhere(gerda)
    other.press("b", "1", "Control+Enter")
    expect(other.page.locator("[name=verdict]:checked")).to_have_count(0)
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/renew/") else None)
    page.clock.fast_forward("01:05")
    line = page.locator("[data-notice=closed]")
    expect(line).to_contain_text("This was sent from another tab or device.")
    page.clock.fast_forward("02:00")
    expect(page.locator("[data-notice=connection]")).to_have_count(0)
    assert len(asked) == 1
    line.get_by_role("link", name="Go on").click()
    page.get_by_role("heading", name="What you can do now").wait_for()


@pytest.fixture
def hedda(site, page):
    return Desk(site, page, "hedda-devices").take_up().press("b", "1").saved()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_two_devices.py"
    "::test_an_offline_answer_whose_work_another_device_finished_stays_until_it_is_dismissed"
)
def test_input_in_work_that_was_returned_elsewhere_stays_on_the_device(hedda, elsewhere):
    other = elsewhere(hedda)
    other.page.get_by_role("button", name="Stop for now").click()
    other.page.get_by_text("Stopped for now.").wait_for()
    hedda.press("4")
    expect(version(hedda.page.locator("dialog#overtaken"), "In this tab")).to_contain_text("Opinion")
    hedda.page.goto(f"{hedda.site.url}/")
    hedda.page.route("**/kept/", lambda route: route.abort())
    hedda.page.get_by_role("button", name="Show it").click()
    expect(hedda.page.locator("[data-kept-said]")).to_have_text(re.compile("^Not connected"))
    hedda.page.unroute("**/kept/")
    hedda.page.get_by_role("button", name="Show it").click()
    expect(version(hedda.page.locator("dialog#kept"), "On this device")).to_contain_text("Opinion")
