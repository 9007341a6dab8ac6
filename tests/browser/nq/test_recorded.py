"""The traces of an NQ annotation: boxes focused and chosen, words added and removed, refusals."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import record
from tests.browser.desk import Desk
from tests.screens.camera import send_unchecked
from tests.waiting.settled import keys


def of(desk: Desk, *kinds: str) -> list[dict]:
    return [data for kind, data in record.lines(desk.site, desk.name) if kind in kinds]


@pytest.fixture
def nell(site, page):
    return Desk(site, page, "nell-traces").take_up()


def test_the_way_to_the_answers_is_recorded_with_them(nell):
    page = nell.page
    send_unchecked(page)
    nell.at("question").good()
    nell.press("/")
    keys(page).type("bergen")
    page.locator("[data-found]", has_text="1").wait_for()
    nell.press("Escape", "j", "j")
    nell.choose("Anna Berg came from Bergen")
    nell.press("n", "1")
    nell.choose("Anna Berg came from Bergen")
    nell.press("Control+Enter")
    nell.at("short_answer")
    nell.press("s", "Enter", "Escape", "u", "y")
    with page.expect_response("**/short_answer/"):
        nell.press("Control+Enter")
    nell.at("question")
    assert [data["by"] for data in of(nell, "validation_failed")] == ["server"]
    assert of(nell, "found") == [{"characters": 6, "hits": 1}]
    assert len(of(nell, "box_focused")) >= 3
    chosen, nothing, again = of(nell, "choice_changed")
    assert chosen == again == {"box": chosen["box"], "reason": ""}
    assert nothing == {"box": None, "reason": "page"}
    added, removed, *_ = of(nell, "spans_changed")
    assert (added["of"], added["removed"], removed["added"]) == (1, [], [])
    assert added["added"] == removed["removed"]
    assert of(nell, "kind_changed")[-1]["to"] == "yes"
    assert "bergen" not in str(record.lines(nell.site, nell.name)).lower()


@pytest.fixture
def at_the_table(request, site, page):
    """At the words of a table."""
    name = f"nina-{len(request.node.name)}"  # a separate person for each test
    desk = Desk(site, page, name).take_up().good().choose("67 metres").press("h")
    expect(page.locator("[data-focus-crumbs]")).to_have_text("KeepersTable")
    return desk.press("Enter", "Control+Enter").at("short_answer")


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_recorded.py::test_the_way_to_the_answers_is_recorded_with_them"
)
def test_the_advice_that_a_row_may_be_enough_waits_until_one_turns_to_the_answer_and_its_outcome_is_traced(
    at_the_table,
):
    nina = at_the_table
    page, advice = nina.page, nina.page.locator("[data-advice=row]")
    expect(advice).to_be_hidden()
    nina.select().press("PageDown", " ", "ArrowRight", "Enter")
    expect(page.locator("[data-spans] q")).to_have_text(["67 metres"])
    expect(advice).to_be_hidden()
    nina.press("Escape")
    expect(advice).to_be_visible()
    nina.press("s", "PageDown", "PageDown", "PageDown", "Home", "Enter", "Escape")
    expect(page.locator("[data-spans] q")).to_have_count(2)
    expect(advice).to_be_hidden()
    nina.press("u")
    expect(advice).to_be_hidden()
    page.locator("#answer").hover()
    expect(advice).to_be_visible()
    nina.press("[").at("long_answer").press("Control+Enter").at("short_answer")
    nina.press("y")
    expect(advice).to_be_hidden()
    nina.press("s", "Escape")
    expect(page.locator("[data-spans] q")).to_have_text(["67 metres"])
    advice.get_by_role("button", name="Keep the table").click()
    expect(advice).to_be_hidden()
    nina.press("Control+Enter").at("question")
    assert of(nina, "advice_shown")[0] == {"kind": "row"}
    answered = [data["answer"] for data in of(nina, "advice_answered")]
    assert (*answered[:2], answered[-1]) == ("changed", "back", "kept")


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_recorded.py::test_the_way_to_the_answers_is_recorded_with_them"
)
def test_advice_that_is_neither_followed_nor_declined_stops_nobody_and_is_traced_as_sent(at_the_table):
    nuno = at_the_table
    nuno.press("s", "Enter", "Escape")
    expect(nuno.page.locator("[data-advice=row]")).to_be_visible()
    nuno.press("Control+Enter").at("question")
    assert of(nuno, "advice_answered") == [{"kind": "row", "answer": "sent"}]


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_recorded.py::test_the_way_to_the_answers_is_recorded_with_them"
)
def test_the_row_can_be_used_at_once_and_the_marked_words_stay(at_the_table):
    nia = at_the_table
    page, advice = nia.page, nia.page.locator("[data-advice=row]")
    nia.select().press("PageDown", " ", "ArrowRight", "Enter", "Escape")
    advice.get_by_role("button", name="Use the row").click()
    expect(page.locator("[data-long-answer]")).to_have_text("Table row, 3 words")
    expect(page.locator("[data-spans] q")).to_have_text(["67 metres"])
    expect(advice).to_be_hidden()
    nia.at("short_answer").press("Control+Enter").at("question")
    assert nia.answers()[2]["quote"] == "Height 67 metres"
    assert nia.answers()[3]["spans"][0]["quote"] == "67 metres"
    assert of(nia, "advice_answered") == [{"kind": "row", "answer": "followed"}]
