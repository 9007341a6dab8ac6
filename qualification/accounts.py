"""What an admin decides about somebody's account: closed, opened again, signed out everywhere."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from annotation import events
from annotation.engine.exclusion import checked_reason
from annotation.errors import WrongMove
from annotation.i18n import _
from annotation.models import User
from qualification import sign_ins

CLOSED, OPENED, SIGNED_OUT = "account.closed", "account.opened", "account.signed_out"


@transaction.atomic
def close(user: User, *, by: User, reason: str, now: datetime) -> None:
    """Nobody can sign in with the account, and all its sessions end; what the person did stays, what they hold expires.

    WrongMove for one's own account, so that a site never loses its last admin, or a closed one. ReasonMissing.
    """
    said = checked_reason(reason)
    if user.pk == by.pk:
        raise WrongMove(_("Nobody can close their own account."))
    _set_active(user, False)
    sign_ins.end_all(user)
    events.record(CLOSED, user, by=by, now=now, reason=said)


@transaction.atomic
def reopen(user: User, *, by: User, reason: str, now: datetime) -> None:
    """The person can sign in again, with the password and the roles that they had. WrongMove, ReasonMissing."""
    said = checked_reason(reason)
    _set_active(user, True)
    events.record(OPENED, user, by=by, now=now, reason=said)


@transaction.atomic
def sign_out(user: User, *, by: User, reason: str, now: datetime) -> None:
    """End all sessions of the person, who may sign in again at once. ReasonMissing."""
    said = checked_reason(reason)
    sign_ins.end_all(user)
    events.record(SIGNED_OUT, user, by=by, now=now, reason=said)


def _set_active(user: User, active: bool) -> None:
    """WrongMove if somebody else was faster."""
    if not User.objects.filter(pk=user.pk, is_active=not active).update(is_active=active):
        raise WrongMove(_("The account is open already.") if active else _("The account is closed already."))
