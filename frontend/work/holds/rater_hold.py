"""The holds of a rater: on one exhibit of a judging round, or on all of one screen, until they lock the round."""

from __future__ import annotations

import uuid as uuids
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Unpack

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from annotation.engine.committing import AnswerSent
from annotation.engine.drafts import PageLoad
from annotation.engine.work import Work
from annotation.errors import PayloadInvalid, Problem
from annotation.judging.forms import lettered
from annotation.judging.together import TogetherWork
from annotation.models import Draft
from frontend.requests import AuthedRequest
from frontend.work import judging
from frontend.work.holds.assignment_hold import AssignmentHold
from tasks.engine import assignments
from tasks.engine.submitting import CommitOutcome
from tasks.judging import together
from tasks.models import Assignment


@dataclass(frozen=True)
class RaterHold(AssignmentHold):
    """An assignment of a judging round: nothing of it is skipped, returned, or ends by itself."""

    abilities = frozenset()
    searched = False

    @property
    def end_url(self) -> str:
        """The page of the round, once every exhibit has a mark."""
        return "" if assignments.next_in_block(self.assignment) else self._round_url

    @property
    def _round_url(self) -> str:
        exhibit = self.annotation.exhibit
        return reverse("judge", args=[exhibit.round.uuid]) if exhibit else ""

    @property
    def guidelines_url(self) -> str:
        """The round's definitions: raters judge by them, not by what people who answer are told."""
        return self._round_url

    def instead(self, request: AuthedRequest, work: Work) -> HttpResponse | None:
        """Locked work leads to the page of the round."""
        return None if self.in_hand else redirect(self._round_url)

    def may_stop(self) -> bool:
        return True

    def screen_fields(self, work: Work, step: str, *, now: datetime) -> dict[str, Any]:
        return {"judging": judging.place_of(self.assignment)}


@dataclass(frozen=True)
class TogetherHold(RaterHold):
    """The hold on the first of the `parts`, whose addresses the screen has, and on all others of them."""

    parts: tuple[Assignment, ...] = ()

    def work(self) -> TogetherWork:
        return together.work_of(self.parts)

    def commit(
        self, step: str, payload: dict[str, Any], *, left: dict[str, Any] | None, **sent: Unpack[AnswerSent]
    ) -> CommitOutcome:
        try:
            return together.commit(self.parts, step, payload, by=self.person, **sent)
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
