"""Importing a file: the form, an upload that was cut, an import that waits, and one whose lines were refused."""

from __future__ import annotations

import json

from playwright.sync_api import FilePayload

from tests.screens.camera import Camera, post

PAGE = "/projects/winter-birds/imports/"


def _line(number: int, **more: object) -> str:
    page = f"<h1>Winter birds</h1><p>{number} robins stay over the winter, and the wrens sleep together.</p>"
    asked = f"how many robins stay in garden {number}"
    return json.dumps({"question_text": asked, "document_html": page, "example_id": number} | more)


LINES = [*map(_line, range(1, 31)), _line(31)[:90], _line(7, question_text="another one"), _line(40, colour="red")]


def lead(camera: Camera) -> None:
    """All of it, in a project without items; nothing is imported in the end."""
    page = camera.page
    page.goto(PAGE)
    camera.take("imports-empty", whole=True)
    post(page, f"{PAGE}start/")
    camera.take("refused-upload")
    page.goto(PAGE)
    file = FilePayload(name="november.jsonl", mimeType="", buffer="\n".join(LINES).encode())
    page.get_by_label("File", exact=True).set_input_files(file)
    page.route("**/imports/uploads/*/", lambda route: route.abort())
    page.get_by_role("button", name="Upload and only check").click()
    page.get_by_text("No connection to the server.").wait_for()
    camera.take("import-cut", whole=True)
    page.unroute("**/imports/uploads/*/")
    page.get_by_role("heading", name="Checking november.jsonl").wait_for()
    camera.take("import-waiting")
    page.get_by_role("heading", name="Checked november.jsonl").wait_for()
    camera.take("import-refused", whole=True)
    page.goto(PAGE)
    camera.take("imports", whole=True)
    page.get_by_role("button", name="Remove").click()  # so that the next camera uploads it again
    page.get_by_role("heading", name="Your uploads").wait_for(state="detached")
