"""Qualifications of a project, and who is granted them: made, given, suspended, restored and revoked by leads.

Suspending and revoking take the person's lock, so that a claim of theirs comes before or after; giving takes that of
the qualification, so that nobody has one twice.
"""

from __future__ import annotations

import uuid as uuids
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from django.db import models, transaction

from annotation import events, projects, registry
from annotation.engine import state_machine
from annotation.engine.exclusion import checked_reason
from annotation.errors import NotFound, WrongMove
from annotation.i18n import _
from annotation.membership import lock_person
from annotation.models import Membership, Project, User
from annotation.setup import changes
from qualification.models import GRANT_MOVES, Grant, GrantOrigin, GrantState, Qualification

HAS_ONE = _("They have been given it again since.")
TAKEN_KEY = _("The project has a qualification with this key already.")


def lacking(user: User, project: Project, keys: Collection[str]) -> tuple[str, ...]:
    """Those of these keys of qualifications for which the person has no active grant; one query, or none without keys.

    A key that the project does not have is lacking.
    """
    if not keys:
        return ()
    active = Grant.objects.filter(user=user, qualification__project=project, state=GrantState.ACTIVE)
    held = set(active.filter(qualification__key__in=keys).values_list("qualification__key", flat=True))
    return tuple(key for key in keys if key not in held)


def make_qualification(
    project: Project, *, key: str, title: str, about: str, form: uuids.UUID, by: User | None, now: datetime
) -> Qualification:
    """Make one; the form of this key makes it only once. WrongMove if the project has another of that key."""
    with transaction.atomic():
        Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        if (again := Qualification.objects.filter(submission_key=form).first()) is not None:
            return again
        if project.qualifications.filter(key=key).exists():
            raise WrongMove(TAKEN_KEY)
        made = Qualification.objects.create(
            project=project, key=key, title=title, about=about, made_at=now, by=by, submission_key=form
        )
        events.record("qualification.made", made, by=by, now=now, title=title, about=about)
        return made


@transaction.atomic
def describe(qualification: Qualification, *, title: str, about: str, by: User | None, now: datetime) -> bool:
    """Change its words; returns whether anything was different."""
    locked = lock_qualification(qualification)
    if (locked.title, locked.about) == (title, about):
        return False
    before = {"title": locked.title, "about": locked.about}
    qualification.title, qualification.about = locked.title, locked.about = title, about
    locked.save(update_fields=["title", "about"])
    events.record(
        "qualification.described", locked, by=by, now=now, before=before, after={"title": title, "about": about}
    )
    return True


@transaction.atomic
def require(
    qualification: Qualification, activities: Collection[str], *, by: User | None, now: datetime
) -> dict[str, list[str]]:
    """Have exactly these activities of its project need it: a change of the settings, with its event and undo.

    Returns what is different now, by the paths of the fields. NotFound for an activity that the protocol lacks.
    """
    project = Project.objects.select_for_update(no_key=True).get(pk=qualification.project_id)
    known = [activity.key for activity in registry.get(project.protocol).activities]
    if not set(activities) <= set(known):
        raise NotFound
    wanted = {}
    for key in known:
        required = [each for each in projects.activity_config(project, key).requires if each != qualification.key]
        wanted[key] = {"requires": [*required, qualification.key] if key in activities else required}
        if set(wanted[key]["requires"]) == set(projects.activity_config(project, key).requires):
            del wanted[key]
    changed = changes.change(project, config={"activities": wanted}, by=by, now=now)
    qualification.project.config = project.config
    return changed


def required_by(qualification: Qualification) -> list[str]:
    """The keys of the activities whose config names it."""
    config = projects.project_config(qualification.project)
    known = registry.get(qualification.project.protocol).activities
    return [
        each.key
        for each in known
        if each.key in config.activities and qualification.key in config.activities[each.key].requires
    ]


def give(
    qualification: Qualification,
    people: Iterable[User],
    *,
    reason: str,
    form: uuids.UUID,
    by: User | None,
    now: datetime,
    origin: GrantOrigin = GrantOrigin.HAND,
) -> list[Grant]:
    """Grant it to those of these members who have no grant that is active or suspended; returns the grants made.

    The form of this key gives it only once. ReasonMissing without a reason.
    """
    said = checked_reason(reason)
    with transaction.atomic(), events.batched():
        locked = lock_qualification(qualification)
        if Grant.objects.filter(qualification=locked, submission_key=form).exists():
            return []
        return _give(locked, people, origin=origin, reason=said, form=form, by=by, now=now)


def give_for_attempt(
    qualification: Qualification, person: User, *, reason: str, form: uuids.UUID, now: datetime
) -> None:
    """Grant it to somebody who has passed the exam, in the transaction that grades it; `form`: the attempt's uuid.

    Nothing happens if they have a grant by now, which a lead decided about.
    """
    _give(
        lock_qualification(qualification), [person], origin=GrantOrigin.EXAM, reason=reason, form=form, by=None, now=now
    )


