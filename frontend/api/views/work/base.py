"""What the views of somebody’s own work have in common."""

from __future__ import annotations

import uuid as uuids
from typing import Any, TypeVar

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response as Answer

from annotation import clock
from annotation.engine.work import Work
from annotation.errors import Refused
from frontend.api.base import WorkView
from frontend.api.problems import refusal_answer
from frontend.api.serializers.bodies import BodySerializer
from frontend.api.serializers.work import StepSerializer, VersionSerializer, WorkSerializer
from frontend.api.work.holding import scripted_hold, submission_key_of, version_of
from frontend.api.work.shown import ShownWork
from frontend.work import conflicts
from frontend.work.holds.assignment_hold import AssignmentHold
from qualification.models import ApiToken

Body = TypeVar("Body", bound=BodySerializer)


class HeldView(WorkView):
    """A view of a piece of work that its person holds."""

    of_any_project = True
    keyed = False

    def held(self, uuid: uuids.UUID) -> AssignmentHold:
        """The person’s own work, of a project where they may work by script."""
        return scripted_hold(self.person(), uuid)

    def shown_work(self) -> ShownWork:
        """What the script is shown."""
        return ShownWork(self.request._request, self.token(), now=clock.now())

    def token(self) -> ApiToken:
        """The token that calls."""
        token: ApiToken = self.request.auth
        return token

    def body(self, kind: type[BodySerializer]) -> dict[str, Any]:
        """The valid body of the call; ValidationError for any other."""
        sent = kind(data=self.request.data)
        sent.is_valid(raise_exception=True)
        found: dict[str, Any] = sent.validated_data
        return found

    def answer(self, held: AssignmentHold, work: Work | None = None) -> Answer:
        """The work as it is now."""
        return Answer(WorkSerializer(self.shown_work().work(held, work or held.work())).data)

    def conflict(self, why: Refused, uuid: uuids.UUID, step: str) -> Answer:
        """409 (422 for a reused key) with the work, and the step that it was about, as they are now."""
        response = refusal_answer(why, {})
        if response is None or not isinstance(why, conflicts.CONFLICTS):
            raise why
        held = self.held(uuid)
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
