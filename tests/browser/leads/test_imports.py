"""A lead uploads a file; the connection is cut, the page is reloaded, and the upload goes on to an import."""

from __future__ import annotations

import itertools
import re

import orjson
import pytest
from playwright.sync_api import expect

from tests import signed_in
from tests.builders import PAGE, questions

NUMBERS = itertools.count()
PARTS = re.compile(r"/imports/uploads/[-0-9a-f]{36}/$")


@pytest.fixture
def lead(site, page):
    """The page of imports of a new project, seen by its lead."""
    number = next(NUMBERS)
    slug, name = f"cut-uploads-{number}", f"lena-uploads-{number}"
    site.manage("create_project", slug, "--protocol", "nq", "--title", "Cut uploads")
    signed_in.sign_in(site, page, name, slug=slug, role="lead")
    page.goto(f"/projects/{slug}/imports/")
    return page


@pytest.fixture
def file(tmp_path):
    """Two good lines of more than a part each, and one that is cut."""
    lines = questions(2, page=PAGE.replace("</body>", f"<!--{'x' * 1_200_000}--></body>"))
    path = tmp_path / "lights.jsonl"
    path.write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines) + b'{"question_text": "cut')
    return path


def choose(page, file) -> None:
    page.get_by_label("File", exact=True).set_input_files(file)


@pytest.mark.in_test_all(
    shown_by="tests/browser/leads/test_imports.py"
    "::test_an_upload_that_is_cut_goes_on_after_a_reload_and_its_refused_lines_are_shown"
)
def test_nothing_can_be_sent_until_the_script_that_uploads_is_there(lead, file):
    """A form without the files would be refused, and what was chosen would be gone."""
    script = re.compile(r"/imports/index[^/]*\.js$")
    lead.route(script, lambda route: route.abort())
    lead.reload()
    choose(lead, file)
    for name in ("Upload and import", "Upload and only check"):
        expect(lead.get_by_role("button", name=name)).to_be_disabled()
    lead.get_by_label("Split").press("Enter")
    expect(lead).to_have_url(re.compile(r"/imports/$"))
    lead.unroute(script)
    lead.reload()
    expect(lead.get_by_role("button", name="Upload and import")).to_be_enabled()


def test_an_upload_that_is_cut_goes_on_after_a_reload_and_its_refused_lines_are_shown(lead, file):
    page, sent = lead, []

    def cut(route):
        if route.request.method == "POST":
            sent.append(int(route.request.headers["upload-offset"]))
        return route.abort() if len(sent) > 2 else route.continue_()

    page.route(PARTS, cut)
    choose(page, file)
    with page.expect_event("requestfailed"):
        page.get_by_role("button", name="Upload and import").click()
    expect(page.get_by_text("No connection to the server.")).to_be_visible()
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    expect(page.get_by_text("Choose the same file above")).to_be_visible()
    page.unroute(PARTS)
    page.on("request", lambda request: note(request, sent))
    choose(page, file)
    page.get_by_role("button", name="Upload and import").click()
    expect(page.get_by_role("heading", name="Nothing was imported from lights.jsonl")).to_be_visible(timeout=60_000)
    assert sent[0] == 0
    assert sent[3] == sent[2] > sent[1] > 0, "it goes on with the part that was cut"
    row = page.get_by_role("row").nth(1)
    expect(row).to_contain_text("question_text")
    expect(row).to_contain_text("Cut off at byte 22")
    page.get_by_role("button", name="Import the 2 good lines").click()
    expect(page.get_by_role("heading", name="Imported lights.jsonl")).to_be_visible(timeout=60_000)


@pytest.mark.in_test_all(
    shown_by="tests/browser/leads/test_imports.py"
    "::test_an_upload_that_is_cut_goes_on_after_a_reload_and_its_refused_lines_are_shown"
)
def test_after_an_empty_file_only_another_one_is_asked_for(lead, file, tmp_path):
    empty = tmp_path / "empty.jsonl"
    empty.write_bytes(b"")
    choose(lead, empty)
    lead.get_by_role("button", name="Upload and import").click()
    expect(lead.get_by_text("The file is empty.")).to_be_visible()
    expect(lead.get_by_role("button", name="Go on")).to_be_hidden()
    expect(lead.get_by_label("File", exact=True)).to_be_focused()
    choose(lead, file)
    lead.get_by_role("button", name="Upload and only check").click()
    expect(lead.get_by_role("heading", name="lights.jsonl")).to_be_visible(timeout=60_000)


def note(request, sent: list[int]) -> None:
    """Keep where a part begins."""
    if PARTS.search(request.url) and request.method == "POST":
        sent.append(int(request.headers["upload-offset"]))
