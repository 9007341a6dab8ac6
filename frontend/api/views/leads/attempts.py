"""The attempts at an exam: the list, voiding one that was spoiled, and more time for a person."""

from __future__ import annotations

import uuid as uuids
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock
from frontend import access
from frontend.api.base import LeadView
from frontend.api.paging import CursorPage
from frontend.api.people_named import members_of, people_named
from frontend.api.schema import PAGED
from frontend.api.sent import checked_body, checked_query
from frontend.api.serializers.leads import courses as told
from frontend.leads.courses import attempts as pages
from qualification.courses import deciding
from qualification.models import Attempt


class AttemptsView(LeadView):
    """Everybody’s attempts at the exam of a course. Trials of leads are none."""

    @extend_schema(
        operation_id="list_attempts",
        parameters=[told.AttemptQuerySerializer, *PAGED],
        responses=told.AttemptPageSerializer,
    )
    def get(self, request: Request, slug: str, qualification: str) -> Answer:
        """List the attempts with points and outcome, the oldest first."""
        row = access.led_qualification(self.person(), slug, qualification)
        wanted = checked_query(request, told.AttemptQuerySerializer).get("outcome", "")
        page = CursorPage(request, pages.attempts_of(row, wanted))
        return Answer(page.answer(told.AttemptSerializer(pages.shown_attempts(page.rows), many=True).data))


class AttemptView(LeadView):
    """One of these attempts."""

    @extend_schema(operation_id="read_attempt", responses=told.AttemptSerializer)
    def get(self, request: Request, slug: str, qualification: str, attempt: uuids.UUID) -> Answer:
        """Read an attempt."""
        return Answer(_told(access.led_attempt(self.person(), slug, qualification, attempt)))


class AttemptVoidView(LeadView):
    """An attempt that our fault spoiled. A qualification that it gave stays until a lead decides about it."""

    @extend_schema(operation_id="void_attempt", request=told.DecisionReasonSerializer, responses=told.AttemptSerializer)
    def post(self, request: Request, slug: str, qualification: str, attempt: uuids.UUID) -> Answer:
        """Have the attempt not count, also while it is open."""
        row = access.led_attempt(self.person(), slug, qualification, attempt)
        reason = checked_body(request, told.DecisionReasonSerializer)["reason"]

        def void() -> Answer:
            deciding.void(row, reason=reason, by=self.person(), now=clock.now())
            return Answer(_told(access.led_attempt(self.person(), slug, qualification, attempt)))

        return self.once(void)


class AttemptCountView(LeadView):
    """An attempt that counts after all."""

    @extend_schema(operation_id="count_attempt_again", request=None, responses=told.AttemptSerializer)
    def post(self, request: Request, slug: str, qualification: str, attempt: uuids.UUID) -> Answer:
        """Have the attempt count again, until the person begins another one."""
        row = access.led_attempt(self.person(), slug, qualification, attempt)

        def count() -> Answer:
            deciding.count_again(row, by=self.person(), now=clock.now())
            return Answer(_told(access.led_attempt(self.person(), slug, qualification, attempt)))

        return self.once(count)


class ExamTimeView(LeadView):
    """Who has more time in the exam of a course."""

    @extend_schema(operation_id="list_exam_time", responses=told.ExtraTimesSerializer)
    def get(self, request: Request, slug: str, qualification: str) -> Answer:
        """List those who have."""
        row = access.led_qualification(self.person(), slug, qualification)
        return Answer(told.ExtraTimesSerializer({"results": pages.with_more_time(row)}).data)

    @extend_schema(operation_id="give_exam_time", request=told.MoreTimeSerializer, responses=told.ExtraTimesSerializer)
    def post(self, request: Request, slug: str, qualification: str) -> Answer:
        """Give somebody more minutes in place of those they had; 0 takes them away."""
        row = access.led_qualification(self.person(), slug, qualification)
        sent = checked_body(request, told.MoreTimeSerializer)

        def give() -> Answer:
            [person] = people_named([sent["person"]], among=members_of(row.project), field="person")
            given = {"minutes": sent["minutes"], "reason": sent["reason"]}
            deciding.give_time(row, person, **given, by=self.person(), now=clock.now())
            return Answer(told.ExtraTimesSerializer({"results": pages.with_more_time(row)}).data)

        return self.once(give)


def _told(row: Attempt) -> Any:
    return told.AttemptSerializer(pages.shown_attempts([row])[0]).data
