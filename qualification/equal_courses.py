"""Grants from an equal course of another project: who has passed the same items there need not sit them again here.

A course is equal if a published version of it has the same hash of its content and the same corrected keys. Grants are
copied once: what becomes of them there changes nothing here.
"""

from __future__ import annotations

import uuid as uuids
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from annotation import events, membership, randomness
from annotation.engine.exclusion import checked_reason
from annotation.errors import NotFound
from annotation.models import Membership, User
from qualification import granting
from qualification.courses import editing
from qualification.models import (
    Attempt,
    AttemptPurpose,
    CourseVersion,
    Grant,
    GrantOrigin,
    GrantState,
    Outcome,
    Qualification,
)


@dataclass(frozen=True)
class EqualCourse:
    """A qualification of another project with an equal course, and members of this one who have passed it there.

    `key` makes the form about it idempotent.
    """

    row: Qualification
    people: tuple[User, ...]
    key: uuids.UUID = field(default_factory=randomness.handle)


def equal_courses(qualification: Qualification, *, by: User) -> list[EqualCourse]:
    """Those of projects that the lead leads as well, with members of this project who never had a grant here."""
    version = editing.published(qualification)
    if version is None:
        return []
    led = membership.leads(by).exclude(project=qualification.project_id).values("project")
    same = _equal_to(version).filter(qualification__project__in=led).values("qualification")
    rows = Qualification.objects.filter(pk__in=same).select_related("project").order_by("project__title", "title")
    found = [EqualCourse(row, tuple(_to_copy(row, qualification, version))) for row in rows]
    return [each for each in found if each.people]


def _equal_to(version: CourseVersion) -> QuerySet[CourseVersion]:
    return CourseVersion.objects.filter(
        published_at__isnull=False, sha256=version.sha256, corrections=version.corrections
    ).exclude(qualification=version.qualification_id)


def _to_copy(source: Qualification, to: Qualification, version: CourseVersion) -> QuerySet[User]:
    """Who has passed the equal course and is qualified by that now, works in this project, and had no grant here."""
    passed = Attempt.objects.filter(
        course__in=_equal_to(version).filter(qualification=source),
        purpose=AttemptPurpose.EXAM,
        outcome=Outcome.ADMITTED,
        voided_at=None,
    )
    by_exam = Q(origin=GrantOrigin.EXAM, submission_key__in=passed.values("uuid"))
    grants = Grant.objects.filter(by_exam, qualification=source, state=GrantState.ACTIVE)
    members = Membership.objects.filter(project=to.project_id, ended_at__isnull=True).values("user")
    had = Grant.objects.filter(qualification=to, undone=False).values("user")
    people = User.objects.filter(pk__in=grants.values("user")).filter(pk__in=members, is_active=True)
    return people.exclude(pk__in=had).order_by("username")


@transaction.atomic
def copy(
    qualification: Qualification, source: Qualification, *, reason: str, form: uuids.UUID, by: User, now: datetime
) -> list[Grant]:
    """Grant it to all who have passed the equal course of `source`; the form of this key does so only once.

    NotFound unless the lead leads both projects and the courses are equal now; ReasonMissing without a reason.
    """
    said = checked_reason(reason)
    locked = granting.lock_qualification(qualification)
    if not membership.leads(by).filter(project=locked.project_id).exists():
        raise NotFound
    if Grant.objects.filter(qualification=locked, submission_key=form).exists():
        return []
    found = next((each for each in equal_courses(locked, by=by) if each.row.pk == source.pk), None)
    if found is None:
        raise NotFound
    origin = GrantOrigin.EQUAL_COURSE
    made = granting.give(locked, found.people, reason=said, form=form, by=by, now=now, origin=origin)
    about = {"source": events.name(source), "grants": len(made), "reason": said}
    events.record("qualification.grants_copied", locked, by=by, now=now, **about)
    return made
