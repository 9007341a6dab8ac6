"""End to end: four experts judge a draw of long answers, meet, settle one, park one, and the lead reads the results."""

from __future__ import annotations

import json

from playwright.sync_api import expect

from tests.browser.judging.desk import Rater, furnish, seal
from tests.waiting.settled import keys, ready

SLUG, ROUND = "four-experts", "Long answers, as in the paper"
EXPERTS = ("expert-one", "expert-two", "expert-three", "expert-four")
COUNT = 4
FAR, NEAR = "who tended light number 1", "who tended light number 3"
"""What the experts do not agree on: far apart, and a little."""
KEYS = {FAR: "3", NEAR: "2"}


def test_from_the_sample_to_the_table(site, page, new_context):
    site.folder.joinpath(SLUG).mkdir()
    furnish(site, "boxes", SLUG, str(site.folder / SLUG), list(EXPERTS), count=COUNT)
    seal(site, page, SLUG, "long", title=ROUND, sample=COUNT, raters=EXPERTS, chair=EXPERTS[0])
    sealed = page.url

    chair = Rater(site, new_context().new_page(), EXPERTS[0]).begin(ROUND)
    for number in range(1, COUNT + 1):
        chair.at(number).mark(KEYS.get(chair.prompt, "1"))
    chair.lock()
    for name in EXPERTS[1:]:
        furnish(site, "judge", SLUG, name, {NEAR: "Cd"} if name == EXPERTS[1] else {}, "C")

    room = [chair, *(Rater(site, new_context().new_page(), name) for name in EXPERTS[1:])]
    for person in room:
        person.page.goto(f"{site.url}/")
        person.page.get_by_role("link", name="Go to the meeting").click()
        expect(person.page.locator("#agenda-title")).to_contain_text("0 of 2 settled")
    expect(chair.page.get_by_role("heading", level=1)).to_have_text(FAR)
    for person in room:
        expect(person.page.get_by_text("Paused")).not_to_be_visible()

    room[1].page.get_by_label("Your argument").fill("The paragraph names the tower, and no keeper.")
    keys(room[1].page).press("Enter")
    expect(chair.page.locator(".args").get_by_text("The paragraph names the tower")).to_be_visible()
    ready(chair.page)
    keys(chair.page).press("3")
    chair.page.get_by_label("Reason").fill("It names nobody.")
    keys(chair.page).press("Control+Enter")
    for person in room[1:]:
        expect(person.page.get_by_text("Proposed by the chair")).to_be_visible()
        keys(person.page).press("Control+Enter")
    for person in room:
        expect(person.page.locator("p.settled")).to_contain_text("Wrong, confirmed by all 4")

    keys(chair.page).press("Control+Enter")
    for person in room:
        expect(person.page.get_by_role("heading", level=1)).to_have_text(NEAR)
    room[3].page.get_by_role("button", name="Leave the room").click()
    expect(chair.page.get_by_text("Paused: not in the room: expert-four")).to_be_visible()
    room[3].page.goto(f"{site.url}/")
    room[3].page.get_by_role("link", name="Go to the meeting").click()
    expect(chair.page.get_by_text("Paused")).not_to_be_visible()
    keys(chair.page).press("p")
    expect(room[2].page.get_by_text("Parked", exact=True)).to_be_visible()

    chair.page.get_by_role("button", name="End the meeting").first.click()
    chair.page.get_by_role("button", name="End it").click()
    expect(room[1].page.get_by_text("Not settled.")).to_be_visible()

    furnish(site, "measure")
    page.goto(sealed)
    results = page.get_by_role("region", name="Results").or_(page.locator("main"))
    expect(results.first).to_contain_text("4 of 4 raters")
    with page.expect_download() as saved:
        page.get_by_role("link", name="JSON").click()
    found = json.loads(saved.value.path().read_text(encoding="utf-8"))
    shares = found["results"]["shares"]
    assert {key: share["marks"] for key, share in shares.items()} == {"C": len(EXPERTS) * COUNT - 3, "Cd": 2, "W": 1}
    assert found["results"]["right"]["marks"] == len(EXPERTS) * COUNT - 1
    expect(page.get_by_text(f"{COUNT - 1} of {COUNT} exhibits settled")).to_be_visible()
