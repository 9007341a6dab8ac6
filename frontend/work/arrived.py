"""Whether an answer is stored already, so that there is nothing to choose about it."""

from __future__ import annotations

from typing import Any

from annotation import committing, loading
from annotation.records import Step
from annotation.work import Work


def counts_already(work: Work, step: str, payload: dict[str, Any]) -> bool:
    """Whether the answer that counts at this step says the same, wherever it was sent from."""
    at = Step.at(step)
    counting = loading.effective_responses(work.activity, work.responses)
    said = [row.body_sha256 for row in counting if (row.stage, row.turn) == (at.stage, at.turn)]
    return said[-1:] == [committing.body_hash(step, payload)]
