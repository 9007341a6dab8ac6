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


class Wanted:
    """How many annotations the items of an activity are to get; the project's numbers are read once for all of them."""

    def __init__(self, project: Project, activity: str) -> None:
        self._seed, self._activity = project.config.get("seed", ""), activity
        by_split = registry.get(project.protocol).activity(activity).overlap
        self._by_split = {**by_split, **config_of(project, activity).overlap}

    def of(self, *, split: str, item: str) -> int:
        """Annotations wanted of the item with that external id; a mix is drawn by the project's seed."""
        number = self._by_split.get(split, 1)
        if isinstance(number, Mix):
            seeded = randomness.share(self._seed, "overlap", self._activity, item)
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
