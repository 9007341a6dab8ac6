"""End a person's membership, at once or once they have finished what they hold; give it back; change its role.

And who works in the activities of a project, and may be given work there now.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from annotation import events, membership, registry
from annotation.engine.exclusion import checked_reason
from annotation.errors import NotFound, WrongMove
from annotation.i18n import _
from annotation.models import Membership, Project, Role, User
from qualification.models import Grant, Qualification
from tasks.engine import assignments, leases, transitions
from tasks.engine.eligibility import WORKERS
from tasks.engine.transactions import service
from tasks.models import Assignment, Lease, Ticket
from tasks.models.states import HOLDS_SLOT, IN_LOBBY, AssignmentState
from tasks.pairs import lobby

REVOKED = "membership_ended"
"""The reason of the events by which work is taken away from somebody who is no member any more."""
LAST_LEAD = _("A project needs a lead: make somebody else one first.")


def end(
    project: Project, person: User, role: Role, *, finish: bool, by: User | None, reason: str, now: datetime
) -> Membership:
    """End this role of the person; with `finish`, once they have finished or left what they hold, and no new work.

    Without, their open work is taken away at once; drafts and finished work stay. Raises NotFound without that role,
    ReasonMissing, and WrongMove for the last lead.
    """
    row = _end(project, person, role, finish=finish, by=by, reason=checked_reason(reason), now=now)
    if row.ended_at is not None and not _works(project, person):
        _leave_lobbies(project, person, by=by, now=now)
    return row


@service
def _end(
    project: Project, person: User, role: Role, *, finish: bool, by: User | None, reason: str, now: datetime
) -> Membership:
    row = _live(project, person, role)
    if role == Role.LEAD and _leads(project) == 1:
        raise WrongMove(LAST_LEAD)
    if finish and _holds(project, person):
        if row.no_new_work_since is None:
            _set(row, no_new_work_since=now)
            events.record("member.finishing", row, by=by, now=now, role=role, reason=reason)
        return row
    _set(row, ended_at=now)
    events.record("member.ended", row, by=by, now=now, role=role, reason=reason)
    if not _works(project, person):
        _take_away(project, person, by=by, now=now)
    return row


@service
def give_back(project: Project, person: User, role: Role, *, by: User | None, reason: str, now: datetime) -> Membership:
    """Give a role back that was ended, or that ends once work is finished; WrongMove if the person has it.

    Work that was taken away is not given back, but may be given to them anew.
    """
    said = checked_reason(reason)
    membership.lock_person(person, project)
    mine = Membership.objects.filter(project=project, user=person, role=role).select_for_update()
    row = mine.order_by("-pk").first()
    if row is None:
        raise NotFound
    if row.ended_at is None and row.no_new_work_since is None:
        raise WrongMove(_("They have this role."))
    _set(row, ended_at=None, no_new_work_since=None)
    events.record("member.given_back", row, by=by, now=now, role=role, reason=said)
    return row


def change_role(
    project: Project, person: User, role: Role, *, to: Role, by: User | None, reason: str, now: datetime
) -> Membership:
    """Give the person another role instead of this one. Whoever becomes a lead loses their open work.

    A lead has seen everybody's answers, so they may become an expert, who is then given no work, but no annotator.
    """
    made = _change_role(project, person, role, to=to, by=by, reason=checked_reason(reason), now=now)
    if to == Role.LEAD:
        _leave_lobbies(project, person, by=by, now=now)
    return made


@service
def _change_role(
    project: Project, person: User, role: Role, *, to: Role, by: User | None, reason: str, now: datetime
) -> Membership:
    row = _live(project, person, role)
    if to == role or (role == Role.LEAD and to == Role.ANNOTATOR):
        raise WrongMove(_("A lead has seen everybody’s answers, so they can’t become an annotator here."))
    if role == Role.LEAD and _leads(project) == 1:
        raise WrongMove(LAST_LEAD)
    if Membership.objects.filter(project=project, user=person, role=to, ended_at__isnull=True).exists():
        raise WrongMove(_("They have this role."))
    _set(row, ended_at=now)
    sees = row.since if role == Role.LEAD else row.sees_answers_since
    made = Membership.objects.create(project=project, user=person, role=to, since=now, sees_answers_since=sees)
    events.record("member.role_changed", made, by=by, now=now, user=person.pk, role=to, before=role, reason=reason)
    if to == Role.LEAD:
        _take_away(project, person, by=by, now=now)
    return made


def end_finished(*, now: datetime) -> int:
    """End the memberships that were to end once nothing is held; returns how many. Nothing depends on when it runs."""
    held = Assignment.objects.filter(
        annotator=OuterRef("user"), lease__project=OuterRef("project"), state=AssignmentState.LEASED
    )
    waiting = Membership.objects.filter(no_new_work_since__isnull=False, ended_at__isnull=True)
    return sum(_end_finished(row, now=now) for row in waiting.filter(~Exists(held)).select_related("project", "user"))


@service
def _end_finished(row: Membership, *, now: datetime) -> bool:
    membership.lock_person(row.user, row.project)
    row.refresh_from_db(fields=["ended_at", "no_new_work_since"])
    if row.ended_at is not None or row.no_new_work_since is None or _holds(row.project, row.user):
        return False
    _set(row, ended_at=now)
    events.record("member.ended", row, by=None, now=now, role=row.role)
    return True


def _live(project: Project, person: User, role: Role) -> Membership:
    """The person's membership in that role, with the person locked, so that they claim before or after."""
    membership.lock_person(person, project)
    row = Membership.objects.filter(project=project, user=person, role=role, ended_at__isnull=True).first()
    if row is None:
        raise NotFound
    return row


