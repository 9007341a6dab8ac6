"""The traces of answering: changes of evidence and kind, the outcome of advice, searching and reading."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.qasper.desk import PaperDesk
from tests.waiting.settled import keys


@pytest.fixture
def rita(site, page):
    return PaperDesk(site, page, "rita-traces", "answer").begin()


def of(lines, kind):
    return [data for found, data in lines if found == kind]


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_recorded.py::test_the_way_to_the_answers_is_recorded_with_them"
)
def test_the_way_to_an_answer_is_recorded_with_it(rita):
    page = rita.page
    rita.press("/")
    keys(page).type("harbours")
    expect(page.locator("[data-found]")).to_have_text("1 of 1")
    rita.sentence("Two keepers").click()
    rita.sentence("They agreed").click()
    rita.sentence("They agreed").click()
    rita.press("3")
    page.get_by_role("textbox", name="Your answer").fill("two keepers")
    rita.press("Control+Enter")
    page.locator(".questions a.committed").wait_for()
    lines = rita.lines()
    assert of(lines, "question_shown")[0] == {"at": 1, "of": 2}
    assert of(lines, "evidence_changed") == [
        {"added": ["2.0"], "removed": [], "of": 1},
        {"added": ["2.1"], "removed": [], "of": 2},
        {"added": [], "removed": ["2.1"], "of": 1},
    ]
    assert of(lines, "found") == [{"characters": 8, "hits": 1}]
    assert of(lines, "kind_changed") == [{"from": "", "to": "abstractive"}]
    assert not any(word in str(lines) for word in ("harbours", "two keepers", "two"))
    assert sum(data["ms"] for data in of(lines, "in_sight")) > 0


@pytest.fixture
def rolf(site, page):
    return PaperDesk(site, page, "rolf-traces", "answer").begin()


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_recorded.py::test_the_way_to_the_answers_is_recorded_with_them"
)
def test_advice_may_be_declined_followed_or_ignored_and_each_is_traced(rolf):
    page = rolf.page
    text, many = (page.locator(f"[data-advice={kind}]") for kind in ("float", "many"))
    page.locator("#float-0 [data-float-toggle]").click()
    expect(text).to_be_visible()
    text.get_by_role("button", name="Yes, remove it").click()
    expect(page.locator("[data-tray] li")).to_have_count(0)
    page.locator("#float-0 [data-float-toggle]").click()
    text.get_by_role("button", name="No, keep it").click()
    expect(text).to_be_hidden()
    for words in ("Bells are old", "A bell is heard", "Two keepers"):
        rolf.sentence(words).click()
    expect(many).to_be_visible()
    rolf.sentence("Two keepers").click()
    expect(many).to_be_hidden()
    rolf.sentence("Two keepers").click()
    rolf.press("3")
    page.get_by_role("textbox", name="Your answer").fill("it is said")
    rolf.press("Control+Enter")
    page.locator(".questions a.committed").wait_for()
    assert [(data["kind"], data["answer"]) for data in of(rolf.lines(), "advice_answered")] == [
        ("float", "followed"),
        ("float", "kept"),
        ("many", "changed"),
        ("many", "sent"),
    ]


@pytest.fixture
def rosa(site, page):
    return PaperDesk(site, page, "rosa-traces", "answer").begin()


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_recorded.py::test_the_way_to_the_answers_is_recorded_with_them"
)
def test_somebody_who_only_reads_leaves_a_trace_and_no_draft(rosa):
    page = rosa.page
    page.locator("#material").evaluate("(paper) => paper.scrollTo(0, paper.scrollHeight)")
    before = page.locator("h1").inner_text()
    rosa.press("]")
    expect(page.locator("h1")).not_to_have_text(before)
    rosa.ready()
    expect(page.locator(".questions a[data-state=draft]")).to_have_count(0)
    assert any(of(rosa.lines(), "stage_entered") for _ in range(5)), "a page that goes away sends in its own time"


@pytest.fixture
def rudi(site, page):
    return PaperDesk(site, page, "rudi-traces", "answer").begin()


@pytest.mark.in_test_all(
    shown_by="tests/browser/qasper/test_by_mouse.py::test_changing_the_kind_of_answer_asks_before_it_clears"
)
def test_what_another_kind_clears_is_cleared_on_the_server_too(rudi):
    page = rudi.page
    rudi.sentence("Two keepers").click()
    rudi.press("3")
    page.get_by_role("textbox", name="Your answer").fill("two keepers")
    page.get_by_label("Title and abstract say this already").check()
    page.get_by_role("radio", name="Unanswerable").click()
    page.get_by_role("button", name="Change and clear").click()
    expect(page.get_by_label("Title and abstract say this already")).to_be_hidden()
    page.locator("[data-saved]", has_text="Saved").wait_for(state="attached")
    page.evaluate("() => { localStorage.clear(); }")
    with page.expect_response(lambda answer: answer.url.endswith("/draft/")):
        rudi.press("u", "4")
        page.get_by_role("button", name="Change and clear").click()
    page.reload()
    rudi.ready()
    expect(page.get_by_role("radio", name="Unanswerable")).to_be_checked()
    expect(page.locator("[data-tray] li")).to_have_count(0)
    rudi.press("3")
    expect(page.get_by_role("textbox", name="Your answer")).to_have_value("")
