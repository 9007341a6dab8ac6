"""Disputes, for leads: what waits for a decision, one of them with its answers, and what is decided about it.

Experts decide in the browser, where they confirm first what follows from seeing everybody's answers.
"""

from __future__ import annotations

from typing import Any

import orjson
from django.db.models import Value
from django.db.models.functions import Coalesce

from annotation import clock, events, registry
from annotation.models import Adjudication, Item, Project, User
from frontend import access
from frontend.api.base import LeadView
from frontend.api.calls import change_call, read_call
from frontend.api.paging import CursorPage
from frontend.api.serializers.leads import disputes as told
from frontend.api.serializers.leads.courses import DecisionReasonSerializer
from frontend.experts import asked, disputes
from frontend.experts.sides import DisputeSide
from frontend.leads.items.overview import prompt_of
from tasks.corrections import more_annotations
from tasks.disputes import deciding
from tasks.models import Task
from tasks.models.states import TaskState

UNKNOWN = 2.0
"""Beyond every agreement: where it is not known, a dispute comes last."""


def led_dispute(person: User, slug: str, activity: str, item_id: int) -> Task:
    """The disputed task, open, decided or with more annotations awaited, of a project that the person leads."""
    access.led_project(person, slug)
    return access.once_disputed_task(person, slug, activity, item_id)


def _led_item(person: User, slug: str, _activity: str, item_id: int) -> Item:
    return access.led_item(person, slug, item_id)


class DisputesView(LeadView):
    """The disputes of a project."""

    @read_call("list_disputes", told.DisputePageSerializer, query=told.DisputeQuerySerializer)
    def get(self, project: Project, wanted: dict[str, Any]) -> Any:
        """List the disputes that are open, or decided; those with the least agreement first."""
        decided = wanted.pop("state") == "decided"
        rows = disputes.seen_by(self.person(), project, decided=decided).filter(**wanted)
        rows = rows.annotate(rank=Coalesce("agreed", Value(UNKNOWN)))
        page = CursorPage(self.request, rows, order=("rank", "pk"))
        return page.answer(disputes.described(project, page.rows, decided=decided, now=clock.now()))


class DisputeView(LeadView):
    """One of these disputes."""

    @read_call("read_dispute", told.WholeDisputeSerializer, finder=led_dispute)
    def get(self, task: Task) -> Any:
        """Read the answers side by side, and what was decided."""
        return _whole(task, by=self.person())


class DisputeDecideView(LeadView):
    """A decision about a dispute. The annotations stay as they are."""

    @change_call("decide_dispute", told.WholeDisputeSerializer, finder=_led_item, body=told.DecideDisputeSerializer)
    def post(self, _item: Item, sent: dict[str, Any]) -> Any:
        """Decide for one of the answers; nothing is kept if somebody else was first."""
        [task] = self.named(led_dispute)
        deciding.decide(task, sent["annotation"], by=self.person(), reason=sent["reason"], now=clock.now())
        return _whole(task, by=self.person())


class DecisionUndoView(LeadView):
    """A decision that was wrong. Frozen releases keep it."""

    @change_call("take_decision_back", told.WholeDisputeSerializer, finder=_led_item, body=DecisionReasonSerializer)
    def post(self, _item: Item, sent: dict[str, Any]) -> Any:
        """Take a decision back: the dispute is open again."""
        [task] = self.named(led_dispute)
        deciding.take_back(task, by=self.person(), reason=sent["reason"], now=clock.now())
        return _whole(task, by=self.person())


class DisputeAskView(LeadView):
    """More annotations instead of a decision."""

    @change_call("ask_for_more", told.WholeDisputeSerializer, finder=_led_item, body=DecisionReasonSerializer)
    def post(self, _item: Item, sent: dict[str, Any]) -> Any:
        """Ask for two more; the `reason` may be left out."""
        [task] = self.named(led_dispute)
        asked.ask(task, by=self.person(), reason=sent["reason"], now=clock.now())
        return _whole(task, by=self.person())


class DisputeUnaskView(LeadView):
    """Annotations that were asked for and are not wanted any more."""

    @change_call("ask_for_no_more", told.WholeDisputeSerializer, finder=_led_item)
    def post(self, item: Item) -> Any:
        """Take back that more are asked for, while nobody has begun one: the dispute is open again."""
        [found] = self.named(led_dispute)
        task = access.asked_task(self.person(), item.project.slug, found.pk)
        more_annotations.take_back(task, by=self.person(), now=clock.now())
        return _whole(task, by=self.person())


def _whole(task: Task, *, by: User) -> dict[str, Any]:
    """What is said of a dispute, with what the call has just recorded: its state is in the history."""
    events.store_waiting()
    kind = registry.get(task.item.project.protocol).activity(task.activity)
    page = disputes.dispute_page(task, kind, by=by, leads=True)
    row = Adjudication.standing(task.item, task.activity, task.round)
    decision = {"row": row, "why_not_undo": page.decided.why_not_undo} if row and page.decided else None
    awaited = "asked" if more_annotations.is_awaiting(task) else "decided"
    return {
        "item": task.item_id,
        "activity": task.activity,
        "state": "open" if task.state == TaskState.DISPUTED else awaited,
        "prompt": prompt_of(task.item),
        "agreement": page.sides.agreed,
        "decision": decision,
        "taken_back": page.history,
        "sides": [_side(side) for side in page.sides.sides],
        **{name: getattr(page.sides, name) for name in ("n", "excluded", "unfinished")},
        **{name: getattr(page, name) for name in ("least", "why_not", "why_not_more", "asked")},
    }


def _side(side: DisputeSide) -> dict[str, Any]:
    answers = [
        {"step": address, "payload": orjson.loads(each.told), "n": each.n, "differs": each.differs}
        for address, each in side.answers.items()
    ]
    named = {name: getattr(side, name) for name in ("letter", "uuids", "n", "references")}
    return named | {"answers": answers}
