"""The sealed exhibits of a round, and those that can't be judged."""

from __future__ import annotations

import uuid as uuids
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock
from annotation.models import JudgingRound, RoundState, User
from frontend import access
from frontend.access.projects import or_not_found
from frontend.api.base import LeadView
from frontend.api.paging import CursorPage
from frontend.api.schema import PAGED
from frontend.api.sent import checked_body
from frontend.api.serializers.leads import rounds as told
from frontend.api.serializers.leads.courses import DecisionReasonSerializer
from frontend.leads.judging import exhibits
from tasks.judging import defects


class ExhibitsView(LeadView):
    """The exhibits of a round, as its raters see them. A lead who judges in it is shown none."""

    shows_answers = True

    @extend_schema(operation_id="list_exhibits", parameters=PAGED, responses=told.ExhibitPageSerializer)
    def get(self, request: Request, slug: str, uuid: uuids.UUID) -> Answer:
        """List what is or was to be judged, in the sealed order."""
        row = _sealed(self.person(), slug, uuid)
        page = CursorPage(request, exhibits.exhibits_of(row), order=("place",))
        return Answer(page.answer([_told(row, each) for each in page.rows]))


class ExhibitFlagView(LeadView):
    """An exhibit that can’t be judged, and that nobody has marked yet."""

    shows_answers = True

    @extend_schema(operation_id="flag_exhibit", request=DecisionReasonSerializer, responses=told.ExhibitSerializer)
    def post(self, request: Request, slug: str, uuid: uuids.UUID, place: int) -> Answer:
        """Flag an exhibit as a defect: the next spare of the seal is judged instead."""
        row = _sealed(self.person(), slug, uuid)
        exhibit = or_not_found(row.exhibits.select_related("round__project", "item").filter(place=place).first())
        why = checked_body(request, DecisionReasonSerializer)["reason"]

        def flag() -> Answer:
            defects.flag(exhibit, why=why, by=self.person(), now=clock.now())
            row.refresh_from_db(fields=["state"])
            return Answer(_told(row, exhibits.exhibits_of(row).get(place=place)))

        return self.once(flag)


def _sealed(person: User, slug: str, uuid: uuids.UUID) -> JudgingRound:
    row = access.led_results(person, slug, uuid)
    return or_not_found(None if row.state == RoundState.DRAFT else row)


def _told(row: JudgingRound, exhibit: Any) -> Any:
    return told.ExhibitSerializer(exhibits.shown_row(row, exhibit)).data
