"""axe finds nothing in any screenshot state, light or dark, nor in any frame; no page is too wide.

In each state, targets are large enough: for a mouse on wide screens, for a finger on narrow ones.
All are in one file, and so in one process: they begin with a site that is furnished once, or copies.
"""

from __future__ import annotations

import shutil
from itertools import chain

import pytest

from tests.browser.access.inspecting import (
    ALL_KINDS,
    AS_OTHERS,
    FEW,
    KINDS,
    Inspector,
    InspectorOfAFew,
    InspectorOfKinds,
    findings,
    inspect,
    on_a_phone,
)
from tests.browser.access.targets import LEAST, too_small
from tests.forking import ForkedSite
from tests.screens.catalogue import NARROW, PICTURES, missing
from tests.screens.prolific import ON
from tests.screens.visits import GROUPS, furnish_states, visits, visits_of_a_few_kinds, visits_of_each_kind

SETTINGS = {"DJANGO_SETTINGS_MODULE": "tests.waiting.site_settings", **ON}


@pytest.fixture(scope="module")
def furnished(tmp_path_factory):
    """A site with all that the rarer states need, a copy of its data folder, and error pages by template."""
    made = ForkedSite(tmp_path_factory.mktemp("furnished"), **SETTINGS)
    _passwords, rendered = furnish_states(made.prepare())
    made.manage("shell", "-c", "from tests.boards import measure_everything; measure_everything()")
    yield made, shutil.copytree(made.folder, tmp_path_factory.mktemp("copied") / "site"), rendered
    made.close()


@pytest.fixture(scope="module")
def unvisited(furnished):
    """The furnished site itself, until the first test takes it: to load another takes seconds."""
    return [furnished[0]]


@pytest.fixture
def own_site(furnished, unvisited, tmp_path):
    """A furnished site that nobody has visited yet."""
    made = unvisited.pop() if unvisited else ForkedSite(shutil.copytree(furnished[1], tmp_path / "site"), **SETTINGS)
    yield made.start()
    made.close()


@pytest.fixture(scope="module")
def site_of_each_kind(tmp_path_factory):
    """A site with what one picture of each kind of page needs."""
    made = ForkedSite(tmp_path_factory.mktemp("kinds"), **SETTINGS)
    furnish_states(made.prepare(), "each_kind")
    made.manage("shell", "-c", "from tests.boards import measure_everything; measure_everything()")
    yield made.start()
    made.close()


@pytest.fixture
def site_of_a_few_kinds(site, tmp_path):
    """A site with what those pictures need that differ most, begun by the fork server of the other tests' site."""
    made = ForkedSite(tmp_path, DJANGO_SETTINGS_MODULE=SETTINGS["DJANGO_SETTINGS_MODULE"])
    made.forked_by = site.fork_server
    furnish_states(made.prepare(), "a_few_kinds")
    yield made.start()
    made.close()


def test_each_kind_of_page_is_accessible_with_a_mouse_and_on_a_phone(site_of_a_few_kinds, browser):
    """Of the kinds that are most alike one is looked at; the test below looks at each."""
    chosen = visits_of_a_few_kinds("wide", annotator="ada-wide")
    seen = inspect(site_of_a_few_kinds, browser, chosen, size="wide", kind=InspectorOfAFew)
    assert FEW - set(seen) == set()


OF_ALL_STATES = pytest.mark.in_test_all(
    shown_by="tests/browser/access/test_every_state.py"
    "::test_each_kind_of_page_is_accessible_with_a_mouse_and_on_a_phone"
)


@OF_ALL_STATES
@pytest.mark.parametrize("group", KINDS)
def test_all_kinds_of_pages_are_accessible_with_a_mouse_and_on_a_phone(site_of_each_kind, browser, group):
    chosen = visits_of_each_kind(group, "wide", annotator="ada-wide", lead="lotte")
    seen = inspect(site_of_each_kind, browser, chosen, size="wide", kind=InspectorOfKinds)
    assert KINDS[group] - set(seen) == set()


@pytest.fixture
def inspect_group(own_site, browser, furnished):
    """Make the visits of a group to a site of its own; return the names of the pictures."""
    rendered = furnished[2]

    def inspect_in_turn(group: str, size: str) -> list[str]:
        of_group = visits(group, size, rendered, annotator=f"ada-{size}", lead="lotte")
        return inspect(own_site, browser, of_group, size=size, kind=Inspector)

    return inspect_in_turn


@pytest.fixture(scope="module")
def inspected():
    """The names of the pictures that were checked, by group and size."""
    return {}


@OF_ALL_STATES
@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_every_state_is_accessible(inspect_group, inspected, group, size):
    inspected[group, size] = inspect_group(group, size)
    assert inspected[group, size] != []


@OF_ALL_STATES
@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_no_picture_of_the_catalogue_is_left_out(inspect_group, inspected, size):
    """What the test above has looked at is not looked at again."""
    seen = [inspected.get((group, size)) or inspect_group(group, size) for group in GROUPS]
    assert missing([*chain.from_iterable(seen)], size=size) == []


def test_everything_that_is_checked_is_in_the_catalogue():
    assert (AS_OTHERS | ALL_KINDS) - set(PICTURES) - set(NARROW) == set()
    assert ALL_KINDS >= FEW


def test_the_control_axe_finds_an_image_without_alt_text(page):
    page.set_content("<html lang=en><title>A</title><main><h1>A</h1><img src='data:,'></main></html>")
    assert any(found.startswith("image-alt") for found in findings(page))


def test_the_control_small_targets_are_found_and_a_link_in_a_sentence_may_be_small(page):
    small = (
        "<style>button { width: 23px; height: 30px; padding: 0 }</style><button>a</button><p>See <a href=/>b</a>.</p>"
    )
    page.set_content(f"<!doctype html>{small}<p><label style='font-size: 30px'><input type=checkbox> c</label>")
    assert too_small(page, 24) == ["button. “a” is 23 x 30 px"]


def test_a_small_box_whose_label_is_large_enough_is_fine_however_near_a_bar_is(page):
    styles = """label { display: block; width: 44px; height: 44px } body { margin: 0 } input { margin: 14px }
        .row { height: calc(100vh - 60px - 44px) } .rows { height: 2000px }
        .bar { position: sticky; bottom: 0 } .bar button { width: 100%; height: 60px }"""
    text = f"<!doctype html><html lang=en><title>A</title><style>{styles}</style><main><h1>A</h1><div class=row></div>"
    box = "<label><input type=checkbox><span style='position: absolute; clip-path: inset(50%)'>a</span></label>"
    page.set_content(f"{text}{box}<div class=rows></div><div class=bar><button>b</button></div></main>")
    for scrolled in range(0, 45, 4):
        page.evaluate("(top) => scrollTo(0, top)", scrolled)
        assert findings(page) == []
    assert too_small(page, 24) == []


def test_the_control_a_page_that_is_made_narrow_for_a_while_is_too_wide_and_its_targets_too_small_for_a_finger(page):
    page.set_content("<!doctype html><style>a { display: block; width: 500px; height: 30px }</style><a href=/>a</a>")
    with on_a_phone(page):
        assert too_small(page, LEAST["narrow"]) == ["a. “a” is 500 x 30 px"]
        assert page.evaluate("[innerWidth, matchMedia('(pointer: coarse)').matches]") == [390, True]
    assert page.evaluate("[innerWidth, matchMedia('(pointer: coarse)').matches]") == [1280, False]
