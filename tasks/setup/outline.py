"""The set-up of a project that exists, to be copied: its config with every number written out, and its texts."""

from __future__ import annotations

from typing import Any

from annotation import membership, projects, registry
from annotation.models import Project
from annotation.protocol import Activity
from annotation.setup.schema import SECTIONS, Setup
from tasks.setup import opening


def setup_of(project: Project) -> Setup:
    """With the numbers that count for its queues now, and the protocol's where it has none of its own."""
    protocol, config = registry.get(project.protocol), projects.project_config(project)
    found = config.model_dump(mode="json", exclude={"seed", "activities"}, exclude_none=True)
    guidelines = projects.guidelines_of(project)
    sections = {name: section.of_project(project) for name, section in SECTIONS.items()}
    return Setup(
        protocol=project.protocol,
        slug=project.slug,
        title=project.title,
        guidelines=guidelines.text if guidelines and guidelines.text != protocol.guideline() else "",
        consent=membership.consent_text_of(project)[0] if project.consent_sha256 else "",
        config=found
        | {"fast_share": guidelines.fast_share if guidelines else config.fast_share}
        | {"activities": {activity.key: _activity(project, activity) for activity in protocol.activities}},
        sections={name: value for name, value in sections.items() if value is not None},
    )


def _activity(project: Project, activity: Activity) -> dict[str, Any]:
    config = projects.activity_config(project, activity.key)
    queue, numbers = opening.queue_of(project, activity.key), opening.default_numbers(project, activity.key)
    if queue is not None:
        numbers = opening.QueueSettings(queue.lease_minutes, queue.least_agreement)
    own = config.model_copy(update={**vars(numbers), "overlap": {**activity.overlap, **config.overlap}})
    return own.model_dump(mode="json", exclude_none=True)
