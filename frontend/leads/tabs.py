"""The tabs of a project's pages: which there are, and which of them a page belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from tasks.measuring.agreement import measured_activities


@dataclass(frozen=True)
class ProjectTab:
    """A page of a project; `pages`: names of the URLs below it."""

    name: str
    title: Any
    pages: tuple[str, ...] = ()


TABS = (
    ProjectTab("project", _("Board"), ("reports",)),
    ProjectTab("items", _("Items"), ("item", "item_history", "decided_items")),
    ProjectTab("imports", _("Import"), ("import",)),
    ProjectTab("queues", _("Queues"), ("rehearsals", "rehearsal")),
    ProjectTab("people", _("People"), ("person",)),
    ProjectTab("agreement", _("Agreement"), ("human_bound",)),
    ProjectTab("disputes", _("Disputes"), ("dispute", "compared", "compare")),
    ProjectTab(
        "releases", _("Releases"), ("release", "new_release", "count_release", "release_job", "release_changes")
    ),
    ProjectTab("project_time", _("Time"), ("project_time_of",)),
    ProjectTab("settings", _("Settings"), ("existing_items", "edit_guidelines", "consent_text", "splits")),
)
"""In the order of the screen."""


def tabs_of(project: Project, url_name: str) -> Iterator[tuple[str, str, bool]]:
    """Address, title, and whether the page with this URL name belongs to it, of each tab that the project has."""
    for tab in TABS:
        if tab.name != "agreement" or measured_activities(project):
            yield reverse(tab.name, args=[project.slug]), gettext(tab.title), url_name in (tab.name, *tab.pages)
