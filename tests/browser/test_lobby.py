"""Two people in two browsers find each other in the lobby, say that they are here, and land in one talk."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests import signed_in
from tests.browser.access.inspecting import RULES, findings
from tests.browser.coqa.listening import block_sockets
from tests.browser.desk import shown_width
from tests.screens.camera import SIZES, THEMES, show
from tests.site import Site
from tests.waiting.page_clock import stop_clock
from tests.waiting.settled import keys, ready, settled
from tests.waiting.site_clock import SiteClock

SLUG = "toys-lobby"
EMPTIED = """
from annotation import clock
from tasks.models import Ticket
from tasks.pairs import lobby
from tasks.models.states import IN_LOBBY
for ticket in Ticket.objects.filter(state__in=IN_LOBBY):
    lobby.leave(ticket, by=None, now=clock.now())
"""
LOOKS = "00:10"
"""A lobby whose socket is open looks for news so often."""


@pytest.fixture(scope="module")
def topics(site: Site, site_clock: SiteClock):
    """The site with a project of the toy protocol; its clock is stopped, so that no offer ends by itself."""
    site.manage("shell", "-c", f"from tests.protocols.toy.building import toy_project; toy_project({SLUG!r})")
    with site_clock.stopped():
        yield site


@pytest.fixture
def visitor(topics, new_context):
    """A function: the home page of a person, in a browser of their own, whose clock tests may move."""

    def opened(name: str, **context) -> Page:
        page = new_context(**context).new_page()
        if context.get("java_script_enabled", True):
            page.clock.install()
        signed_in.join(topics, SLUG, name)
        signed_in.sign_in(topics, page, name)
        page.goto(f"{topics.url}/")
        return page

    yield opened
    topics.manage("shell", "-c", EMPTIED)


def leave(page: Page) -> None:
    page.get_by_role("button", name="Leave").click()
    page.wait_for_url("**/")


def test_two_people_enter_say_that_they_are_here_and_land_in_their_work(visitor):
    ann, tom = visitor("ann-lobby"), visitor("tom-lobby")
    keys(ann).press("1")
    expect(ann.get_by_role("heading", level=1)).to_have_text(re.compile(r"Waiting \d:\d\d"))
    tom.get_by_role("button", name="Start").click()
    for page in (tom, ann):
        expect(page.get_by_role("heading", name="A partner was found")).to_be_visible()
    expect(ann).to_have_title(re.compile("★ Partner found ★"))
    expect(ann.locator("[data-live]")).to_have_text("A partner was found")
    keys(ann).press("h")
    expect(ann.get_by_text("You are ready.")).to_be_visible()
    tom.get_by_role("button", name="I’m here").click()
    for page in (tom, ann):
        page.wait_for_url("**/work/*/")
        expect(page.get_by_role("heading", level=1)).to_contain_text("harbour")
    for page in (ann, tom):
        page.goto("/".join(page.url.split("/")[:3]) + f"/projects/{SLUG}/talk/lobby/")
        page.wait_for_url("**/work/*/")


def seated(visitor, *names: str, sockets: bool = True) -> list[Page]:
    """The work pages of two people who have just found each other."""
    pages = [visitor(name) for name in names]
    for page in pages:
        if not sockets:
            block_sockets(page)
        page.get_by_role("button", name="Start").first.click()
    for page in pages:
        page.get_by_role("button", name="I’m here").click()
    for page in pages:
        page.wait_for_url("**/work/*/")
    return pages


def away(page: Page, site_clock: SiteClock, **how: float) -> None:
    """This person's browser, which has no socket open, goes off; then so much time passes."""
    stop_clock(page)
    settled(page)  # nothing that says that they are here is on its way
    page.context.close()
    site_clock.move(**how)


def left_alone(visitor, site_clock: SiteClock, *names: str) -> Page:
    """The page of the first of these two, who is told that the other has been away for almost two minutes."""
    stays, goes = seated(visitor, *names, sockets=False)
    away(goes, site_clock, seconds=100)
    stays.clock.run_for(LOOKS)
    expect(stays.locator("[data-partner]")).to_contain_text("away for 2 minutes")
    return stays


def test_who_loses_the_partner_is_told_and_finds_the_way_back_into_the_lobby(visitor, site_clock):
    zoe = left_alone(visitor, site_clock, "zoe-lobby", "abe-lobby")
    zoe.get_by_role("button", name="Find somebody else").click()
    expect(zoe.get_by_text("Looking for a partner")).to_be_visible()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_lobby.py::test_who_loses_the_partner_is_told_and_finds_the_way_back_into_the_lobby"
)
def test_a_partner_who_has_come_back_is_not_left_by_the_button_of_an_old_notice(topics, visitor, site_clock):
    zita = left_alone(visitor, site_clock, "zita-lobby", "axel-lobby")
    stop_clock(zita)
    here = "Assignment.objects.filter(annotator__username='axel-lobby').update(seen_at=clock.now())"
    topics.manage("shell", "-c", f"from annotation import clock; from tasks.models import Assignment; {here}")
    zita.get_by_role("button", name="Find somebody else").click()
    expect(zita.get_by_text("Your partner is there again, so nothing was ended.")).to_be_visible()
    expect(zita.get_by_role("heading", level=1)).to_contain_text("harbour")


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_leaving_again.py"
    "::test_the_second_time_one_says_why_or_goes_back_to_what_one_wrote"
)
def test_whose_partner_leaves_sees_it_within_seconds(visitor):
    cleo, dan = seated(visitor, "cleo-lobby", "dan-lobby")
    dan.evaluate(
        """() => { const form = document.createElement("form");
        form.method = "post"; form.action = location.pathname + "return/";
        form.append(document.querySelector("[name=csrfmiddlewaretoken]").cloneNode());
        document.body.append(form); form.submit(); }"""
    )
    expect(cleo.get_by_role("heading", name="Your partner has left")).to_be_visible()
    keys(cleo).press("f")
    expect(cleo.get_by_text("Looking for a partner")).to_be_visible()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_lobby.py::test_two_people_enter_say_that_they_are_here_and_land_in_their_work"
)
def test_while_only_numbers_change_the_focus_stays_and_the_clock_goes_on(visitor, site_clock):
    page = visitor("uma-lobby")
    keys(page).press("1")
    button = page.get_by_role("button", name="Leave")
    button.focus()
    stop_clock(page)
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")  # it looks for news at once
    waited = settled(page).get_by_role("heading", level=1)
    expect(waited).to_have_text("Waiting 0:00")
    site_clock.move(seconds=14)
    page.clock.run_for("00:14")
    expect(settled(page).get_by_role("heading", level=1)).to_have_text("Waiting 0:14")
    expect(button).to_be_focused()
    page.context.set_offline(True)
    page.clock.run_for(LOOKS)
    expect(page.locator("[data-connection]")).to_contain_text("Not connected")
    page.context.set_offline(False)
    page.clock.run_for(LOOKS)
    expect(page.locator("[data-connection]")).to_have_text("")
    leave(page)


