"""A project's study on Prolific, where the operator has turned that on; else there are no such pages."""

from __future__ import annotations

import uuid as uuids

from annotation.errors import NotFound
from annotation.models import Project, User
from frontend.access.projects import led_project
from frontend.access.rows import or_not_found
from tasks.models import Bonus, Study, StudyGroup
from tasks.prolific import connecting


def led_recruited(user: User, slug: str) -> Project:
    """A project that the person leads."""
    if not connecting.is_on():
        raise NotFound
    return led_project(user, slug)


def led_study(user: User, slug: str) -> Study:
    """The study that such a project is connected to."""
    return or_not_found(connecting.study_of(led_recruited(user, slug)))


def led_bonus(user: User, slug: str, settlement: uuids.UUID) -> Bonus:
    """A bonus of such a project."""
    project = led_recruited(user, slug)
    return or_not_found(Bonus.objects.filter(study__project=project, settlement=settlement).first())


def led_group(user: User, slug: str, group: int) -> StudyGroup:
    """A participant group of the study that such a project is connected to."""
    return or_not_found(StudyGroup.objects.filter(study=led_study(user, slug), pk=group).first())
