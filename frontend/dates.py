"""Dates and times as people read them. Each format is translated: a language may have other orders and signs."""

from __future__ import annotations

from datetime import date, datetime

from django.utils import dateformat
from django.utils.translation import pgettext_lazy

FORMATS = {
    "j F Y, H:i T": pgettext_lazy("date format", "j F Y, H:i T"),
    "j F Y, H:i:s": pgettext_lazy("date format", "j F Y, H:i:s"),
    "j F Y, H:i": pgettext_lazy("date format", "j F Y, H:i"),
    "j F, H:i:s": pgettext_lazy("date format", "j F, H:i:s"),
    "j F, H:i": pgettext_lazy("date format", "j F, H:i"),
    "j M Y H:i": pgettext_lazy("date format", "j M Y H:i"),
    "j M, H:i": pgettext_lazy("date format", "j M, H:i"),
    "D j M H:i": pgettext_lazy("date format", "D j M H:i"),
    "H:i:s": pgettext_lazy("date format", "H:i:s"),
    "H:i": pgettext_lazy("date format", "H:i"),
    "l, j F Y": pgettext_lazy("date format", "l, j F Y"),
    "j F Y": pgettext_lazy("date format", "j F Y"),
    "j F": pgettext_lazy("date format", "j F"),
    "D j M Y": pgettext_lazy("date format", "D j M Y"),
    "j M Y": pgettext_lazy("date format", "j M Y"),
    "j M": pgettext_lazy("date format", "j M"),
}
"""Those of Django's filter `date`, by their English form."""


def formatted(at: date | datetime, format: str) -> str:
    """A date, or a time in its own zone, in one of FORMATS; KeyError for another."""
    return dateformat.format(at, str(FORMATS[format]))
