"""Who judges in a round, how far they are, who drops out, and who leads its meeting."""

from __future__ import annotations

import uuid as uuids
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock
from annotation.engine.exclusion import checked_reason
from annotation.models import JudgingRound, RoundState, User
from frontend import access
from frontend.access.projects import or_not_found
from frontend.api.base import LeadView
from frontend.api.people_named import people_named
from frontend.api.problems import ReadFirst
from frontend.api.sent import checked_body
from frontend.api.serializers.leads import rounds as told
from frontend.api.serializers.leads.courses import DecisionReasonSerializer
from frontend.api.views.leads.rounds import round_told
from frontend.leads.judging import pages
from tasks.judging import ending, raters, working
from tasks.judging.meeting import agreeing, voters


class RatersView(LeadView):
    """The raters of a round. A lead who judges in it is not told how far the others are."""

    @extend_schema(operation_id="list_raters", responses=told.RatersSerializer)
    def get(self, request: Request, slug: str, uuid: uuids.UUID) -> Answer:
        """List the raters, with how far they are."""
        return Answer(_raters_told(_seen_round(self.person(), slug, uuid)))


class RaterReplaceView(LeadView):
    """A rater who drops out of a round before they have locked. What they had marked counts nowhere."""

    @extend_schema(operation_id="replace_rater", request=told.ReplaceRaterSerializer, responses=told.RatersSerializer)
    def post(self, request: Request, slug: str, uuid: uuids.UUID, number: int) -> Answer:
        """Have somebody else judge in their place, or nobody."""
        row = _seen_round(self.person(), slug, uuid)
        rater = or_not_found(row.raters.filter(number=number).first())
        sent = checked_body(request, told.ReplaceRaterSerializer)

        def replace() -> Answer:
            codes = [sent["person"]] if sent["person"] else []
            person = next(iter(people_named(codes, among=raters.candidates(row.project), field="person")), None)
            working.replace_rater(rater, person, reason=sent["reason"], by=self.person(), now=clock.now())
            return Answer(_raters_told(JudgingRound.objects.select_related("project").get(pk=row.pk)))

        return self.once(replace)


class VoterRemoveView(LeadView):
    """A rater who does not come back to the meeting. What is still open is settled by the others."""

    @extend_schema(operation_id="remove_voter", request=DecisionReasonSerializer, responses=told.WholeRoundSerializer)
    def post(self, request: Request, slug: str, uuid: uuids.UUID, number: int) -> Answer:
        """Remove a rater from the vote."""
        row = access.led_round(self.person(), slug, uuid)
        or_not_found(row.raters.filter(number=number).first())
        sent = checked_body(request, DecisionReasonSerializer)

        def remove() -> Answer:
            rater = or_not_found(voters.voters_of(row).filter(number=number).first())
            reason = checked_reason(sent["reason"])
            agreeing.remove_voter(rater, reason=reason, by=self.person(), now=clock.now())
            return Answer(round_told(JudgingRound.objects.select_related("project").get(pk=row.pk)))

        return self.once(remove)


class ChairView(LeadView):
    """Who leads the meeting of a round."""

    @extend_schema(operation_id="choose_chair", request=told.ChairSerializer, responses=told.WholeRoundSerializer)
    def post(self, request: Request, slug: str, uuid: uuids.UUID) -> Answer:
        """Have one of the raters, or a lead, propose marks."""
        row = access.led_round(self.person(), slug, uuid)
        code = checked_body(request, told.ChairSerializer)["person"]

        def choose() -> Answer:
            among = User.objects.filter(pk__in=[person.pk for person in voters.may_chair(row)])
            [person] = people_named([code], among=among, field="person")
            voters.choose_chair(row, person, by=self.person(), now=clock.now())
            return Answer(round_told(JudgingRound.objects.select_related("project").get(pk=row.pk)))

        return self.once(choose)


class MeetingEndView(LeadView):
    """The end of a round’s meeting. What is not settled stays so."""

    @extend_schema(operation_id="end_meeting", request=None, responses=told.WholeRoundSerializer)
    def post(self, request: Request, slug: str, uuid: uuids.UUID) -> Answer:
        """Close the round."""
        row = access.led_round(self.person(), slug, uuid)
        access.met_round(self.person(), uuid)

        def end() -> Answer:
            ending.end_meeting(row, by=self.person(), now=clock.now())
            return Answer(round_told(JudgingRound.objects.select_related("project").get(pk=row.pk)))

        return self.once(end)


def _seen_round(person: User, slug: str, uuid: uuids.UUID) -> JudgingRound:
    """A round that they lead; ReadFirst while they judge in it themselves, as its page hides the others then."""
    row = access.led_round(person, slug, uuid)
    if row.state != RoundState.DRAFT and access.still_judges(person, row):
        raise ReadFirst(_("You judge in this round: others’ progress is shown once your marks are locked."))
    return row


def _raters_told(row: JudgingRound) -> Any:
    return told.RatersSerializer({"results": pages.people_of(row)}).data
