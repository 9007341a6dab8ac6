"""Courses that a person takes, and their own attempts at exams."""

from __future__ import annotations

import uuid as uuids

from annotation.membership import roles_of
from annotation.models import User
from frontend.access.projects import member_project
from frontend.access.rows import or_not_found
from qualification.models import Attempt, Qualification


def course_qualification(user: User, slug: str, key: str) -> Qualification:
    """A qualification of a project in which the person has any role, if it has a course now or had one."""
    project = member_project(user, slug)
    rows = project.qualifications.select_related("project").filter(key=key, course_versions__published_at__isnull=False)
    return or_not_found(rows.first())


def own_attempt(user: User, uuid: uuids.UUID) -> Attempt:
    """The person's own attempt, as long as they have a role in its project."""
    rows = Attempt.objects.select_related("course", "qualification__project", "user").filter(uuid=uuid, user=user)
    attempt = or_not_found(rows.first())
    return or_not_found(attempt if roles_of(user, attempt.qualification.project) else None)
