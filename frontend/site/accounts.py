"""The accounts of the site as its admins see them: all of them, and one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from allauth.mfa.models import Authenticator
from django.core.paginator import Page, Paginator
from django.db.models import Max, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from annotation import events
from annotation.documents.words import alphabetical
from annotation.models import Event, Membership, User
from frontend.requests import printable
from qualification import accounts
from qualification.models import SignIn
from tasks.models import Assignment

PER_PAGE = 50
STATES: dict[str, Any] = {
    "": _("All accounts"),
    "active": _("Active"),
    "closed": _("Closed"),
    "admin": _("Admins"),
    "no_second_step": _("Without a second step"),
}
HISTORY: dict[str, Any] = {
    accounts.CLOSED: _("Closed"),
    accounts.OPENED: _("Opened again"),
    accounts.SIGNED_OUT: _("Signed out everywhere"),
    "account.erased": _("Erased"),
    "account.password_link": _("Given a link for a new password"),
}


@dataclass(frozen=True)
class AccountsQuery:
    """What the address asks for: words of a name, address or code, and one of STATES."""

    q: str
    state: str

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> AccountsQuery:
        """What it doesn't know counts as not said."""
        state = query.get("state", "")
        return cls(printable(query.get("q", "")), state if state in STATES else "")


@dataclass(frozen=True)
class Account:
    """An account. `roles`: of each project that the person is a member of now, its title and their roles in it.

    `seen`: when they last signed in or were last given work, or None.
    """

    user: User
    roles: tuple[tuple[str, tuple[str, ...]], ...]
    seen: datetime | None
    second_step: bool
    is_admin: bool


@dataclass(frozen=True)
class AccountEvent:
    """What was decided about an account, by whom (their name), when and why."""

    what: str
    by: str
    at: datetime
    why: str


def listed(wanted: AccountsQuery, *, page: str) -> Page[Account]:
    """A page of those that the address asks for, by name."""
    shown: Page[Any] = Paginator(_accounts_found(wanted).order_by("username", "pk"), PER_PAGE).get_page(page)
    shown.object_list = shown_of(list(shown))
    return shown


def shown_of(people: list[User]) -> list[Account]:
    """These accounts, in this order."""
    roles, seen = _roles(people), _seen(people)
    secured = set(_secured().filter(user__in=people).values_list("user", flat=True))
    return [
        Account(
            user=user,
            roles=tuple((title, tuple(found)) for title, found in roles[user.pk].items()),
            seen=max(filter(None, (user.last_login, seen.get(user.pk))), default=None),
            second_step=user.pk in secured,
            is_admin=user.is_staff or user.is_superuser,
        )
        for user in people
    ]


def history(user: User) -> list[AccountEvent]:
    """What was decided about the account, newest first."""
    found = list(Event.objects.filter(subject=events.name(user), kind__in=HISTORY).order_by("-pk"))
    people = dict(User.objects.filter(pk__in={row.by for row in found if row.by}).values_list("pk", "username"))
    return [
        AccountEvent(str(HISTORY[row.kind]), people.get(row.by or 0, ""), row.at, row.data.get("reason", ""))
        for row in found
    ]


def _accounts_found(wanted: AccountsQuery) -> QuerySet[User]:
    """Authors of imported annotations are no accounts: nobody can sign in as them."""
    found = User.objects.filter(imported_as=None)
    if wanted.q:
        named = Q(username__icontains=wanted.q) | Q(email__icontains=wanted.q) | Q(worker_code=wanted.q)
        found = found.filter(named)
    if wanted.state in ("active", "closed"):
        found = found.filter(is_active=wanted.state == "active")
    if wanted.state == "admin":
        found = found.filter(Q(is_staff=True) | Q(is_superuser=True))
    if wanted.state == "no_second_step":
        found = found.exclude(pk__in=_secured().values("user"))
    return found


def _secured() -> QuerySet[Authenticator]:
    found: QuerySet[Authenticator] = Authenticator.objects.filter(type=Authenticator.Type.TOTP)
    return found


def _roles(people: Iterable[User]) -> defaultdict[int, dict[str, list[str]]]:
    """By person and title of a project."""
    found: defaultdict[int, dict[str, list[str]]] = defaultdict(dict)
    live = Membership.objects.filter(user__in=people, ended_at__isnull=True, project__removed_at=None).select_related(
        "project"
    )
    for row in sorted(live.order_by("project", "pk"), key=lambda row: alphabetical(row.project.title)):
        found[row.user_id].setdefault(row.project.title, []).append(row.get_role_display())
    return found


def _seen(people: Iterable[User]) -> dict[int, datetime]:
    """When each began their latest session, or was last given work."""
    given = Assignment.objects.filter(annotator__in=people).order_by().values("annotator")
    begun = SignIn.objects.filter(user__in=people).order_by().values("user")
    found = dict(given.annotate(last=Max("claimed_at")).values_list("annotator", "last"))
    for user, at in begun.annotate(last=Max("at")).values_list("user", "last"):
        found[user] = max(at, found.get(user, at))
    return found
