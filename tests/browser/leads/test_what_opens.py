"""Heads of cards that open show it by a triangle, as everything else that opens."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests import signed_in


@pytest.fixture
def head(site, page):
    """A head that opens: that of the guidelines with which a protocol starts."""
    site.manage("create_project", "what-opens", "--protocol", "nq")
    signed_in.join(site, "what-opens", "lena-opens", role="lead")
    signed_in.sign_in(site, page, "lena-opens")
    page.goto("/projects/new/protocols/nq/")
    return page.locator("summary.card-head")


@pytest.mark.in_test_all(
    shown_by="tests/browser/access/test_every_state.py"
    "::test_each_kind_of_page_is_accessible_with_a_mouse_and_on_a_phone"
)
def test_a_head_that_opens_has_a_triangle_beside_its_title(head):
    expect(head).to_have_css("list-style-type", "disclosure-closed")
    expect(head).to_have_css("display", "list-item")
    expect(head.locator("h2")).to_have_css("display", "inline")
    head.click()
    expect(head).to_have_css("list-style-type", "disclosure-open")
