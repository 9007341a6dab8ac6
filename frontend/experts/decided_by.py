"""The projects in which a person is an expert, for their home page."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.documents.words import alphabetical
from annotation.models import Membership, Project, Role, User


@dataclass(frozen=True)
class DecidingProject:
    """A project in which the person may decide disputes."""

    title: str
    slug: str


def decided_by(user: User) -> list[DecidingProject]:
    """The projects in which the person is an expert and no lead, by title; leads find disputes on their own pages."""
    mine = Membership.objects.filter(user=user, ended_at__isnull=True)
    rows = Project.objects.filter(archived_at=None, memberships__in=mine.filter(role=Role.EXPERT))
    rows = rows.exclude(memberships__in=mine.filter(role=Role.LEAD))
    by_title = sorted(rows, key=lambda row: alphabetical(row.title))
    return [DecidingProject(row.title, row.slug) for row in by_title]
