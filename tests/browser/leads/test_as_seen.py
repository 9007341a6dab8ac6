"""A lead looks at what annotators see: the stage's script draws it, and nothing that is pressed changes or sends it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from annotation import randomness
from tests import signed_in
from tests.builders import PAGE, questions, write_lines
from tests.site import Site
from tests.waiting.settled import keys, ready


@pytest.fixture
def looked(site: Site, page: Page) -> Page:
    """Stage 2 of a question that nobody has annotated."""
    slug = f"seen-{randomness.handle().hex[:8]}"
    site.manage("create_project", slug, "--protocol", "nq", "--title", "Seen")
    site.manage("import_items", slug, str(write_lines(site.folder / f"{slug}.jsonl", questions(1, page=PAGE))))
    signed_in.sign_in(site, page, f"liv-{slug}", slug=slug, role="lead")
    page.goto(f"{site.url}/projects/{slug}/items/")
    page.locator("#items tbody a").first.click()
    page.get_by_role("link", name="As annotators see it").click()
    page.get_by_role("navigation", name="Screens").get_by_role("link", name="Long answer").click()
    return ready(page)


def test_nothing_that_is_pressed_chooses_or_sends_anything(looked):
    sent = []
    looked.on("request", lambda request: sent.append(request.url))
    text = looked.frame_locator("[data-frame]").locator("p").first
    expect(looked.locator("[data-chosen-card]")).to_contain_text("Nothing chosen yet")
    text.click()
    looked.locator("#material").click(position={"x": 5, "y": 5})
    for key in ("n", "1", "j", "Enter", "Control+Enter", "Alt+s"):
        keys(looked).press(key)
    expect(looked.locator("[data-chosen-card]")).to_contain_text("Nothing chosen yet")
    expect(looked.locator("form#answer [type=submit]").first).to_be_disabled()
    expect(looked.get_by_role("radio").first).to_be_disabled()
    expect(looked.locator("dialog[open]")).to_have_count(0)
    assert sent == []


@pytest.mark.in_test_all(
    shown_by="tests/browser/leads/test_as_seen.py::test_nothing_that_is_pressed_chooses_or_sends_anything"
)
def test_links_between_stages_and_back_are_followed(looked):
    looked.get_by_role("navigation", name="Screens").get_by_role("link", name="Short answer").click()
    ready(looked)
    looked.get_by_role("link", name="Choose another box").click()
    expect(looked.locator("form#answer")).to_be_visible()
    assert looked.url.endswith("/as-seen/annotate/one/long_answer/?at=1")
    looked.get_by_role("link", name="Back to the item").click()
    expect(looked.get_by_role("heading", level=1)).to_be_visible()
    assert "/as-seen/" not in looked.url
