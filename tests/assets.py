"""Our own templates, stylesheets and scripts; `python -m tests.assets` lets css-beautify format the stylesheets.

`make fix` runs it, `make check` with --check, which says what is not formatted and changes nothing.
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
    """Every template, stylesheet and script that was written here."""
    found = {
        path
        for package in ("annotation", "frontend")
        for folder, suffixes in FOLDERS.items()
        for suffix in suffixes
        for path in (CHECKOUT / package).glob(f"{folder}/**/*.{suffix}")
    }
    return sorted(path for path in found if not name(path).startswith(VENDORED))


def formatted(css: str) -> str:
    """The stylesheet with one declaration to a line; line ends within a value stay."""
    options = cssbeautifier.default_options()
    options.indent_size = 2
    options.selector_separator_newline = False
    options.newline_between_rules = False
    options.space_around_combinator = True
    options.max_preserve_newlines = 2
    options.end_with_newline = True
    return cssbeautifier.beautify(css, options)


def unformatted(files: Iterable[Path]) -> list[Path]:
    """Which of the stylesheets among the files css-beautify would change."""
    texts = {path: path.read_text(encoding="utf-8") for path in files if path.suffix == ".css"}
    return [path for path, css in texts.items() if formatted(css) != css]


def main() -> int:
    """Format what is not formatted; with --check only name it."""
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