def _give(
    locked: Qualification,
    people: Iterable[User],
    *,
    origin: str,
    reason: str,
    form: uuids.UUID,
    by: User | None,
    now: datetime,
    undoes: int | None = None,
) -> list[Grant]:
    """The same, for whoever holds the qualification's lock."""
    wanted = {person.pk: person for person in people}
    live = Membership.objects.filter(project=locked.project_id, user__in=wanted, ended_at__isnull=True)
    members = set(live.values_list("user", flat=True))
    having = set(unrevoked(locked).filter(user__in=wanted).values_list("user", flat=True))
    made = Grant.objects.bulk_create(
        Grant(
            qualification=locked,
            user=person,
            origin=origin,
            reason=reason,
            by=by,
            at=now,
            submission_key=form,
        )
        for key, person in sorted(wanted.items())
        if key in members - having
    )
    said = {} if undoes is None else {"undoes": undoes}
    for grant in made:
        events.record(
            "grant.given", grant, by=by, now=now, user=grant.user_id, reason=reason, origin=str(origin), **said
        )
    return made


def unrevoked(qualification: Qualification) -> models.QuerySet[Grant]:
    """Its grants that are active or suspended."""
    return Grant.objects.filter(qualification=qualification).exclude(state=GrantState.REVOKED)


def suspend(grant: Grant, *, reason: str, after: int, by: User | None, now: datetime) -> Grant:
    """Have an active grant qualify for nothing until it is restored; what the person holds, they may finish.

    `after`: how many decisions about it the lead knew. One that has been carried out changes nothing when it is sent
    again; WrongMove if others came between.
    """
    return _decide(grant, GrantState.SUSPENDED, reason=reason, after=after, by=by, now=now)


def restore(grant: Grant, *, reason: str, after: int, by: User | None, now: datetime) -> Grant:
    """Have a suspended grant qualify again; `after` as for `suspend`."""
    return _decide(grant, GrantState.ACTIVE, reason=reason, after=after, by=by, now=now)


def revoke(grant: Grant, *, reason: str, after: int, by: User | None, now: datetime) -> Grant:
    """End an active or suspended grant for good; `after` as for `suspend`."""
    return _decide(grant, GrantState.REVOKED, reason=reason, after=after, by=by, now=now)


def undo_giving(qualification: Qualification, form: uuids.UUID, *, by: User | None, now: datetime, reason: str) -> int:
    """Revoke what this form gave, unless something was decided about it since; returns how many grants."""
    rows = Grant.objects.filter(qualification=qualification, submission_key=form, decisions=0)
    with transaction.atomic(), events.batched():
        for grant in rows.select_related("user", "qualification__project").order_by("user"):
            _decide(grant, GrantState.REVOKED, reason=reason, after=0, by=by, now=now, undone=True)
        return len(rows)


def undo_revocation(grant: Grant, *, reason: str, form: uuids.UUID, by: User | None, now: datetime) -> Grant:
    """A new grant in place of a revoked one, which says so; WrongMove if the person has one, or is no member now."""
    with transaction.atomic(), events.batched():
        locked = lock_qualification(grant.qualification)
        if (
            again := Grant.objects.filter(qualification=locked, user=grant.user, submission_key=form).first()
        ) is not None:
            return again
        if Grant.objects.get(pk=grant.pk).state != GrantState.REVOKED:
            raise WrongMove(HAS_ONE)
        made = _give(
            locked,
            [grant.user],
            origin=grant.origin,
            reason=checked_reason(reason),
            form=form,
            by=by,
            now=now,
            undoes=grant.pk,
        )
        if not made:
            raise WrongMove(HAS_ONE)
        return made[0]


def _decide(
    grant: Grant,
    to: GrantState,
    *,
    reason: str,
    after: int,
    by: User | None,
    now: datetime,
    undone: bool = False,
) -> Grant:
    said = checked_reason(reason)
    with transaction.atomic():
        lock_person(grant.user, grant.qualification.project)
        row = Grant.objects.select_for_update(of=("self",)).select_related("qualification", "user").get(pk=grant.pk)
        if row.decisions == after + 1 and row.state == to:
            return row
        if row.decisions != after:
            raise WrongMove
        decided = {"decisions": after + 1, "decided_at": now, "decided_why": said, "undone": undone}
        state_machine.move(
            row, to, moves=GRANT_MOVES, by=by, now=now, data={"reason": said, "user": row.user_id}, **decided
        )
        row.decided_by = by
        row.save(update_fields=["decided_by"])
        return row


def lock_qualification(qualification: Qualification) -> Qualification:
    """Its row, locked, which serialises giving it; grants may refer to it meanwhile."""
    rows = Qualification.objects.select_related("project").select_for_update(of=("self",), no_key=True)
    return rows.get(pk=qualification.pk)


def titled(project: Project, keys: Sequence[str]) -> list[Qualification]:
    """The project's qualifications with these keys, in their order."""
    rows = {row.key: row for row in project.qualifications.filter(key__in=keys)}
    return [rows[key] for key in keys if key in rows]
