"""After a change of the order in which items are handed out: the tasks that exist get the new one."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from annotation.models import Project, User
from annotation.setup import changes
from tasks.engine import queue_order
from tasks.models import Queue


def apply(project: Project, changed: Iterable[str]) -> None:
    """Put the queues in order whose draw is among the changed fields (paths, as `changes.fields_of` has them)."""
    activities = [path.split(".")[2] for path in changed if path.startswith("config.activities.") and is_draw(path)]
    for queue in Queue.objects.filter(project=project, activity__in=activities):
        queue.project = project
        queue_order.put_in_order(queue)


def is_draw(path: str) -> bool:
    """Whether the field with this path says in which order items are handed out."""
    return path.endswith(".draw")


def undo(project: Project, event: int, *, by: User, now: datetime) -> dict[str, Any]:
    """Undo a change of settings (`changes.undo`), and put the queues in the order of before."""
    changed = changes.undo(project, event, by=by, now=now)
    apply(project, changed)
    return changed
