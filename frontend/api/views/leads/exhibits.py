"""The sealed exhibits of a round, and those that can't be judged."""

from __future__ import annotations

import uuid as uuids
from typing import Any

from annotation import clock
from annotation.models import Exhibit, JudgingRound, RoundState, User
from frontend import access
from frontend.access.projects import or_not_found
from frontend.api.base import LeadView
from frontend.api.calls import change_call, read_call
from frontend.api.paging import CursorPage
from frontend.api.serializers.leads import rounds as told
from frontend.api.serializers.leads.courses import DecisionReasonSerializer
from frontend.leads.judging import exhibits
from tasks.judging import defects


def sealed_round(person: User, slug: str, uuid: uuids.UUID) -> JudgingRound:
    """A round with exhibits, in which the person does not judge."""
    row = access.led_results(person, slug, uuid)
    return or_not_found(None if row.state == RoundState.DRAFT else row)


def sealed_exhibit(person: User, slug: str, uuid: uuids.UUID, place: int) -> Exhibit:
    """An exhibit of such a round."""
    rows = sealed_round(person, slug, uuid).exhibits.select_related("round__project", "item")
    return or_not_found(rows.filter(place=place).first())


class ExhibitsView(LeadView):
    """The exhibits of a round, as its raters see them. A lead who judges in it is shown none."""

    shows_answers = True

    @read_call("list_exhibits", told.ExhibitPageSerializer, finder=sealed_round)
    def get(self, row: JudgingRound) -> Any:
        """List what is or was to be judged, in the sealed order."""
        page = CursorPage(self.request, exhibits.exhibits_of(row), order=("place",))
        return page.answer([exhibits.shown_row(row, each) for each in page.rows])


class ExhibitFlagView(LeadView):
    """An exhibit that can’t be judged, and that nobody has marked yet."""

    shows_answers = True

    @change_call("flag_exhibit", told.ExhibitSerializer, finder=sealed_exhibit, body=DecisionReasonSerializer)
    def post(self, exhibit: Exhibit, sent: dict[str, Any]) -> Any:
        """Flag an exhibit as a defect: the next spare of the seal is judged instead."""
        defects.flag(exhibit, why=sent["reason"], by=self.person(), now=clock.now())
        row = JudgingRound.objects.select_related("project").get(pk=exhibit.round_id)
        return exhibits.shown_row(row, exhibits.exhibits_of(row).get(pk=exhibit.pk))
