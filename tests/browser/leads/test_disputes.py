"""A dispute from low agreement to a decision and a release, by keyboard: an expert compares, decides, writes."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from tests import signed_in
from tests.browser.access.inspecting import RULES, findings
from tests.browser.access.targets import LEAST, too_small
from tests.browser.desk import shown_width
from tests.screens.camera import THEMES
from tests.waiting.settled import keys

SLUG = "disputed-lights"
MADE = f"""
import tempfile
from pathlib import Path
from annotation.models import Role
from tests.disagreeing import BAD, NOTHING, answered, box, browser, lights
from tests.people import join
with tempfile.TemporaryDirectory() as folder:
    project = lights(Path(folder), slug="{SLUG}")
    answered(project, box(1), box(1), BAD, names=["dis-ada", "dis-ben", "dis-cleo"])
    answered(project, box(1), box(2), NOTHING, names=["dis-ada", "dis-ben", "dis-cleo"])
join(project, "dis-erin", Role.EXPERT)
join(project, "dis-lena", Role.LEAD)
"""


@pytest.fixture(scope="module")
def disputed(site):
    site.manage("shell", "-c", MADE)
    return site


@pytest.fixture
def lead(disputed, browser):
    """A lead's browser, into which axe can be put."""
    context = browser.new_context(bypass_csp=True, reduced_motion="reduce")
    page = context.new_page()
    signed_in.sign_in(disputed, page, "dis-lena")
    yield page
    context.close()


@pytest.fixture
def expert(disputed, page):
    signed_in.sign_in(disputed, page, "dis-erin")
    page.goto(f"{disputed.url}/")
    return page


def begun(page):
    """The list of disputes, once the expert has begun."""
    page.get_by_role("link", name="Compare and decide").click()
    if page.get_by_role("button", name="See the answers").count():
        expect(page.get_by_text("From then on you are given no work in this project")).to_be_visible()
        page.get_by_role("button", name="See the answers").click()
    expect(page.get_by_role("heading", name="Disputes")).to_be_visible()


@pytest.mark.in_test_all(
    shown_by="tests/browser/leads/test_disputes.py"
    "::test_an_expert_decides_writes_and_the_release_has_it_beside_the_data"
)
def test_a_lead_comes_from_low_agreement_to_the_answers_by_keyboard(lead, disputed):
    disputed.manage("measure_agreement", SLUG)
    lead.goto(f"{disputed.url}/projects/{SLUG}/agreement/")
    expect(lead.get_by_role("heading", name="Long answer: Krippendorff’s alpha")).to_be_visible()
    worst = lead.locator("#worst th a").first
    worst.focus()
    keys(lead).press("Enter")
    expect(lead.locator(".letter").nth(1)).to_be_visible()
    first = lead.url
    keys(lead).press("j")
    lead.wait_for_url(lambda url: url != first)
    keys(lead).press("k")
    lead.wait_for_url(first)
    expect(lead.frame_locator("iframe[name=in-page]").locator("[data-by]").first).to_be_visible()


@pytest.mark.in_test_all(
    shown_by="tests/browser/access/test_every_state.py"
    "::test_each_kind_of_page_is_accessible_with_a_mouse_and_on_a_phone"
)
def test_axe_finds_nothing_in_the_pages_of_agreement_and_disputes_and_targets_are_large(lead, disputed):
    lead.goto(f"{disputed.url}/projects/{SLUG}/disputes/")
    item = lead.locator("th a").first.get_attribute("href")
    found = []
    for size, (width, height) in {"wide": (1440, 900), "narrow": (320, 640)}.items():
        lead.set_viewport_size({"width": width, "height": height})
        for path in ("agreement/", "human-bound/", "disputes/", item.split(SLUG)[1].lstrip("/"), "annotate/compared/"):
            lead.goto(f"{disputed.url}/projects/{SLUG}/{path}")
            for theme in THEMES if size == "wide" else THEMES[:1]:
                lead.emulate_media(color_scheme=theme)
                found += [f"{path} {size} {theme}: {finding}" for finding in findings(lead, RULES[theme])]
            found += [f"{path} {size}: {small}" for small in too_small(lead, LEAST["wide"])]
            laid_out, window = shown_width(lead)
            found += [f"{path}: {laid_out} px wide"] if laid_out > window else []
    assert found == [], "\n".join(found)


