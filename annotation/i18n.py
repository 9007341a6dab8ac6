"""The gettext markers for modules that may not import Django: `makemessages` finds them, the frontend translates."""

from __future__ import annotations

from typing import Any, NamedTuple


def _(text: str) -> str:
    """Mark a sentence for translation; it stays English until a template or a view translates it."""
    return text


def ngettext(one: str, many: str) -> tuple[str, str]:
    """Mark words that have a plural; `many` contains `%(n)s` for the number."""
    return one, many


class Noun(NamedTuple):
    """What screens call a thing: singular, plural, and singular with its article."""

    one: Any
    many: Any
    with_article: Any
