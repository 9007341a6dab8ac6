"""Importing a file: the form, an upload that was cut, an import that waits, and one whose lines were refused."""

from __future__ import annotations

import orjson
from playwright.sync_api import FilePayload

from tests.builders import questions
from tests.screens.camera import Camera, post

PAGE = "/projects/winter-birds/imports/"
LINES = [
    *map(orjson.dumps, questions(30)),
    b'{"question_text": "which birds stay", "document_html": "<p>Robins and wr',
    orjson.dumps(questions(1)[0] | {"question_text": "another one"}),
    orjson.dumps(questions(1, start=40)[0] | {"colour": "red"}),
]


def lead(camera: Camera) -> None:
    """All of it, in a project without items; nothing is imported in the end."""
    page = camera.page
    page.goto(PAGE)
    camera.take("imports-empty", whole=True)
    post(page, f"{PAGE}start/")
    camera.take("refused-upload")
    page.goto(PAGE)
    file = FilePayload(name="november.jsonl", mimeType="", buffer=b"\n".join(LINES))
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
