"""What became of the last mail to an invited person, or of the last one about a new password."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from qualification.models import Mail, MailOutcome


def note(outcome: MailOutcome, *, now: datetime, **whose: Any) -> None:
    """Record what became of the mail about an invitation (`whose` is its `invite_id`) or password (a `user_id`)."""
    Mail.objects.update_or_create(**whose, defaults={"outcome": outcome, "at": now})


def forget(*, invites: Iterable[int] = (), users: Iterable[int] = ()) -> None:
    """Another mail is handed over to them: nothing is known of it yet."""
    Mail.objects.filter(invite__in=list(invites)).delete()
    Mail.objects.filter(user__in=list(users)).delete()


def problems(users: Iterable[int]) -> dict[int, str]:
    """Why the last mail about a new password could not be sent, by person; nobody whose mail was sent."""
    rows = Mail.objects.filter(user__in=list(users)).exclude(outcome=MailOutcome.SENT)
    return {row.user_id: row.get_outcome_display() for row in rows if row.user_id}
