"""What the views of somebody’s own work have in common."""

from __future__ import annotations

import uuid as uuids
from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response as Answer

from annotation import clock
from annotation.engine.work import Work
from annotation.errors import Refused
from frontend.api.base import ApiView
from frontend.api.problems import refusal_answer
from frontend.api.serializers.work import StepSerializer, VersionSerializer, WorkSerializer
from frontend.api.work.holding import scripted_hold, submission_key_of, version_of
from frontend.api.work.shown import ShownWork
from frontend.work import conflicts
from frontend.work.holds.assignment_hold import AssignmentHold
from qualification.models import ApiToken, TokenScope


class HeldView(ApiView):
    """A view for a person’s own work, mostly for a piece that they hold."""

    scopes = frozenset({TokenScope.WORK})
    of_any_project = True
    keyed = False
    replays_first = True

    def named(self, finder: Callable[..., Any] | None) -> list[Any]:
        """What the first part of the address names, which is a piece of work or a project."""
        return [finder(self.person(), *list(self.kwargs.values())[:1])] if finder else []

    def check_right(self) -> None:
        """What every call about a piece of work asks: that it is theirs, a member's who has consented, by script."""
        self.anew()

    def anew(self) -> AssignmentHold:
        """The work that the address names, as it is by now."""
        return scripted_hold(self.person(), self.kwargs["uuid"])

    def shown_work(self) -> ShownWork:
        """What the script is shown."""
        return ShownWork(self.request._request, self.token(), now=clock.now())

    def token(self) -> ApiToken:
        """The token that calls."""
        token: ApiToken = self.request.auth
        return token

    def work_now(self, held: AssignmentHold, work: Work | None = None) -> dict[str, Any]:
        """The work as it is now."""
        return self.shown_work().work(held, work or held.work())

    def conflict(self, why: Refused) -> Answer:
        """409 (422 for a reused key) with the work, and the step that it was about, as they are now."""
        response = refusal_answer(why, {})
        if response is None or not isinstance(why, conflicts.CONFLICTS):
            raise why
        held, step = self.anew(), self.kwargs["step"]
        work, shown = held.work(), self.shown_work()
        reached = held.in_hand and work.reached(step)
        found = WorkSerializer(shown.work(held, work)).data
        own = None if held.hides else work.answer_at(step)
        response.data["now"] = {
            "work": found,
            "step": StepSerializer(shown.step(held, work, step)).data if reached else None,
            "answer": own.payload.model_dump(mode="json") if own else None,
            "replace": self._version_to_replace(held, work, step),
        }
        return response

    def _version_to_replace(self, held: AssignmentHold, work: Work, step: str) -> dict[str, object] | None:
        """What a second answer is sent with that is to count in place of the first; None if it may not."""
        if held.hides or not held.may_replace(work, step, now=clock.now()):
            return None
        found: dict[str, object] = VersionSerializer(version_of(held, work, None, step, self.token())).data
        return found

    def submission_key(self, body: dict[str, Any]) -> uuids.UUID:
        """The key of an answer: that of its body, or what the header `Idempotency-Key` stands for."""
        header = self.request.headers.get("Idempotency-Key", "")
        if "key" in body:
            key: uuids.UUID = body["key"]
            return key
        if not header:
            raise ValidationError({"key": _("Make a UUID for each answer, so that it counts once.")}, code="required")
        return submission_key_of(self.token(), header)
