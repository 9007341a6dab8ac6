"""Lines of templates, stylesheets and scripts have at most 120 columns, like Python's, so that diffs can be read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tests import assets

COLUMNS = 120
HOW = f"""
These lines have more than {COLUMNS} characters.
A stylesheet: `make fix` puts each declaration on a line of its own; break a long value after a comma.
A script: break it by hand, or give a part of the expression a name.
A template: break it by hand, between attributes, beside block elements, in flex and grid containers or where there is
white space already; between inline elements new white space would show. {{% blocktranslate trimmed %}} holds a long
text, with the words as they were. Not djlint --reformat: it adds white space where it shows.
"""


def too_long(files: Iterable[Path]) -> list[str]:
    """The places of overlong lines: file and number."""
    return [
        f"{path}:{number}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > COLUMNS
    ]


def test_no_line_of_our_templates_styles_and_scripts_is_too_long():
    assert too_long(assets.ours()) == [], HOW


def test_every_stylesheet_is_formatted():
    assert assets.unformatted(assets.ours()) == [], "make fix"


def test_everything_that_was_written_here_is_checked():
    looked_at = {assets.name(path) for path in assets.ours()}
    assert {
        "annotation/protocols/nq/static/nq/question.js",
        "annotation/protocols/nq/templates/nq/question.html",
        "frontend/frame/reading.css",
        "frontend/frame/words.js",
        "frontend/static/goldfinch/app.css",
        "frontend/static/goldfinch/screen.js",
        "frontend/templates/_components/logo.html",
        "frontend/templates/base.html",
        "tests/js/drafts.test.js",
    } <= looked_at
    assert not any(f"/{part}/" in name for part in ("vendor", "samples", "node_modules") for name in looked_at)


def test_the_control_an_overlong_line_is_found(tmp_path: Path):
    page = tmp_path / "page.html"
    page.write_text("<p>\n" + "x" * COLUMNS + "\n" + "x" * (COLUMNS + 1) + "\n</p>\n", encoding="utf-8")
    assert too_long([page]) == [f"{page}:3"]


def test_the_control_an_unformatted_stylesheet_is_found_and_formatted(tmp_path: Path):
    style = tmp_path / "style.css"
    style.write_text(".a { color: red; &:hover { color: blue; } }\n", encoding="utf-8")
    assert assets.unformatted([style]) == [style]
    style.write_text(assets.formatted(style.read_text(encoding="utf-8")), encoding="utf-8")
    assert assets.unformatted([style]) == []
    assert style.read_text(encoding="utf-8").splitlines()[1] == "  color: red;"
