"""How many annotations an item is to get, and in which draw: numbers of the project's config, by activity and split."""

from __future__ import annotations

from annotation import protocol as registry
from annotation import randomness
from annotation.models import Project
from annotation.protocol import ActivityConfig, Mix, ProjectConfig


def config_of(project: Project, activity: str) -> ActivityConfig:
    """The activity's numbers in this project; what it leaves out is the protocol's default."""
    return project_config(project).activities.get(activity) or ActivityConfig()


def project_config(project: Project) -> ProjectConfig:
    """The project's numbers, typed by its protocol."""
    return registry.get(project.protocol).config.model_validate(project.config, strict=False)


def wanted(project: Project, activity: str, *, split: str, item: str) -> int:
    """Annotations wanted of the item with that external id; a mix is drawn by the project's seed."""
    by_split = registry.get(project.protocol).activity(activity).overlap
    number = config_of(project, activity).overlap.get(split, by_split.get(split, 1))
    if isinstance(number, Mix):
        seeded = randomness.share(project.config.get("seed", ""), "overlap", activity, item)
        return number.more if seeded < number.share else number.base
    return number


def draw_of(project: Project, activity: str, *, split: str) -> str:
    """`in_order` or `random`: by default random where several people annotate one item, so that they are a draw."""
    config = config_of(project, activity)
    if config.draw:
        return config.draw
    by_split = registry.get(project.protocol).activity(activity).overlap
    number = config.overlap.get(split, by_split.get(split, 1))
    return "random" if isinstance(number, Mix) or number > 1 else "in_order"
