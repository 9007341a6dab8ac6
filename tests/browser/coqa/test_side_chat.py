"""The side chat in two browsers: opened on request, spoken, kept through reloads and lost connections."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.coqa.test_access import SIZES, found
from tests.waiting.settled import keys

CHAT = re.compile(r"/chat/")
KEPT = "Object.values(localStorage).filter((value) => value.includes('Mine')).length"


def lines(desk):
    return desk.page.locator("[data-chat-lines] > [data-number] > p")


def box(desk):
    return desk.page.get_by_label("Message", exact=True)


def test_a_message_is_announced_counted_and_answered_the_work_goes_on_and_nothing_typed_is_kept_for_others(pair):
    questioner, answerer = pair(viewport=SIZES["wide"])
    questioner.press("Alt+c")
    expect(box(questioner)).to_be_focused()
    expect(questioner.page.locator("#chat")).to_contain_text("Nothing has been written yet.")
    keys(questioner.page).type("May a question be one word?")
    questioner.press("Enter")
    expect(lines(questioner)).to_have_text(["May a question be one word?"])
    expect(box(questioner)).to_have_value("")

    badge = answerer.page.locator("[data-chat-unread]")
    expect(badge).to_have_text(re.compile(r"^\s*1\s+unread\s*$"))
    spoken = answerer.page.locator("[data-live]")
    expect(spoken).to_have_text("Side chat, your partner: May a question be one word?")
    answerer.page.get_by_role("button", name="Side chat").click()
    expect(badge).to_be_hidden()
    keys(answerer.page).type("Yes, see")
    answerer.press("Shift+Enter")
    keys(answerer.page).type("the example.")
    answerer.press("Enter")
    expect(lines(questioner)).to_have_text([re.compile("May a"), "Yes, see\nthe example."])
    expect(questioner.page.locator("[data-chat-unread]")).to_be_hidden()

    questioner.press("Escape")
    expect(questioner.page.locator("#chat")).to_be_hidden()
    questioner.ask("Who is Pip?").waiting()
    answerer.at("answer-1")
    expect(box(answerer)).to_be_focused()

    # On a shared computer nothing typed is kept, and elsewhere until signing out.
    questioner.page.evaluate("() => { localStorage.clear(); localStorage.setItem('goldfinch:shared', '1'); }")
    questioner.press("Alt+c")
    for desk in (questioner, answerer):
        keys(desk.page).type("Mine")
    assert (questioner.page.evaluate(KEPT), answerer.page.evaluate(KEPT)) == (0, 1)
    answerer.page.get_by_role("button", name="Menu").click()
    answerer.page.get_by_role("button", name="Sign out").click()
    answerer.page.get_by_role("heading", name="Sign in").wait_for()
    assert answerer.page.evaluate(KEPT) == 0


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_whole_conversation.py"
    "::test_a_conversation_of_eleven_turns_is_ended_by_agreement_and_played"
)
def test_esc_closes_the_chat_that_a_tap_has_opened(pair):
    questioner, _answerer = pair(viewport=SIZES["narrow"], has_touch=True, is_mobile=True)
    questioner.page.get_by_role("button", name="Side chat").tap()
    expect(questioner.page.locator("#chat")).to_be_visible()
    expect(box(questioner)).not_to_be_focused()
    questioner.press("Escape")
    expect(questioner.page.locator("#chat")).to_be_hidden()


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_side_chat.py"
    "::test_no_message_is_lost_or_stored_twice_by_a_bad_connection_a_reload_or_a_partner_who_leaves"
)
def test_what_is_being_typed_stays_while_the_partner_answers_and_through_a_reload(pair):
    questioner, answerer = pair(viewport=SIZES["wide"])
    answerer.press("Alt+c")
    keys(answerer.page).type("One word")
    questioner.ask("Who is Pip?").waiting()
    answerer.at("answer-1")
    keys(answerer.page).type(" only?")
    answerer.page.get_by_label("Ask a lead").check()
    answerer.page.reload()
    answerer.at("answer-1")
    expect(box(answerer)).to_have_value("One word only?")
    expect(answerer.page.get_by_label("Ask a lead")).to_be_checked()


def test_no_message_is_lost_or_stored_twice_by_a_bad_connection_a_reload_or_a_partner_who_leaves(pair):
    questioner, answerer = pair(viewport=SIZES["wide"])
    page, lost = questioner.page, []
    again = page.get_by_text("Not sent yet, trying again")

    def lose(route):
        if route.request.method == "POST" and len(lost) < 2:
            lost.append(route.fetch().status)  # it does arrive; the answer does not
            route.abort()
        else:
            route.continue_()

    page.route(CHAT, lose)
    questioner.press("Alt+c")
    keys(page).type("Is this stored once?")
    questioner.press("Enter")
    expect(again).to_be_visible()
    expect(lines(questioner)).to_have_text(["Is this stored once?"])
    expect(page.locator("[data-pending]")).to_have_count(0)
    answerer.press("Alt+c")
    expect(lines(answerer)).to_have_text(["Is this stored once?"])
    assert lost
    page.unroute(CHAT)

    page.route(CHAT, lambda route: route.abort())
    keys(page).type("Later")
    questioner.press("Enter")
    expect(again).to_be_visible()
    page.unroute(CHAT)
    page.reload()
    for desk in (questioner, answerer):
        expect(lines(desk)).to_have_text(["Is this stored once?", "Later"])

    page.route(re.compile(r"/(partner|now)/$"), lambda route: route.abort())
    answerer.press("Escape", "Alt+s")
    answerer.page.get_by_role("button", name="Leave Ctrl ↵").click()
    answerer.page.get_by_text("You have left.").wait_for()
    box(questioner).focus()
    keys(page).type("Too late")
    questioner.press("Enter")
    expect(page.get_by_text("Not sent: this work has ended.")).to_be_visible()
    expect(box(questioner)).to_have_value("Too late")


@pytest.mark.in_test_all(
    shown_by="tests/browser/access/test_every_state.py"
    "::test_each_kind_of_page_is_accessible_with_a_mouse_and_on_a_phone"
)
def test_axe_finds_nothing_with_the_chat_open(pair):
    questioner, answerer = pair(viewport=SIZES["wide"])
    for desk in (questioner, answerer):
        desk.press("Alt+c")
        keys(desk.page).type("Hello")
        desk.press("Enter")
    for desk in (questioner, answerer):
        expect(lines(desk)).to_have_count(2)
        assert found(desk) == {}
