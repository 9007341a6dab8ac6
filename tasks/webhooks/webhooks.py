"""The webhooks of a project: added, changed, paused, given another secret, and ended.

Signatures are as the specification of Standard Webhooks 1.0 has them (standardwebhooks.com): HMAC-SHA256, `v1`.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation import events
from annotation.errors import WrongMove
from annotation.models import Project, User
from annotation.outgoing.addresses import CallRefused
from annotation.outgoing.calling import checked_target
from tasks.models import Delivery, DeliveryOutcome, Webhook, WebhookKind
from tasks.webhooks.kinds import KINDS

PREFIX = "whsec_"
BYTES = 32


def new_secret() -> str:
    """`whsec_` and BYTES random bytes in base64."""
    return PREFIX + base64.b64encode(secrets.token_bytes(BYTES)).decode()


def signed_headers(message: str, body: bytes, *, keys: Sequence[str], at: datetime) -> dict[str, str]:
    """The headers of a call: the id of its message, the time of this try, and a signature with each of the secrets."""
    seconds = str(int(at.timestamp()))
    content = b".".join([message.encode(), seconds.encode(), body])
    signatures = (hmac.digest(_bytes_of(key), content, hashlib.sha256) for key in keys)
    return {
        "Content-Type": "application/json",
        "webhook-id": message,
        "webhook-timestamp": seconds,
        "webhook-signature": " ".join(f"v1,{base64.b64encode(one).decode()}" for one in signatures),
    }


def _bytes_of(secret: str) -> bytes:
    return base64.b64decode(secret.removeprefix(PREFIX))


MADE, CHANGED, ENDED = "webhook.made", "webhook.changed", "webhook.ended"
PAUSED, RESUMED, ROTATED = "webhook.paused", "webhook.resumed", "webhook.rotated"
MOST = 10
"""Webhooks of a project."""
OLD_SECRET_LASTS = timedelta(hours=24)


def live(project: Project) -> QuerySet[Webhook]:
    """Those that have not ended."""
    return Webhook.objects.filter(project=project, ended_at=None)


@transaction.atomic
def add(project: Project, *, url: str, kinds: Iterable[str], by: User, now: datetime) -> Webhook:
    """Tell this address of these KINDS from now on; the row has its secret, which its page shows once.

    CallRefused for an address that the site does not call, that has a webhook already, or without any kind.
    """
    project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    if project.archived_at is not None:
        raise WrongMove(_("The project is archived. Bring it back first."), reason="archived")
    target = checked_target(url)
    if live(project).filter(url=url).exists():
        raise CallRefused(_("This address has a webhook already."), reason="address")
    if live(project).count() >= MOST:
        raise CallRefused(_("A project has %(n)s webhooks at most.") % {"n": MOST}, reason="address")
    chosen = _checked_kinds(kinds)
    row = Webhook.objects.create(project=project, url=url, secret=new_secret(), by=by, made_at=now)
    _tell_of(row, chosen)
    events.record(MADE, row, by=by, now=now, host=target.allowed_as, kinds=chosen)
    return row


@transaction.atomic
def change(row: Webhook, *, kinds: Iterable[str], by: User, now: datetime) -> None:
    """Tell it of these KINDS instead; what waits is still sent. CallRefused without any; WrongMove if it has ended."""
    chosen = _checked_kinds(kinds)
    _locked(row)
    row.kinds.all().delete()
    _tell_of(row, chosen)
    events.record(CHANGED, row, by=by, now=now, kinds=chosen)


@transaction.atomic
def pause(row: Webhook, *, by: User, now: datetime) -> None:
    """Send nothing until `resume`; what happens meanwhile waits. WrongMove if it is paused, or has ended."""
    _set(row, PAUSED, was={"paused_at": None}, paused_at=now, by=by, now=now)


@transaction.atomic
def resume(row: Webhook, *, by: User, now: datetime) -> None:
    """Send what waits. WrongMove if it is not paused, or has ended."""
    _set(row, RESUMED, was={"paused_at__isnull": False}, paused_at=None, by=by, now=now)


@transaction.atomic
def rotate(row: Webhook, *, by: User, now: datetime) -> str:
    """A new secret, returned; the old one signs as well for OLD_SECRET_LASTS. WrongMove if it has ended."""
    locked = _locked(row)
    secret = new_secret()
    until = now + OLD_SECRET_LASTS
    _set(row, ROTATED, secret=secret, old_secret=locked.secret, old_secret_until=until, by=by, now=now)
    return secret


@transaction.atomic
def end(row: Webhook, *, by: User | None, now: datetime) -> None:
    """Call it no more: what waits is dropped. WrongMove if it has ended."""
    _set(row, ENDED, ended_at=now, secret="", old_secret="", by=by, now=now)
    row.kinds.all().delete()
    waiting = Delivery.objects.filter(webhook=row, outcome=DeliveryOutcome.WAITING)
    waiting.update(outcome=DeliveryOutcome.DROPPED, ended_at=now)


def end_all(project: Project, *, by: User | None, now: datetime) -> None:
    """End all webhooks of a project, in the transaction in which it is archived."""
    for row in live(project):
        end(row, by=by, now=now)


def secrets_of(row: Webhook, *, now: datetime) -> list[str]:
    """Those that sign now."""
    old = [row.old_secret] if row.old_secret_until is not None and now < row.old_secret_until else []
    return [row.secret, *old]


def _checked_kinds(kinds: Iterable[str]) -> list[str]:
    wanted = set(kinds)
    chosen = [kind for kind in KINDS if kind in wanted]
    if not chosen:
        raise CallRefused(_("Choose what the webhook is to tell of."), reason="kinds")
    return chosen


def _tell_of(row: Webhook, chosen: Iterable[str]) -> None:
    WebhookKind.objects.bulk_create(
        WebhookKind(webhook=row, project_id=row.project_id, event_kind=event_kind, kind=kind)
        for kind in chosen
        for event_kind in KINDS[kind][1]
    )


def _locked(row: Webhook) -> Webhook:
    locked = Webhook.objects.select_for_update(no_key=True).filter(pk=row.pk, ended_at=None).first()
    if locked is None:
        raise WrongMove(_("This webhook has ended."))
    return locked


def _set(
    row: Webhook, kind: str, *, by: User | None, now: datetime, was: dict[str, Any] | None = None, **columns: Any
) -> None:
    """WrongMove if somebody else was faster."""
    if not Webhook.objects.filter(pk=row.pk, ended_at=None, **(was or {})).update(**columns):
        raise WrongMove(_("Somebody else has just changed this webhook."))
    for name, value in columns.items():
        setattr(row, name, value)
    events.record(kind, row, by=by, now=now)
