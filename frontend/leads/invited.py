"""The invitations of a project as its leads see them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.urls import reverse

from annotation import membership
from annotation.models import Project
from qualification.models import Invite, InviteState, Mail, MailOutcome

PER_PAGE = 25
BADGES = {InviteState.OPEN: "blue", InviteState.USED: "ok"}
MAY_WORK = (InviteState.OPEN, InviteState.LAPSED)
"""States of links to revoke: a lapsed one works again once its sender leads again."""


@dataclass(frozen=True)
class Invited:
    """An invitation: for whom, its state in words and its badge; `renew_url`, `revoke_url`: "" once it is used.

    `problem`: why its mail could not be sent, in words; "" if it was, or if it can no longer be accepted.
    """

    whom: str
    email: str
    role: str
    state: str
    badge: str
    by: str
    joined: str
    made_at: datetime
    expires_at: datetime
    renew_url: str
    revoke_url: str
    problem: str


def invitations_page(project: Project, *, page: str, now: datetime) -> Page[Invited]:
    """A page of its invitations, latest first."""
    found = project.invites.select_related("by", "used_by", "mail").order_by("-made_at", "-pk")
    shown: Page[Any] = Paginator(found, PER_PAGE).get_page(page)
    leads = membership.leads_of(project)
    shown.object_list = [_row(project, invite, invite.state(now, leads=leads)) for invite in shown]
    return shown


def invited_names(project: Project, people: Iterable[int]) -> dict[int, str]:
    """By the key of the person, whom the invitation was for that they accepted last: a name, or else an address."""
    rows = project.invites.filter(used_by__in=list(people)).order_by("used_at", "pk")
    return {person: name or email for person, name, email in rows.values_list("used_by", "name", "email")}


def _row(project: Project, invite: Invite, state: InviteState) -> Invited:
    named = [project.slug, invite.pk]
    return Invited(
        whom=invite.name or invite.email,
        email=invite.email if invite.name else "",
        role=invite.get_role_display(),
        state=str(state.label),
        badge=BADGES.get(state, ""),
        by=invite.by.username,
        joined=invite.used_by.username if invite.used_by else "",
        made_at=invite.made_at,
        expires_at=invite.expires_at,
        renew_url="" if state == InviteState.USED else reverse("renew_invite", args=named),
        revoke_url=reverse("revoke_invite", args=named) if state in MAY_WORK else "",
        problem=_problem(invite) if state == InviteState.OPEN else "",
    )


def _problem(invite: Invite) -> str:
    mail: Mail | None = getattr(invite, "mail", None)
    return "" if mail is None or mail.outcome == MailOutcome.SENT else mail.get_outcome_display()
