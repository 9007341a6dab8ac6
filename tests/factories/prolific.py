"""Studies on Prolific, with submissions, bonuses and groups."""

from __future__ import annotations

from tasks.models import Bonus, BonusPart, Study, StudyGroup, Submission
from tasks.prolific import connecting
from tests.factories.base import NOON, RowFactory


class StudyFactory(RowFactory):
    """A study to which `by` has connected `project`."""

    class Meta:
        model = Study

    study_id = "60aca280709ee40ec37d4885"
    currency = "GBP"
    name = "Questions about lighthouses"
    status = "ACTIVE"
    reward = 200
    codes = ["C1LIGHTS"]
    read_at = NOON
    at = NOON

    @classmethod
    def _create(cls, model_class: type[Study], **columns: object):
        return super()._create(model_class, **{"sealed_token": connecting.seal("a token for tests")} | columns)


class StudyGroupFactory(RowFactory):
    """A group of `study` that `by` lets hold who has `qualification`."""

    class Meta:
        model = StudyGroup

    group_id = "5e9b9c9b0f9c9a0001b0b1f4"
    name = "Good readers"
    next_at = NOON
    at = NOON


class SubmissionFactory(RowFactory):
    """A submission of `study`."""

    class Meta:
        model = Submission


class BonusFactory(RowFactory):
    """Bonuses of `study` that `by` has confirmed."""

    class Meta:
        model = Bonus

    next_at = NOON
    at = NOON


class BonusPartFactory(RowFactory):
    """What of `bonus` is for `person`."""

    class Meta:
        model = BonusPart
