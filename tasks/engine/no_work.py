"""Why there is no work for a person, and when to look again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, Max, OuterRef, QuerySet

from tasks.engine.eligibility import SESSION, Seeker, free_but_for_alike, not_alike
from tasks.models import Assignment, Lease, Task
from tasks.models.states import LEAVES_ITEM_FREE, AssignmentState, TaskState


@dataclass(frozen=True)
class NoWork:
    """There is no work: why, and when to look again.

    The reason is `all_done`, `done_all_you_may`, `others_hold`, `alike_lately` or `not_open`.
    """

    reason: str
    next_at: datetime | None = None


def why_no_work(seek: Seeker) -> NoWork:
    """Everything is done; or the rest is alike, is held by others until a lease ends, or is not for this person."""
    undone = Task.objects.filter(queue__in=seek.queues, state__in=(TaskState.OPEN, TaskState.FULL, TaskState.FROZEN))
    if not undone.exists():
        return NoWork("all_done")
    mine = Assignment.objects.filter(annotator=seek.by, task=OuterRef("pk")).exclude(state__in=LEAVES_ITEM_FREE)
    leased = Assignment.objects.filter(task=OuterRef("pk"), state=AssignmentState.LEASED)
    held = undone.filter(Exists(leased), ~Exists(mine))
    leases = Lease.objects.filter(queue__in=seek.queues, closed_at__isnull=True).order_by("expires_at")
    ends = leases.values_list("expires_at", flat=True).first() if held.filter(not_alike(seek)).exists() else None
    again = _alike_again(seek, free_but_for_alike(seek))
    if again is not None:
        return NoWork("alike_lately", next_at=min(again, ends or again))
    if held.exists():
        return NoWork("others_hold", next_at=ends or _alike_again(seek, held))
    return NoWork("done_all_you_may")


def _alike_again(seek: Seeker, rows: QuerySet[Task]) -> datetime | None:
    """When the first of those tasks that are alike to one of this session can be claimed, or None."""
    keys = rows.exclude(item__alike="").values("item__alike")
    last = _lately_claimed(seek).filter(task__item__alike__in=keys).values("task__item__alike")
    first = last.annotate(at=Max("claimed_at")).order_by("at").values_list("at", flat=True).first()
    return first + SESSION if first else None


def _lately_claimed(seek: Seeker) -> QuerySet[Assignment]:
    """What the person claimed in this activity in this session, whatever its state: they have seen it."""
    return Assignment.objects.filter(
        annotator=seek.by,
        claimed_at__gt=seek.since,
        task__item__project=seek.project,
        task__activity=seek.activity.key,
    )
