"""Lists of terms that a page misuses, to indent or with other parts, are accessible in the frame."""

from __future__ import annotations

import pytest

from tests.browser.access.inspecting import findings
from tests.browser.desk import Desk
from tests.builders import questions, write_lines

pytestmark = pytest.mark.in_test_all(
    shown_by="tests/browser/access/test_every_state.py"
    "::test_each_kind_of_page_is_accessible_with_a_mouse_and_on_a_phone"
)

SLUG = "indented-desk"
PAGE = """<html lang=en><head><title>Harbours</title></head><body><h1>Harbours</h1><p>Two harbours are lit.</p>
<dl><dd>An indented paragraph about the first.</dd></dl>
<dl><dt>Light</dt><dd>A lamp in a tower.</dd><p>Between two terms.</p><dt>Bell</dt><dd>Rung in fog.</dd></dl>
<dl><dt>Keeper</dt><dd>Somebody who tends the light.</dd></dl></body></html>"""


class IndentedDesk(Desk):
    """Somebody at a question about that page."""

    slug = SLUG

    def furnish(self, site):
        file = site.folder / "indented.jsonl"
        if not file.exists():
            write_lines(file, questions(3, start=900, page=PAGE))
            site.manage("create_project", SLUG, "--protocol", "nq", "--title", "Indented")
            site.manage("import_items", SLUG, str(file))
            site.manage("open_queue", SLUG)


@pytest.fixture
def ida(site, browser):
    context = browser.new_context(bypass_csp=True)
    yield IndentedDesk(site, context.new_page(), "ida-indents").take_up().good()
    context.close()


def test_axe_finds_nothing_in_a_page_that_indents_with_lists_of_terms(ida):
    assert findings(ida.page) == []
    assert ida.frame.locator("dl:not([role])").count() == 1
