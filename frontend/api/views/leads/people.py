"""People of a project, and invitations to it. No call makes a member: that is for the browser."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock, membership
from annotation.models import Membership, Project, Role, User
from frontend import access
from frontend.api.base import LeadView
from frontend.api.paging import CursorPage
from frontend.api.schema import PAGED
from frontend.api.sent import checked_body
from frontend.api.serializers.leads import people as told
from frontend.leads import members
from frontend.leads import person as pages
from qualification import invitations
from qualification.models import Invite
from tasks.people import memberships


class PeopleView(LeadView):
    """The members of a project."""

    @extend_schema(operation_id="list_people", parameters=PAGED, responses=told.PersonPageSerializer)
    def get(self, request: Request, slug: str) -> Answer:
        """List the members, those who have had their accounts longest first."""
        project = access.led_project(self.person(), slug)
        live = Membership.objects.filter(project=project, ended_at__isnull=True)
        page = CursorPage(request, User.objects.filter(pk__in=live.values("user")))
        return Answer(page.answer(told.PersonSerializer(_with_work(project, page.rows), many=True).data))


class PersonView(LeadView):
    """Somebody who is or was a member of a project."""

    @extend_schema(operation_id="read_person", responses=told.WholePersonSerializer)
    def get(self, request: Request, slug: str, code: str) -> Answer:
        """Read their roles, and what they did."""
        return _told(*access.led_person(self.person(), slug, code))


class PersonEndView(LeadView):
    """The end of a membership."""

    @extend_schema(operation_id="end_membership", request=told.EndSerializer, responses=told.WholePersonSerializer)
    def post(self, request: Request, slug: str, code: str) -> Answer:
        """End a role, at once or once they have finished what they hold. A lead gives it back in the browser."""
        project, person = access.led_person(self.person(), slug, code)
        sent = checked_body(request, told.EndSerializer)

        def end() -> Answer:
            said: dict[str, Any] = {"finish": sent["finish"], "reason": sent["reason"], "now": clock.now()}
            memberships.end(project, person, Role(sent["role"]), by=self.person(), **said)
            return _told(project, person)

        return self.once(end)


class InvitationsView(LeadView):
    """The invitations into a project."""

    @extend_schema(operation_id="list_invitations", parameters=PAGED, responses=told.InvitePageSerializer)
    def get(self, request: Request, slug: str) -> Answer:
        """List the invitations, the oldest first."""
        project = access.led_project(self.person(), slug)
        page = CursorPage(request, project.invites.select_related("by", "used_by"))
        return Answer(page.answer(told.InviteSerializer(_with_state(project, page.rows), many=True).data))


class InvitationRevokeView(LeadView):
    """The end of an invitation’s link."""

    @extend_schema(operation_id="revoke_invitation", request=None, responses=told.InviteSerializer)
    def post(self, request: Request, slug: str, invite: int) -> Answer:
        """Make the link stop working. A new one is made in the browser."""
        found = access.led_invite(self.person(), slug, invite)

        def revoke() -> Answer:
            invitations.revoke(found, by=self.person(), now=clock.now())
            found.refresh_from_db()
            return Answer(told.InviteSerializer(_with_state(found.project, [found])[0]).data)

        return self.once(revoke)


def _told(project: Project, person: User) -> Answer:
    found = {"person": person.worker_code, "roles": pages.roles(project, person)}
    return Answer(told.WholePersonSerializer(found | {"figures": pages.figures(project, person)}).data)


def _with_work(project: Project, people: list[User]) -> list[dict[str, Any]]:
    keys = [person.pk for person in people]
    roles: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in Membership.objects.filter(project=project, user__in=keys, ended_at__isnull=True).order_by("pk"):
        ends = row.no_new_work_since is not None
        roles[row.user_id].append({"role": row.role, "since": row.since, "ends": ends, "ended": None})
    done = members.work_of(project, keys)
    return [
        {"worker_code": one.worker_code, "roles": roles[one.pk], "finished": done.get(one.pk, {}).get("finished", 0)}
        for one in people
    ]


def _with_state(project: Project, rows: list[Invite]) -> list[Any]:
    leads, now = membership.leads_of(project), clock.now()
    return [_stated(row, row.state(now, leads=leads)) for row in rows]


def _stated(row: Any, state: str) -> Any:
    row.told_state = state
    return row
