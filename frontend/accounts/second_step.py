"""The second step of signing in: who needs one, and until when it may be missing."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from allauth.mfa.models import Authenticator
from django.conf import settings

from annotation import membership
from annotation.errors import SecondStepMissing
from annotation.models import User


def is_set_up(user: User) -> bool:
    """Whether the person has one."""
    return bool(Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP).exists())


def check(user: User, *, since: datetime, now: datetime) -> None:
    """SecondStepMissing if somebody who has been a lead since then needs one by now and has none."""
    if settings.GOLDFINCH_MFA == "required" and now >= _due(since) and not is_set_up(user):
        raise SecondStepMissing


def check_any(user: User, *, now: datetime) -> None:
    """The same for rights that no single project gives, such as to make projects."""
    found = due(user)
    if found is not None and now >= found:
        raise SecondStepMissing


def due(user: User) -> datetime | None:
    """When the person must have one, if they need one and have none."""
    since = membership.leads(user).order_by("since").values_list("since", flat=True).first()
    if membership.is_admin(user):
        since = min(filter(None, (since, user.date_joined)))
    if settings.GOLDFINCH_MFA != "required" or since is None or is_set_up(user):
        return None
    return _due(since)


def is_needed(user: User) -> bool:
    """Whether the person may not remove it."""
    return settings.GOLDFINCH_MFA == "required" and membership.may_make_projects(user)


def qr_code(svg: str) -> tuple[int, str]:
    """The size of the QR code that django-allauth has drawn, and its path: all that our template needs of its SVG."""
    size, path = re.search(r'viewBox="0 0 (\d+) ', svg), re.search(r' d="([^"]+)"', svg)
    if size is None or path is None:
        raise ValueError(svg)
    return int(size[1]), path[1]


def _due(since: datetime) -> datetime:
    return since + timedelta(days=settings.GOLDFINCH_MFA_DAYS)
