"""A project is connected to a study, whose submissions are read again when a lead asks; the token stays secret."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation.errors import WrongMove
from annotation.outgoing import calling
from tasks.models import Bonus, Study, Submission
from tasks.prolific import api, connecting, sending
from tasks.prolific.answers import AnswerUnreadable
from tasks.prolific.api import NoAnswer, TurnedAway
from tests.builders import project
from tests.people import NOON, join
from tests.prolific.site import STUDY, TOKEN, Failure, by_number
from tests.prolific.story import LATER, confirm


def connect(lights, **other):
    said = {"study_id": STUDY, "token": TOKEN, "currency": "GBP", "by": lights.lead, "now": LATER} | other
    return connecting.connect(lights.project, **said)


def read(lights) -> dict[str, str]:
    """The states of submissions by participant, read again."""
    connecting.read(lights.study, now=LATER)
    return dict(Submission.objects.values_list("participant_id", "status"))


def test_a_study_is_read_when_it_is_connected(lights):
    assert (lights.study.name, lights.study.reward) == ("Questions about lighthouses", 200)
    assert lights.study.codes == ["C1LIGHTS"]


def test_the_token_is_stored_encrypted(lights):
    assert TOKEN not in lights.study.sealed_token
    assert connecting.unseal(lights.study.sealed_token) == TOKEN


def test_a_wrong_token_or_study_connects_nothing(lights):
    connecting.disconnect(lights.study, by=lights.lead, now=LATER)
    for wrong in ({"token": "wrong"}, {"study_id": by_number(1)}):
        with pytest.raises(TurnedAway):
            connect(lights, **wrong)
    assert connecting.study_of(lights.project) is None


def test_the_study_must_pay_in_the_currency_that_the_lead_gives(lights):
    with pytest.raises(WrongMove, match="another currency"):
        connect(lights, currency="USD")


def test_the_same_study_again_gets_a_new_token(lights):
    other = connecting.seal("older")
    Study.objects.update(sealed_token=other)
    assert connect(lights).pk == lights.study.pk
    assert connecting.unseal(Study.objects.get().sealed_token) == TOKEN


def test_another_study_has_to_wait_until_the_first_is_disconnected(lights):
    lights.site.study["id"] = by_number(7)
    with pytest.raises(WrongMove, match="another study"):
        connect(lights, study_id=by_number(7))
    connecting.disconnect(lights.study, by=lights.lead, now=LATER)
    assert Study.objects.get(pk=lights.study.pk).sealed_token == ""
    assert connect(lights, study_id=by_number(7)).pk != lights.study.pk


def test_a_study_with_bonuses_under_way_is_not_disconnected(lights):
    lights.works("ada", 1, minutes=30)
    confirm(lights)
    with pytest.raises(WrongMove, match="under way"):
        connecting.disconnect(lights.study, by=lights.lead, now=LATER)
    sending.send_due(now=LATER)
    sending.send_due(now=LATER)
    assert Bonus.objects.get().state == Bonus.State.PAID
    connecting.disconnect(lights.study, by=lights.lead, now=LATER)


def test_no_host_is_called_that_no_admin_has_allowed(lights):
    calling.remove_host(calling.AllowedHost.objects.get(), by=lights.lead, now=LATER)
    before = len(lights.site.asked)
    with pytest.raises(NoAnswer, match="allowed") as refused:
        connecting.read(lights.study, now=LATER)
    assert not refused.value.sent
    assert len(lights.site.asked) == before


def test_submissions_are_read_with_their_states_and_people(lights):
    ada = lights.works("ada", 1, minutes=5)
    lights.site.comes(2, "RETURNED")
    assert read(lights) == {by_number(1): "AWAITING REVIEW", by_number(2): "RETURNED"}
    people = dict(Submission.objects.values_list("participant_id", "person"))
    assert people == {by_number(1): ada.pk, by_number(2): None}


@pytest.mark.parametrize("n", [api.PER_PAGE - 1, api.PER_PAGE, api.PER_PAGE + 1, 2 * api.PER_PAGE])
def test_submissions_are_read_page_by_page_to_the_end(lights, n):
    for number in range(n):
        lights.site.comes(number + 1)
    assert len(read(lights)) == n


def test_a_person_who_joins_later_is_known_at_the_next_reading(lights):
    participant, _submission = lights.site.comes(1)
    read(lights)
    ada = lights.joins("ada", participant)
    read(lights)
    assert Submission.objects.get().person == ada


def test_a_reading_that_ends_after_a_newer_one_changes_nothing(lights):
    lights.site.comes(1)
    connecting.read(lights.study, now=LATER)
    lights.site.submissions[0]["status"] = "APPROVED"
    connecting.read(lights.study, now=LATER - timedelta(minutes=1))
    assert Submission.objects.get().status == "AWAITING REVIEW"


@pytest.mark.parametrize(
    "row", [{"id": "../../users/me"}, {"status": None}, {"participant_id": ""}, {"started_at": "yesterday"}]
)
def test_an_answer_that_is_not_as_documented_changes_nothing(lights, row):
    lights.site.comes(1)
    lights.site.submissions[0] |= row
    with pytest.raises(AnswerUnreadable):
        connecting.read(lights.study, now=LATER)
    assert not Submission.objects.exists()


def test_submissions_that_wait_are_approved_and_others_left_out(lights):
    for number, status in enumerate(["AWAITING REVIEW", "RETURNED", "AWAITING REVIEW"], start=1):
        lights.site.comes(number, status)
    read(lights)
    keys = list(Submission.objects.values_list("pk", flat=True))
    assert connecting.approve(lights.study, keys, by=lights.lead, now=LATER) == 2
    assert list(read(lights).values()) == ["APPROVED", "RETURNED", "APPROVED"]


def test_an_approval_whose_answer_is_lost_may_be_asked_again(lights):
    lights.site.comes(1)
    read(lights)
    keys = list(Submission.objects.values_list("pk", flat=True))
    lights.site.fail("bulk-approve", Failure())
    with pytest.raises(NoAnswer):
        connecting.approve(lights.study, keys, by=lights.lead, now=LATER)
    assert Submission.objects.get().approval_at == LATER
    assert connecting.approve(lights.study, keys, by=lights.lead, now=LATER) == 1
    read(lights)
    with pytest.raises(WrongMove, match="None of these"):
        connecting.approve(lights.study, keys, by=lights.lead, now=LATER)


def test_submissions_of_another_study_are_not_approved(lights):
    lights.site.comes(1)
    read(lights)
    connecting.disconnect(lights.study, by=lights.lead, now=LATER)
    other = project("elsewhere")
    there = connecting.connect(
        other, study_id=STUDY, token=TOKEN, currency="GBP", by=join(other, "otto", "lead"), now=NOON
    )
    keys = Submission.objects.filter(study=lights.study).values_list("pk", flat=True)
    with pytest.raises(WrongMove, match="None of these"):
        connecting.approve(there, list(keys), by=lights.lead, now=LATER)


def test_a_submission_that_is_on_two_pages_is_kept_once(lights):
    lights.site.comes(1)
    lights.site.submissions *= 2
    assert read(lights) == {by_number(1): "AWAITING REVIEW"}
