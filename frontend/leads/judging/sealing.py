"""The seal of a round: in the request if there is little to read, and else by a job, which a draft then shows."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from annotation.judging import drawing, rounds
from annotation.models import Job, JudgingRound, User
from frontend.leads.turns import turn_in_words
from tasks.background import long_jobs

KIND = "seal_round"
IN_REQUEST, PREDICTED_IN_REQUEST = 3000, 300
"""Annotations, and predictions, that are read in a request, at most: some tenths of a second."""


def seal(row: JudgingRound, *, by: User, now: datetime) -> bool:
    """Seal a draft, or ask a job for that, once; returns whether it is sealed now. WrongMove as `rounds.seal`."""
    rules = rounds.rules_of(row)
    if drawing.answers_read(row.project, rules) <= (PREDICTED_IN_REQUEST if rules.systems else IN_REQUEST):
        rounds.seal(row, by=by, now=now)
        return True
    job = latest(row)
    if job is None or job.state not in (Job.State.QUEUED, Job.State.RUNNING):
        long_jobs.ask(row.project, KIND, subject=row.title, asked={"round": str(row.uuid)}, by=by, now=now)
    return False


def latest(row: JudgingRound) -> Job | None:
    """The job that seals the round, or that has failed to."""
    return Job.objects.filter(project=row.project, kind=KIND, report__asked__round=str(row.uuid)).order_by("pk").last()


def part_of(row: JudgingRound) -> dict[str, Any]:
    """What the page of a draft shows of such a job: how far it is, or why it has failed."""
    job = latest(row)
    if job is None:
        return {}
    if job.state == Job.State.FAILED:
        return {"seal_failed": job.error}
    if job.state not in (Job.State.QUEUED, Job.State.RUNNING):
        return {}
    turn = long_jobs.turn_of(job)
    return {"job": job, "ahead": turn.ahead, "turn": turn_in_words(turn), "total": job.total}
