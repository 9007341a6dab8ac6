"""Pictures of the pages of errors, and of forms that arrive from an earlier sign-in or without one."""

from __future__ import annotations

from tests.screens.camera import Camera, post

ERROR_PAGES = {"forbidden": (403, "403.html"), "broken": (500, "500.html"), "busy": (503, "503.html")}
ERROR_PAGES |= {"first-run": (200, "accounts/first_run.html"), "unknown-proxy": (403, "errors/unknown_proxy.html")}
"""Pages that nobody can be led to, with their status and the template rendered for them."""
ORIGIN = "https://goldfinch.example.org"
LACKING = {"settings": ["BEHIND_PROXY=1", "HTTPS=1"], "headers": ["X-Forwarded-Proto: https"]}
SHOWN_WITH = {"errors/unknown_proxy.html": {"origin": ORIGIN, "wanted": LACKING, "contact": "desk@example.org"}}
"""What a template of these is rendered with."""


def pages_of_errors(camera: Camera, rendered: dict[str, str]) -> None:
    """Pages that nobody can be led to, and the one for a form of an earlier sign-in."""
    page = camera.page
    for picture, (status, template) in ERROR_PAGES.items():
        answer = {"status": status, "body": rendered[template], "content_type": "text/html; charset=utf-8"}
        page.route(f"**/{picture}/", lambda route, _request, answer=answer: route.fulfill(**answer))
        page.goto(f"/{picture}/")
        camera.take(picture)
    page.goto("/login/")
    post(page, "/login/", {"csrfmiddlewaretoken": "of an earlier sign-in"})
    camera.take("other-sign-in")
    for picture, fields in (("unsent", {"text": "May a list be the long answer?"}), ("unsent-secret", {"code": "1"})):
        page.goto("/login/")
        post(page, "/projects/harbours/messages/", fields)
        page.get_by_role("heading", name="You are signed out").wait_for()
        camera.take(picture)
