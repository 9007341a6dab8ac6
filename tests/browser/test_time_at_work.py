"""Working time as the browser measures it: active, reading and idle spans, and traces for the rest."""

from __future__ import annotations

import re
from zlib import crc32

import pytest
from playwright.sync_api import expect

from tests.browser import record
from tests.browser.desk import Desk
from tests.browser.qasper.desk import PaperDesk
from tests.waiting.page_clock import resume_clock, stop_clock
from tests.waiting.settled import settled


def of(desk: Desk, kind: str) -> list[dict]:
    """The data of this person's traces of a kind, once all that their page has sent has arrived."""
    settled(desk.page)
    return [data for found, data in record.lines(desk.site, desk.name) if found == kind]


def switch(page, *, hidden: bool) -> None:
    """The person switches to another tab, or comes back."""
    page.evaluate(
        """(hidden) => {
            Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


def no_time_passes(page) -> None:
    """From now on this browser's clock stands still unless it is moved."""
    page.clock.install()
    stop_clock(page)


@pytest.fixture
def tara(site, page):
    no_time_passes(page)
    desk = Desk(site, page, "tara-time").take_up()
    record.held_since(site, desk.name, hours=1)
    return desk


def test_input_is_active_then_reading_counts_a_minute_and_the_rest_is_idle(tara):
    page = tara.page
    tara.press("Shift")
    with page.expect_response("**/draft/"):
        page.clock.fast_forward("05:00")
    spans = record.spans(tara.site, tara.name)
    assert [(stage, kind) for stage, kind, _ in spans] == [
        ("question", "active"),
        ("question", "reading"),
        ("question", "idle"),
    ]
    active, reading, idle = (seconds for *_, seconds in spans)
    assert (active, reading, idle) == pytest.approx((5, 60, 235), abs=0.01)


@pytest.fixture
def theo(site, page):
    no_time_passes(page)
    desk = Desk(site, page, "theo-time").take_up()
    record.held_since(site, desk.name, hours=1)
    return desk


def test_time_in_another_tab_does_not_count_and_leaving_and_coming_back_are_traced(theo):
    page = theo.page
    with page.expect_response("**/draft/"):
        switch(page, hidden=True)
    page.clock.fast_forward("10:00")
    switch(page, hidden=False)
    theo.press("b", "4")
    resume_clock(page)
    with page.expect_response("**/question/"):
        theo.press("Control+Enter")
    theo.at("question")
    assert sum(seconds for *_, seconds in record.spans(theo.site, theo.name)) < 60
    assert of(theo, "focus_lost") == [{"by": "hidden"}]
    (back,) = of(theo, "focus_gained")
    assert 600_000 <= back["ms"] < 660_000
    assert of(theo, "shortcut_used")[-1] == {"b": 1, "4": 1, "Mod+Enter": 1}


@pytest.fixture
def tess(site, page):
    return Desk(site, page, "tess-time").take_up()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_time_at_work.py"
    "::test_input_is_active_then_reading_counts_a_minute_and_the_rest_is_idle"
)
def test_input_in_the_framed_page_counts_too(tess):
    tess.good()
    tess.frame.locator("p").first.click(position={"x": 12, "y": 8})
    tess.page.locator(".marked").wait_for(state="attached")
    with tess.page.expect_response("**/long_answer/"):
        tess.press("Control+Enter")
    tess.at("short_answer")
    kinds = {(stage, kind) for stage, kind, _ in record.spans(tess.site, tess.name)}
    assert {("question", "active"), ("long_answer", "active")} <= kinds


@pytest.fixture
def toni(site, page):
    return Desk(site, page, "toni-time").take_up()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_time_at_work.py"
    "::test_time_in_another_tab_does_not_count_and_leaving_and_coming_back_are_traced"
)
def test_losing_and_regaining_the_connection_are_traced_once_each(toni):
    page = toni.page
    page.route("**/draft/", lambda route: route.abort())
    toni.press("b", "4")
    page.locator("[data-saved]", has_text="Not saved").wait_for(state="attached")
    page.unroute("**/draft/")
    page.locator("[data-saved]", has_text=re.compile("^Saved")).wait_for(state="attached")
    with page.expect_response("**/question/"):
        toni.press("Control+Enter")
    toni.at("question")
    assert of(toni, "connection_lost") == [{}]
    (restored,) = of(toni, "connection_restored")
    assert restored["ms"] > 0


@pytest.fixture
def tilo(request, site, page):
    """A separate person for each test."""
    no_time_passes(page)
    desk = Desk(site, page, f"tilo-{crc32(request.node.name.encode()):x}").take_up()
    record.held_since(site, desk.name, hours=1)
    return desk


