"""Dialogs: the primary button is the first, so that nobody presses another one by habit, and one part has the focus.

Forms: one that shows Ctrl ↵ is marked for that key, so that page.js lets no Enter send what may be final.
"""

from __future__ import annotations

import re
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
TEMPLATES = [path for name in ("frontend", "annotation") for path in sorted((CHECKOUT / name).rglob("*.html"))]
DECISION = re.compile(r'role="dialog".*?(?=role="dialog"|\Z)', re.DOTALL)
DANGEROUS = re.compile(r"<button\b[^>]*\bdanger\b[^>]*>")
ROW = re.compile(r'<div class="split">(.*?)</div>', re.DOTALL)
FORM = re.compile(r"<form\b(?P<attributes>(?:{%.*?%}|{{.*?}}|[^>])*)>.*?</form>", re.DOTALL)
MARK = re.compile(r'data-commit\b|data-ctrl-enter(?:="[a-z-]+")?|include "work/form/_attributes.html"')
KEY = "Ctrl ↵"
BY_ENTER_TOO = ["judging/new.html", "judging/rubric.html", "setup/new_base.html", "setup/settings.html"]
"""Where Enter sends as well: settings, and the steps in which a project or a round is made."""
IN_A_BLOCK = {"setup/new_check.html"}
"""Where the form is that of the template which this one extends."""


def rows_of_buttons(source: str) -> list[str]:
    """The rows in which a button that does something stands beside one that does not."""
    return [row for row in ROW.findall(source) if "btn-primary" in row and "btn-link" in row]


def starts_with_the_primary_one(row: str) -> bool:
    return row.index("btn-primary") < row.index("btn-link")


def test_the_primary_button_comes_before_the_one_that_closes():
    rows = [(path.name, row) for path in TEMPLATES for row in rows_of_buttons(path.read_text(encoding="utf-8"))]
    assert {"_decision.html", "_skip.html", "answer.html"} <= {name for name, _ in rows}
    assert [name for name, row in rows if not starts_with_the_primary_one(row)] == []


def test_the_control_a_row_that_begins_with_cancel_is_found():
    [row] = rows_of_buttons('<div class="split"><i class="btn-link"></i><i class="btn btn-primary"></i></div>')
    assert not starts_with_the_primary_one(row)


def takes_the_focus(source: str) -> bool:
    """Whether each popover that decides something says where the focus goes, and none to what can't be undone."""
    first_elsewhere = all("autofocus" in one for one in DECISION.findall(source))
    return first_elsewhere and not any("autofocus" in button for button in DANGEROUS.findall(source))


def test_what_decides_takes_the_focus_and_not_to_its_dangerous_button():
    sources = {path: path.read_text(encoding="utf-8") for path in TEMPLATES}
    assert sum(len(DECISION.findall(source)) for source in sources.values()) >= 14
    assert [path.name for path, source in sources.items() if not takes_the_focus(source)] == []


def test_the_controls_no_focus_and_a_dangerous_one_are_found():
    safe = '<div role="dialog"><input autofocus><button class="btn danger" type="submit">End</button></div>'
    assert takes_the_focus(safe)
    assert not takes_the_focus(safe.replace(" autofocus", ""))
    assert not takes_the_focus(safe + '<div role="dialog"></div>')
    assert not takes_the_focus(safe.replace('"submit"', '"submit" autofocus'))


def sources() -> dict[str, str]:
    """The templates by folder and name."""
    return {f"{path.parent.name}/{path.name}": path.read_text(encoding="utf-8") for path in TEMPLATES}


def forms(source: str) -> list[tuple[str, bool]]:
    """(its mark or "", whether it shows the key) of each form."""
    found = [(MARK.search(form["attributes"]), KEY in form.group()) for form in FORM.finditer(source)]
    return [(mark.group() if mark else "", shows) for mark, shows in found]


def test_a_form_that_shows_the_key_is_marked_and_one_that_is_marked_shows_it():
    found = {name: forms(source) for name, source in sources().items()}
    assert sum(shows for each in found.values() for _, shows in each) > 20
    assert [name for name, each in found.items() for mark, shows in each if bool(mark) != shows] == []


def test_the_key_is_shown_in_forms_only():
    assert {name for name, source in sources().items() if KEY in FORM.sub("", source)} == IN_A_BLOCK


def test_enter_alone_sends_settings_only():
    marked = [name for name, source in sources().items() for mark, _ in forms(source) if mark.endswith('="or-enter"')]
    assert sorted(marked) == BY_ENTER_TOO


def test_the_control_a_form_without_the_mark_is_found():
    button = f"<button>Send <kbd>{KEY}</kbd></button></form>"
    assert forms(f'<form method="post"{{% if a > 1 %}} data-ctrl-enter{{% endif %}}>{button}') == [
        ("data-ctrl-enter", True)
    ]
    assert forms(f'<form method="post">{button}<form data-commit></form>') == [("", True), ("data-commit", False)]
