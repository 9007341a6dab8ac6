"""Who judges in a round, how far they are, who drops out, and who leads its meeting."""

from __future__ import annotations

import uuid as uuids
from typing import Any

from django.utils.translation import gettext as _

from annotation import clock
from annotation.engine.exclusion import checked_reason
from annotation.models import JudgingRound, Rater, RoundState, User
from frontend import access
from frontend.access.projects import or_not_found
from frontend.api.base import LeadView
from frontend.api.calls import change_call, read_call
from frontend.api.problems import ReadFirst
from frontend.api.sent import people_named
from frontend.api.serializers.leads import rounds as told
from frontend.api.serializers.leads.courses import DecisionReasonSerializer
from frontend.api.views.leads.rounds import round_anew, whole_round
from frontend.leads.judging import pages
from tasks.judging import ending, raters, working
from tasks.judging.meeting import agreeing, voters


def seen_round(person: User, slug: str, uuid: uuids.UUID) -> JudgingRound:
    """A round that they lead; ReadFirst while they judge in it themselves, as its page hides the others then."""
    row = access.led_round(person, slug, uuid)
    if row.state != RoundState.DRAFT and access.still_judges(person, row):
        raise ReadFirst(_("You judge in this round: others’ progress is shown once your marks are locked."))
    return row


def seen_rater(person: User, slug: str, uuid: uuids.UUID, number: int) -> Rater:
    """A rater of such a round."""
    return or_not_found(seen_round(person, slug, uuid).raters.filter(number=number).first())


def led_rater(person: User, slug: str, uuid: uuids.UUID, number: int) -> Rater:
    """A rater of a round that the person leads, and in which they may judge."""
    return or_not_found(access.led_round(person, slug, uuid).raters.filter(number=number).first())


def led_meeting(person: User, slug: str, uuid: uuids.UUID) -> JudgingRound:
    """A round that the person leads and that has or had a meeting."""
    row = access.led_round(person, slug, uuid)
    access.met_round(person, uuid)
    return row


class RatersView(LeadView):
    """The raters of a round. A lead who judges in it is not told how far the others are."""

    @read_call("list_raters", told.RatersSerializer, finder=seen_round)
    def get(self, row: JudgingRound) -> Any:
        """List the raters, with how far they are."""
        return {"results": pages.people_of(row)}


class RaterReplaceView(LeadView):
    """A rater who drops out of a round before they have locked. What they had marked counts nowhere."""

    @change_call("replace_rater", told.RatersSerializer, finder=seen_rater, body=told.ReplaceRaterSerializer)
    def post(self, rater: Rater, sent: dict[str, Any]) -> Any:
        """Have somebody else judge in their place, or nobody."""
        codes, among = [sent["person"]] if sent["person"] else [], raters.candidates(rater.round.project)
        person = next(iter(people_named(codes, among=among, field="person")), None)
        working.replace_rater(rater, person, reason=sent["reason"], by=self.person(), now=clock.now())
        return {"results": pages.people_of(round_anew(rater.round))}


class VoterRemoveView(LeadView):
    """A rater who does not come back to the meeting. What is still open is settled by the others."""

    @change_call("remove_voter", told.WholeRoundSerializer, finder=led_rater, body=DecisionReasonSerializer)
    def post(self, rater: Rater, sent: dict[str, Any]) -> Any:
        """Remove a rater from the vote."""
        voter = or_not_found(voters.voters_of(rater.round).filter(number=rater.number).first())
        agreeing.remove_voter(voter, reason=checked_reason(sent["reason"]), by=self.person(), now=clock.now())
        return whole_round(round_anew(rater.round))


class ChairView(LeadView):
    """Who leads the meeting of a round."""

    @change_call("choose_chair", told.WholeRoundSerializer, finder=access.led_round, body=told.ChairSerializer)
    def post(self, row: JudgingRound, sent: dict[str, Any]) -> Any:
        """Have one of the raters, or a lead, propose marks."""
        among = User.objects.filter(pk__in=[person.pk for person in voters.may_chair(row)])
        [person] = people_named([sent["person"]], among=among, field="person")
        voters.choose_chair(row, person, by=self.person(), now=clock.now())
        return whole_round(round_anew(row))


class MeetingEndView(LeadView):
    """The end of a round’s meeting. What is not settled stays so."""

    @change_call("end_meeting", told.WholeRoundSerializer, finder=led_meeting)
    def post(self, row: JudgingRound) -> Any:
        """Close the round."""
        ending.end_meeting(row, by=self.person(), now=clock.now())
        return whole_round(round_anew(row))
