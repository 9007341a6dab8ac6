"""void PROJECT UUID --reason TEXT: exclude finished work and free its slot, so that somebody else does it."""

from __future__ import annotations

import uuid
from typing import Any

from annotation.models import Project
from tasks import corrections
from tasks.management.deciding import DecisionCommand


class Command(DecisionCommand):
    """Exclude one annotation and free its slot; its author is not given the item again."""

    help = "Exclude finished work and free its slot."

    def decide(self, project: Project, annotation: uuid.UUID, **decided: Any) -> str:
        held = corrections.void(project, annotation, **decided)
        return f"The slot of {held.annotator.worker_code} is free again."
