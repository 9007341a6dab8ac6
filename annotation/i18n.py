"""The gettext marker for modules that may not know Django; `makemessages` finds it, the frontend translates."""

from __future__ import annotations


def _(text: str) -> str:
    """Mark a sentence for translation; it stays English until a template or a view translates it."""
    return text


def ngettext(one: str, many: str) -> tuple[str, str]:
    """Mark words that have a plural; `many` has `%(n)s` where the number stands."""
    return one, many
