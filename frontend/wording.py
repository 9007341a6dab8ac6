"""Words on pages: dates, and the nouns by which activities, items and projects are called."""

from __future__ import annotations

from datetime import date, datetime

from django.utils import dateformat
from django.utils.translation import gettext, pgettext_lazy

from annotation import registry
from annotation.i18n import Noun
from annotation.models import Item, Project
from annotation.protocol import ITEM, Activity

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


def noun_of_activity(activity: Activity) -> Noun:
    """What the items of an activity are called."""
    return translated_noun(activity.noun)


def noun_of_item(item: Item | None) -> Noun:
    """What an item is called, by its kind; the generic noun for None."""
    return translated_noun(registry.get(item.project.protocol).noun_of(item.kind) if item else ITEM)


def noun_of_project(project: Project) -> Noun:
    """What the items of a project are called: the noun that all of its activities share, else the generic one."""
    return translated_noun(registry.get(project.protocol).noun)


def translated_noun(noun: Noun) -> Noun:
    """The noun in the person's language."""
    return Noun(*map(gettext, noun))
