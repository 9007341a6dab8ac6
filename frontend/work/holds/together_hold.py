"""The hold of a rater on all exhibits of one screen: the answers to an item, each with its own mark."""

from __future__ import annotations

import uuid as uuids
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from annotation.engine.drafts import PageLoad
from annotation.engine.work import Work
from annotation.errors import PayloadInvalid, Problem
from annotation.judging.forms import lettered
from annotation.judging.together import TogetherWork
from annotation.models import Draft
from frontend.work import judging
from frontend.work.holds.rater_hold import RaterHold
from tasks.engine import assignments
from tasks.engine.submitting import CommitOutcome
from tasks.judging import together
from tasks.models import Assignment


@dataclass(frozen=True)
class TogetherHold(RaterHold):
    """The hold on the first of the `parts`, whose addresses the screen has, and on all others of them."""

    parts: tuple[Assignment, ...] = ()

    def work(self) -> TogetherWork:
        return together.work_of(self.parts)

    def commit(
        self,
        step: str,
        payload: dict[str, Any],
        *,
        key: uuids.UUID,
        seen: int,
        now: datetime,
        tab: PageLoad | None,
        left: dict[str, Any] | None,
    ) -> CommitOutcome:
        try:
            return together.commit(self.parts, step, payload, by=self.person, key=key, seen=seen, tab=tab, now=now)
        except PayloadInvalid as why:
            raise PayloadInvalid(tuple(_problems(self.work(), step, why))) from None

    def save_draft(
        self, step: str, data: dict[str, Any], *, tab: PageLoad, seq: int, seen: int, now: datetime
    ) -> Draft:
        return together.save_draft(self.parts, step, data, by=self.person, tab=tab, seq=seq, seen=seen, now=now)

    def take_over(self, *, client: uuids.UUID, now: datetime) -> None:
        together.take_over(self.parts, client=client, by=self.person, now=now)

    def may_replace(self, work: Work, step: str, *, now: datetime) -> bool:
        return work.answer_at(step) is not None and assignments.in_open_block(self.assignment)

    def replace(
        self, step: str, payload: dict[str, Any], *, key: uuids.UUID, seen: int, now: datetime
    ) -> CommitOutcome:
        return self.commit(step, payload, key=key, seen=seen, tab=None, left=None, now=now)

    def template_of(self, work: Work, step: str) -> str:
        return "judging/judge_together.html"

    def screen_fields(self, work: Work, step: str, *, now: datetime) -> dict[str, Any]:
        return {"judging": judging.place_of(self.assignment, self.parts)}


def _problems(work: TogetherWork, step: str, refused: PayloadInvalid) -> Iterator[Problem]:
    """What is wrong, with the letter of the exhibit that it is about."""
    candidates = {each.prefix: each for each in work.sheet(step).candidates}
    for problem in refused.problems:
        prefix, _, field = problem.field.partition("-")
        yield lettered(candidates[prefix], replace(problem, field=field))
