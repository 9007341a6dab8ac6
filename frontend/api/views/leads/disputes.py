"""Disputes, for leads: what waits for a decision, one of them with its answers, and what is decided about it.

Experts decide in the browser, where they confirm first what follows from seeing everybody's answers.
"""

from __future__ import annotations

from typing import Any

import orjson
from django.db.models import Value
from django.db.models.functions import Coalesce
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock, events, registry
from annotation.models import Adjudication, User
from frontend import access
from frontend.api.base import LeadView
from frontend.api.paging import CursorPage
from frontend.api.schema import PAGED
from frontend.api.sent import checked_body, checked_query
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


class DisputesView(LeadView):
    """The disputes of a project."""

    @extend_schema(
        operation_id="list_disputes",
        parameters=[told.DisputeQuerySerializer, *PAGED],
        responses=told.DisputePageSerializer,
    )
    def get(self, request: Request, slug: str) -> Answer:
        """List the disputes that are open, or decided; those with the least agreement first."""
        project = access.led_project(self.person(), slug)
        wanted = checked_query(request, told.DisputeQuerySerializer)
        decided = wanted.pop("state") == "decided"
        rows = disputes.seen_by(self.person(), project, decided=decided).filter(**wanted)
        page = CursorPage(request, rows.annotate(rank=Coalesce("agreed", Value(UNKNOWN))), order=("rank", "pk"))
        found = disputes.described(project, page.rows, decided=decided, now=clock.now())
        return Answer(page.answer(told.DisputeSerializer(found, many=True).data))


class DisputeView(LeadView):
    """One of these disputes."""

    @extend_schema(operation_id="read_dispute", responses=told.WholeDisputeSerializer)
    def get(self, request: Request, slug: str, activity: str, item_id: int) -> Answer:
        """Read the answers side by side, and what was decided."""
        return _told(_task(self.person(), slug, activity, item_id), by=self.person())


class DisputeDecideView(LeadView):
    """A decision about a dispute. The annotations stay as they are."""

    @extend_schema(
        operation_id="decide_dispute", request=told.DecideDisputeSerializer, responses=told.WholeDisputeSerializer
    )
    def post(self, request: Request, slug: str, activity: str, item_id: int) -> Answer:
        """Decide for one of the answers; nothing is kept if somebody else was first."""
        access.led_item(self.person(), slug, item_id)
        sent = checked_body(request, told.DecideDisputeSerializer)

        def decide() -> Answer:
            task = _task(self.person(), slug, activity, item_id)
            said = {"reason": sent["reason"], "now": clock.now()}
            deciding.decide(task, sent["annotation"], by=self.person(), **said)
            return _told(task, by=self.person())

        return self.once(decide)


class DecisionUndoView(LeadView):
    """A decision that was wrong. Frozen releases keep it."""

    @extend_schema(
        operation_id="take_decision_back", request=DecisionReasonSerializer, responses=told.WholeDisputeSerializer
    )
    def post(self, request: Request, slug: str, activity: str, item_id: int) -> Answer:
        """Take a decision back: the dispute is open again."""
        access.led_item(self.person(), slug, item_id)
        reason = checked_body(request, DecisionReasonSerializer)["reason"]

        def take_back() -> Answer:
            task = _task(self.person(), slug, activity, item_id)
            deciding.take_back(task, by=self.person(), reason=reason, now=clock.now())
            return _told(task, by=self.person())

        return self.once(take_back)


class DisputeAskView(LeadView):
    """More annotations instead of a decision."""

    @extend_schema(operation_id="ask_for_more", request=DecisionReasonSerializer, responses=told.WholeDisputeSerializer)
    def post(self, request: Request, slug: str, activity: str, item_id: int) -> Answer:
        """Ask for two more; the `reason` may be left out."""
        access.led_item(self.person(), slug, item_id)
        reason = checked_body(request, DecisionReasonSerializer)["reason"]

        def ask() -> Answer:
            task = _task(self.person(), slug, activity, item_id)
            asked.ask(task, by=self.person(), reason=reason, now=clock.now())
            return _told(task, by=self.person())

        return self.once(ask)


class DisputeUnaskView(LeadView):
    """Annotations that were asked for and are not wanted any more."""

    @extend_schema(operation_id="ask_for_no_more", request=None, responses=told.WholeDisputeSerializer)
    def post(self, request: Request, slug: str, activity: str, item_id: int) -> Answer:
        """Take back that more are asked for, while nobody has begun one: the dispute is open again."""
        access.led_item(self.person(), slug, item_id)

        def unask() -> Answer:
            found = _task(self.person(), slug, activity, item_id)
            task = access.asked_task(self.person(), slug, found.pk)
            more_annotations.take_back(task, by=self.person(), now=clock.now())
            return _told(task, by=self.person())

        return self.once(unask)


def _task(person: User, slug: str, activity: str, item_id: int) -> Task:
    """The disputed task, open, decided or with more annotations awaited, of a project that the person leads."""
    access.led_project(person, slug)
    return access.once_disputed_task(person, slug, activity, item_id)


def _told(task: Task, *, by: User) -> Answer:
    """What is said of a dispute, with what the call has just recorded: its state is in the history."""
    events.store_waiting()
    kind = registry.get(task.item.project.protocol).activity(task.activity)
    page = disputes.dispute_page(task, kind, by=by, leads=True)
    row = Adjudication.standing(task.item, task.activity, task.round)
    decision = {"row": row, "why_not_undo": page.decided.why_not_undo} if row and page.decided else None
    awaited = "asked" if more_annotations.is_awaiting(task) else "decided"
    found = {
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
    return Answer(told.WholeDisputeSerializer(found).data)


def _side(side: DisputeSide) -> dict[str, Any]:
    answers = [
        {"step": address, "payload": orjson.loads(each.told), "n": each.n, "differs": each.differs}
        for address, each in side.answers.items()
    ]
    named = {name: getattr(side, name) for name in ("letter", "uuids", "n", "references")}
    return named | {"answers": answers}
