"""Deliver what is due: at least once, under one id, tried again for three days, one sender at a time for a webhook.

Leads have tests sent, and deliveries sent again; what has ended is forgotten after a while.
"""

from __future__ import annotations

import time
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Min, Q

from annotation import clock, events
from annotation.errors import WrongMove
from annotation.i18n import _
from annotation.models import User
from annotation.outgoing.addresses import CallFailed, CallRefused
from annotation.outgoing.calling import SECONDS, call
from tasks.models import Delivery, DeliveryOutcome, DeliveryTry, Webhook
from tasks.webhooks import webhooks
from tasks.webhooks.kinds import TEST, body_of
from tasks.webhooks.webhooks import signed_headers

BACK_OFF = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=6),
    timedelta(hours=12),
    timedelta(hours=24),
    timedelta(hours=24),
)
"""What passes after each try that has failed; after one more it is given up."""
LONGEST_RUN = 20.0
"""Seconds after which a sender begins no call: others wait for its place."""
BUSY = timedelta(seconds=LONGEST_RUN + 2 * SECONDS)
"""So long a webhook is left to the sender that has it, if that says nothing more."""
ANSWERED = "answered"
S = DeliveryOutcome


def send_due() -> int:
    """Make the calls that are due, until one of a webhook fails: its others wait for the next run. Returns how many."""
    end, calls = time.monotonic() + LONGEST_RUN, 0
    for row in _webhooks_with_due():
        if time.monotonic() >= end:
            break
        until = clock.now() + BUSY
        if not _take(row, until):
            continue
        try:
            calls += _send_of(row, end)
        finally:
            Webhook.objects.filter(pk=row.pk, busy_until=until).update(busy_until=None)
    return calls


def _webhooks_with_due() -> list[Webhook]:
    """Those that may be called, and have something to say, the longest due first."""
    now = clock.now()
    due = Q(deliveries__outcome=S.WAITING, deliveries__due_at__lte=now)
    free = Q(busy_until=None) | Q(busy_until__lte=now)
    rows = Webhook.objects.filter(free, ended_at=None, paused_at=None).select_related("project")
    return list(rows.filter(due).annotate(first=Min("deliveries__due_at", filter=due)).order_by("first", "pk"))


def _take(row: Webhook, until: datetime) -> bool:
    """Whether no other sender has it."""
    return bool(Webhook.objects.filter(pk=row.pk, busy_until=row.busy_until).update(busy_until=until))


def _send_of(row: Webhook, end: float) -> int:
    calls = 0
    while time.monotonic() < end:
        now = clock.now()
        # Read anew: a lead may have paused or ended it, or changed its secret.
        webhook = Webhook.objects.select_related("project").filter(pk=row.pk, ended_at=None, paused_at=None).first()
        due = Delivery.objects.filter(webhook=row, outcome=S.WAITING, due_at__lte=now).order_by("due_at", "pk").first()
        if webhook is None or due is None:
            break
        body = body_of(due, webhook.project)
        if body is None:
            due.delete()
            continue
        attempt = _begun(due, now=now)
        if attempt is None:
            continue
        calls += 1
        if not _tried(due, attempt, webhook, body, now=now):
            break
    return calls


def _begun(due: Delivery, *, now: datetime) -> DeliveryTry | None:
    """Set when it is tried next, before it is tried; None if somebody else has done so."""
    next_at = now + BACK_OFF[min(due.failures, len(BACK_OFF) - 1)]
    with transaction.atomic():
        if not Delivery.objects.filter(pk=due.pk, outcome=S.WAITING, due_at=due.due_at).update(due_at=next_at):
            return None
        due.due_at = next_at
        return DeliveryTry.objects.create(delivery=due, at=now)


def _tried(due: Delivery, attempt: DeliveryTry, webhook: Webhook, body: bytes, *, now: datetime) -> bool:
    """Call, and store what came of it; returns whether it has arrived."""
    keys = webhooks.secrets_of(webhook, now=now)
    try:
        headers = signed_headers(f"msg_{due.uuid.hex}", body, keys=keys, at=now)
        reply = call("POST", webhook.url, body=body, headers=headers)
    except (CallRefused, CallFailed) as problem:
        _store(due, attempt, arrived=False, outcome=problem.reason, status=None)
        return False
    _store(due, attempt, arrived=reply.is_good, outcome=ANSWERED, status=reply.status)
    return reply.is_good


@transaction.atomic
def _store(due: Delivery, attempt: DeliveryTry, *, arrived: bool, outcome: str, status: int | None) -> None:
    """What a lead has decided meanwhile stays: one that is sent again is due at another time.

    A try that was killed is no failure: nobody knows whether it has arrived.
    """
    DeliveryTry.objects.filter(pk=attempt.pk).update(outcome=outcome, status=status)
    mine = Delivery.objects.filter(pk=due.pk, outcome=S.WAITING, due_at=due.due_at)
    if arrived:
        mine.update(outcome=S.DELIVERED, ended_at=clock.now())
    elif due.failures < len(BACK_OFF):
        mine.update(failures=F("failures") + 1)
    else:
        mine.update(outcome=S.GIVEN_UP, failures=F("failures") + 1, ended_at=clock.now())


SENT_AGAIN, TESTED = "webhook.sent_again", "webhook.tested"
KEPT = timedelta(days=30)
"""So long the log has a delivery once it has ended."""


@transaction.atomic
def send_test(row: Webhook, *, by: User, now: datetime) -> Delivery:
    """Have a message sent that tells of nothing."""
    events.record(TESTED, row, by=by, now=now)
    return Delivery.objects.create(webhook=row, kind=TEST, made_at=now, due_at=now)


@transaction.atomic
def send_again(delivery: Delivery, *, by: User, now: datetime) -> None:
    """Have it sent now, under the same id, and tried as often as a new one. WrongMove if its webhook has ended."""
    found = Delivery.objects.filter(pk=delivery.pk, webhook__ended_at=None).exclude(outcome=DeliveryOutcome.DROPPED)
    if not found.update(outcome=DeliveryOutcome.WAITING, due_at=now, failures=0, ended_at=None):
        raise WrongMove(_("This webhook has ended."))
    events.record(SENT_AGAIN, delivery.webhook, by=by, now=now, delivery=str(delivery.uuid))


def remove_old(*, now: datetime) -> int:
    """Forget deliveries that ended KEPT ago, and what an event added while its webhook ended; returns how many."""
    over = Q(ended_at__lt=now - KEPT) | Q(outcome=DeliveryOutcome.WAITING, webhook__ended_at__lt=now - KEPT)
    keys = list(Delivery.objects.filter(over).values_list("pk", flat=True)[:5000])
    Delivery.objects.filter(pk__in=keys).delete()
    return len(keys)