COUNT_TONES = """() => {
  let tones = 0;
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function (...when) {
    document.documentElement.dataset.tones = tones += 1;
    return start.apply(this, when);
  };
}"""
BEEP = 2
"""Tones of one sound."""


def root(page: Page) -> Locator:
    """The element that says how many tones the page has played since it was opened."""
    return page.locator("html")


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_lobby.py::test_two_people_enter_say_that_they_are_here_and_land_in_their_work"
)
def test_a_found_partner_is_heard_by_whoever_has_allowed_it_here_once(visitor):
    ann, tom = visitor("ann-sound"), visitor("tom-sound")
    for page in (ann, tom):
        page.add_init_script(f"({COUNT_TONES})()")
    keys(ann).press("1")
    ann.get_by_label("Play a sound").check()
    expect(root(ann)).to_have_attribute("data-tones", str(BEEP))
    leave(ann)
    keys(ann).press("1")
    expect(ann.get_by_label("Play a sound")).to_be_checked()
    expect(root(settled(ann))).not_to_have_attribute("data-tones", re.compile(""))
    tom.get_by_role("button", name="Start").first.click()
    for page in (tom, ann):
        expect(page.get_by_role("heading", name="A partner was found")).to_be_visible()
    expect(ann).to_have_title(re.compile("★ Partner found ★"))
    expect(root(ann)).to_have_attribute("data-tones", re.compile(r"^\d*[02468]$"))
    expect(root(settled(tom))).not_to_have_attribute("data-tones", re.compile(""))


@pytest.mark.in_test_all(shown_by="tests/js/test_units.py::test_the_scripts_do_what_their_tests_say")
def test_after_three_minutes_without_input_the_page_asks_and_any_movement_answers(visitor, site_clock):
    page = visitor("sil-lobby")
    keys(page).press("1")
    expect(page.get_by_text("Looking for a partner")).to_be_visible()
    settled(page)
    page.clock.fast_forward("03:20")  # before the site's: a poll in between would tell of an input just now
    site_clock.move(seconds=200)
    page.clock.run_for(LOOKS)
    expect(page.get_by_role("heading", name="Still here?")).to_be_visible()
    expect(page).to_have_title(re.compile("★ Still here\\? ★"))
    expect(page.locator("[data-live]")).to_have_text("Still here?")
    page.mouse.move(100, 100)
    page.mouse.move(200, 200)
    expect(page.get_by_text("Looking for a partner")).to_be_visible()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_lobby.py::test_two_people_enter_say_that_they_are_here_and_land_in_their_work"
)
def test_without_scripts_two_people_find_each_other_too(visitor):
    vic, wim = visitor("vic-lobby", java_script_enabled=False), visitor("wim-lobby", java_script_enabled=False)
    vic.get_by_role("button", name="Start").first.click()
    wim.get_by_role("button", name="Start").first.click()
    wim.get_by_role("button", name="I’m here").click()
    here = vic.get_by_role("button", name="I’m here")
    expect(here).to_be_visible()
    here.click()
    vic.wait_for_url("**/work/*/")
    wim.wait_for_url("**/work/*/")


@pytest.mark.in_test_all(
    shown_by="tests/browser/access/test_every_state.py"
    "::test_each_kind_of_page_is_accessible_with_a_mouse_and_on_a_phone"
)
@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_nothing_in_the_lobby_and_it_fits_the_window(visitor, size):
    first, second = (f"{name}-{size}" for name in ("xia", "yan"))
    width, height = SIZES[size]
    one = visitor(first, bypass_csp=True, reduced_motion="reduce", viewport={"width": width, "height": height})
    other = visitor(second)
    one.goto(one.url + f"projects/{SLUG}/talk/lobby/")
    for prepare, heading in (
        (lambda: None, re.compile("harbour|talk", re.IGNORECASE)),
        (lambda: one.get_by_role("button", name="Find a partner").click(), re.compile("^Waiting")),
        (lambda: other.get_by_role("button", name="Start").first.click(), "A partner was found"),
    ):
        prepare()
        expect(one.get_by_role("heading", level=1, name=heading)).to_be_visible()
        ready(one)
        for theme in THEMES if size == "wide" else THEMES[:1]:
            show(one, theme)
            assert findings(one, RULES[theme]) == []
        layout, window = shown_width(one)
        assert layout <= window
