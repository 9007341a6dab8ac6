"""Create projects, and read their config: how many annotations an item should get, and in which draw."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction

from annotation import events, randomness, registry
from annotation.models import GuidelineVersion, Project, User
from annotation.values.schemas import ActivityConfig, Mix, ProjectConfig, Recruiting

RESERVED_SLUGS = frozenset({"new"})
"""No project can have these: they are pages of the site under the same address."""


@transaction.atomic
def create(
    *,
    slug: str,
    title: str,
    protocol: str,
    config: dict[str, Any],
    by: User | None,
    now: datetime,
    guidelines: str = "",
) -> Project:
    """Create a project with its own seed, and these guidelines as version 1, or the protocol's."""
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
        text=guidelines or found.guideline(),
        fast_share=numbers.fast_share,
        kind=GuidelineVersion.Kind.SEMANTIC,
        at=now,
        by=by,
    )
    events.record("project.created", project, by=by, now=now, protocol=protocol)
    return project


def guidelines_of(project: Project) -> GuidelineVersion | None:
    """The guidelines in force."""
    return project.guidelines.order_by("-number").first()


def activity_config(project: Project, activity: str) -> ActivityConfig:
    """The activity's config in this project; the protocol's defaults apply to what it leaves out."""
    return project_config(project).activities.get(activity) or ActivityConfig()


def requirements_of(project: Project, activity: str) -> tuple[str, ...]:
    """The keys of the qualifications that the activity needs; () for nothing.

    What one person does alone instead of another activity needs what that one needs, too.
    """
    instead = [each.key for each in registry.get(project.protocol).activities if each.alone == activity]
    config = project_config(project).activities
    named = [key for each in (*instead, activity) if each in config for key in config[each].requires]
    return tuple(dict.fromkeys(named))


def project_config(project: Project) -> ProjectConfig:
    """The project's config, typed by its protocol."""
    return registry.get(project.protocol).config.model_validate(project.config, strict=False)


@transaction.atomic
def set_recruiting(project: Project, chosen: Recruiting, *, by: User, now: datetime) -> None:
    """Change how people come to the project by themselves."""
    locked = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    if project_config(locked).recruiting == chosen:
        return
    locked.config = {**locked.config, "recruiting": chosen.model_dump(mode="json", exclude_defaults=True)}
    locked.save(update_fields=["config"])
    events.record("project.recruiting", locked, by=by, now=now, open=chosen.open)


class WantedOverlap:
    """How many annotations the items of an activity should get; the config is parsed once for all of them."""

    def __init__(self, project: Project, activity: str) -> None:
        self._seed, self._activity = project.config.get("seed", ""), activity
        by_split = registry.get(project.protocol).activity(activity).overlap
        self._by_split = {**by_split, **activity_config(project, activity).overlap}

    def overlap_of(self, *, split: str, item: str) -> int:
        """Annotations wanted of the item with this external id; a mix is drawn from the project's seed."""
        number = self._by_split.get(split, 1)
        if isinstance(number, Mix):
            seeded = randomness.share(self._seed, "overlap", self._activity, item)
            return number.more if seeded < number.share else number.base
        return number

    def left_out(self) -> list[str]:
        """The splits whose items are to get no annotation."""
        return sorted(split for split, number in self._by_split.items() if number == 0)

    def most(self, splits: Iterable[str]) -> int:
        """The most annotations that an item of one of these splits gets; 0 without splits."""
        numbers = [self._by_split.get(split, 1) for split in splits]
        return max((each.more if isinstance(each, Mix) else each for each in numbers), default=0)


def draw_of(project: Project, activity: str, *, split: str) -> str:
    """`in_order` or `random`; by default random if several people annotate one item, so that they are a sample."""
    config = activity_config(project, activity)
    if config.draw:
        return config.draw
    by_split = registry.get(project.protocol).activity(activity).overlap
    number = config.overlap.get(split, by_split.get(split, 1))
    return "random" if isinstance(number, Mix) or number > 1 else "in_order"


def draws_as_imported(project: Project, activity: str) -> bool:
    """Whether the project's config says that the activity is drawn in the order of the imported files."""
    return activity_config(project, activity).draw == "in_order"
