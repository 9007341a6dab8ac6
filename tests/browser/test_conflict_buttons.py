"""Every button of a dialog with two versions, or one, does what it says, whatever was changed here and elsewhere."""

from __future__ import annotations

from zlib import crc32

import pytest
from playwright.sync_api import Page, expect

from tests.browser.desk import Desk
from tests.browser.qasper.desk import PaperDesk
from tests.browser.squad.desk import ParagraphDesk
from tests.browser.test_said_aloud import TAKE_OUT
from tests.browser.test_two_devices import both_versions, cut, mend, unsaved
from tests.browser.test_two_tabs import second_tab
from tests.waiting.settled import keys

REASONS = {"1": "ambiguous", "2": "incomprehensible", "3": "false_presupposition"}
CHANGES = {"here": ("3", ""), "there": ("", "2"), "both": ("3", "2"), "none": ("", "")}
"""The keys pressed in the older tab and in the newer one, after both had Bad and the first reason."""
REST = pytest.mark.in_test_all(
    shown_by="tests/browser/test_conflict_buttons.py::test_the_version_whose_button_is_pressed_is_what_is_sent"
)
TWO_TABS = pytest.mark.in_test_all(
    shown_by="tests/browser/test_two_tabs.py"
    "::test_the_older_tab_shows_both_texts_turns_read_only_in_its_place_and_takes_the_work_back"
)
TWO_DEVICES = pytest.mark.in_test_all(
    shown_by="tests/browser/test_two_devices.py"
    "::test_text_that_was_never_saved_is_shown_beside_the_newer_of_another_device_and_can_be_chosen"
)
ON_DEVICE = {"here": ("3", "22"), "there": ("33", "2"), "both": ("3", "2")}
"""The keys pressed here without a connection and on the other device; the same key again takes the change back."""
KEPT = "() => Object.keys(localStorage).filter(key => /draft|outbox/.test(key))"
GO_ON = "Go on with the other version"
CASES = [
    pytest.param(changed, button, id=f"{button}-{changed}", marks=() if (changed, button) == ("both", GO_ON) else REST)
    for changed in CHANGES
    for button in ("Take back", GO_ON)
]


def reasons(*pressed: str) -> list[dict]:
    """The only answer, with these reasons after the first one."""
    return [{"verdict": "bad", "reasons": [REASONS[key] for key in ("1", *pressed) if key]}]


def saved(page: Page) -> None:
    page.locator("[data-saved]", has_text="Saved").wait_for(state="attached")


@pytest.fixture
def desk(site, page, request):
    return Desk(site, page, f"conny-{crc32(request.node.name.encode())}").take_up()


@pytest.mark.parametrize(("changed", "button"), CASES)
def test_the_version_whose_button_is_pressed_is_what_is_sent(desk, changed, button):
    here, there = CHANGES[changed]
    desk.press("b", "1").saved()
    newer = second_tab(desk)
    expect(newer.locator("[name=reasons]:checked")).to_have_count(1)
    if there:
        keys(newer).press(there)
        saved(newer)
    desk.press(here or "Control+Enter")
    both = desk.page.locator("dialog#overtaken")
    chosen = both.locator(".version", has_text="In this tab" if button == "Take back" else "In the other tab")
    chosen.get_by_role("button" if button == "Take back" else "link", name=button).click()
    expect(both).not_to_be_visible()
    desk.at("question")
    wanted = here if button == "Take back" else there
    expect(desk.page.locator("[name=reasons]:checked")).to_have_count(1 + bool(wanted))
    desk.press("Control+Enter")
    expect(desk.page.locator("[name=verdict]:checked")).to_have_count(0)
    assert desk.answers() == reasons(wanted)
    assert desk.page.evaluate(KEPT) == []


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_conflict_buttons.py::test_the_version_whose_button_is_pressed_is_what_is_sent"
)
def test_the_other_version_of_a_stage_that_was_opened_again_is_at_that_stage(desk):
    desk.good().choose("Anna Berg came from Bergen").press("Control+Enter").at("short_answer")
    desk.press("[").at("long_answer")
    newer = second_tab(desk)
    keys(newer).press("n", "1")
    saved(newer)
    desk.choose("Olaf")
    both = desk.page.locator("dialog#overtaken")
    both.get_by_role("link", name=GO_ON).click()
    desk.at("long_answer")
    expect(desk.page.get_by_label("The page does not answer it")).to_be_checked()