@pytest.mark.in_test_all(
    shown_by="tests/browser/leads/test_disputes.py"
    "::test_an_expert_decides_writes_and_the_release_has_it_beside_the_data"
)
def test_more_annotations_are_asked_for_and_that_is_undone_by_keyboard(expert):
    page = expert
    begun(page)
    keys(page).press("j")
    expect(page.get_by_role("heading", name="Decide", exact=True)).to_be_visible()
    first = page.url
    expect(page.get_by_role("navigation", name="Disputes 2 open").get_by_role("link")).to_have_count(2)
    keys(page).press("m")
    expect(page.get_by_text("Asked for 2 more annotations")).to_be_visible()
    expect(page.get_by_text("1 open")).to_be_visible()
    keys(page).press("u")
    expect(page).to_have_url(first)
    expect(page.get_by_text("2 open")).to_be_visible()


def test_an_expert_decides_writes_and_the_release_has_it_beside_the_data(expert, disputed, tmp_path):
    page = expert
    begun(page)
    keys(page).press("j")
    expect(page.get_by_role("heading", name="Decide", exact=True)).to_be_visible()
    first = page.url

    # Nothing is kept of a choice without a reason.
    keys(page).press("1")
    expect(page.locator("input[name=chosen]").first).to_be_checked()
    keys(page).press("Control+Enter")
    expect(page).to_have_url(first)

    page.get_by_label("Why").fill("It names the keepers.")
    keys(page).press("Control+Enter")
    expect(page.get_by_text("Decided. The annotations stay as they are.")).to_be_visible()
    second = page.url
    assert second != first

    # None of these: an answer of one's own, on the screens of the work.
    keys(page).press("0")
    page.locator("#screen[data-stage='question'][data-started]").wait_for()
    expect(page.get_by_text("You write a reference for this question")).to_be_visible()
    keys(page).press("g")
    keys(page).press("Control+Enter")
    page.locator("#screen[data-stage='long_answer'][data-started]").wait_for()
    page.frame_locator("iframe[data-frame]").locator("#page[data-ready]").wait_for()
    keys(page).press("n")
    keys(page).press("2")
    keys(page).press("Control+Enter")
    expect(page).to_have_url(second)
    mine = page.locator(".choice", has_text="yours")
    expect(mine).to_contain_text("spread over several boxes")
    mine.click()
    page.get_by_label("Why").fill("It is spread over the list.")
    keys(page).press("Control+Enter")
    expect(page.get_by_text("Nothing is disputed, or not among what you may see.")).to_be_visible()

    out = tmp_path / "release"
    disputed.manage("export_release", SLUG, "--format", "nq", "--out", str(out))
    lines = [json.loads(line) for line in (out / "decisions.jsonl").read_text().splitlines()]
    assert sorted((line["reason"], line["annotation"]["reference"]) for line in lines) == [
        ("It is spread over the list.", True),
        ("It names the keepers.", False),
    ]
    assert [count["annotations"] for count in json.loads((out / "manifest.json").read_text())["counts"].values()] == [6]

    # A slip: taken back, with a reason, and open again.
    page.get_by_role("link", name="Decided ones").click()
    page.locator("th a[href*='/disputes/']").first.click()
    page.get_by_text("Take it back…").click()
    page.get_by_label("Reason").fill("I read the wrong box.")
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_role("heading", name="Decide", exact=True)).to_be_visible()
    expect(page.get_by_text("I read the wrong box.")).to_be_visible()


@pytest.mark.in_test_all(
    shown_by="tests/browser/access/test_every_state.py"
    "::test_each_kind_of_page_is_accessible_with_a_mouse_and_on_a_phone"
)
@pytest.mark.parametrize(
    ("width", "theme"),
    [(1440, "light"), (1280, "dark"), (390, "light"), (320, "dark")],
)
def test_nothing_is_wider_than_the_window(expert, disputed, width, theme):
    page = expert
    begun(page)
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=theme)
    for path in ("disputes/", "disputes/?decided", "annotate/compared/"):
        page.goto(f"{disputed.url}/projects/{SLUG}/{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = re.search(r"/annotate/(?:compared|disputes)/(\d+)/", page.content())
    assert found
    page.goto(f"{disputed.url}/projects/{SLUG}/annotate/compared/{found[1]}/")
    assert page.locator(".letter").count() > 1
    assert page.evaluate("document.documentElement.scrollWidth") <= width
