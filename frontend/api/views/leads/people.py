"""People of a project with their pay, and invitations to it. No call makes a member: that is for the browser."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError

from annotation import clock, membership
from annotation.models import Membership, Payment, Project, Role, User
from frontend import access
from frontend.api.base import LeadView
from frontend.api.calls import change_call, read_call
from frontend.api.paging import CursorPage
from frontend.api.sent import checked_form
from frontend.api.serializers.leads import people as told
from frontend.leads import members
from frontend.leads import person as pages
from frontend.leads.pay import PaidForm, pay_table, period_of, seen_seconds
from qualification import invitations
from qualification.models import Invite
from tasks.people import memberships, payments
from tasks.people.earnings import Period


class PeopleView(LeadView):
    """The members of a project."""

    @read_call("list_people", told.PersonPageSerializer)
    def get(self, project: Project) -> Any:
        """List the members, those who have had their accounts longest first."""
        live = Membership.objects.filter(project=project, ended_at__isnull=True)
        page = CursorPage(self.request, User.objects.filter(pk__in=live.values("user")))
        return page.answer(_with_work(project, page.rows))


class PersonView(LeadView):
    """Somebody who is or was a member of a project."""

    @read_call("read_person", told.WholePersonSerializer, finder=access.led_person)
    def get(self, member: tuple[Project, User]) -> Any:
        """Read their roles, and what they did."""
        return _whole(*member)


class PersonEndView(LeadView):
    """The end of a membership."""

    @change_call("end_membership", told.WholePersonSerializer, finder=access.led_person, body=told.EndSerializer)
    def post(self, member: tuple[Project, User], sent: dict[str, Any]) -> Any:
        """End a role, at once or once they have finished what they hold. A lead gives it back in the browser."""
        said: dict[str, Any] = {"finish": sent["finish"], "reason": sent["reason"], "now": clock.now()}
        memberships.end(*member, Role(sent["role"]), by=self.person(), **said)
        return _whole(*member)


class InvitationsView(LeadView):
    """The invitations into a project."""

    @read_call("list_invitations", told.InvitePageSerializer)
    def get(self, project: Project) -> Any:
        """List the invitations, the oldest first."""
        page = CursorPage(self.request, project.invites.select_related("by", "used_by"))
        return page.answer(_with_state(project, page.rows))


class InvitationRevokeView(LeadView):
    """The end of an invitation’s link."""

    @change_call("revoke_invitation", told.InviteSerializer, finder=access.led_invite)
    def post(self, invite: Invite) -> Any:
        """Make the link stop working. A new one is made in the browser."""
        invitations.revoke(invite, by=self.person(), now=clock.now())
        invite.refresh_from_db()
        return _with_state(invite.project, [invite])[0]


def _whole(project: Project, person: User) -> dict[str, Any]:
    found = {"person": person.worker_code, "roles": pages.roles(project, person)}
    return found | {"figures": pages.figures(project, person)}


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


class PayView(LeadView):
    """What people did in a period, what it brings, and what they are owed. The site itself pays nothing."""

    @read_call("read_pay", told.PayTableSerializer, query=told.PeriodQuerySerializer)
    def get(self, project: Project, asked: dict[str, Any]) -> Any:
        """Read the table."""
        days = {name: str(day) for name, day in asked.items()}
        return pay_table(project, period_of(project, days, today=timezone.localdate(clock.now())))

    @change_call("mark_paid", told.PaymentsSerializer, body=told.MarkPaidSerializer)
    def post(self, project: Project, sent: dict[str, Any]) -> Any:
        """Mark as paid what the table said is owed; less by now is refused, and nothing is marked."""
        seen, words = _seen(project, sent["people"]), _form(sent).words()
        period, by, now = Period(sent.get("since"), sent["until"]), self.person(), clock.now()
        return _together(payments.mark_paid(project, seen, period=period, words=words, by=by, now=now))


class PayUndoView(LeadView):
    """What was marked as paid and is not."""

    @change_call("undo_payment", told.PaymentsSerializer, body=told.UndoPaySerializer)
    def post(self, project: Project, sent: dict[str, Any]) -> Any:
        """Undo a payment, for one person or for all: it is owed again."""
        code, by = sent.get("person", ""), self.person()
        person = access.led_person(by, project.slug, code)[1] if code else None
        return _together(payments.undo_payments(project, sent["settlement"], person=person, by=by, now=clock.now()))


def _seen(project: Project, people: list[dict[str, Any]]) -> dict[int, int]:
    """Seconds by the key of the person; ValidationError for a code that nobody has, or that is there twice."""
    seen = seen_seconds(project, " ".join(f"{one['person']}:{one['seconds']}" for one in people), only="")
    if len(seen) != len(people):
        raise ValidationError({"people": _("Name members of the project, each once.")})
    return seen


def _form(sent: dict[str, Any]) -> PaidForm:
    form = PaidForm(
        {"paid_on": sent["paid_on"], "note": sent.get("note", ""), "seen": "sent", "key": sent["settlement"]}
    )
    checked_form(form)
    return form


def _together(rows: list[Payment]) -> dict[str, Any]:
    found = Payment.objects.filter(pk__in=[row.pk for row in rows]).select_related("annotator").order_by("pk")
    return {"results": found}
