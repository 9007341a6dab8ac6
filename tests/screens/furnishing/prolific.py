"""A study on Prolific with submissions, bonuses and a group, for its pictures; runs inside the site."""

from __future__ import annotations

from datetime import datetime, timedelta

from annotation import events, randomness
from annotation.models import Project, User
from tasks.models import Bonus
from tests.factories.people import ParticipantFactory
from tests.factories.prolific import BonusFactory, BonusPartFactory, StudyFactory, StudyGroupFactory, SubmissionFactory
from tests.factories.qualification import QualificationFactory
from tests.screens.camera import SIZES

STATUSES = ("AWAITING REVIEW", "APPROVED", "APPROVED", "APPROVED", "RETURNED", "ACTIVE")
S = Bonus.State


def furnish(project: Project, lead: User, *, now: datetime) -> None:
    """Those who have worked in the project come from a study, with two others."""
    study = StudyFactory(
        project=project, by=lead, at=now - timedelta(days=3), read_at=now, currency="EUR", reward=75, name="Tide tables"
    )
    people = [User.objects.get(username=name) for name in [*(f"tim-{size}" for size in SIZES), "ivo", "ola"]]
    for number, status in enumerate(STATUSES):
        external_id = f"{0x5E9B9C9B0F9C9A0001B0B100 + 7919 * number:024x}"
        person = people[number] if number < len(people) else None
        if person is not None:
            ParticipantFactory(project=project, user=person, external_id=external_id)
        SubmissionFactory(
            study=study,
            person=person,
            submission_id=f"{0x625D4A831BCDA2D59AC5A200 + number:024x}",
            participant_id=external_id,
            status=status,
            code="C1LIGHTS" if status in {"AWAITING REVIEW", "APPROVED"} else "",
            started_at=now - timedelta(hours=5 + number),
        )
    for state, hours, problem in ((S.PAID, 40, ""), (S.UNCLEAR, 3, "Prolific’s answer broke off.")):
        at = now - timedelta(hours=hours)
        bonus = BonusFactory(
            study=study, settlement=randomness.handle(), state=state, by=lead, at=at, asked_at=at, problem=problem
        )
        for person, cents in zip(people[1:3], (118, 240), strict=True):
            BonusPartFactory(bonus=bonus, person=person, cents=cents, found=state == S.UNCLEAR and cents == 118)
        events.record("bonus.confirmed", bonus, by=lead, now=at, n=2, cents=358, currency="EUR")
        events.record(f"bonus.{state}", bonus, by=None, now=at + timedelta(minutes=1))
    reading = QualificationFactory(project=project, title="Careful readers", key="careful-readers")
    StudyGroupFactory(
        study=study, qualification=reading, by=lead, members=2, sent_at=now - timedelta(hours=1), sent="0" * 64,
        next_at=now + timedelta(days=365),
    )  # fmt: skip
