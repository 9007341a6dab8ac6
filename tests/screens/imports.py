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


def other_tools(camera: Camera) -> None:
    """How an export of another tool is read: the form, and a check that shows its records and refuses some."""
    page, url = camera.page, "/projects/beehives/imports/"
    page.goto(url)
    page.get_by_text("From Label Studio, doccano or brat").click()
    camera.take("import-export", whole=True)
    page.get_by_label("Published data").check()
    export = json.dumps([_task("Who ran it?", 31, 40), _task("Who built it?", 0, 9), _task("", 0, 3)])
    file = FilePayload(name=f"project-3-{camera.size}.json", mimeType="", buffer=export.encode())
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_role("button", name="Upload and only check").click()
    page.get_by_role("heading", name=f"Checked {file['name']}").wait_for()
    camera.take("import-preview", whole=True)
    page.goto(url)
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("heading", name="Your uploads").wait_for(state="detached")


def _task(asked: str, start: int, end: int) -> dict[str, object]:
    """A task of Label Studio with a mark that should have the words Anna Holt."""
    value = {"start": start, "end": end, "text": "Anna Holt", "labels": ["Answer"]}
    result = {"type": "labels", "from_name": "answer", "to_name": "text", "value": value}
    text = "The mill was built in 1871, by Anna Holt, who ran it until 1902."
    return {"data": {"text": text, "question": asked}, "annotations": [{"result": [result]}]}


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
