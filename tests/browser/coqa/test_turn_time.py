"""The turn's clock in two browsers: a reminder, more time on request, what a partner does, and going on without one."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.coqa.listening import LOOKS
from tests.browser.coqa.test_access import SIZES, found
from tests.waiting.settled import keys


def began(site, seconds, *desks, unseen=False):
    """Pretend that the first turn of these people began so many seconds ago, with no input (nor any poll) since.

    Nor any outage: a test before this one may have restarted the server, and its clocks stood still meanwhile.
    """
    names = tuple(desk.name for desk in desks)
    site.manage(
        "shell",
        "-c",
        "from datetime import timedelta; from annotation import clock; from tasks.models import Assignment, Pause; "
        "Pause.objects.filter(project=None).delete(); "
        f"Assignment.objects.filter(annotator__username__in={names!r}).update("
        f"claimed_at=clock.now() - timedelta(seconds={seconds}), active_at=None{', seen_at=None' if unseen else ''})",
    )


def notice(desk):
    return desk.page.locator("[data-partner]")


def does(desk):
    return desk.page.locator("[data-partner-does]")


def test_a_reminder_takes_no_caret_and_more_time_is_asked_for_without_losing_it(site, pair):
    questioner, answerer = pair(viewport=SIZES["wide"])
    questioner.page.clock.install()
    questioner.page.reload()
    questioner.at("question-1")
    began(site, 70, questioner, answerer)
    questioner.page.clock.run_for(LOOKS)
    expect(notice(questioner)).to_contain_text("There is no hurry.")
    expect(questioner.page.locator("[data-live]")).to_contain_text("Your partner is waiting for you.")
    expect(questioner.page.locator("#text")).to_be_focused()
    assert found(questioner) == {}
    began(site, 130, questioner, answerer)
    questioner.page.clock.run_for(LOOKS)
    keys(questioner.page).type("Who is")
    questioner.page.get_by_role("button", name="I need more time").click()
    expect(notice(questioner)).to_contain_text("Your partner knows")
    expect(questioner.page.locator("#text")).to_be_focused()
    keys(questioner.page).type(" Pip?")
    expect(questioner.page.locator("#text")).to_have_value("Who is Pip?")


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_whole_conversation.py"
    "::test_a_conversation_of_eleven_turns_is_ended_by_agreement_and_played"
)
def test_more_time_that_is_asked_for_too_late_is_answered_with_words(site, pair):
    questioner, answerer = pair(viewport=SIZES["wide"])
    began(site, 130, questioner, answerer)
    button = questioner.page.get_by_role("button", name="I need more time")
    expect(button).to_be_visible()
    questioner.page.route(re.compile("/partner/$"), lambda route: route.abort())  # the notice stays, though out of date
    began(site, 0, questioner, answerer)
    button.click()
    expect(questioner.page.locator("[data-notice=more-time]")).to_contain_text("More time is not needed now")


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_over_a_socket.py"
    "::test_the_frames_of_either_side_never_hold_a_draft_or_a_rationale"
)
def test_who_waits_sees_whether_the_partner_thinks_or_writes_and_nothing_of_it(pair):
    questioner, answerer = pair(viewport=SIZES["wide"])
    expect(does(answerer)).to_have_text("Your partner is thinking …")
    keys(questioner.page).type("Who is Zq8pip")
    expect(does(answerer)).to_have_text("Your partner is writing …")
    assert "Zq8pip" not in answerer.page.content()
    keys(questioner.page).press("Control+Enter")
    answerer.at("answer-1")
    expect(does(questioner)).to_have_text(re.compile("thinking"))


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_lobby.py::test_who_loses_the_partner_is_told_and_finds_the_way_back_into_the_lobby"
)
def test_a_partner_who_does_nothing_for_three_minutes_is_waited_for_or_left(site, pair):
    questioner, answerer = pair(viewport=SIZES["wide"])
    began(site, 200, questioner, answerer)
    expect(notice(answerer)).to_contain_text("has done nothing for 3 minutes")
    assert found(answerer) == {}
    answerer.page.get_by_role("button", name="Keep waiting").click()
    end, folded = (answerer.page.get_by_role("button", name=name) for name in ("End here", "Your partner does nothing"))
    expect(end).to_be_hidden()
    folded.click()
    expect(end).to_be_visible()
    expect(folded).to_be_hidden()
    expect(answerer.page.get_by_role("button", name="Keep waiting")).to_be_focused()
    answerer.page.reload()
    answerer.page.get_by_role("button", name="End here").click()
    answerer.page.get_by_text("You have ended this without your partner.").wait_for()
    questioner.page.get_by_role("heading", name="Your partner has left").wait_for()


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_whole_conversation.py"
    "::test_a_conversation_of_eleven_turns_is_ended_by_agreement_and_played"
)
def test_input_of_the_one_whose_turn_it_is_is_noticed(site, pair):
    questioner, answerer = pair(viewport=SIZES["wide"])
    began(site, 200, questioner, answerer)
    expect(notice(answerer)).to_contain_text("has done nothing")
    keys(questioner.page).type("Who")
    expect(notice(answerer)).to_be_empty()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_lobby.py::test_who_loses_the_partner_is_told_and_finds_the_way_back_into_the_lobby"
)
def test_on_a_phone_who_keeps_waiting_reads_all_of_the_passage_and_sees_once_that_the_partner_is_away(site, pair):
    questioner, answerer = pair(viewport=SIZES["narrow"])
    answerer.page.goto("about:blank")
    began(site, 100, questioner, answerer, unseen=True)
    expect(does(questioner)).to_have_text("Your partner is away.")
    assert found(questioner) == {}
    questioner.page.set_viewport_size(SIZES["narrow"])
    questioner.page.get_by_role("button", name="Keep waiting").click()
    assert found(questioner) == {}
    questioner.page.set_viewport_size(SIZES["narrow"])
    button = questioner.page.get_by_role("button", name="Your partner is away")
    first = questioner.page.locator("#material p").first
    assert button.bounding_box()["y"] + button.bounding_box()["height"] <= first.bounding_box()["y"]
    began(site, 170, questioner, answerer)
    with questioner.page.expect_response(re.compile("/partner/$")):
        pass
    expect(questioner.page.get_by_role("button", name="End here")).to_be_hidden()
    answerer.page.go_back()
    expect(notice(questioner)).not_to_contain_text("away")
    expect(does(questioner)).to_have_text("Your partner waits for your question.")
