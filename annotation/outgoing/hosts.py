"""The hosts that the site may call: none, until an admin allows one."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from annotation import events
from annotation.errors import WrongMove
from annotation.i18n import _
from annotation.models import AllowedHost, User
from annotation.outgoing.addresses import host_of

ALLOWED, REMOVED = "host.allowed", "host.removed"
LONGEST_PURPOSE = 200


@transaction.atomic
def allow(text: str, *, purpose: str, by: User, now: datetime) -> AllowedHost:
    """Let the site call a host, named as in `host_of`. CallRefused if it is no host; WrongMove if it is on the list."""
    name = host_of(text)
    row, is_new = AllowedHost.objects.get_or_create(
        name=name, defaults={"purpose": purpose.strip()[:LONGEST_PURPOSE], "by": by, "at": now}
    )
    if not is_new:
        raise WrongMove(_("This host is allowed already."))
    events.record(ALLOWED, row, by=by, now=now, name=name, purpose=row.purpose)
    return row


@transaction.atomic
def remove(row: AllowedHost, *, by: User, now: datetime) -> None:
    """Calls to it are refused from now on. WrongMove if somebody else was faster."""
    if not AllowedHost.objects.filter(pk=row.pk).delete()[0]:
        raise WrongMove(_("This host is not allowed any more."))
    events.record(REMOVED, row, by=by, now=now, name=row.name)


def is_allowed(name: str) -> bool:
    """Whether the list has it, named as `Target.allowed_as` does."""
    return AllowedHost.objects.filter(name=name).exists()
