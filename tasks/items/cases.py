"""A lead's decisions about cases: uphold, dismiss, or take the decision back; each with a reason, each an event."""

from __future__ import annotations

from datetime import datetime

from annotation import registry
from annotation.engine import follow_ups, loading, state_machine
from annotation.engine.exclusion import checked_reason
from annotation.models import Annotation, Case, CaseKind, CaseState, Item, User
from annotation.models.case import CASE_MOVES
from tasks.engine import queues, transitions
from tasks.engine.transactions import service
from tasks.items import reports


@service
def decide(case: Case, to: CaseState, *, by: User, reason: str, now: datetime) -> None:
    """Uphold or dismiss an open case, or open a decided one again; frozen releases don't change.

    A flag that ended work on an item keeps the item frozen as long as it is open. An accepted annotation leads to the
    items that a whole one leads to; if the acceptance is taken back, nobody else is given them. A decision about a
    person who left partners changes nothing else. Raises ReasonMissing, or WrongMove if another lead was first.
    """
    said = checked_reason(reason)
    annotation = Annotation.objects.select_related("item__project").get(pk=case.annotation_id)
    items = [annotation.item, *annotation.made.all()]
    transitions.lock(sorted(task for item in items for task in item.tasks.values_list("pk", flat=True)))
    state_machine.move(case, to, moves=CASE_MOVES, by=by, now=now, data={"reason": said})
    if case.kind == CaseKind.ACCEPTANCE:
        _follow_up(annotation, accepted=to == CaseState.UPHELD, by=by, now=now)
    elif case.ends and not reports.freeze(annotation.item, now=now):
        reports.thaw(annotation.item, by=by, now=now)


def _follow_up(annotation: Annotation, *, accepted: bool, by: User, now: datetime) -> None:
    made: list[Item] = list(annotation.made.select_related("project"))
    for item in made:
        if accepted:
            reports.thaw(item, by=by, now=now)
        else:
            reports.freeze_tasks(item, by=by, now=now)
    if accepted and not made:
        [record] = loading.finished_records([annotation], annotation.item)
        protocol = registry.get(annotation.item.project.protocol)
        incoming = protocol.follow_ups(loading.item_record(annotation.item), record._replace(accepted=True))
        follow_ups.make_items(annotation, incoming)
        queues.look_again(annotation.item.project)
