"""What is to be delivered besides what happens: tests, and what is sent again; and what is forgotten."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from annotation import events
from annotation.errors import WrongMove
from annotation.i18n import _
from annotation.models import User
from tasks.models import Delivery, DeliveryOutcome, Webhook
from tasks.webhooks.kinds import TEST

SENT_AGAIN, TESTED = "webhook.sent_again", "webhook.tested"
KEPT = timedelta(days=30)
"""So long the log has a delivery once it has ended."""
S = DeliveryOutcome


@transaction.atomic
def send_test(row: Webhook, *, by: User, now: datetime) -> Delivery:
    """Have a message sent that tells of nothing."""
    events.record(TESTED, row, by=by, now=now)
    return Delivery.objects.create(webhook=row, kind=TEST, made_at=now, due_at=now)


@transaction.atomic
def send_again(delivery: Delivery, *, by: User, now: datetime) -> None:
    """Have it sent now, under the same id, and tried as often as a new one. WrongMove if its webhook has ended."""
    found = Delivery.objects.filter(pk=delivery.pk, webhook__ended_at=None).exclude(outcome=S.DROPPED)
    if not found.update(outcome=S.WAITING, due_at=now, failures=0, ended_at=None):
        raise WrongMove(_("This webhook has ended."))
    events.record(SENT_AGAIN, delivery.webhook, by=by, now=now, delivery=str(delivery.uuid))


def remove_old(*, now: datetime) -> int:
    """Forget deliveries that ended KEPT ago, and what an event added while its webhook ended; returns how many."""
    over = Q(ended_at__lt=now - KEPT) | Q(outcome=S.WAITING, webhook__ended_at__lt=now - KEPT)
    keys = list(Delivery.objects.filter(over).values_list("pk", flat=True)[:5000])
    Delivery.objects.filter(pk__in=keys).delete()
    return len(keys)
