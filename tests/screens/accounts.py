"""Pictures of accounts: invitations from both sides, a new password, the second step, and the account page."""

from __future__ import annotations

from playwright.sync_api import Page

from tests import second_step
from tests.screens.camera import Camera

PASSWORD = "a few easy words"


def strangers(camera: Camera) -> None:
    """A forgotten password, and links that don't work."""
    page = camera.page
    for picture, address in (
        ("password-forgotten", "/login/forgotten/"),
        ("password-sent", "/login/forgotten/sent/"),
        ("password-link-closed", "/login/new/1/no-such/"),
        ("link-closed", "/join/no-such/"),
    ):
        page.goto(address)
        camera.take(picture)


def lead(camera: Camera) -> None:
    """A lead invites people; one of them joins, and later gets a new password."""
    page = camera.page
    page.goto("/projects/winter-birds/people/")
    _invite(page, "ada@, Ada\n, lead")
    camera.take("people-refused", whole=True)
    _invite(page, "Ada Lovelace, ada@maths.example, lead\nGrace Hopper\nAnn, expert")
    camera.take("invitation-links", whole=True)
    links = [field.input_value() for field in page.locator("input[readonly]").all()]
    page.get_by_role("link", name="Done").click()
    page.get_by_role("button", name="Revoke").first.click()
    page.get_by_role("status").wait_for()
    camera.take("people-invited", whole=True)
    page.goto(links[1])
    camera.take("join-signed-in")
    _newcomer(camera, links[1])
    page.goto("/projects/winter-birds/people/")
    page.get_by_role("button", name=f"grace-{camera.size}").click()
    link = page.get_by_label("Link").input_value()
    camera.take("password-link")
    other = camera.stranger(link)
    camera.take("password-new", page=other)
    other.context.close()


def _invite(page: Page, guests: str) -> None:
    page.get_by_label("Whom, one on each line").fill(guests)
    page.get_by_role("button", name="Make links").click()
    page.wait_for_load_state()


def _newcomer(camera: Camera, link: str) -> None:
    page = camera.stranger(link)
    camera.take("join", page=page)
    for name in ("lotte", f"grace-{camera.size}"):
        page.get_by_label("User name").fill(name)
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("button", name="Make my account and join").click()
        if name == "lotte":
            page.locator(".wrong").wait_for()
            camera.take("join-refused", page=page)
    page.wait_for_url("**/consent/")
    _account(camera, page)
    page.context.close()


def _tokens(camera: Camera, page: Page) -> None:
    """A token that was made, the list of them, and what the API offers."""
    page.goto("/account/tokens/")
    page.get_by_label("Name").fill("annotates at night")
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Make the token").click()
    page.get_by_role("heading", name="Copy your new token now").wait_for()
    camera.take("token-made", page=page)
    page.get_by_role("link", name="I have kept it").click()
    camera.take("tokens", page=page, whole=True)
    page.goto("/api/")
    page.get_by_text("List the projects").wait_for()
    camera.take("about-api", page=page)


def _account(camera: Camera, page: Page) -> None:
    """The account without and with a second step, the code when signing in, and one try too many."""
    for picture, address in (
        ("account", "/account/"),
        ("tokens-none", "/account/tokens/"),
        ("account-password", "/account/password/"),
        ("account-again", "/account/again/?next=/account/"),
        ("second-step", "/account/second-step/"),
    ):
        page.goto(address)
        camera.take(picture, page=page, whole=True)
    _tokens(camera, page)
    page.goto("/account/second-step/")
    second_step.set_up(page)
    camera.take("recovery-codes", page=page)
    for picture, address in (
        ("account-second-step", "/account/"),
        ("second-step-remove", "/account/second-step/remove/"),
        ("recovery-codes-new", "/account/second-step/codes/"),
    ):
        page.goto(address)
        camera.take(picture, page=page)
    other = camera.stranger("/login/")
    other.get_by_label("User name").fill(f"grace-{camera.size}")
    other.get_by_label("Password", exact=True).fill(PASSWORD)
    other.get_by_role("button", name="Sign in").click()
    other.wait_for_url("**/login/code/")
    camera.take("login-code", page=other)
    other.context.close()
    page.goto("/account/")
    while not page.get_by_role("heading", name="Too many attempts").count():
        page.get_by_label("Your password").fill("wrong")
        with page.expect_navigation():
            page.get_by_role("button", name="Change the address").click()
    camera.take("too-many", page=page)