@TWO_TABS
def test_to_view_only_keeps_the_text_and_stores_nothing(desk):
    desk.press("b", "1").saved()
    newer = second_tab(desk)
    keys(newer).press("2")
    saved(newer)
    desk.press("3")
    both = desk.page.locator("dialog#overtaken")
    both.get_by_role("button", name="View only").click()
    expect(both).not_to_be_visible()
    expect(desk.page.locator("[name=reasons]:checked")).to_have_count(2)
    keys(newer).press("Control+Enter")
    expect(newer.locator("[name=verdict]:checked")).to_have_count(0)
    assert desk.answers() == reasons("2")


@pytest.mark.in_test_all(
    shown_by="tests/browser/squad/test_held_keys.py"
    "::test_the_first_answer_is_not_replaced_by_the_press_that_sent_the_second"
)
def test_of_two_answers_that_were_sent_the_second_counts_after_its_button(site, page):
    """`tests/browser/squad/test_held_keys.py` presses the other one, which keeps the first."""
    asked = ParagraphDesk(site, page, "connor-twice", "answer").begin()
    newer = second_tab(asked)
    keys(newer).press("n")
    with newer.expect_response("**/answer/"):
        keys(newer).press("Control+Enter")
    page.route("**/draft/", lambda _route: None)  # so that the page learns nothing before it sends
    asked.mark("Anna Holt").press("Control+Enter")
    page.get_by_role("button", name="Replace the first with the second").click()
    expect(page.get_by_role("heading", level=1)).not_to_have_text("You answered this twice")
    assert [answer["kind"] for answer in asked.answers()] == ["unanswerable", "span"]
    assert page.evaluate(KEPT) == []


@TWO_TABS
def test_to_go_to_the_current_version_shows_what_was_sent_and_keeps_what_was_not(desk):
    desk.press("b", "1").saved()
    newer = second_tab(desk)
    keys(newer).press("g", "Control+Enter")
    newer.locator("#screen[data-stage='long_answer']").wait_for()
    desk.press("3")
    desk.page.locator("dialog#overtaken").get_by_role("link", name="Go to the current version").click()
    desk.at("long_answer")
    expect(desk.page.locator("[data-notice=kept]")).to_be_visible()
    assert desk.answers() == [{"verdict": "good"}]


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_said_aloud.py::test_withdrawal_during_work_is_announced_keeps_the_input_and_leads_on"
)
def test_next_one_leads_from_withdrawn_work_to_another_question(desk):
    desk.press("b", "1").saved()
    withdrawn = desk.page.url
    uuid = withdrawn.rstrip("/").rsplit("/", 1)[1]
    desk.site.manage("shell", "-c", TAKE_OUT.format(uuid=uuid, name=desk.name))
    desk.press("2")
    desk.page.locator("dialog#overtaken").get_by_role("button", name="Next one").click()
    expect(desk.page).not_to_have_url(withdrawn)
    desk.at("question")
    expect(desk.page.locator("[name=verdict]:checked")).to_have_count(0)
    assert desk.answers() == []


@pytest.fixture
def block(site, page, request):
    """A question of a paper that was sent in a newer tab, and then in this one: both are shown over this one."""
    desk = PaperDesk(site, page, f"blanka-{crc32(request.node.name.encode())}", "answer").begin()
    newer = second_tab(desk)
    keys(newer).press("4")
    with newer.expect_response("**/answer/"):
        keys(newer).press("Control+Enter")
    page.route("**/draft/", lambda _route: None)  # so that the page learns nothing before it sends
    desk.press("3")
    page.get_by_role("textbox", name="Your answer").fill("forty bells")
    desk.sentence("Anna Berg counted forty bells").click()
    desk.press("Control+Enter")
    expect(page.locator("dialog#overtaken")).to_contain_text("You answered this twice")
    return desk


def kinds(desk: PaperDesk) -> list[str]:
    """The kinds of the answers in the record, in order."""
    return [answer["kind"] for answer in desk.answers()]


