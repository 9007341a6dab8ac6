"""A lead leaves a board open: its numbers follow the work without a reload, and end with the right to see them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests import signed_in
from tests.builders import questions, write_lines
from tests.site import Site

EVERY = 16_000
"""Milliseconds in which an open board asks at least once."""
FINISHED = """
from annotation import clock
from annotation.models import Project
from tests.boards import bring_up_to_date
from tests.builders import Worker
from tests.people import join
project = Project.objects.get(slug="{slug}")
Worker(join(project, "amy-{slug}"), project).finish_bad(now=clock.now())
bring_up_to_date(project, now=clock.now())
"""
ENDED = """
from annotation import clock
from annotation.models import Membership
Membership.objects.filter(project__slug="{slug}", role="lead").update(ended_at=clock.now())
"""


@pytest.fixture
def followed(site: Site, page: Page) -> Callable[[str], Page]:
    """The board of a new project with three questions, open at a lead's whose clock the test moves."""

    def opened(slug: str) -> Page:
        site.manage("create_project", slug, "--protocol", "nq", "--title", "Followed")
        site.manage("import_items", slug, str(write_lines(site.folder / f"{slug}.jsonl", questions(3))))
        site.manage("open_queue", slug)
        signed_in.join(site, slug, f"liv-{slug}", role="lead")
        signed_in.sign_in(site, page, f"liv-{slug}")
        page.clock.install()
        page.goto(f"{site.url}/projects/{slug}/")
        expect(page.locator("#board-head")).to_contain_text("0 of 3")
        return page

    return opened


@pytest.mark.in_test_all(shown_by="tests/js/test_units.py::test_the_scripts_do_what_their_tests_say")
def test_an_open_board_follows_the_work_and_ends_with_the_right_to_it(site, followed):
    page = followed("followed")
    page.evaluate("document.body.dataset.same = 'page'")
    site.manage("shell", "-c", FINISHED.format(slug="followed"))
    page.clock.run_for(EVERY)
    expect(page.locator("#board-head")).to_contain_text("1 of 3")
    expect(page.locator("#board-cards")).to_contain_text("Work per day")
    expect(page.locator("body[data-same]")).to_have_count(1)
    site.manage("shell", "-c", ENDED.format(slug="followed"))
    page.clock.run_for(EVERY)
    expect(page.locator("#board-head")).to_have_count(0)
    expect(page.get_by_text("1 of 3")).to_have_count(0)
