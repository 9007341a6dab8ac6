"""Erasing a person takes away who they are; attempts, marks and grants stay under a number."""

from __future__ import annotations

import io

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command

from annotation import clock, randomness
from annotation.errors import ParticipantKnown
from annotation.models import User
from annotation.triggers import append_only
from frontend.accounts import own_tables
from frontend.accounts.own_tables import OWN_TABLES
from qualification import accounts, recruiting
from qualification.courses import sitting
from qualification.models import Attempt, AttemptDraft, Grant, Participant, TutorialAnswer
from tasks.people import messages
from tests.factories.people import SignInFactory, UserFactory
from tests.factories.qualification import CourseVersionFactory, QualificationFactory
from tests.people import NOON, join
from tests.qualification.courses.building import RIGHT, prepare, sit, three_blocks

PLANTED = {"PROLIFIC_PID": "planted-pid"}


@pytest.fixture
def reading(nq):
    made = QualificationFactory(project=nq)
    CourseVersionFactory(qualification=made, course=three_blocks())
    return made


@pytest.fixture
def planted(nq, reading):
    """Somebody from a recruitment site who has passed, and written to the leads."""
    UserFactory(username="planted-name", email="planted-mail@home.example", first_name="planted-first")
    person = join(nq, "planted-name")
    recruiting.note(nq, user=person, parameters=PLANTED, now=NOON)
    SignInFactory(user=person, session_key="k1", browser="planted-browser")
    said = {"text": "planted-text", "key": randomness.handle(), "by": person, "now": NOON}
    messages.write(nq, person, side=messages.PERSON, **said)
    prepare(person, reading)
    return person


def erase(person) -> str:
    accounts.close(person, by=UserFactory(username="admin"), reason="They asked for it.", now=NOON)
    out = io.StringIO()
    call_command("account", person.username, "--erase", stdout=out)
    return out.getvalue()


def everything() -> str:
    """All rows of all tables."""
    return str([list(model._base_manager.values()) for model in apps.get_models()])


def test_nothing_that_names_the_person_is_left_in_any_table(planted, reading, nq):
    sit(planted, reading)
    assert everything().count("planted-") >= 5
    assert "stays under erased-" in erase(planted)
    assert "planted-" not in everything()


def test_attempts_answers_marks_and_the_grant_stay_under_a_number(planted, reading):
    sit(planted, reading)
    before = list(Attempt.objects.values()), list(TutorialAnswer.objects.values()), list(Grant.objects.values())
    erase(planted)
    after = list(Attempt.objects.values()), list(TutorialAnswer.objects.values()), list(Grant.objects.values())
    assert after == before
    planted.refresh_from_db()
    assert (planted.is_active, planted.has_usable_password(), planted.email) == (False, False, "")
    assert planted.username.startswith("erased-")


def test_an_open_attempt_is_voided_and_what_was_chosen_in_it_goes(planted, reading):
    attempt = sitting.issue(planted, reading, now=NOON)
    sitting.keep_draft(attempt, 0, RIGHT, now=NOON)
    erase(planted)
    attempt.refresh_from_db()
    assert attempt.voided_at is not None
    assert not AttemptDraft.objects.exists()


def test_a_participant_who_comes_again_is_no_new_candidate(planted, reading, nq):
    sit(planted, reading, fail=("background",))
    erase(planted)
    again = join(nq, "somebody-new")
    with pytest.raises(ParticipantKnown):
        recruiting.note(nq, user=again, parameters=PLANTED, now=clock.now())
    assert Participant.objects.get().parameters == {}


def test_the_control_another_participant_is_one(planted, nq):
    erase(planted)
    again = join(nq, "somebody-new")
    recruiting.note(nq, user=again, parameters={"PROLIFIC_PID": "another"}, now=clock.now())
    assert Participant.objects.count() == 2


def test_an_open_account_is_closed_first(planted):
    with pytest.raises(CommandError, match="Close the account first"):
        call_command("account", "planted-name", "--erase")
    assert User.objects.filter(username="planted-name").exists()


def test_the_record_refuses_changes_again_after_it(planted):
    erase(planted)
    append_only.verify()


def test_it_says_of_each_table_what_becomes_of_it():
    ways = {own_tables.STAYS, own_tables.GOES, own_tables.WITHOUT_IDENTITY, own_tables.WITHOUT_TEXT}
    assert {table.at_erasure for table in OWN_TABLES.values()} == ways
