"""The tabs of a project's pages: which there are, what waits behind them, and the same page of other projects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation import registry
from annotation.models import Project
from frontend.leads import cases
from frontend.leads.items import reports
from tasks.disputes.deciding import disputes_of
from tasks.measuring.agreement import measured_activities


@dataclass(frozen=True)
class ProjectTab:
    """A page of a project; `pages`: names of the URLs below it; `waiting`: how much there waits for a lead."""

    name: str
    title: Any
    pages: tuple[str, ...] = ()
    waiting: Callable[[Project], int] = lambda _project: 0


@dataclass(frozen=True)
class TabOnPage:
    """A tab as a page shows it: `current` if the page belongs to it, `waiting` as above."""

    address: str
    title: str
    current: bool
    waiting: int


def _disputed(project: Project) -> int:
    return disputes_of(project).count()


def _to_decide(project: Project) -> int:
    """Cases and reported items, which the board lists."""
    return cases.of_project(project).count() + reports.count(project)


COURSE: tuple[str, ...] = (
    "course_draft",
    "course_rules",
    "new_block",
    "course_block",
    "course_part",
    "many_items",
    "new_course_item",
)
COURSE += ("course_item", "course_references", "course_version", "exam_attempts", "exam_figures", "correct_item")
"""The pages of a course for a qualification."""
PROLIFIC = ("prolific", "prolific_bonus")
"""The pages of a study on Prolific."""
ROUNDS: tuple[str, ...] = ("judging_round", "judging_exhibits", "new_judging_round", "change_judging_round")
ROUNDS += ("judging_definitions", "judging_preview", "answer_metrics", "predictions")
"""The pages of a judging round."""
TABS = (
    ProjectTab("project", _("Board"), ("reports",), _to_decide),
    ProjectTab("items", _("Items"), ("item", "item_history", "decided_items")),
    ProjectTab("imports", _("Import"), ("import",)),
    ProjectTab("queues", _("Queues"), ("rehearsals", "rehearsal")),
    ProjectTab("people", _("People"), ("person", "qualifications", "qualification", *PROLIFIC, *COURSE)),
    ProjectTab("agreement", _("Agreement"), ("human_bound",)),
    ProjectTab("disputes", _("Disputes"), ("dispute", "compared", "compare", "references"), _disputed),
    ProjectTab("judging_rounds", _("Rounds"), ROUNDS),
    ProjectTab(
        "releases",
        _("Releases"),
        ("release", "new_release", "count_release", "release_job", "release_changes", "score_release", "data_card"),
    ),
    ProjectTab("project_time", _("Time"), ("project_time_of", "pay")),
    ProjectTab(
        "settings",
        _("Settings"),
        ("existing_items", "edit_guidelines", "consent_text", "splits", "webhooks", "webhook"),
    ),
)
"""In the order of the screen."""
SOME_HAVE: dict[str, Callable[[Project], bool]] = {
    "agreement": lambda project: bool(measured_activities(project)),
    "judging_rounds": lambda project: bool(registry.get(project.protocol).exhibits),
}
"""The tabs that only some projects have, and whether one does."""


def tabs_of(project: Project, url_name: str) -> Iterator[TabOnPage]:
    """The tabs that the project has, as the page with this URL name shows them."""
    for tab in _of_project(project):
        current = url_name in (tab.name, *tab.pages)
        yield TabOnPage(reverse(tab.name, args=[project.slug]), gettext(tab.title), current, tab.waiting(project))


def plain_tabs_of(project: Project) -> Iterator[TabOnPage]:
    """The tabs that every project has, without looking what waits behind them."""
    for tab in TABS:
        if tab.name not in SOME_HAVE:
            yield TabOnPage(reverse(tab.name, args=[project.slug]), gettext(tab.title), current=False, waiting=0)


def same_page_of(projects: Iterable[Project], url_name: str) -> Iterator[tuple[str, str]]:
    """Title and address of each project: its tab to which the page with this URL name belongs, or its board."""
    for project in projects:
        of_page = [tab.name for tab in _of_project(project) if url_name in (tab.name, *tab.pages)]
        yield project.title, reverse(of_page[0] if of_page else "project", args=[project.slug])


def _of_project(project: Project) -> Iterator[ProjectTab]:
    return (tab for tab in TABS if tab.name not in SOME_HAVE or SOME_HAVE[tab.name](project))