def _leads(project: Project) -> int:
    """How many leads there are; their rows are locked, so that two can't end each other at once."""
    rows = Membership.objects.filter(project=project, role=Role.LEAD, ended_at__isnull=True)
    return len(rows.select_for_update().order_by("pk"))


def _set(row: Membership, **columns: datetime | None) -> None:
    for name, value in columns.items():
        setattr(row, name, value)
    row.save(update_fields=list(columns))


def _holds(project: Project, person: User) -> bool:
    return Assignment.objects.filter(annotator=person, lease__project=project, state=AssignmentState.LEASED).exists()


def _works(project: Project, person: User) -> bool:
    """Whether another role of theirs lets them go on with their work."""
    roles = membership.roles_of(person, project)
    return Role.LEAD not in roles and bool(roles)


def _take_away(project: Project, person: User, *, by: User | None, now: datetime) -> None:
    """Revoke what they hold; re-opened work goes back to what it was."""
    open_leases = Lease.objects.filter(annotator=person, project=project, closed_at__isnull=True).order_by("pk")
    for lease in open_leases.select_related("queue__project", "annotator"):
        transitions.lock(list(lease.assignments.values_list("task_id", flat=True)))
        rows = lease.assignments.filter(state=AssignmentState.LEASED)
        for row in rows.select_related("task__queue", "task__item__project", "annotation").order_by("task_id"):
            row.lease = lease
            assignments.finish_if_enough(row, now=now)
            transitions.assignment(row, AssignmentState.REVOKED, by=by, now=now, reason=REVOKED)
            leases.release_partners(row, now=now)
        leases.close_and_settle(lease, now=now)


def _leave_lobbies(project: Project, person: User, *, by: User | None, now: datetime) -> None:
    """Afterwards, since lobbies are locked before people; nobody who is no member is seated meanwhile."""
    waiting = Ticket.objects.filter(project=project, annotator=person, state__in=IN_LOBBY)
    for ticket in waiting.select_related("project", "annotator", "assignment"):
        lobby.leave(ticket, by=by, now=now, reason="not_eligible")


def workers_in(project: Project, activities: Collection[str]) -> QuerySet[User]:
    """The members who hold work or have finished some in one of these activities, or in what is done alone instead."""
    known = registry.get(project.protocol).activities
    keys = [*activities, *(each.alone for each in known if each.key in activities and each.alone)]
    given = Assignment.objects.filter(annotator=OuterRef("pk"), task__queue__project=project, task__activity__in=keys)
    roles = Membership.objects.filter(user=OuterRef("pk"), project=project, role__in=WORKERS, ended_at__isnull=True)
    return User.objects.filter(Exists(roles), Exists(given.filter(state__in=HOLDS_SLOT))).order_by("username")


def workers_without(qualification: Qualification, activities: Collection[str]) -> QuerySet[User]:
    """Those of them about whose grant of the qualification nothing was ever decided: they have had none."""
    ever = Grant.objects.filter(user=OuterRef("pk"), qualification=qualification)
    return workers_in(qualification.project, activities).filter(~Exists(ever))
