"""On a phone, a lead sees every column of the lists with buttons or states: rows wrap instead of being cut off."""

from __future__ import annotations

import pytest

from tests import signed_in

pytestmark = pytest.mark.in_test_all(
    shown_by="tests/browser/test_long_words.py::test_what_people_write_widens_no_page_of_a_lead"
)

SLUG = "narrow-lights"
MADE = f"""
import tempfile, uuid
from pathlib import Path
from annotation import clock, releases
from annotation.models import Role
from qualification import invitations
from tests.disagreeing import BAD, NOTHING, answered, box, lights
from tests.people import join
with tempfile.TemporaryDirectory() as folder:
    project = lights(Path(folder), slug="{SLUG}")
    answered(project, box(1), box(2), NOTHING, names=["nar-ada", "nar-ben", "nar-cleo"])
lead = join(project, "nar-lena", Role.LEAD)
join(project, "nar-with-a-user-name-as-long-as-some-people-choose-them", Role.ANNOTATOR)
releases.build(project, format="nq", by=None, now=clock.now(), partial=True)
guest = invitations.Guest(name="Somebody with a long name", email="somebody@students.example.org")
invitations.make(project, [guest], days=14, key=uuid.uuid4(), by=lead, now=clock.now())
"""
LISTS = {"items/": 1, "people/": 2, "disputes/": 1, "annotate/compared/": 1, "releases/": 1}
"""Pages, and how many such lists each has."""


@pytest.fixture(scope="module")
def narrow(site):
    site.manage("shell", "-c", MADE)
    return site


@pytest.mark.parametrize("width", [390, 320])
def test_no_list_is_wider_than_its_card(narrow, page, width):
    signed_in.sign_in(narrow, page, "nar-lena")
    page.set_viewport_size({"width": width, "height": 844})
    for path, number in LISTS.items():
        page.goto(f"{narrow.url}/projects/{SLUG}/{path}")
        lists = page.locator(".scroll-x:has(> .stacks)")
        assert lists.count() == number, path
        assert lists.evaluate_all("(all) => all.filter((one) => one.scrollWidth > one.clientWidth).length") == 0, path


def test_a_file_of_a_release_can_be_downloaded_without_scrolling_sideways(narrow, page):
    signed_in.sign_in(narrow, page, "nar-lena")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{narrow.url}/projects/{SLUG}/releases/")
    box = page.get_by_role("link", name="Download").first.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= 390
