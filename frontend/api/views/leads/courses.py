"""The courses of a project: how they stand, publishing, closing, and their figures. They are written in the browser."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock
from frontend import access
from frontend.access.projects import or_not_found
from frontend.api import etags
from frontend.api.base import LeadView
from frontend.api.paging import CursorPage
from frontend.api.schema import PAGED
from frontend.api.serializers.leads import courses as told
from frontend.leads.courses import figures, overview
from qualification.courses import candidates, editing, item_figures
from qualification.models import Qualification


class CoursesView(LeadView):
    """The courses of a project, each for a qualification."""

    @extend_schema(operation_id="list_courses", parameters=PAGED, responses=told.CoursePageSerializer)
    def get(self, request: Request, slug: str) -> Answer:
        """List the courses with their versions, the oldest first."""
        project = access.led_project(self.person(), slug)
        rows = project.qualifications.filter(course_versions__isnull=False).distinct()
        page = CursorPage(request, rows)
        return Answer(page.answer([told.CourseSerializer(_listed(row)).data for row in page.rows]))


class CourseView(LeadView):
    """One of these courses."""

    @extend_schema(operation_id="read_course", responses=told.WholeCourseSerializer)
    def get(self, request: Request, slug: str, qualification: str) -> Answer:
        """Read its rules, its blocks, and what stands in the way of publishing the draft."""
        return Answer(_told(access.led_qualification(self.person(), slug, qualification)))


class CoursePublishView(LeadView):
    """The draft of a course."""

    locked = True

    @extend_schema(operation_id="publish_course", request=None, responses=told.WholeCourseSerializer)
    def post(self, request: Request, slug: str, qualification: str) -> Answer:
        """Publish the draft: who begins from now on gets it. `If-Match` is that of the course."""
        access.led_qualification(self.person(), slug, qualification)

        def publish() -> Answer:
            draft = access.led_draft(self.person(), slug, qualification)
            etags.check_match(request, _told(draft.qualification))
            editing.publish(draft, edits=draft.edits, by=self.person(), now=clock.now())
            return Answer(_told(draft.qualification))

        return self.once(publish)


class CourseCloseView(LeadView):
    """A course that nobody begins any more."""

    @extend_schema(operation_id="close_course", request=None, responses=told.WholeCourseSerializer)
    def post(self, request: Request, slug: str, qualification: str) -> Answer:
        """Close the course: nobody begins it; who has begun it finishes it."""
        row = access.led_qualification(self.person(), slug, qualification)
        return self.once(lambda: _closed(row, closed=True, by=self.person()))


class CourseReopenView(LeadView):
    """A course that people can begin again."""

    @extend_schema(operation_id="reopen_course", request=None, responses=told.WholeCourseSerializer)
    def post(self, request: Request, slug: str, qualification: str) -> Answer:
        """Let people begin what was published last."""
        row = access.led_qualification(self.person(), slug, qualification)
        return self.once(lambda: _closed(row, closed=False, by=self.person()))


class CourseFiguresView(LeadView):
    """How far people come in a course, and what their answers say of each item of its exam."""

    @extend_schema(operation_id="read_course_figures", responses=told.CourseFiguresSerializer)
    def get(self, request: Request, slug: str, qualification: str) -> Answer:
        """Read the figures."""
        row = access.led_qualification(self.person(), slug, qualification)
        people = candidates.candidates(row)
        found = {
            "steps": candidates.funnel(row, people),
            "admitted": candidates.admitted_of(people),
            "weeks": figures.by_week(people),
            "sources": figures.by_source(people),
            "items": item_figures.item_figures(row),
        }
        return Answer(told.CourseFiguresSerializer(found).data)


def _closed(row: Qualification, *, closed: bool, by: Any) -> Answer:
    last = row.course_versions.filter(published_at__isnull=False).order_by("-version").first()
    editing.close(or_not_found(last), closed=closed, by=by, now=clock.now())
    return Answer(_told(row))


def _listed(row: Qualification) -> dict[str, Any]:
    return {"key": row.key, "title": row.title, "versions": editing.with_people(row)}


def _told(row: Qualification) -> Any:
    """The course as its page has it. NotFound if there is none yet."""
    page = overview.course_context(row)
    course, version = or_not_found(page["course"]), page["version"]
    rules = {name: getattr(course, name) for name in ("attempts", "wait_hours", "minutes", "extension", "paid")}
    shown = {name: page[name] for name in ("versions", "is_changed", "blocks", "missing_pictures", "unfinished")}
    about = {"key": row.key, "title": row.title, "version": version.version, "edits": version.edits}
    obstacles = [{"of": title, "why": why} for title, why, _key in page["obstacles"]]
    found = about | rules | shown | {"tutorial": len(course.tutorial), "obstacles": obstacles}
    return told.WholeCourseSerializer(found).data
