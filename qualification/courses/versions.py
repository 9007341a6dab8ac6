"""Who takes which version of a course, and who of them has not come to its end. Read only."""

from __future__ import annotations

from django.db.models import Count, QuerySet

from qualification.models import AttemptPurpose, CourseVersion, Enrolment, Grant, Outcome, Qualification

FINAL = (Outcome.ADMITTED, Outcome.NOT_ADMITTED)


def with_people(qualification: Qualification) -> QuerySet[CourseVersion]:
    """The versions, the latest first, each with how many people have taken it (`people`)."""
    return qualification.course_versions.annotate(people=Count("enrolments")).order_by("-version")


def unfinished(qualification: Qualification) -> QuerySet[Enrolment]:
    """Those who have begun a version and are neither admitted nor out: they finish it."""
    rows = Enrolment.objects.filter(course__qualification=qualification)
    decided = Grant.objects.filter(qualification=qualification, undone=False)
    ended = qualification.attempts.filter(purpose=AttemptPurpose.EXAM, voided_at=None, outcome__in=FINAL)
    return rows.exclude(user__in=decided.values("user")).exclude(user__in=ended.values("user"))
