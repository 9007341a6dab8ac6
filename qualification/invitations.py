"""Invite people into a project: links for one person each, which work once and until a date.

With what became of the last mail to an invited person, or of the last one about a new password.
"""

from __future__ import annotations

import hashlib
import uuid as uuids
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction

from annotation import events, membership, randomness
from annotation.errors import InviteClosed, WrongMove
from annotation.models import Project, Role, User
from qualification.models import Invite, InviteState, Mail, MailOutcome

DAYS = (3, 14, 60)
"""For how many days a link may work."""


@dataclass(frozen=True)
class Guest:
    """Somebody to be invited: in which role, and what is known of them."""

    role: str = Role.ANNOTATOR
    name: str = ""
    email: str = ""


@dataclass(frozen=True)
class MadeInvitation:
    """An invitation with the token of its link, which can't be read again later."""

    invite: Invite
    token: str


def make(
    project: Project, guests: Sequence[Guest], *, days: int, key: uuids.UUID, by: User, now: datetime
) -> list[MadeInvitation]:
    """Invite these people; the form of this key makes them only once: after that, nothing is returned."""
    try:
        with transaction.atomic():
            return [
                _make(project, guest, expires_at=now + timedelta(days=days), key=key, position=n, by=by, now=now)
                for n, guest in enumerate(guests)
            ]
    except IntegrityError:
        if Invite.objects.filter(submission_key=key).exists():
            return []
        raise


def _make(
    project: Project, guest: Guest, *, expires_at: datetime, key: uuids.UUID, position: int, by: User, now: datetime
) -> MadeInvitation:
    token = randomness.token()
    invite = Invite.objects.create(
        project=project,
        role=Role(guest.role),
        name=guest.name,
        email=guest.email,
        token_sha256=_hash(token),
        by=by,
        made_at=now,
        expires_at=expires_at,
        submission_key=key,
        position=position,
    )
    events.record("invite.made", invite, by=by, now=now, role=invite.role)
    return MadeInvitation(invite, token)


@transaction.atomic
def revoke(invite: Invite, *, by: User, now: datetime) -> None:
    """Make the link stop working; WrongMove if it has been used."""
    locked = _unused(invite)
    if locked.revoked_at is None:
        locked.revoked_at = now
        locked.save(update_fields=["revoked_at"])
        events.record("invite.revoked", locked, by=by, now=now)


@transaction.atomic
def renew(invite: Invite, *, by: User, now: datetime) -> MadeInvitation:
    """Make a new link for as long as the first was to work; the old one stops working. WrongMove if it was used."""
    locked, token = _unused(invite), randomness.token()
    lasting = locked.expires_at - locked.made_at
    locked.token_sha256, locked.revoked_at = _hash(token), None
    locked.made_at, locked.expires_at, locked.by = now, now + lasting, by
    locked.save(update_fields=["token_sha256", "revoked_at", "made_at", "expires_at", "by"])
    events.record("invite.renewed", locked, by=by, now=now)
    return MadeInvitation(locked, token)


def _unused(invite: Invite) -> Invite:
    locked = Invite.objects.select_for_update().get(pk=invite.pk)
    if locked.used_at is not None:
        raise WrongMove
    return locked


def find(token: str) -> Invite | None:
    """The invitation with this link, in whatever state."""
    return Invite.objects.select_related("project").filter(token_sha256=_hash(token)).first()


def is_open(invite: Invite, *, now: datetime) -> bool:
    """Whether somebody can join by it now."""
    return invite.state(now, leads=membership.leads_of(invite.project)) == InviteState.OPEN


@transaction.atomic
def accept(token: str, *, by: User, now: datetime) -> Invite:
    """Make the person a member, which uses the invitation up. InviteClosed if it can't be used (any more).

    Somebody who has the role already does not use it up. Whoever sent it has to lead the project still.
    """
    invite = Invite.objects.select_for_update().filter(token_sha256=_hash(token)).first()
    if invite is None or not is_open(invite, now=now):
        raise InviteClosed
    if invite.role in membership.roles_of(by, invite.project):
        return invite
    membership.join(project=invite.project, user=by, role=invite.role, by=by, now=now, invite=invite.pk)
    invite.used_at, invite.used_by = now, by
    invite.save(update_fields=["used_at", "used_by"])
    return invite


def accept_as_new(token: str, *, username: str, password_hash: str, email: str, now: datetime) -> tuple[User, Invite]:
    """Make an account and accept with it. InviteClosed as in `accept`, AccountNameTaken if the name is taken.

    The password is hashed by the caller, because that takes longer than a transaction may.
    """
    with transaction.atomic():
        user = membership.make_account(username=username, password_hash=password_hash, email=email)
        return user, accept(token, by=user, now=now)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def note_mail(outcome: MailOutcome, *, now: datetime, **whose: Any) -> None:
    """Record what became of the mail about an invitation (`whose` is its `invite_id`) or password (a `user_id`)."""
    Mail.objects.update_or_create(**whose, defaults={"outcome": outcome, "at": now})


def forget_mails(*, invites: Iterable[int] = (), users: Iterable[int] = ()) -> None:
    """Another mail is handed over to them: nothing is known of it yet."""
    Mail.objects.filter(invite__in=list(invites)).delete()
    Mail.objects.filter(user__in=list(users)).delete()


def mail_problems(users: Iterable[int]) -> dict[int, str]:
    """Why the last mail about a new password could not be sent, by person; nobody whose mail was sent."""
    rows = Mail.objects.filter(user__in=list(users)).exclude(outcome=MailOutcome.SENT)
    return {row.user_id: row.get_outcome_display() for row in rows if row.user_id}
