"""A lead's decisions about items and the work on them, each with a reason."""

from __future__ import annotations

import uuid as uuids
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock
from annotation.engine import exclusion
from annotation.models import Annotation, Item, User
from frontend import access
from frontend.api.base import LeadView
from frontend.api.sent import checked_body
from frontend.api.serializers.items import AnnotationSerializer
from frontend.api.serializers.leads import decisions as told
from frontend.leads.items import bulk_decisions
from frontend.leads.items.bulk_decisions import ItemOutcome
from tasks import corrections
from tasks.corrections import more_annotations
from tasks.items import reports


class ItemDecisionView(LeadView):
    """A decision about an item, or about all finished work on it."""

    @extend_schema(
        operation_id="decide_item", request=told.ItemDecisionSerializer, responses=told.ItemOutcomeSerializer
    )
    def post(self, request: Request, slug: str, item_id: int) -> Answer:
        """Decide about an item; what can’t be done is told with the reason, and changes nothing."""
        item, sent = access.led_item(self.person(), slug, item_id), checked_body(request, told.ItemDecisionSerializer)

        def decide() -> Answer:
            outcome = _decide_item(item, sent, by=self.person(), now=clock.now())
            return Answer(told.ItemOutcomeSerializer(outcome, context={"translated": gettext}).data)

        return self.once(decide)


class AnnotationDecisionView(LeadView):
    """A decision about one annotation."""

    shows_answers = True

    @extend_schema(
        operation_id="decide_annotation", request=told.AnnotationDecisionSerializer, responses=AnnotationSerializer
    )
    def post(self, request: Request, slug: str, item_id: int, annotation: uuids.UUID) -> Answer:
        """Exclude an annotation, include it again, have it replaced, or send it back to its author."""
        row = access.led_annotation(self.person(), slug, item_id, annotation)
        sent = checked_body(request, told.AnnotationDecisionSerializer)

        def decide() -> Answer:
            _ACTIONS[sent["action"]](row)(by=self.person(), reason=sent["reason"], now=clock.now())
            row.refresh_from_db()
            return Answer(AnnotationSerializer(row).data)

        return self.once(decide)


_ACTIONS: dict[str, Callable[[Annotation], Callable[..., Any]]] = {
    "exclude": lambda row: partial(exclusion.exclude, row.item.project, uuids=[row.uuid]),
    "restore": lambda row: partial(exclusion.restore, row.item.project, uuids=[row.uuid]),
    "replace": lambda row: partial(more_annotations.replace, row),
    "reopen": lambda row: partial(corrections.reopen, row.item.project, row.uuid),
    "take_back_reopening": lambda row: partial(corrections.take_back_reopening, row.item.project, row.uuid),
}


def _decide_item(item: Item, sent: dict[str, Any], *, by: User, now: datetime) -> ItemOutcome:
    if sent["action"] == "bring_back":
        reports.bring_back(item, by=by, reason=sent["reason"], now=now)
        return ItemOutcome(1)
    if sent["action"] == "unfreeze":
        reports.unfreeze(item, by=by, now=now)
        return ItemOutcome(1)
    form = {name: str(value) for name, value in sent.items()}
    return bulk_decisions.decide_item(item, bulk_decisions.decision_of(form), by=by, now=now)
