"""The courses of a project, which are written in the browser: how they stand, figures, and attempts at their exams."""

from __future__ import annotations

from typing import Any

from annotation import clock
from annotation.models import Project
from frontend import access
from frontend.access.projects import or_not_found
from frontend.api import etags
from frontend.api.base import LeadView
from frontend.api.calls import change_call, read_call
from frontend.api.paging import CursorPage
from frontend.api.sent import members_of, people_named
from frontend.api.serializers.leads import courses as told
from frontend.leads.courses import attempts as pages
from frontend.leads.courses import figures, overview
from qualification.courses import candidates, deciding, editing, item_figures
from qualification.models import Attempt, Qualification


class CoursesView(LeadView):
    """The courses of a project, each for a qualification."""

    @read_call("list_courses", told.CoursePageSerializer)
    def get(self, project: Project) -> Any:
        """List the courses with their versions, the oldest first."""
        page = CursorPage(self.request, project.qualifications.filter(course_versions__isnull=False).distinct())
        return page.answer([_listed(row) for row in page.rows])


class CourseView(LeadView):
    """One of these courses."""

    @read_call("read_course", told.WholeCourseSerializer, finder=access.led_qualification)
    def get(self, row: Qualification) -> Any:
        """Read its rules, its blocks, and what stands in the way of publishing the draft."""
        return _whole(row)


class CoursePublishView(LeadView):
    """The draft of a course."""

    locked = True

    @change_call("publish_course", told.WholeCourseSerializer, finder=access.led_qualification)
    def post(self, _row: Qualification) -> Any:
        """Publish the draft: who begins from now on gets it. `If-Match` is that of the course."""
        [draft] = self.named(access.led_draft)
        etags.check_match(self.request, told.WholeCourseSerializer(_whole(draft.qualification)).data)
        editing.publish(draft, edits=draft.edits, by=self.person(), now=clock.now())
        return _whole(draft.qualification)


class CourseCloseView(LeadView):
    """A course that nobody begins any more."""

    @change_call("close_course", told.WholeCourseSerializer, finder=access.led_qualification)
    def post(self, row: Qualification) -> Any:
        """Close the course: nobody begins it; who has begun it finishes it."""
        return _closed(row, closed=True, by=self.person())


class CourseReopenView(LeadView):
    """A course that people can begin again."""

    @change_call("reopen_course", told.WholeCourseSerializer, finder=access.led_qualification)
    def post(self, row: Qualification) -> Any:
        """Let people begin what was published last."""
        return _closed(row, closed=False, by=self.person())


class CourseFiguresView(LeadView):
    """How far people come in a course, and what their answers say of each item of its exam."""

    @read_call("read_course_figures", told.CourseFiguresSerializer, finder=access.led_qualification)
    def get(self, row: Qualification) -> Any:
        """Read the figures."""
        people = candidates.candidates(row)
        return {
            "steps": candidates.funnel(row, people),
            "admitted": candidates.admitted_of(people),
            "weeks": figures.by_week(people),
            "sources": figures.by_source(people),
            "items": item_figures.item_figures(row),
        }


def _closed(row: Qualification, *, closed: bool, by: Any) -> dict[str, Any]:
    last = row.course_versions.filter(published_at__isnull=False).order_by("-version").first()
    editing.close(or_not_found(last), closed=closed, by=by, now=clock.now())
    return _whole(row)


def _listed(row: Qualification) -> dict[str, Any]:
    return {"key": row.key, "title": row.title, "versions": editing.with_people(row)}


def _whole(row: Qualification) -> dict[str, Any]:
    """The course as its page has it. NotFound if there is none yet."""
    page = overview.course_context(row)
    course, version = or_not_found(page["course"]), page["version"]
    rules = {name: getattr(course, name) for name in ("attempts", "wait_hours", "minutes", "extension", "paid")}
    shown = {name: page[name] for name in ("versions", "is_changed", "blocks", "missing_pictures", "unfinished")}
    about = {"key": row.key, "title": row.title, "version": version.version, "edits": version.edits}
    obstacles = [{"of": title, "why": why} for title, why, _key in page["obstacles"]]
    return about | rules | shown | {"tutorial": len(course.tutorial), "obstacles": obstacles}


class AttemptsView(LeadView):
    """Everybody’s attempts at the exam of a course. Trials of leads are none."""

    @read_call(
        "list_attempts",
        told.AttemptPageSerializer,
        finder=access.led_qualification,
        query=told.AttemptQuerySerializer,
    )
    def get(self, row: Qualification, asked: dict[str, Any]) -> Any:
        """List the attempts with points and outcome, the oldest first."""
        page = CursorPage(self.request, pages.attempts_of(row, asked.get("outcome", "")))
        return page.answer(pages.shown_attempts(page.rows))


class AttemptView(LeadView):
    """One of these attempts."""

    @read_call("read_attempt", told.AttemptSerializer, finder=access.led_attempt)
    def get(self, row: Attempt) -> Any:
        """Read an attempt."""
        return pages.shown_attempts([row])[0]


class AttemptVoidView(LeadView):
    """An attempt that our fault spoiled. A qualification that it gave stays until a lead decides about it."""

    @change_call("void_attempt", told.AttemptSerializer, finder=access.led_attempt, body=told.DecisionReasonSerializer)
    def post(self, row: Attempt, sent: dict[str, Any]) -> Any:
        """Have the attempt not count, also while it is open."""
        deciding.void(row, reason=sent["reason"], by=self.person(), now=clock.now())
        return pages.shown_attempts(self.named(access.led_attempt))[0]


class AttemptCountView(LeadView):
    """An attempt that counts after all."""

    @change_call("count_attempt_again", told.AttemptSerializer, finder=access.led_attempt)
    def post(self, row: Attempt) -> Any:
        """Have the attempt count again, until the person begins another one."""
        deciding.count_again(row, by=self.person(), now=clock.now())
        return pages.shown_attempts(self.named(access.led_attempt))[0]


class ExamTimeView(LeadView):
    """Who has more time in the exam of a course."""

    @read_call("list_exam_time", told.ExtraTimesSerializer, finder=access.led_qualification)
    def get(self, row: Qualification) -> Any:
        """List those who have."""
        return {"results": pages.with_more_time(row)}

    @change_call(
        "give_exam_time", told.ExtraTimesSerializer, finder=access.led_qualification, body=told.MoreTimeSerializer
    )
    def post(self, row: Qualification, sent: dict[str, Any]) -> Any:
        """Give somebody more minutes in place of those they had; 0 takes them away."""
        [person] = people_named([sent["person"]], among=members_of(row.project), field="person")
        given = {"minutes": sent["minutes"], "reason": sent["reason"]}
        deciding.give_time(row, person, **given, by=self.person(), now=clock.now())
        return {"results": pages.with_more_time(row)}
