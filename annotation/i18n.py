"""The gettext markers for modules that may not import Django: `makemessages` finds them, the frontend translates."""

from __future__ import annotations


def _(text: str) -> str:
    """Mark a sentence for translation; it stays English until a template or a view translates it."""
    return text


def ngettext(one: str, many: str) -> tuple[str, str]:
    """Mark words that have a plural; `many` contains `%(n)s` for the number."""
    return one, many
