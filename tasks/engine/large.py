"""Whether a project is so large that its pages read daily counts in place of each piece of work."""

from __future__ import annotations

from django.db.models import Sum

from annotation.models import Project
from tasks.models import WorkCount

LARGE = 20_000
"""Pieces of work that have ended. So many are counted in a few hundredths of a second; of more, pages show what a job
has counted some seconds ago (`tasks.board.counting`).
"""


def is_large(project: Project) -> bool:
    """Whether more than LARGE pieces of its work are counted."""
    rows = WorkCount.objects.filter(project=project, person__isnull=False)
    return (rows.aggregate(n=Sum("n"))["n"] or 0) > LARGE
