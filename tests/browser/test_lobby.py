"""Two people in two browsers find each other in the lobby, say that they are here, and land in one talk."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from tests import signed_in
from tests.browser.desk import shown_width
from tests.browser.test_access import RULES, findings
from tests.screens.camera import SIZES, THEMES, show
from tests.settled import keys
from tests.site import Site

SLUG = "toys-lobby"


@pytest.fixture(scope="module")
def topics(site: Site) -> Site:
    """The site with a project of the toy protocol."""
    site.manage("shell", "-c", f"from tests.protocols.toy.building import toy_project; toy_project({SLUG!r})")
    return site


@pytest.fixture
def visitor(topics, new_context):
    """A function: the home page of a person, in a browser of their own."""

    def opened(name: str, **context) -> Page:
        page = new_context(**context).new_page()
        signed_in.join(topics, SLUG, name)
        signed_in.sign_in(topics, page, name)
        page.goto(f"{topics.url}/")
        return page

    return opened


def leave(page: Page) -> None:
    page.get_by_role("button", name="Leave").click()
    page.wait_for_url("**/")


def test_two_people_enter_say_that_they_are_here_and_land_in_their_work(visitor):
    ann, tom = visitor("ann-lobby"), visitor("tom-lobby")
    keys(ann).press("1")
    expect(ann.get_by_role("heading", level=1)).to_contain_text("Waiting 0:0")
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


def seated(visitor, *names: str) -> list[Page]:
    """The work pages of two people who have just found each other."""
    pages = [visitor(name) for name in names]
    for page in pages:
        page.get_by_role("button", name="Start").first.click()
    for page in pages:
        page.get_by_role("button", name="I’m here").click()
    for page in pages:
        page.wait_for_url("**/work/*/")
    return pages


def test_who_loses_the_partner_is_told_and_finds_the_way_back_into_the_lobby(topics, visitor):
    zoe, abe = seated(visitor, "zoe-lobby", "abe-lobby")
    abe.context.close()
    away = "from datetime import timedelta; from annotation import clock; from tasks.models import Assignment; "
    mine = "Assignment.objects.filter(annotator__username='abe-lobby')"
    since = "ago = clock.now() - timedelta(seconds=100); "
    notice = zoe.locator("[data-partner]", has_text="away for 2 minutes")
    for _ in range(3):  # a socket that is being closed may say once more that he is there
        topics.manage("shell", "-c", f"{away}{since}{mine}.update(seen_at=ago, claimed_at=ago)")
        with suppress(TimeoutError):
            notice.wait_for(timeout=10_000)
            break
    expect(notice).to_be_visible()
    zoe.get_by_role("button", name="Find somebody else").click()
    expect(zoe.get_by_text("Looking for a partner")).to_be_visible()
    leave(zoe)


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
    leave(cleo)


def test_while_only_numbers_change_the_focus_stays_and_the_clock_goes_on(visitor):
    page = visitor("uma-lobby")
    keys(page).press("1")
    button = page.get_by_role("button", name="Leave")
    button.focus()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Waiting 0:04")
    expect(button).to_be_focused()
    page.context.set_offline(True)
    expect(page.locator("[data-connection]")).to_contain_text("Not connected")
    page.context.set_offline(False)
    expect(page.locator("[data-connection]")).to_have_text("")
    leave(page)


COUNT_TONES = """() => {
  window.tones = 0;
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function (...when) { window.tones += 1; return start.apply(this, when); };
}"""


def tones(page: Page) -> int:
    return page.evaluate("() => window.tones")


def test_a_found_partner_is_heard_by_whoever_has_allowed_it_here_once(visitor):
    ann, tom = visitor("ann-sound"), visitor("tom-sound")
    for page in (ann, tom):
        page.add_init_script(f"({COUNT_TONES})()")
    keys(ann).press("1")
    ann.get_by_label("Play a sound").check()
    assert tones(ann) == 2
    leave(ann)
    keys(ann).press("1")
    expect(ann.get_by_label("Play a sound")).to_be_checked()
    assert tones(ann) == 0
    tom.get_by_role("button", name="Start").first.click()
    for page in (tom, ann):
        expect(page.get_by_role("heading", name="A partner was found")).to_be_visible()
    expect(ann).to_have_title(re.compile("★ Partner found ★"))
    assert (tones(ann) >= 2, tones(tom)) == (True, 0)
    leave(ann)
    leave(tom)


def test_after_three_minutes_without_input_the_page_asks_and_any_movement_answers(topics, visitor):
    page = visitor("sil-lobby")
    keys(page).press("1")
    expect(page.get_by_text("Looking for a partner")).to_be_visible()
    silent(topics, "sil-lobby", seconds=200)
    page.evaluate("() => { performance.now = ((real) => () => real.call(performance) + 300_000)(performance.now); }")
    expect(page.get_by_role("heading", name="Still here?")).to_be_visible(timeout=30_000)  # polls every ten seconds
    expect(page).to_have_title(re.compile("★ Still here\\? ★"))
    expect(page.locator("[data-live]")).to_have_text("Still here?")
    page.mouse.move(100, 100)
    page.mouse.move(200, 200)
    expect(page.get_by_text("Looking for a partner")).to_be_visible()
    leave(page)


def silent(topics: Site, name: str, *, seconds: int) -> None:
    """Pretend that this person entered the lobby so long ago and has not moved since."""
    code = "from datetime import timedelta; from annotation import clock; from tasks.models import Ticket; "
    code += f"ago = clock.now() - timedelta(seconds={seconds}); "
    rows = f"Ticket.objects.filter(annotator__username={name!r}, ended_at=None)"
    topics.manage("shell", "-c", f"{code}{rows}.update(entered_at=ago, active_at=ago)")


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


@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_nothing_in_the_lobby_and_it_fits_the_window(visitor, size):
    first, second = (f"{name}-{size}" for name in ("xia", "yan"))
    width, height = SIZES[size]
    one = visitor(first, bypass_csp=True, reduced_motion="reduce", viewport={"width": width, "height": height})
    other = visitor(second)
    one.goto(one.url + f"projects/{SLUG}/talk/lobby/")
    for prepare in (
        lambda: None,
        lambda: one.get_by_role("button", name="Find a partner").click(),
        lambda: other.get_by_role("button", name="Start").first.click(),
    ):
        prepare()
        one.wait_for_timeout(2500)
        for theme in THEMES if size == "wide" else THEMES[:1]:
            show(one, theme)
            assert findings(one, RULES[theme]) == []
        layout, window = shown_width(one)
        assert layout <= window
    leave(one)
    leave(other)