TO_THE_END = """(place) => new Promise((done) => {
    place.addEventListener("scroll", done, { once: true });
    place.scrollTop = place.scrollHeight;
})"""
"""The scroll event comes with the next frame."""


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_time_at_work.py"
    "::test_input_is_active_then_reading_counts_a_minute_and_the_rest_is_idle"
)
def test_the_sections_read_in_the_panel_of_the_guidelines_are_traced(tilo):
    page = tilo.page
    panel = page.get_by_role("dialog", name="Guidelines")
    tilo.press("Alt+g")
    expect(panel.locator("[data-section='question']")).to_be_in_viewport()
    page.clock.fast_forward("00:30")
    panel.locator("[data-guidelines-place]").evaluate(TO_THE_END)
    page.clock.fast_forward("00:20")
    tilo.press("Alt+g")
    expect(panel).to_be_hidden()
    with page.expect_response("**/draft/"):
        switch(page, hidden=True)
    resume_clock(tilo.page)
    *before, last = of(tilo, "guideline_opened")
    assert 30 <= sum(line["seconds"] for line in before if line["section"] == "question") < 50
    assert last["section"] == "skipping-and-stopping"
    assert 20 <= last["seconds"] < 40


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_time_at_work.py"
    "::test_input_is_active_then_reading_counts_a_minute_and_the_rest_is_idle"
)
def test_guidelines_that_cannot_be_loaded_say_so_and_are_loaded_the_next_time(tilo):
    page = tilo.page
    resume_clock(page)
    panel = page.get_by_role("dialog", name="Guidelines")
    page.route("**/guidelines/**", lambda route: route.abort())
    tilo.press("Alt+g")
    expect(panel.get_by_text("could not be loaded")).to_be_visible()
    tilo.press("Escape")
    page.unroute("**/guidelines/**")
    tilo.press("Alt+g")
    expect(panel.locator("[data-section='question']")).to_be_in_viewport()
    expect(panel.get_by_text("could not be loaded")).to_be_hidden()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_time_at_work.py"
    "::test_time_in_another_tab_does_not_count_and_leaving_and_coming_back_are_traced"
)
def test_the_sections_of_the_guidelines_read_in_another_tab_are_traced_and_count_as_work(tilo):
    tilo.press("Alt+g")
    with tilo.page.expect_popup() as opened:
        tilo.page.get_by_role("link", name="Open in a new tab").click()
    guidelines = opened.value
    expect(guidelines.locator("#question")).to_be_in_viewport()
    expect(settled(guidelines).locator("[data-traced]")).to_have_count(1)
    guidelines.clock.fast_forward("00:30")
    with guidelines.expect_event("console", lambda said: said.text == "scrolled"):
        guidelines.evaluate("""() => {
            document.addEventListener("scroll", () => console.log("scrolled"), { once: true });
            scrollTo(0, document.body.scrollHeight);
        }""")
    guidelines.clock.fast_forward("00:20")
    with guidelines.expect_response("**/draft/"):
        switch(guidelines, hidden=True)
    resume_clock(tilo.page)
    *before, last = of(tilo, "guideline_opened")
    read = sum(line["seconds"] for line in before if line["section"] == "question")
    assert 30 <= read < 50
    assert last["section"] == "skipping-and-stopping"
    assert 20 <= last["seconds"] < 40
    assert sum(line["ms"] for line in of(tilo, "in_sight")) >= 50_000
    assert {stage for stage, *_ in record.spans(tilo.site, tilo.name)} == {"question"}


@pytest.fixture
def tove(site, page):
    return Desk(site, page, "tove-time").sign_in().begin()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_time_at_work.py"
    "::test_time_in_another_tab_does_not_count_and_leaving_and_coming_back_are_traced"
)
def test_a_screen_states_once_its_session_its_build_and_its_clock(tove):
    tove.press("b", "4")
    tove.saved()
    with tove.page.expect_response("**/question/"):
        tove.press("Control+Enter")
    tove.at("question")
    traced = record.events(tove.site, tove.name, "screen.traced")
    first, *later = [data for data in traced if data["client_at"] == traced[0]["client_at"]]
    (claimed, _following) = record.events(tove.site, tove.name, "assignment.claimed")
    assert first["session"] == claimed["session"] != ""
    assert first["ui_build"] == claimed["ui_build"] != ""
    assert claimed["guidelines"] > 0
    assert len(later) >= 1
    assert not any("session" in data for data in later)
    assert all(abs(data["offset"]) < 60_000 for data in traced)
    cookie = next(one for one in tove.page.context.cookies() if one["name"] == "goldfinch_session")
    assert first["session"] not in cookie["value"]


@pytest.fixture
def tobi(site, page):
    desk = PaperDesk(site, page, "tobi-time", "ask").begin()
    page.clock.install()
    page.goto(f"{site.url}/projects/{desk.slug}/ask/search/")
    page.locator("[data-result]").first.wait_for()
    return desk


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_time_at_work.py"
    "::test_input_is_active_then_reading_counts_a_minute_and_the_rest_is_idle"
)
def test_the_search_page_reports_its_time_when_it_is_left(tobi):
    page = tobi.page
    tobi.press("j")
    page.clock.fast_forward("00:01")  # less than a tenth of a second is not told
    with page.expect_response("**/search/time/") as told:
        switch(page, hidden=True)
    assert told.value.status == 204
    assert ("search", "active") in {(stage, kind) for stage, kind, _ in record.spans(tobi.site, tobi.name)}
