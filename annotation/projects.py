"""Make a project: its protocol, numbers and the first version of its guidelines."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction

from annotation import events, randomness
from annotation import protocol as registry
from annotation.models import GuidelineVersion, Project, User


@transaction.atomic
def create(*, slug: str, title: str, protocol: str, config: dict[str, Any], by: User | None, now: datetime) -> Project:
    """A project with a seed of its own and the protocol's guidelines as version 1."""
    found = registry.get(protocol)
    numbers = found.config.model_validate({"seed": randomness.seed()} | config, strict=False)
    project = Project.objects.create(
        slug=slug,
        title=title,
        protocol=protocol,
        config=numbers.model_dump(mode="json", exclude_defaults=True),
        created_at=now,
    )
    GuidelineVersion.objects.create(
        project=project,
        number=1,
        text=found.guideline(),
        fast_share=numbers.fast_share,
        kind=GuidelineVersion.Kind.SEMANTIC,
        at=now,
        by=by,
    )
    events.record("project.created", project, by=by, now=now, protocol=protocol)
    return project


def guidelines_of(project: Project) -> GuidelineVersion | None:
    """The version in force."""
    return project.guidelines.order_by("-number").first()
