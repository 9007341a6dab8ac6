"""The hold of a rater on an exhibit of a judging round: theirs until they lock the round."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from annotation.engine.work import Work
from frontend.requests import AuthedRequest
from frontend.work import judging
from frontend.work.holds.assignment_hold import AssignmentHold
from tasks.engine import assignments


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
