"""The job that seals a round of a large project: its draw reads every answer that could be judged."""

from __future__ import annotations

from typing import Any

from annotation import clock
from annotation.errors import NotFound
from annotation.judging import rounds
from annotation.judging.drawing import Progress
from annotation.models import Job, JudgingRound, User


def seal(job: Job, *, by: User | None, progress: Progress) -> dict[str, Any]:
    """Seal the round that the job asks for, and return its hash."""
    row = JudgingRound.objects.filter(project=job.project, uuid=job.report["asked"]["round"]).first()
    if row is None:
        raise NotFound
    rounds.seal(row, by=by, now=clock.now(), progress=progress)
    row.refresh_from_db()
    return {"sha256": row.sha256}
