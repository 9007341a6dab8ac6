"""Tokens for the API: made once by their person, found by their secret, revoked, and forgotten calls."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from annotation import events
from annotation.errors import WrongMove
from annotation.models import Project, User
from qualification.models import ApiCall, ApiToken, TokenScope

PREFIX = "gf_"
"""What every secret begins with, so that scanners of published code recognize one."""
MADE, REVOKED = "token.made", "token.revoked"
AT_MOST = 20
"""Live tokens of one person."""
LONGEST_DAYS = 366
NOTED_EVERY = timedelta(minutes=1)
"""How exactly it is known when a token was last used."""
CALLS_KEPT = timedelta(days=1)


@transaction.atomic
def make(
    user: User, *, name: str, scope: TokenScope, project: Project | None, days: int, now: datetime
) -> tuple[ApiToken, str]:
    """A token and its secret, which can't be had again. WrongMove if the person has too many."""
    User.objects.select_for_update().get(pk=user.pk)
    if live_tokens(user, now=now).count() >= AT_MOST:
        raise WrongMove(reason="too_many_tokens")
    secret = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        scope=scope,
        project=project,
        secret_sha256=_hash_of(secret),
        made_at=now,
        expires_at=now + timedelta(days=min(days, LONGEST_DAYS)),
    )
    events.record(MADE, token, by=user, now=now, scope=scope)
    return token, secret


@transaction.atomic
def revoke(token: ApiToken, *, by: User, now: datetime) -> None:
    """End a token at once; nothing happens if it was revoked before."""
    if ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=now):
        events.record(REVOKED, token, by=by, now=now)


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """The person's tokens that were not revoked, the latest first."""
    return ApiToken.objects.filter(user=user, revoked_at=None).select_related("project").order_by("-pk")


def live_tokens(user: User, *, now: datetime) -> QuerySet[ApiToken]:
    """Those that can be used."""
    return tokens_of(user).filter(expires_at__gt=now)


def find(secret: str, *, now: datetime) -> ApiToken | None:
    """The token with that secret, with its person and project, if both it and the account may be used now."""
    rows = ApiToken.objects.select_related("user", "project").filter(secret_sha256=_hash_of(secret))
    token = rows.first()
    return token if token is not None and token.is_live(now) and token.user.is_active else None


def note_use(token: ApiToken, *, now: datetime) -> None:
    """Keep when it was last used, to the minute."""
    if token.last_used_at is None or now - token.last_used_at >= NOTED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)


def forget_calls(*, now: datetime) -> int:
    """Remove the answers to calls of more than a day ago; returns how many."""
    removed, _by_table = ApiCall.objects.filter(at__lt=now - CALLS_KEPT).delete()
    return removed


def _hash_of(secret: str) -> str:
    # The secret has 256 random bits: a slow hash would add nothing.
    return hashlib.sha256(secret.encode()).hexdigest()
