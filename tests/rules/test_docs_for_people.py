"""The words of screens that guides for annotators quote, and the buttons they name, are on screens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from annotation.i18n import Noun
from tests.protocols.examples import with_demos

CHECKOUT = Path(__file__).resolve().parents[2]
GUIDES = ("annotators", "answerers", "writers")
SAYING = [
    path
    for folder in (CHECKOUT / "frontend", CHECKOUT / "annotation" / "protocols")
    for ending in ("html", "js", "py")
    for path in sorted(folder.rglob(f"*.{ending}"))
    if "samples" not in path.parts
]
ITALIC = re.compile(r"(?<![*\w])\*([^*]+)\*(?!\*)")
BUTTON = re.compile(r"\*\*([A-Z][^*]*)\*\*")
"""A button or link is in bold with a capital; bold words without one are only stressed."""


def plain(text: str) -> str:
    """Normalise what does not matter: case, line breaks, kinds of apostrophes, strings split in two."""
    joined = re.sub(r'"\s*\n\s*"', "", text)
    return re.sub(r"\s+", " ", joined.replace("’", "'").replace("&nbsp;", " ")).lower()


def with_noun(text: str, noun: Noun) -> str:
    """A template with the word that generic screens use for an item filled in."""
    return text.replace("{{ noun }}", noun.one).replace("{{ nouns }}", noun.many)


@pytest.fixture(scope="module")
def said() -> str:
    nouns = {activity.noun for protocol in with_demos() for activity in protocol.activities}
    sources = [path.read_text(encoding="utf-8") for path in SAYING]
    filled = [[with_noun(each, noun) for noun in nouns] if "{{ noun" in each else [each] for each in sources]
    return " ".join(plain(text) for texts in filled for text in texts)


def unsaid(guide: str, said: str) -> list[str]:
    """The words in italics that appear on no screen."""
    quoted = [plain(words).rstrip(".") for words in ITALIC.findall(guide.replace("**", ""))]
    return [words for words in quoted if words not in said]


def unnamed(guide: str, said: str) -> list[str]:
    """The buttons with which no label begins: "Keep this answer" is short for "Keep this answer – next question"."""
    return [name for name in BUTTON.findall(guide) if not re.search(rf"""["'>]\s*{re.escape(plain(name))}\b""", said)]


@pytest.mark.parametrize("guide", GUIDES)
def test_words_in_italics_are_words_of_a_screen(guide, said):
    text = (CHECKOUT / "docs" / f"{guide}.md").read_text(encoding="utf-8")
    assert len(ITALIC.findall(text)) > 10
    assert unsaid(text, said) == []


@pytest.mark.parametrize("guide", GUIDES)
def test_buttons_in_bold_are_buttons_of_a_screen(guide, said):
    text = (CHECKOUT / "docs" / f"{guide}.md").read_text(encoding="utf-8")
    assert len(BUTTON.findall(text)) >= 4
    assert unnamed(text, said) == []


@pytest.mark.parametrize("guide", GUIDES)
def test_no_guide_promises_pay_since_only_some_projects_state_a_rate(guide):
    text = (CHECKOUT / "docs" / f"{guide}.md").read_text(encoding="utf-8")
    assert re.findall(r"\b(?:paid|wages?|you are paid)\b", text) == []


def test_the_control_words_that_are_on_no_screen_are_found(said):
    assert unsaid("*Saved* and *Not saved – retrying*", said) == ["not saved – retrying"]


def test_the_control_a_button_that_no_screen_has_is_found(said):
    assert unnamed("**Skip**, **Put back** and **not** this; **Retrying**", said) == ["Put back", "Retrying"]
