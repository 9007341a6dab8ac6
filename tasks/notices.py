"""Recently revoked assignments, which the home page shows to their holders."""

from __future__ import annotations

from datetime import datetime, timedelta

from annotation.models import User
from tasks.models import Assignment
from tasks.states import AssignmentState

DAYS = 7
"""How long the home page shows a revoked assignment."""


def recently_revoked(user: User, *, now: datetime) -> list[Assignment]:
    """The person's assignments that were revoked in the last seven days, oldest first."""
    since = now - timedelta(days=DAYS)
    mine = Assignment.objects.filter(annotator=user, state=AssignmentState.REVOKED, closed_at__gt=since)
    return list(mine.select_related("task__item__project", "lease").order_by("pk"))
