"""What is recorded of an NQ annotation on the way: boxes in focus and chosen, words added and taken away, refusals."""

from __future__ import annotations

import pytest

from tests.browser import record
from tests.browser.desk import Desk
from tests.screens.camera import send_unchecked


def of(desk: Desk, *kinds: str) -> list[dict]:
    return [data for kind, data in record.lines(desk.site, desk.name) if kind in kinds]


@pytest.fixture
def nell(site, page):
    return Desk(site, page, "nell-traces").sign_in().begin()


def test_the_way_to_the_answers_is_recorded_with_them(nell):
    page = nell.page
    send_unchecked(page)
    nell.at("question").good()
    nell.press("/")
    page.keyboard.type("bergen")
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