@TWO_TABS
@pytest.mark.parametrize(
    ("button", "counts"),
    [("Keep the first, go on", ["unanswerable"]), ("Replace the first", ["unanswerable", "abstractive"])],
)
def test_of_two_answers_in_a_block_the_one_counts_whose_button_is_pressed_and_the_next_question_comes(
    block, button, counts
):
    page = block.page
    asked = page.locator("h1[data-prompt]").inner_text()
    page.locator("dialog#overtaken").get_by_role("button", name=button).click()
    expect(page.locator("#screen[data-started] h1[data-prompt]")).not_to_have_text(asked)
    assert kinds(block) == counts
    assert page.evaluate(KEPT) == []


@TWO_TABS
def test_to_view_only_stores_no_second_answer_in_a_block(block):
    page = block.page
    page.locator("dialog#overtaken").get_by_role("button", name="View only").click()
    expect(page.locator("dialog#overtaken")).not_to_be_visible()
    expect(page.get_by_role("textbox", name="Your answer", include_hidden=True)).to_have_value("forty bells")
    assert page.locator("main").evaluate("main => main.inert")
    assert kinds(block) == ["unanswerable"]


@TWO_DEVICES
@pytest.mark.parametrize("button", ["Go on with what is on this device", GO_ON])
@pytest.mark.parametrize("changed", ON_DEVICE)
def test_of_what_was_never_saved_and_what_another_device_saved_the_chosen_one_is_sent(desk, elsewhere, changed, button):
    here, there = ON_DEVICE[changed]
    desk.press("b", "1").saved()
    unsaved(cut(desk).press(*here))
    elsewhere(desk).press(*there).saved()
    both = both_versions(mend(desk))
    both.get_by_role("button", name=button).click()
    expect(both).to_have_count(0)
    desk.at("question")
    if button != GO_ON:
        desk.saved()
    desk.press("Control+Enter")
    expect(desk.page.locator("[name=verdict]:checked")).to_have_count(0)
    chosen = there if button == GO_ON else here
    assert desk.answers() == reasons(chosen if len(chosen) == 1 else "")
    assert desk.page.evaluate(KEPT) == []


@TWO_DEVICES
def test_nothing_is_asked_if_what_was_changed_here_and_elsewhere_was_changed_back(desk, elsewhere):
    desk.press("b", "1").saved()
    unsaved(cut(desk).press("3", "3"))
    elsewhere(desk).press("2", "2").saved()
    mend(desk)
    expect(desk.page.locator("[data-saved]")).to_contain_text("Restored from")
    expect(desk.page.locator("dialog#kept")).to_have_count(0)
    assert desk.page.evaluate(KEPT) == []


END = """
from annotation import clock
from annotation.models import Project, Role, User
from tasks.people import memberships
person = User.objects.get(username="{name}")
project = Project.objects.get(slug="{slug}")
memberships.end(project, person, Role.ANNOTATOR, finish=False, by=None, reason="The term is over.", now=clock.now())
"""


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_two_devices.py"
    "::test_an_offline_answer_whose_work_another_device_finished_stays_until_it_is_dismissed"
)
def test_what_belongs_to_work_that_is_no_longer_open_can_be_copied_and_stays_until_it_is_dismissed(desk):
    unsaved(cut(desk).press("b", "4"))
    desk.site.manage("shell", "-c", END.format(name=desk.name, slug=desk.slug))
    page = desk.page
    page.goto(f"{desk.site.url}/")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    show, kept = page.get_by_role("button", name="Show it"), page.locator("dialog#kept")
    show.click()
    expect(kept).to_contain_text("the work is no longer open to you.")
    kept.get_by_role("button", name="Not now").click()
    expect(kept).not_to_be_visible()
    show.click()
    kept.get_by_role("button", name="Copy").click()
    expect(kept.locator("[data-copied]")).to_be_visible()
    assert page.evaluate("() => navigator.clipboard.readText()") == "verdict: bad\nreasons: opinion"
    kept.get_by_role("button", name="Dismiss").click()
    expect(kept).to_have_count(0)
    expect(show).not_to_be_visible()
    page.reload()
    expect(show).not_to_be_visible()
    assert page.evaluate(KEPT) == []
