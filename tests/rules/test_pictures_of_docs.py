"""The pictures in docs/ are those that `make pictures` takes, are shown and described, and are small."""

from __future__ import annotations

import re
from pathlib import Path

from tests.screens.guides import PICTURES

DOCS = Path(__file__).resolve().parents[2] / "docs"
SHOWN = re.compile(r"!\[([^\]]*)\]\(pictures/([\w-]+)\.png\)")
EACH, TOGETHER = 60_000, 700_000
"""Bytes."""
INSTEAD = "Show less of the page in tests/screens/guides.py, then take the pictures again: make pictures"


def shown() -> list[tuple[str, str, str]]:
    """Guide, picture, and what is said for those who don't see it."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("*.md"))}
    return [(guide, name, said) for guide, text in texts.items() for said, name in SHOWN.findall(text)]


def test_each_picture_is_shown_by_its_guide_and_described():
    assert sorted((name, guide) for guide, name, _said in shown()) == sorted(PICTURES.items())
    assert [name for _guide, name, said in shown() if len(said.split()) < 5] == []


def test_the_folder_has_these_pictures_and_no_others():
    assert sorted(path.name for path in (DOCS / "pictures").iterdir()) == sorted(f"{name}.png" for name in PICTURES)


def test_pictures_are_small():
    sizes = {path.name: path.stat().st_size for path in (DOCS / "pictures").iterdir()}
    assert [name for name, size in sizes.items() if size > EACH] == [], INSTEAD
    assert sum(sizes.values()) <= TOGETHER, INSTEAD
