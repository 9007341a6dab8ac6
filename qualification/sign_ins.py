"""The sessions in which a person is signed in: listed for them, and ended by them."""

from __future__ import annotations

from datetime import datetime
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.sessions.models import Session

from annotation.models import User
from qualification.models import SignIn

LONGEST = {"address": 60, "browser": 300}
"""Characters of each that are kept: as many as its column has."""


def note(user: User, *, session_key: str, address: str, browser: str, now: datetime) -> None:
    """Record a session that has just begun, and forget those of the person that have ended."""
    live = _live(now).filter(session_key__in=SignIn.objects.filter(user=user).values("session_key"))
    SignIn.objects.filter(user=user).exclude(session_key__in=live.values("session_key")).delete()
    SignIn.objects.update_or_create(
        session_key=session_key,
        defaults={
            "user": user,
            "address": address[: LONGEST["address"]],
            "browser": browser[: LONGEST["browser"]],
            "at": now,
        },
    )


def live_sign_ins(user: User, *, now: datetime) -> list[SignIn]:
    """The person's sessions that have not ended, latest first."""
    live = _live(now).values("session_key")
    return list(SignIn.objects.filter(user=user, session_key__in=live).order_by("-at", "-pk"))


def end(user: User, *, pk: int) -> None:
    """End one of the person's sessions; nothing happens if it has ended."""
    for found in SignIn.objects.filter(user=user, pk=pk):
        _end(found)


def end_all(user: User, *, but: str = "") -> None:
    """End all of the person's sessions except the one with this key."""
    for found in SignIn.objects.filter(user=user).exclude(session_key=but):
        _end(found)


def renamed(old_key: str, new_key: str) -> None:
    """A session has another key now, as after a new password."""
    SignIn.objects.filter(session_key=old_key).update(session_key=new_key)


def _end(sign_in: SignIn) -> None:
    store: Any = import_module(settings.SESSION_ENGINE).SessionStore(sign_in.session_key)
    store.delete()
    sign_in.delete()


def _live(now: datetime) -> Any:
    return Session.objects.filter(expire_date__gt=now)
