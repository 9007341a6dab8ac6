"""Pictures of CoQA: both sides of a conversation, the game, and what a lead sees of them."""

from __future__ import annotations

from collections.abc import Iterator

from tests.screens.answering import drag
from tests.screens.camera import Camera, Visit, arrived, press
from tests.screens.stages.states import go_on, refused, restored, sealed, send, waiting

PROJECT = "tales"


def visits(size: str) -> Iterator[Visit]:
    """The two people of a conversation by turns, somebody without a partner, somebody alone, a player, a lead."""
    yield f"quinn-{size}", (asking,)
    yield f"anna-{size}", (answering,)
    yield f"quinn-{size}", (proposing_to_end,)
    yield f"anna-{size}", (closing,)
    yield f"lou-{size}", (without_partner,)
    yield f"kim-{size}", (leaving_again,)
    yield f"sol-{size}", (alone,)
    yield f"pia-{size}", (guessing, comparing)
    yield "lotte", (lead,)


def asking(camera: Camera) -> None:
    """The 15th question: empty, refused, with words of the passage, restored; then waiting for the answer."""
    page = camera.page
    go_on(page, "question-15")
    camera.take("talk-ask")
    if camera.size == "narrow":
        page.locator(".grip").tap()
        camera.take("talk-turns-open")
        page.locator(".grip").tap()
    refused(camera, "question-15", "talk-ask")
    page.locator("#text").fill("Did the fog frighten the captain when she could not see the bow?")
    page.locator("[data-overlap] b").first.wait_for()
    camera.take("talk-ask-advice")
    page.locator("#text").fill("Was Pip any help?")
    restored(camera, "question-15", "talk-ask")
    sealed(camera, "question-14", "talk-ask-sealed")
    arrived(page, "question-15")
    send(page)
    waiting(page)
    camera.take("talk-ask-waiting")
    press(page, "Alt+s")
    page.locator("#skip").wait_for()
    camera.take("talk-ask-leave")
    press(page, "Escape")


def answering(camera: Camera) -> None:
    """The 15th answer: empty, refused, with words marked, copied, restored, unknown; then waiting for a question."""
    page = camera.page
    go_on(page, "answer-15")
    camera.take("talk-answer")
    if camera.size == "narrow":
        page.locator(".grip").tap()
        camera.take("talk-answer-open")
        page.locator(".grip").tap()
    refused(camera, "answer-15", "talk-answer")
    drag(page, "The captain turned the wheel to follow her")
    page.locator("[data-pending-bar]").wait_for()
    camera.take("talk-answer-pending")
    page.get_by_role("button", name="Use as rationale").click()
    page.locator("[data-spans] q").first.wait_for(state="attached")
    camera.take("talk-answer-copied")
    page.locator("#text").fill("Yes, the captain followed her")
    restored(camera, "answer-15", "talk-answer")
    press(page, "Alt+u")
    page.locator("[data-unknown-part]").wait_for(state="attached")
    camera.take("talk-answer-unknown")
    press(page, "Alt+u")
    sealed(camera, "answer-14", "talk-answer-sealed")
    arrived(page, "answer-15")
    send(page)
    waiting(page)
    camera.take("talk-answer-waiting")


def proposing_to_end(camera: Camera) -> None:
    """The 16th question, in place of which the end is proposed."""
    page = camera.page
    go_on(page, "question-16")
    page.get_by_text("End the conversation").click()
    page.get_by_label("Propose to end").check()
    camera.take("talk-end")
    send(page)
    waiting(page)


def closing(camera: Camera) -> None:
    """Asked whether to end: undecided, refused, restored; and afterwards."""
    page = camera.page
    go_on(page, "closing-16")
    camera.take("talk-closing")
    refused(camera, "closing-16", "talk-closing")
    press(page, "2")
    restored(camera, "closing-16", "talk-closing")
    send(page)
    waiting(page)
    sealed(camera, "closing-16", "talk-closing-sealed")


def without_partner(camera: Camera) -> None:
    """Somebody whose partner has been away for minutes."""
    page = camera.page
    page.locator("a[data-key=c]").click()
    page.get_by_role("button", name="Find somebody else").wait_for()
    camera.take("talk-partner-lost")


def leaving_again(camera: Camera) -> None:
    """Somebody who has left partners before."""
    page = camera.page
    page.locator("a[data-key=c]").click()
    page.locator("#screen[data-started]").wait_for()
    press(page, "Alt+s")
    page.locator("#skip button[type=submit]").click()
    page.get_by_role("heading", name="Why are you leaving?").wait_for()
    camera.take("talk-leave-again")


def alone(camera: Camera) -> None:
    """Both parts of one person."""
    page = camera.page
    go_on(page, "question-7")
    camera.take("talk-alone-ask")
    page.locator("#text").fill("Who does she visit over there?")
    send(page)
    arrived(page, "answer-7")
    camera.take("talk-alone-answer")


def guessing(camera: Camera) -> None:
    """The 8th guess: empty, refused, restored."""
    page = camera.page
    go_on(page, "guess-8")
    camera.take("talk-guess")
    if camera.size == "narrow":
        page.locator(".grip").tap()
        camera.take("talk-guess-open")
        page.locator(".grip").tap()
    refused(camera, "guess-8", "talk-guess")
    drag(page, "had read more novels than was thought good for her")
    page.get_by_role("button", name="Use as rationale").click()
    page.locator("#text").fill("Yes, very much")
    restored(camera, "guess-8", "talk-guess")
    send(page)


def comparing(camera: Camera) -> None:
    """The 8th verdict: open, refused, restored, sent; and a guess that was locked."""
    page = camera.page
    arrived(page, "verdict-8")
    camera.take("talk-verdict")
    refused(camera, "verdict-8", "talk-verdict")
    press(page, "1")
    restored(camera, "verdict-8", "talk-verdict")
    sealed(camera, "guess-8", "talk-guess-sealed")
    arrived(page, "verdict-8")
    send(page)
    arrived(page, "guess-9")
    sealed(camera, "verdict-8", "talk-verdict-sealed")


def lead(camera: Camera) -> None:
    """The project, a passage with its conversation, a conversation with its games, a flag, and somebody who leaves."""
    page = camera.page
    page.goto(f"/projects/{PROJECT}/")
    camera.take("talk-project", whole=True)
    for name, text in (
        ("talk-item-passage", "Ten past four"),
        ("talk-item-conversation", "What did the old man do in Lindenby?"),
    ):
        page.goto(f"/projects/{PROJECT}/items/")
        page.locator("#items").get_by_role("link", name=text).click()
        page.get_by_role("heading", level=1).wait_for()
        camera.take(name, whole=True)
    for name, text in (
        ("talk-item-case", "The question is vague"),
        ("talk-item-leaves", "Left partners without a reason"),
    ):
        page.goto(f"/projects/{PROJECT}/")
        page.locator("#cases").get_by_role("link", name=text).first.click()
        page.get_by_role("heading", level=1).wait_for()
        camera.take(name, whole=True)
