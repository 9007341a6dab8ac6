"""List our templates, stylesheets and scripts; `python -m tests.assets` formats the stylesheets with css-beautify.

`make fix` runs it; `make check` runs it with --check, which reports unformatted files and changes nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import cssbeautifier

CHECKOUT = Path(__file__).resolve().parent.parent
FOLDERS = {
    "**/templates": ("html",),
    "**/static": ("css", "js"),
    "frame": ("css", "js"),
}
VENDORED = "frontend/static/vendor/"


def name(path: Path) -> str:
    return path.relative_to(CHECKOUT).as_posix()


def ours() -> list[Path]:
    """Every template, stylesheet and script that was written here (not vendored), and the tests of scripts."""
    found = {
        path
        for package in ("annotation", "frontend")
        for folder, suffixes in FOLDERS.items()
        for suffix in suffixes
        for path in (CHECKOUT / package).glob(f"{folder}/**/*.{suffix}")
    }
    tests = (CHECKOUT / "tests" / "js").glob("*.js")
    return sorted([*tests, *(path for path in found if not name(path).startswith(VENDORED))])


def formatted(css: str) -> str:
    """Return the stylesheet with one declaration per line; line breaks within a value are kept."""
    options = cssbeautifier.default_options()
    options.indent_size = 2
    options.selector_separator_newline = False
    options.newline_between_rules = False
    options.space_around_combinator = True
    options.max_preserve_newlines = 2
    options.end_with_newline = True
    return cssbeautifier.beautify(css, options)


def unformatted(files: Iterable[Path]) -> list[Path]:
    """Return those stylesheets among the files that css-beautify would change."""
    texts = {path: path.read_text(encoding="utf-8") for path in files if path.suffix == ".css"}
    return [path for path, css in texts.items() if formatted(css) != css]


def main() -> int:
    """Format unformatted stylesheets; with --check only report them."""
    found = unformatted(ours())
    if "--check" in sys.argv[1:]:
        print(*(f"Not formatted: {name(path)} (make fix)" for path in found), sep="\n", end="\n" if found else "")
        return 1 if found else 0
    for path in found:
        path.write_text(formatted(path.read_text(encoding="utf-8")), encoding="utf-8")
        print(f"Formatted {name(path)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
