"""Flagging what the partner has said: by a button beside it or Alt+F, silently or to end it for both."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from tests import signed_in
from tests.browser.coqa.desk import TalkDesk
from tests.browser.coqa.test_access import found
from tests.waiting.settled import keys


@pytest.fixture
def talking(pair):
    """Two turns are answered; the questioner asks the third."""
    return pair(turn=3)


def cases(site):
    """The last flag of the record: reason, words, whether it ended the work, and the flagged answer."""
    code = (
        "import json; from annotation.models import Case; "
        "columns = 'reason', 'text', 'ends', 'response__stage', 'response__turn'; "
        "rows = Case.objects.order_by('pk').values_list(*columns); "
        "print('CASES', json.dumps(list(map(list, rows))[-1:]))"
    )
    return json.loads(site.manage("shell", "-c", code).split("CASES", 1)[1])


def reasons(desk):
    return [label.strip() for label in desk.page.locator("#flag .pill:visible").all_inner_texts()]


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_flagging.py"
    "::test_the_button_beside_a_turn_flags_it_escape_sends_nothing_and_a_serious_flag_ends_the_work_for_both"
)
def test_alt_f_opens_the_dialog_with_what_was_said_last_and_the_draft_stays(talking, site):
    questioner, answerer = talking
    page = questioner.page
    keys(page).type("Who steered?")
    questioner.press("Alt+f")
    dialog = page.get_by_role("dialog", name="Flag what your partner said")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_label("What is this about?")).to_have_value("answer-2")
    assert dialog.locator("option").all_inner_texts() == ["1. A grey cat", "2. No, never"]
    assert "The answer is wrong" in reasons(questioner)
    assert "The question is vague" not in reasons(questioner)
    dialog.get_by_label("The answer is wrong").check()
    dialog.get_by_label("In your words").fill("She did pay.")
    dialog.get_by_role("button", name="Send the flag").click()
    expect(page.locator("[data-toasts]")).to_contain_text("Flagged. A lead looks at it")
    expect(dialog).to_be_hidden()
    expect(page.locator("#text")).to_have_value("Who steered?")
    assert cases(site) == [["wrong", "She did pay.", False, "answer", 2]]
    expect(answerer.page.locator("[data-toasts]")).to_be_empty()


def test_the_button_beside_a_turn_flags_it_escape_sends_nothing_and_a_serious_flag_ends_the_work_for_both(
    talking, site
):
    questioner, answerer = talking
    page = answerer.page
    before = cases(site)
    page.locator(".talk-turn").first.hover()
    page.get_by_role("button", name="Flag turn 1").click()
    dialog = page.get_by_role("dialog", name="Flag what your partner said")
    expect(dialog.get_by_label("What is this about?")).to_have_value("question-1")
    assert "The question is vague" in reasons(answerer)
    answerer.press("Escape")
    expect(dialog).to_be_hidden()
    assert cases(site) == before
    answerer.press("Alt+f")
    dialog.get_by_label("It is abusive").check()
    dialog.get_by_label("It is serious: end now").check()
    dialog.get_by_role("button", name="Send the flag").click()
    for desk in (answerer, questioner):
        expect(desk.page.get_by_role("heading", name="This has ended")).to_be_visible()
        expect(desk.page.locator("body")).not_to_contain_text("Marrow Point")
    assert cases(site) == [["abuse", "", True, "question", 2]]


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_flagging.py"
    "::test_the_button_beside_a_turn_flags_it_escape_sends_nothing_and_a_serious_flag_ends_the_work_for_both"
)
def test_to_discuss_a_turn_first_opens_the_side_chat_with_its_number_and_sends_nothing(talking, site):
    questioner, answerer = talking
    before = cases(site)
    keys(questioner.page).type("Who steered?")
    dialog = questioner.press("Alt+f").page.get_by_role("dialog", name="Flag what your partner said")
    place = dialog.bounding_box()
    dialog.get_by_label("Discuss it first").check()
    expect(dialog.get_by_label("The answer is wrong")).to_be_disabled()
    assert dialog.bounding_box() == place
    dialog.get_by_role("button", name="Open the side chat").click()
    expect(dialog).to_be_hidden()
    box = questioner.page.get_by_role("textbox", name="Message")
    expect(box).to_have_value("Turn 2: what do the guidelines say about this?")
    expect(box).to_be_focused()
    expect(questioner.page.locator("#text")).to_have_value("Who steered?")
    box.press("Enter")
    expect(answerer.page.locator("[data-chat-unread]")).to_be_visible()
    assert cases(site) == before
    questioner.press("Alt+f")
    expect(dialog.get_by_label("Send it silently and go on")).to_be_checked()
    expect(dialog.get_by_label("The answer is wrong")).to_be_enabled()


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_flagging.py"
    "::test_the_button_beside_a_turn_flags_it_escape_sends_nothing_and_a_serious_flag_ends_the_work_for_both"
)
def test_the_question_that_waits_for_an_answer_can_be_flagged_first(talking):
    questioner, answerer = talking
    questioner.ask("And so on and so forth?").waiting()
    answerer.at("answer-3").press("Alt+f")
    expect(answerer.page.get_by_label("What is this about?")).to_have_value("question-3")


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_whole_conversation.py"
    "::test_a_conversation_of_eleven_turns_is_ended_by_agreement_and_played"
)
def test_before_anything_was_said_there_is_nothing_to_flag(pair):
    questioner, _ = pair()
    questioner.press("Alt+f")
    expect(questioner.page.locator("[data-live]")).to_have_text("There is nothing to flag yet.")
    expect(questioner.page.locator("dialog#flag")).to_be_hidden()


@pytest.mark.in_test_all(
    shown_by="tests/browser/access/test_every_state.py"
    "::test_each_kind_of_page_is_accessible_with_a_mouse_and_on_a_phone"
)
def test_axe_finds_nothing_in_the_dialog_on_the_neutral_page_and_where_a_lead_decides(talking, site, project, browser):
    _, answerer = talking
    page = answerer.press("Alt+f").page
    assert found(answerer) == {}
    page.get_by_label("It is copied").check()
    page.get_by_label("It is serious: end now").check()
    page.get_by_role("button", name="Send the flag").click()
    page.get_by_role("heading", name="This has ended").wait_for()
    assert found(answerer) == {}
    context = browser.new_context(base_url=site.url)
    lead = TalkDesk(site, context.new_page(), f"lead-of-{project}")
    signed_in.join(site, project, lead.name, role="lead")
    signed_in.sign_in(site, lead.page, lead.name)
    lead.page.goto(f"/projects/{project}/")
    assert found(lead) == {}
    lead.page.locator("#cases a").first.click()
    lead.page.get_by_role("button", name="Uphold…").first.wait_for()
    assert found(lead) == {}
    context.close()
