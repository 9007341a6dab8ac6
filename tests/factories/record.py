"""Annotations with their answers and time, what people report about them, and events."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

import factory

from annotation import randomness
from annotation.engine import recording
from annotation.models import (
    Adjudication,
    Annotation,
    Case,
    Event,
    Flag,
    Item,
    Payment,
    Purpose,
    Response,
    SpanKind,
    TimeAmendment,
    TimeSpan,
)
from annotation.models.case import FlagReason
from tests.factories.base import NOON, RowFactory


class AdjudicationFactory(RowFactory):
    """The decision of `by` that `annotation` of `item` is right."""

    class Meta:
        model = Adjudication

    activity = "annotate"
    round = 1
    reason = "It is right."
    agreement = 0.0
    at = NOON


class AnnotationFactory(RowFactory):
    """A piece of work on `item`, finished if `completed_at` is given, excluded if `excluded_at` and a reason are."""

    class Meta:
        model = Annotation

    author = None
    activity = "annotate"
    round = 1
    purpose = Purpose.WORK
    guidelines_id = None
    opened_at = NOON

    @classmethod
    def _create(
        cls,
        model_class: type[Annotation],
        *,
        item: Item,
        opened_at: datetime,
        completed_at: datetime | None = None,
        excluded_at: datetime | None = None,
        exclusion_reason: str = "",
        **columns: Any,
    ):
        made = recording.open_annotation(item_id=item.pk, now=opened_at, **columns)
        if completed_at is not None:
            recording.complete(made, now=completed_at)
        if excluded_at is not None:
            recording.exclude(made, by=None, reason=exclusion_reason, now=excluded_at)
        return made


class ResponseFactory(RowFactory):
    """The answer `payload` to `stage` of `annotation`; people answer through `builders.Worker`, which checks it."""

    class Meta:
        model = Response

    author = factory.SelfAttribute("annotation.author")
    schema = factory.LazyAttribute(lambda row: f"{row.annotation.item.project.protocol}.{row.stage}/1")
    created_at = factory.LazyAttribute(lambda row: row.annotation.completed_at or row.annotation.opened_at)


class TimeSpanFactory(RowFactory):
    """A minute that `annotator` spent in `project`."""

    class Meta:
        model = TimeSpan

    kind = SpanKind.ACTIVE
    begun_at = NOON
    seconds = 60


class TimeAmendmentFactory(RowFactory):
    """Minutes that `annotator` adds to a day in `project`."""

    class Meta:
        model = TimeAmendment

    day = NOON.date()
    minutes = 5
    note = "On paper"
    submission_key = factory.LazyFunction(randomness.handle)
    at = NOON


class PaymentFactory(RowFactory):
    """A quarter of an hour of `annotator` in `project` that `by` has marked as paid."""

    class Meta:
        model = Payment

    ends_at = NOON
    seconds = 900
    rate = "12 EUR an hour"
    amount = Decimal("3.00")
    currency = "EUR"
    paid_on = NOON.date()
    settlement = factory.LazyFunction(randomness.handle)
    at = NOON


class EventFactory(RowFactory):
    """A line of history, of which `kind` and `subject` are given."""

    class Meta:
        model = Event

    at = NOON


class FlagFactory(RowFactory):
    """A report by `author` about `item`."""

    class Meta:
        model = Flag

    activity = "annotate"
    reason = FlagReason.OTHER
    at = NOON


class CaseFactory(RowFactory):
    """What a lead has to decide about `annotation`, by its `kind`."""

    class Meta:
        model = Case

    at = NOON
