"""The files and functions that docs/architecture.md and docs/protocols.md name exist."""

from __future__ import annotations

import re
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
PAGE = CHECKOUT / "docs" / "architecture.md"
TUTORIAL = CHECKOUT / "docs" / "protocols.md"
QUOTED = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
PLACE = re.compile(r"(?P<path>\.?[\w-]+(?:/[\w.-]*)*)(?:: (?P<name>\w+(?:\.\w+)?))?")
BUILT_BY_READERS = ("true_false", "guess_it")
"""The protocols that the tutorial lets its reader write: their files are not here."""
FILES = (".py", ".md", ".html", ".js", ".css", ".toml", ".example")


def places(text: str) -> list[tuple[str, str]]:
    """(path, name or "") of everything in backticks that looks like a path: it has a slash or a file extension."""
    found = filter(None, (PLACE.fullmatch(quoted) for quoted in QUOTED.findall(text)))
    named = [(place["path"], place["name"] or "") for place in found]
    wanted = [place for place in named if "/" in place[0] or place[0].endswith(FILES)]
    dotted = [quoted for quoted in QUOTED.findall(text) if re.fullmatch(r"\.?[\w-]+\.\w+", quoted)]
    return wanted + [(quoted, "") for quoted in dotted if quoted.endswith(FILES)]


def defines(source: str, name: str) -> bool:
    """Whether a module has that function, class or constant, or for `Class.method` that class and that method."""
    outer, _, method = name.partition(".")
    top = rf"^(?:export )?(?:async )?(?:def|class|function) {outer}\b|^{outer}\b[^=\n]*="
    inner = rf"^[ ]+(?:async )?(?:def )?{method}\("
    return all(re.search(each, source, re.MULTILINE) for each in ([top, inner] if method else [top]))


def wrong(named: list[tuple[str, str]]) -> list[str]:
    """Those places that do not exist, each with what to do about it."""
    found = []
    for path, name in named:
        if not (CHECKOUT / path).exists():
            found.append(f"{path} is gone: name the file that does this now, or take the sentence out")
        elif name and not defines((CHECKOUT / path).read_text("utf-8"), name):
            found.append(f"{path} has no {name}: name the function or class that does this now")
    return found


def test_files_and_functions_of_the_architecture_page_exist():
    text = PAGE.read_text(encoding="utf-8")
    assert len(places(text)) > 100
    assert sum(bool(name) for _path, name in places(text)) > 50
    assert wrong(places(text)) == []


def test_files_of_this_repository_in_the_tutorial_exist():
    layers = ("annotation/", "frontend/", "tasks/", "tests/")
    named = [place for place in places(TUTORIAL.read_text(encoding="utf-8")) if place[0].startswith(layers)]
    assert len(named) > 5
    assert wrong([place for place in named if not any(key in place[0] for key in BUILT_BY_READERS)]) == []


def test_every_folder_of_the_four_layers_has_its_paragraph():
    named = {path.rstrip("/") for path, _name in places(PAGE.read_text(encoding="utf-8"))}
    folders = {
        path.parent.relative_to(CHECKOUT).as_posix()
        for layer in ("annotation", "qualification", "tasks", "frontend")
        for path in (CHECKOUT / layer).glob("*/__init__.py")
    }
    told_elsewhere = {
        f"{layer}/{name}"
        for layer in ("annotation", "qualification", "tasks", "frontend")
        for name in ("management", "migrations", "templatetags")
    }
    missing = folders - named - told_elsewhere
    assert not missing, f"docs/architecture.md says nothing of {sorted(missing)}: what for, what may it import?"


def test_the_control_a_missing_file_and_a_missing_function_are_found():
    text = (
        "`tasks/nowhere.py: claim`, `tasks/engine/claiming.py: nothing`, `tasks/engine/claiming.py: claim`, "
        "`pyproject.toml`, `seen`, `annotation/engine/work.py: Work.step`, `annotation/engine/work.py: Work.nothing`"
    )
    assert wrong(places(text)) == [
        "tasks/nowhere.py is gone: name the file that does this now, or take the sentence out",
        "tasks/engine/claiming.py has no nothing: name the function or class that does this now",
        "annotation/engine/work.py has no Work.nothing: name the function or class that does this now",
    ]
