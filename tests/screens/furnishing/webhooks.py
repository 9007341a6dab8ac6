"""A webhook with deliveries of every kind, for its pictures; runs inside the site."""

from __future__ import annotations

from datetime import datetime, timedelta

from annotation.models import Project, User
from tasks.models import DeliveryOutcome
from tasks.webhooks.sending import BACK_OFF
from tests.factories.webhooks import DeliveryFactory, DeliveryTryFactory, WebhookFactory

S = DeliveryOutcome


def furnish(project: Project, *, by: User, now: datetime) -> None:
    """One that is called, with what arrived, what did not, and what waits for its next try; and one that is paused."""
    hour = timedelta(hours=1)
    row = WebhookFactory(project=project, by=by, now=now - 100 * hour)
    WebhookFactory(
        project=project,
        by=by,
        url="https://hooks.lab.example/a-long-path-of-a-service-that-somebody-else-runs/4f1c2f6a0b",
        kinds=["release.ready"],
        now=now - 2 * hour,
    )
    at = now - 90 * hour
    lost = DeliveryFactory(
        webhook=row,
        kind="round.sealed",
        outcome=S.GIVEN_UP,
        made_at=at,
        due_at=at,
        failures=len(BACK_OFF) + 1,
        ended_at=now,
    )
    for wait in (timedelta(), *BACK_OFF):
        at += wait
        DeliveryTryFactory(delivery=lost, at=at, status=503)
    for kind, ago in (("item.done", 30), ("item.disputed", 29), ("release.ready", 5)):
        at = now - ago * hour
        arrived = DeliveryFactory(webhook=row, kind=kind, outcome=S.DELIVERED, made_at=at, due_at=at, ended_at=at)
        DeliveryTryFactory(delivery=arrived, at=at)
    waiting = DeliveryFactory(webhook=row, made_at=now - hour, due_at=now + 24 * hour, failures=2)
    DeliveryTryFactory(delivery=waiting, at=now - hour, outcome="connection", status=None)
    DeliveryTryFactory(delivery=waiting, at=now - hour + BACK_OFF[0], outcome="time", status=None)
