"""Who works in the activities of a project, and may be given work there now."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Exists, OuterRef, QuerySet

from annotation import registry
from annotation.models import Membership, Project, User
from qualification.models import Grant, Qualification
from tasks.engine.eligibility import WORKERS
from tasks.models import Assignment
from tasks.models.states import HOLDS_SLOT


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
