"""Opens a stage of CoQA in a browser, for the tests that run at every stage."""

from __future__ import annotations

from playwright.sync_api import Page

from tests import signed_in
from tests.browser.coqa.desk import TALK, TalkDesk, furnish, seat, talked
from tests.site import Site

PROJECT = "keys-of-talks"


def talking(site: Site, page: Page, stage: str) -> None:
    """A conversation of ten turns, at its next question, at the answer to it, or at the end."""
    name = f"keys-{stage}"
    people = [f"{name}-asks", f"{name}-replies"]
    furnish(site, PROJECT)
    for each in people:
        signed_in.join(site, PROJECT, each)
    addresses = seat(site, PROJECT, *people)
    talked(site, *people, last={"question": "", "answer": "asked", "closing": "ended"}[stage])
    mine = 0 if stage == "question" else 1
    signed_in.sign_in(site, page, people[mine])
    page.goto(addresses[mine])
    TalkDesk(site, page, people[mine]).at(f"{stage}-{len(TALK)}")


def playing(site: Site, page: Page, stage: str) -> None:
    """The first guess of a finished conversation, or the first verdict."""
    name = f"keys-{stage}"
    people = [f"{name}-asks", f"{name}-replies", name]
    furnish(site, PROJECT)
    for each in people:
        signed_in.join(site, PROJECT, each)
    seat(site, PROJECT, *people[:2])
    talked(site, *people[:2], last="closed")
    signed_in.sign_in(site, page, name)
    page.goto("/")
    page.locator(f"form[action='/projects/{PROJECT}/guess/next/'] button").click()
    desk = TalkDesk(site, page, name).at("guess-1")
    if stage == "verdict":
        _, rationale, text = TALK[0]
        desk.say(rationale, text).press("Control+Enter").at("verdict-1")


OPENED = dict.fromkeys(("question", "answer", "closing"), talking) | dict.fromkeys(("guess", "verdict"), playing)
