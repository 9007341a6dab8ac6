"""How many clicks take a lead with a spreadsheet from an empty site to a release: no more than docs/leads.md says."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.hour.people import Invited, Lead
from tests.screens.answering import drag
from tests.site import CHECKOUT
from tests.waiting.settled import ready

GUIDE = (CHECKOUT / "docs/leads.md").read_text()
WAY = int(re.search(r"The way takes (\d+) clicks", GUIDE)[1])
REFUSED = int(re.search(r"(\d+) clicks more if the first file is refused", GUIDE)[1])
MOST = 25
"""What the guide may say at most, of a lead whose first file is refused."""
ASKS, ANSWERS = "Ask about paragraphs", "Answer from paragraphs"
TABLE = 'title,context,question\nSkerrow,"Built in 1871, by Anna Holt.",\n'


@pytest.mark.in_test_all(
    shown_by="tests/browser/hour/test_leads_hour.py"
    "::test_a_lead_and_two_invited_people_make_two_releases_without_a_shell"
)
def test_a_lead_needs_no_more_clicks_than_the_guide_says(empty, window, tmp_path):
    _site, code = empty
    lead = Lead(window(), code)
    lead.makes("SQuAD", "Lighthouses")
    (good := tmp_path / "lighthouses.csv").write_text(TABLE)
    (bad := tmp_path / "first-try.csv").write_text(TABLE.replace("context", "text"))
    lead.imports(good, refused=bad, because="has a column text, which is not read")
    lead.opens(ASKS)
    lead.opens(ANSWERS)
    to_ada, _to_ben = lead.invites("Ada", "Ben")
    ada = Invited(window(), "ada").joins(to_ada).begins(ASKS).at("questions")
    ada.page.get_by_label("Question 1", exact=True).fill("Who built it?")
    ready(ada.page)
    drag(ada.page, "Anna Holt")
    ada.press("Enter", "Control+Enter")
    expect(ada.page.get_by_role("heading", name="Everything is done")).to_be_visible()
    lead.releases(splits=1, into=tmp_path)
    assert WAY + REFUSED <= MOST
    assert lead.clicks() <= WAY + REFUSED
