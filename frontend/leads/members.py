"""The members of a project as its leads see them, with roles and what each has done; and its invitations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, F, Max, Min, OuterRef, Q, QuerySet, Subquery, Sum
from django.urls import reverse

from annotation import membership
from annotation.models import Membership, Project, TimeSpan, User, items_in_work
from qualification import invitations
from qualification.models import Invite, InviteState, Mail, MailOutcome
from tasks.models import NO_DATA, Assignment, WorkCount
from tasks.models.states import AssignmentState
from tasks.setup import numbers

PER_PAGE = 50
FORMER = 200
"""How many former members are listed at most."""


@dataclass(frozen=True)
class Member:
    """A person with the roles they have now; `last`: when they were last given or did something here, or None.

    `invited`: for whom the invitation was that they accepted, or "". `external_id`: who they are on the recruitment
    site from which they came, or "". `password_url`: makes a link for a new password; "" if the lead may not.
    `mail_problem`: why a mail with such a link could not be sent; "" if it was, or if the lead may not make one.
    """

    name: str
    invited: str
    code: str
    external_id: str
    roles: tuple[str, ...]
    since: datetime
    last: datetime | None
    finished: int
    password_url: str
    mail_problem: str


def former(project: Project, *, words: str = "") -> list[dict[str, Any]]:
    """Name, code and end of those who were members and have no role now, the latest FORMER; `words`: who have them."""
    rows = _named(Membership.objects.filter(project=project), project, words)
    rows = rows.values(name=F("user__username"), code=F("user__worker_code")).annotate(
        live=Count("pk", filter=Q(ended_at=None)), ended=Max("ended_at")
    )
    return list(rows.filter(live=0).order_by("-ended", "name")[:FORMER])


def members_page(project: Project, *, by: User, page: str, words: str = "") -> Page[Member]:
    """A page of the current members, by name, with what this lead may do about them.

    With `words`, those with them in their name, code, invitation or id on a recruitment site.
    """
    live = _named(Membership.objects.filter(project=project, ended_at__isnull=True), project, words)
    found = live.values("user", "user__username", "user__worker_code").annotate(joined=Min("since"))
    shown: Page[Any] = Paginator(found.order_by("user__username"), PER_PAGE).get_page(page)
    people = [row["user"] for row in shown]
    roles: defaultdict[int, list[str]] = defaultdict(list)
    for row in live.filter(user__in=people).order_by("pk"):
        roles[row.user_id].append(row.get_role_display())
    done, spent = work_of(project, people), _last_seen(project, people)
    invited = invited_names(project, people)
    outside = dict(project.participants.filter(user__in=people).values_list("user", "external_id"))
    helped = membership.given_passwords(by, people)
    problems = invitations.mail_problems(helped)
    shown.object_list = [
        Member(
            name=row["user__username"],
            invited=invited.get(row["user"], ""),
            code=row["user__worker_code"],
            external_id=outside.get(row["user"], ""),
            roles=tuple(roles[row["user"]]),
            since=row["joined"],
            last=max(filter(None, (spent.get(row["user"]), done.get(row["user"], {}).get("last"))), default=None),
            finished=done.get(row["user"], {}).get("finished", 0),
            password_url=reverse("give_password", args=[project.slug, row["user__worker_code"]])
            if row["user"] in helped
            else "",
            mail_problem=problems.get(row["user"], ""),
        )
        for row in shown
    ]
    return shown


def _named(rows: QuerySet[Any], project: Project, words: str) -> QuerySet[Any]:
    """Those of people with these words in name, code, invitation or id on a recruitment site; all without words."""
    if not words:
        return rows
    outside_too = project.participants.filter(external_id__icontains=words).values("user")
    called = Q(name__icontains=words) | Q(email__icontains=words)
    guests = project.invites.filter(called, used_by__isnull=False).values("used_by")
    named = Q(user__username__icontains=words) | Q(user__worker_code__icontains=words)
    return rows.filter(named | Q(user__in=outside_too) | Q(user__in=guests))


def work_of(project: Project, people: list[int]) -> dict[int, dict[str, Any]]:
    """By person: how many pieces of work they have finished, and when they were last given one.

    Of a large project as the job has counted it, without the latter: there the time on the screen says when.
    """
    if numbers.is_large(project):
        counted = WorkCount.objects.filter(project=project, person__in=people, outcome=AssignmentState.SUBMITTED)
        return {person: {"finished": n} for person, n in counted.order_by().values_list("person").annotate(Sum("n"))}
    held = Assignment.objects.filter(task__queue__project=project, annotator__in=people)
    rows = held.exclude(task__queue__activity__in=NO_DATA).order_by().values("annotator")
    submitted = Count("pk", filter=Q(items_in_work("task__item__"), state=AssignmentState.SUBMITTED))
    return {row["annotator"]: dict(row) for row in rows.annotate(finished=submitted, last=Max("claimed_at"))}


def _last_seen(project: Project, people: list[int]) -> dict[int, datetime]:
    """By person: when their latest measured time here began."""
    spans = TimeSpan.objects.filter(project=project, annotator=OuterRef("pk")).order_by("-begun_at")
    rows = User.objects.filter(pk__in=people).annotate(last=Subquery(spans.values("begun_at")[:1]))
    return dict(rows.filter(last__isnull=False).values_list("pk", "last"))


INVITATIONS_PER_PAGE = 25
BADGES = {InviteState.OPEN: "blue", InviteState.USED: "ok"}
MAY_WORK = (InviteState.OPEN, InviteState.LAPSED)
"""States of links to revoke: a lapsed one works again once its sender leads again."""


@dataclass(frozen=True)
class Invited:
    """An invitation, its state in words and its badge; `renew_url`, `revoke_url`: "" once it is used.

    `problem`: why its mail could not be sent, in words; "" if it was, or if it can no longer be accepted.
    """

    row: Invite
    state: str
    badge: str
    renew_url: str
    revoke_url: str
    problem: str


def invitations_page(project: Project, *, page: str, now: datetime) -> Page[Invited]:
    """A page of its invitations, latest first."""
    found = project.invites.select_related("by", "used_by", "mail").order_by("-made_at", "-pk")
    shown: Page[Any] = Paginator(found, INVITATIONS_PER_PAGE).get_page(page)
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
        row=invite,
        state=str(state.label),
        badge=BADGES.get(state, ""),
        renew_url="" if state == InviteState.USED else reverse("renew_invite", args=named),
        revoke_url=reverse("revoke_invite", args=named) if state in MAY_WORK else "",
        problem=_problem(invite) if state == InviteState.OPEN else "",
    )


def _problem(invite: Invite) -> str:
    mail: Mail | None = getattr(invite, "mail", None)
    return "" if mail is None or mail.outcome == MailOutcome.SENT else mail.get_outcome_display()
