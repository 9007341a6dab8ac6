"""The members of a project, their roles, and whether they have accepted the consent text."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import CharField, Exists, F, Q, QuerySet

from annotation import events, randomness
from annotation.db.compiled import Param, Prepared
from annotation.errors import AccountNameTaken, NotFound
from annotation.models import Consent, Event, Membership, Project, Role, User

CONSENT_TEXT = Path(__file__).parent / "texts" / "consent.md"
"""In Markdown; `{run_by}` and `{contact}` stand for what the site's settings say."""
RUN_BY = "This site is run by **{organisation}**."
UNNAMED = "This site does not say who runs it: ask before you agree."
NO_CONTACT = "the person who invited you"


def consent_text() -> tuple[str, str]:
    """The site's consent text, which names the organisation and the contact, and its sha-256."""
    return _consent_text(settings.GOLDFINCH_ORGANISATION, settings.GOLDFINCH_CONTACT)


def consent_text_of(project: Project) -> tuple[str, str]:
    """The consent text that people accept in the project, its own or the site's, and its sha-256."""
    if not project.consent_sha256:
        return consent_text()
    return project.consent_texts.get(sha256=project.consent_sha256).text, project.consent_sha256


@lru_cache(maxsize=4)
def _consent_text(organisation: str, contact: str) -> tuple[str, str]:
    run_by = RUN_BY.format(organisation=organisation) if organisation else UNNAMED
    template = CONSENT_TEXT.read_text(encoding="utf-8")
    text = template.format(run_by=run_by, contact=_linked(contact) or NO_CONTACT)
    return text, hashlib.sha256(text.encode()).hexdigest()


def _linked(contact: str) -> str:
    """In Markdown; an address or a URL as a link."""
    return f"<{contact}>" if re.fullmatch(r"https?://[^\s<>]+|[^\s<>@]+@[^\s<>@]+", contact) else contact


def add(*, project: Project, username: str, role: str, by: User | None, now: datetime) -> tuple[User, str | None]:
    """Make a person a member; a new user is created with a password, which is returned only now (else None)."""
    user, created = User.objects.get_or_create(username=username)
    password = None
    if created:
        password = randomness.password()
        user.set_password(password)
        user.save(update_fields=["password"])
    join(project=project, user=user, role=role, by=by, now=now)
    return user, password


def join(*, project: Project, user: User, role: str, by: User | None, now: datetime, **data: Any) -> None:
    """Give an account a role in a project, unless it has that role; `data` goes into the event."""
    membership, joined = Membership.objects.get_or_create(
        project=project, user=user, role=Role(role), ended_at=None, defaults={"since": now}
    )
    if joined:
        events.record("member.added", membership, by=by, now=now, user=user.pk, role=role, **data)


def make_account(*, username: str, password_hash: str, email: str = "") -> User:
    """Make an account, inside a transaction; AccountNameTaken if its name differs from another in capitals at most."""
    if User.objects.filter(username__iexact=username).exists():
        raise AccountNameTaken
    try:
        with transaction.atomic():
            return User.objects.create(username=username, password=password_hash, email=email)
    except IntegrityError:
        raise AccountNameTaken from None


def roles_of(user: User, project: Project) -> frozenset[str]:
    """The person's current roles in the project."""
    return frozenset(_roles(project=project.pk, user=user.pk))


@Prepared
def _roles() -> QuerySet[Membership, str]:
    rows = Membership.objects.filter(project=Param("project"), user=Param("user"), ended_at__isnull=True)
    return rows.values_list("role", flat=True)


def working_roles_of(user: User, project: Project) -> frozenset[str]:
    """The roles in which the person is given new work: not those that end once they have finished what they hold."""
    rows = Membership.objects.filter(project=project, user=user, ended_at__isnull=True, no_new_work_since__isnull=True)
    return frozenset(rows.values_list("role", flat=True))


def is_admin(user: User) -> bool:
    """Whether the person runs the site."""
    return user.is_active and (user.is_staff or user.is_superuser)


def leads(user: User) -> QuerySet[Membership]:
    """The person's memberships as a lead, now."""
    return Membership.objects.filter(user=user, role=Role.LEAD, ended_at__isnull=True)


def has_left(user: User) -> bool:
    """Whether a role of theirs in some project has ended."""
    return Membership.objects.filter(user=user, ended_at__isnull=False).exists()


def left_since(user: User, since: datetime) -> list[Membership]:
    """The last membership that ended after `since` of each project in which the person has no role now, latest first.

    Loaded with its project.
    """
    ended = Membership.objects.filter(user=user, ended_at__gt=since).select_related("project").order_by("ended_at")
    here = set(Membership.objects.filter(user=user, ended_at__isnull=True).values_list("project", flat=True))
    last = {row.project_id: row for row in ended if row.project_id not in here}
    return sorted(last.values(), key=lambda row: (row.ended_at, row.pk), reverse=True)


def may_make_projects(user: User) -> bool:
    """Whether the person may make projects: admins of the site, and leads of any project."""
    return user.is_active and (is_admin(user) or leads(user).exists())


def may_give_password(by: User, user: User) -> bool:
    """Whether somebody may give another person a link for a new password, with which they could sign in as them."""
    return user.pk in given_passwords(by, [user.pk])


