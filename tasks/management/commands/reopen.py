"""reopen PROJECT UUID --reason TEXT: a lead asks the author of finished work to look at it again."""

from __future__ import annotations

import uuid
from typing import Any

from annotation.models import Project
from tasks import corrections
from tasks.management.deciding import DecisionCommand


class Command(DecisionCommand):
    """Re-open one annotation; its author is offered it before anything else."""

    help = "Send finished work back to its author."

    def decide(self, project: Project, annotation: uuid.UUID, **decided: Any) -> str:
        opened = corrections.reopen(project, annotation, **decided)
        return f"Reopened for {opened.annotator.worker_code} until {opened.lease.expires_at:%d %B, %H:%M} UTC."
