"""The qualifications of a project, and who has them: given, suspended, restored, revoked. No call makes a member."""

from __future__ import annotations

import uuid as uuids
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError

from annotation import clock, randomness
from annotation.models import Project, User
from frontend import access
from frontend.access.projects import or_not_found
from frontend.api import etags
from frontend.api.base import LeadView
from frontend.api.calls import change_call, read_call
from frontend.api.paging import CursorPage
from frontend.api.sent import checked_form, members_of, people_named
from frontend.api.serializers.leads import qualifications as told
from frontend.leads import qualifications as pages
from frontend.leads.qualifications import NewQualificationForm, QualificationForm
from qualification import granting
from qualification.models import Grant, GrantOrigin, Qualification
from tasks.people import memberships

RELATED = ("user", "by", "decided_by")


class QualificationsView(LeadView):
    """The qualifications of a project."""

    @read_call("list_qualifications", told.QualificationsSerializer)
    def get(self, project: Project) -> Any:
        """List the qualifications, by title."""
        return {"results": pages.listed(project)}

    @change_call("make_qualification", told.QualificationSerializer, body=told.NewQualificationSerializer, status=201)
    def post(self, project: Project, sent: dict[str, Any]) -> Any:
        """Make a qualification. Who works in the activities that need it is admitted, or finishes what they hold."""
        form = NewQualificationForm(project, sent | {"key": randomness.handle()})
        checked_form(form)
        return _listed(pages.make(form, by=self.person(), now=clock.now()))


class QualificationView(LeadView):
    """One of these qualifications. It is never deleted."""

    locked = True

    @read_call("read_qualification", told.QualificationSerializer, finder=access.led_qualification)
    def get(self, row: Qualification) -> Any:
        """Read a qualification."""
        return _listed(row)

    @change_call(
        "change_qualification",
        told.QualificationSerializer,
        finder=access.led_qualification,
        body=told.QualificationWordsSerializer,
    )
    def patch(self, row: Qualification, sent: dict[str, Any]) -> Any:
        """Change a qualification’s words, or the activities that need it; who lacks it finishes what they hold."""
        now_there = _locked(row)
        etags.check_match(self.request, told.QualificationSerializer(_listed(now_there)).data)
        wanted = _wanted(now_there, sent)
        said: dict[str, Any] = {"by": self.person(), "now": clock.now()}
        granting.require(now_there, wanted.pop("activities"), **said)
        granting.describe(now_there, **wanted, **said)
        return _listed(now_there)


def _locked(row: Qualification) -> Qualification:
    """As it is now, while nobody else changes it or the settings of its project."""
    Project.objects.select_for_update(no_key=True).get(pk=row.project_id)
    return granting.lock_qualification(row)


def _wanted(row: Qualification, sent: dict[str, Any]) -> dict[str, Any]:
    """What was sent, and for the rest what it says now. ValidationError with the sentences of the page."""
    now = {"title": row.title, "about": row.about, "activities": granting.required_by(row)}
    found: dict[str, Any] = checked_form(QualificationForm(row.project, now | sent))
    return found


def _listed(row: Qualification) -> pages.ListedQualification:
    return next(each for each in pages.listed(row.project) if each.row.pk == row.pk)


class GrantsView(LeadView):
    """The grants of a qualification."""

    @read_call(
        "list_grants", told.GrantPageSerializer, finder=access.led_qualification, query=told.GrantQuerySerializer
    )
    def get(self, row: Qualification, wanted: dict[str, Any]) -> Any:
        """List the grants with those that were revoked, the oldest first."""
        return CursorPage(self.request, row.grants.filter(**wanted).select_related(*RELATED)).answer()

    @change_call("give_qualification", told.GrantsSerializer, finder=access.led_qualification, body=told.GiveSerializer)
    def post(self, row: Qualification, sent: dict[str, Any]) -> Any:
        """Give a qualification to members who have not got it, and answer with what was given."""
        people = people_named(sent["people"], among=members_of(row.project), field="people")
        whom = [*people, *_workers(row.project, sent["worked_in"])]
        origin = GrantOrigin.HAND if people else GrantOrigin.WORKED_HERE
        return _given(row, whom, sent, origin=origin, by=self.person())


class AdmissionView(LeadView):
    """Those who work where a qualification is needed and never had it."""

    @change_call("admit_workers", told.GrantsSerializer, finder=access.led_qualification, body=told.AdmitSerializer)
    def post(self, row: Qualification, sent: dict[str, Any]) -> Any:
        """Give a qualification to all who work there already, and answer with what was given."""
        people = list(pages.lacking_people(row))
        return _given(row, people, sent, origin=GrantOrigin.WORKED_HERE, by=self.person())


class GivingUndoView(LeadView):
    """What was given and should not have been."""

    @change_call("undo_giving", told.GrantsSerializer, finder=access.led_qualification, body=told.UndoGivingSerializer)
    def post(self, row: Qualification, sent: dict[str, Any]) -> Any:
        """Revoke what was given together, but for grants about which something was decided since."""
        giving = sent["giving"]
        or_not_found(row.grants.filter(submission_key=giving).first())
        granting.undo_giving(row, giving, reason=_("undone"), by=self.person(), now=clock.now())
        return _together(row, giving)


class GrantView(LeadView):
    """One of these grants."""

    @read_call("read_grant", told.GrantSerializer, finder=access.led_grant)
    def get(self, row: Grant) -> Grant:
        """Read a grant."""
        return row


class GrantDecisionView(LeadView):
    """A lead’s decision about a grant, which its person reads with the reason."""

    locked = True

    @change_call("decide_grant", told.GrantSerializer, finder=access.led_grant, body=told.GrantDecisionSerializer)
    def post(self, row: Grant, sent: dict[str, Any]) -> Any:
        """Suspend, restore or revoke a grant. What the person holds they may finish."""
        [now_there] = self.named(access.led_grant)
        etags.check_match(self.request, told.GrantSerializer(now_there).data)
        decision: Any = pages.DECISIONS[sent["action"]]
        said = {"reason": sent["reason"], "after": now_there.decisions}  # somebody else's in between is refused
        return decision(row, **said, by=self.person(), now=clock.now())


def _workers(project: Project, activity: str) -> list[User]:
    """All who have worked in that activity; nobody for none. ValidationError for one that the protocol lacks."""
    if activity and activity not in dict(pages.activity_choices(project)):
        raise ValidationError({"worked_in": [_("There is no such activity.")]})
    return list(memberships.workers_in(project, [activity])) if activity else []


def _given(
    row: Qualification, people: list[User], sent: dict[str, Any], *, origin: GrantOrigin, by: User
) -> dict[str, Any]:
    said = {"reason": sent["reason"], "form": sent["giving"], "origin": origin}
    granting.give(row, people, **said, by=by, now=clock.now())
    return _together(row, sent["giving"])


def _together(row: Qualification, giving: uuids.UUID) -> dict[str, Any]:
    found = Grant.objects.filter(qualification=row, submission_key=giving).select_related(*RELATED).order_by("pk")
    return {"results": found}
