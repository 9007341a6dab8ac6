"""Who has a qualification: give it to members, suspend, restore and revoke. No call makes a member by that."""

from __future__ import annotations

import uuid as uuids
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock
from annotation.errors import NotFound
from annotation.models import Project, User
from frontend import access
from frontend.api import etags
from frontend.api.base import LeadView
from frontend.api.paging import CursorPage
from frontend.api.people_named import members_of, people_named
from frontend.api.schema import PAGED
from frontend.api.sent import checked_body, checked_query
from frontend.api.serializers.leads import qualifications as told
from frontend.leads import qualifications as pages
from qualification import granting
from qualification.models import Grant, GrantOrigin, Qualification
from tasks.people import memberships

RELATED = ("user", "by", "decided_by")


class GrantsView(LeadView):
    """The grants of a qualification."""

    @extend_schema(
        operation_id="list_grants", parameters=[told.GrantQuerySerializer, *PAGED], responses=told.GrantPageSerializer
    )
    def get(self, request: Request, slug: str, qualification: str) -> Answer:
        """List the grants with those that were revoked, the oldest first."""
        row = access.led_qualification(self.person(), slug, qualification)
        wanted = checked_query(request, told.GrantQuerySerializer)
        page = CursorPage(request, row.grants.filter(**wanted).select_related(*RELATED))
        return Answer(page.answer(told.GrantSerializer(page.rows, many=True).data))

    @extend_schema(operation_id="give_qualification", request=told.GiveSerializer, responses=told.GrantsSerializer)
    def post(self, request: Request, slug: str, qualification: str) -> Answer:
        """Give a qualification to members who have not got it, and answer with what was given."""
        row = access.led_qualification(self.person(), slug, qualification)
        sent = checked_body(request, told.GiveSerializer)

        def give() -> Answer:
            people = people_named(sent["people"], among=members_of(row.project), field="people")
            whom = [*people, *_workers(row.project, sent["worked_in"])]
            origin = GrantOrigin.HAND if people else GrantOrigin.WORKED_HERE
            return _given(row, whom, sent, origin=origin, by=self.person())

        return self.once(give)


class AdmissionView(LeadView):
    """Those who work where a qualification is needed and never had it."""

    @extend_schema(operation_id="admit_workers", request=told.AdmitSerializer, responses=told.GrantsSerializer)
    def post(self, request: Request, slug: str, qualification: str) -> Answer:
        """Give a qualification to all who work there already, and answer with what was given."""
        row = access.led_qualification(self.person(), slug, qualification)
        sent = checked_body(request, told.AdmitSerializer)

        def admit() -> Answer:
            people = list(pages.lacking_people(row))
            return _given(row, people, sent, origin=GrantOrigin.WORKED_HERE, by=self.person())

        return self.once(admit)


class GivingUndoView(LeadView):
    """What was given and should not have been."""

    @extend_schema(operation_id="undo_giving", request=told.UndoGivingSerializer, responses=told.GrantsSerializer)
    def post(self, request: Request, slug: str, qualification: str) -> Answer:
        """Revoke what was given together, but for grants about which something was decided since."""
        row = access.led_qualification(self.person(), slug, qualification)
        giving = checked_body(request, told.UndoGivingSerializer)["giving"]
        if not row.grants.filter(submission_key=giving).exists():
            raise NotFound

        def undo() -> Answer:
            granting.undo_giving(row, giving, reason=_("undone"), by=self.person(), now=clock.now())
            return _told(row, giving)

        return self.once(undo)


class GrantView(LeadView):
    """One of these grants."""

    @extend_schema(operation_id="read_grant", responses=told.GrantSerializer)
    def get(self, request: Request, slug: str, qualification: str, grant: int) -> Answer:
        """Read a grant."""
        return Answer(told.GrantSerializer(access.led_grant(self.person(), slug, qualification, grant)).data)


class GrantDecisionView(LeadView):
    """A lead’s decision about a grant, which its person reads with the reason."""

    locked = True

    @extend_schema(operation_id="decide_grant", request=told.GrantDecisionSerializer, responses=told.GrantSerializer)
    def post(self, request: Request, slug: str, qualification: str, grant: int) -> Answer:
        """Suspend, restore or revoke a grant. What the person holds they may finish."""
        row = access.led_grant(self.person(), slug, qualification, grant)
        sent = checked_body(request, told.GrantDecisionSerializer)

        def decide() -> Answer:
            now_there = access.led_grant(self.person(), slug, qualification, grant)
            etags.check_match(request, told.GrantSerializer(now_there).data)
            decision: Any = pages.DECISIONS[sent["action"]]
            said = {"reason": sent["reason"], "after": now_there.decisions}  # somebody else's in between is refused
            return Answer(told.GrantSerializer(decision(row, **said, by=self.person(), now=clock.now())).data)

        return self.once(decide)


def _workers(project: Project, activity: str) -> list[User]:
    """All who have worked in that activity; nobody for none. ValidationError for one that the protocol lacks."""
    if activity and activity not in dict(pages.activity_choices(project)):
        raise ValidationError({"worked_in": [_("There is no such activity.")]})
    return list(memberships.workers_in(project, [activity])) if activity else []


def _given(row: Qualification, people: list[User], sent: dict[str, Any], *, origin: GrantOrigin, by: User) -> Answer:
    said = {"reason": sent["reason"], "form": sent["giving"], "origin": origin}
    granting.give(row, people, **said, by=by, now=clock.now())
    return _told(row, sent["giving"])


def _told(row: Qualification, giving: uuids.UUID) -> Answer:
    found = Grant.objects.filter(qualification=row, submission_key=giving).select_related(*RELATED).order_by("pk")
    return Answer(told.GrantsSerializer({"results": found}).data)
