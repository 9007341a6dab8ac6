"""The qualifications of a project: make one, change its words, and say which activities need it."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock, randomness
from annotation.models import Project
from frontend import access
from frontend.api import etags
from frontend.api.base import LeadView
from frontend.api.sent import checked_body, checked_form
from frontend.api.serializers.leads import qualifications as told
from frontend.leads import qualifications as pages
from frontend.leads.qualifications import NewQualificationForm, QualificationForm
from qualification import granting
from qualification.models import Qualification


class QualificationsView(LeadView):
    """The qualifications of a project."""

    @extend_schema(operation_id="list_qualifications", responses=told.QualificationsSerializer)
    def get(self, request: Request, slug: str) -> Answer:
        """List the qualifications, by title."""
        project = access.led_project(self.person(), slug)
        return Answer(told.QualificationsSerializer({"results": pages.listed(project)}).data)

    @extend_schema(
        operation_id="make_qualification",
        request=told.NewQualificationSerializer,
        responses={201: told.QualificationSerializer},
    )
    def post(self, request: Request, slug: str) -> Answer:
        """Make a qualification. Who works in the activities that need it is admitted, or finishes what they hold."""
        project = access.led_project(self.person(), slug)
        sent = checked_body(request, told.NewQualificationSerializer)
        form = NewQualificationForm(project, sent | {"key": randomness.handle()})
        checked_form(form)

        def make() -> Answer:
            made = pages.make(form, by=self.person(), now=clock.now())
            return Answer(_told(made), status=201)

        return self.once(make)


class QualificationView(LeadView):
    """One of these qualifications. It is never deleted."""

    locked = True

    @extend_schema(operation_id="read_qualification", responses=told.QualificationSerializer)
    def get(self, request: Request, slug: str, qualification: str) -> Answer:
        """Read a qualification."""
        return Answer(_told(access.led_qualification(self.person(), slug, qualification)))

    @extend_schema(
        operation_id="change_qualification",
        request=told.QualificationWordsSerializer,
        responses=told.QualificationSerializer,
    )
    def patch(self, request: Request, slug: str, qualification: str) -> Answer:
        """Change a qualification’s words, or the activities that need it; who lacks it finishes what they hold."""
        row = access.led_qualification(self.person(), slug, qualification)
        sent = checked_body(request, told.QualificationWordsSerializer)

        def change() -> Answer:
            now_there = _locked(row)
            etags.check_match(request, _told(now_there))
            wanted = _wanted(now_there, sent)
            said: dict[str, Any] = {"by": self.person(), "now": clock.now()}
            granting.require(now_there, wanted.pop("activities"), **said)
            granting.describe(now_there, **wanted, **said)
            return Answer(_told(now_there))

        return self.once(change)


def _locked(row: Qualification) -> Qualification:
    """As it is now, while nobody else changes it or the settings of its project."""
    Project.objects.select_for_update(no_key=True).get(pk=row.project_id)
    return granting.lock_qualification(row)


def _wanted(row: Qualification, sent: dict[str, Any]) -> dict[str, Any]:
    """What was sent, and for the rest what it says now. ValidationError with the sentences of the page."""
    now = {"title": row.title, "about": row.about, "activities": granting.required_by(row)}
    found: dict[str, Any] = checked_form(QualificationForm(row.project, now | sent))
    return found


def _told(row: Qualification) -> Any:
    found = next(each for each in pages.listed(row.project) if each.row.pk == row.pk)
    return told.QualificationSerializer(found).data