def given_passwords(by: User, people: Iterable[int]) -> set[int]:
    """Those of these people to whom somebody may give such a link.

    Leads may if that lets them see nothing new: the person leads nothing and works only in projects that they lead.
    """
    if not by.is_active:
        return set()
    found = User.objects.filter(pk__in=people, is_staff=False, is_superuser=False).exclude(pk=by.pk)
    if not is_admin(by):
        live = Membership.objects.filter(ended_at__isnull=True)
        led = Q(project__in=leads(by).values("project"))
        others = live.filter(Q(role=Role.LEAD) | ~led)
        found = found.filter(pk__in=live.filter(led).values("user")).exclude(pk__in=others.values("user"))
    return set(found.values_list("pk", flat=True))


def leads_of(project: Project) -> set[int]:
    """The keys of those who lead the project now, and can sign in."""
    rows = Membership.objects.filter(project=project, role=Role.LEAD, ended_at__isnull=True, user__is_active=True)
    return set(rows.values_list("user", flat=True))


def decided_about(user: User) -> int:
    """How much has been decided about the person's account and roles, ever: it grows with each role and decision."""
    roles = [events.name(row) for row in Membership.objects.filter(user=user)]
    return len(roles) + Event.objects.filter(subject__in=[events.name(user), *roles]).count()


def roles_in(project: Project) -> dict[int, frozenset[str]]:
    """The current roles of every member, by the person's key."""
    found: dict[int, frozenset[str]] = {}
    for user, role in Membership.objects.filter(project=project, ended_at__isnull=True).values_list("user", "role"):
        found[user] = found.get(user, frozenset()) | {role}
    return found


def consented_to(user: Any, project: Any, *, site_text: Any) -> Exists:
    """A subquery: the person has accepted the current consent text. Arguments are values, OuterRefs or Params;
    `site_text` is the sha-256 of the site's text.
    """
    of_site = Q(project__consent_sha256="", text_sha256=site_text)
    accepted = Consent.objects.filter(of_site | Q(text_sha256=F("project__consent_sha256")))
    return Exists(accepted.filter(user=user, project=project))


def has_role(user: Any, project: Any, *, roles: Iterable[str]) -> Exists:
    """A subquery: the person currently has one of these roles."""
    return Exists(Membership.objects.filter(user=user, project=project, role__in=roles, ended_at__isnull=True))


class Standing(NamedTuple):
    """A person in a project: the roles in which they get new work, whether they have consented, and whether they see
    everybody's answers.
    """

    roles: frozenset[str]
    consented: bool
    sees_answers: bool


def lock_person(user: User, project: Project) -> Standing:
    """Lock the person's membership rows, which serialises their claims, and return how they stand."""
    found = _locked(user=user.pk, project=project.pk, site_text=consent_text()[1])
    consented, sees = any(row[2] for row in found), any(any(row[3:]) for row in found)
    return Standing(frozenset(role for role, finishes, *_more in found if finishes is None), consented, sees)


@Prepared
def _locked() -> QuerySet[Membership, tuple[Any, ...]]:
    rows = Membership.objects.filter(user=Param("user"), project=Param("project"), ended_at__isnull=True)
    agreed = consented_to(Param("user"), Param("project"), site_text=Param("site_text", CharField()))
    sees = seeing_answers(Param("user"), Param("project"))
    # The column as well: if this waits for an expert's row, the subquery still sees what was before.
    columns = ("role", "no_new_work_since", agreed, "sees_answers_since", sees)
    return rows.select_for_update().order_by("pk").values_list(*columns)


SEES = Q(sees_answers_since__isnull=False) | Q(role=Role.LEAD)
"""Of a membership, also one that has ended: the person has been able to see everybody's answers by it."""


def has_seen_answers(user: User, project: Project) -> bool:
    """Whether the person has begun to see everybody's answers in the project, as an expert or a lead; they may be
    neither now.
    """
    return Membership.objects.filter(SEES, user=user, project=project).exists()


def seeing_answers(user: Any, project: Any) -> Exists:
    """The same as a subquery. Arguments are values, OuterRefs or Params."""
    return Exists(Membership.objects.filter(SEES, user=user, project=project))


def see_answers(*, user: User, project: Project, now: datetime) -> None:
    """Record that an expert begins to see everybody's answers; idempotent. The caller holds the person's lock."""
    row = Membership.objects.filter(user=user, project=project, role=Role.EXPERT, ended_at__isnull=True).first()
    if row is None:
        raise NotFound
    if row.sees_answers_since is None:
        row.sees_answers_since = now
        row.save(update_fields=["sees_answers_since"])
        events.record("member.sees_answers", row, by=user, now=now)


def has_consented(user: User, project: Project) -> bool:
    """Whether the person has accepted the current consent text in this project."""
    return Consent.objects.filter(user=user, project=project, text_sha256=consent_text_of(project)[1]).exists()


def accept_consent(*, user: User, project: Project, now: datetime) -> None:
    """Record that the person accepted the current text; idempotent."""
    consent, created = Consent.objects.get_or_create(
        user=user, project=project, text_sha256=consent_text_of(project)[1], defaults={"at": now}
    )
    if created:
        events.record("consent.accepted", consent, by=user, now=now)
