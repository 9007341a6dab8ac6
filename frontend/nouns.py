"""What screens call the items of an activity (its noun), in the person's language."""

from __future__ import annotations

from django.utils.translation import gettext

from annotation import registry
from annotation.i18n import Noun
from annotation.models import Item, Project
from annotation.protocol import ITEM, Activity


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
