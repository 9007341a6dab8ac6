"""Erase who somebody is: name, address, sign-ins and ids of recruitment sites go, their work stays under a number.

What leads and others wrote about a person in their own words is not searched.
"""

from __future__ import annotations

from datetime import datetime

from django.apps import apps
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation import events, randomness
from annotation.errors import WrongMove
from annotation.models import Message, User
from annotation.triggers import append_only
from frontend.accounts.own_tables import GOES, OWN_TABLES
from qualification import recruiting, sign_ins
from qualification.courses import deciding, sitting
from qualification.models import Attempt, AttemptDraft, AttemptState, Invite
from tasks.prolific import bonuses as prolific

ERASED = "account.erased"
ERASED_TEXT = "[erased]"
VOIDED = "The person was erased."


@transaction.atomic
def erase(user: User, *, by: User | None, now: datetime) -> str:
    """Erase the person of an account that is closed; returns the name that it has from now on.

    Attempts, tutorial answers, marks and grants stay without a name; an attempt that is open is voided, and what was
    chosen in one without sending it goes. A participant of a recruitment site stays known as such, by a fingerprint of
    the id, so that nobody is a new candidate after it. WrongMove for an account that is open, or while a bonus on
    Prolific is under way for it.
    """
    row = User.objects.select_for_update().get(pk=user.pk)
    if row.is_active:
        raise WrongMove(_("Close the account first."))
    sign_ins.end_all(row)
    prolific.forget(row)
    _end_attempts(row, by=by, now=now)
    for place, table in OWN_TABLES.items():
        label, column = place.rsplit(".", 1)
        if table.at_erasure == GOES:
            QuerySet(apps.get_model(label)).filter(**{column: row}).delete()
    with append_only.without_triggers(Message, connection):
        QuerySet(Message).filter(author=row).update(text=ERASED_TEXT)
    recruiting.forget(row)
    Invite.objects.filter(used_by=row).update(name="", email="")
    row.username, row.worker_code = f"erased-{randomness.code().lower()}", randomness.code()
    row.first_name = row.last_name = row.email = ""
    row.is_staff, row.last_login = False, None
    row.set_unusable_password()
    row.save()
    events.record(ERASED, row, by=by, now=now)
    return row.username


def _end_attempts(row: User, *, by: User | None, now: datetime) -> None:
    opened = Attempt.objects.filter(user=row, state=AttemptState.OPEN, voided_at=None)
    for attempt in opened.select_related("course", "qualification__project", "user"):
        left = sitting.end_if_over(attempt, now=now)
        if left.state == AttemptState.OPEN and left.voided_at is None:
            deciding.void(left, reason=VOIDED, by=by, now=now)
    AttemptDraft.objects.filter(attempt__user=row).delete()
