"""Addresses of the API about the qualifications of a project and the courses that lead to them, for its leads."""

from __future__ import annotations

from django.urls import path

from frontend.api.views.leads import attempts, courses, grants, qualifications

PROJECT = "api/v1/projects/<slug:slug>/"
ALL = f"{PROJECT}qualifications/"
ONE = f"{ALL}<slug:qualification>/"
COURSE = f"{PROJECT}courses/<slug:qualification>/"
ATTEMPT = f"{COURSE}attempts/<uuid:attempt>/"
urlpatterns = [
    path(ALL, qualifications.QualificationsView.as_view(), name="api_qualifications"),
    path(ONE, qualifications.QualificationView.as_view(), name="api_qualification"),
    path(f"{ONE}admit/", grants.AdmissionView.as_view(), name="api_admit_workers"),
    path(f"{ONE}grants/", grants.GrantsView.as_view(), name="api_grants"),
    path(f"{ONE}grants/undo/", grants.GivingUndoView.as_view(), name="api_undo_giving"),
    path(f"{ONE}grants/<int:grant>/", grants.GrantView.as_view(), name="api_grant"),
    path(f"{ONE}grants/<int:grant>/decide/", grants.GrantDecisionView.as_view(), name="api_decide_grant"),
    path(f"{PROJECT}courses/", courses.CoursesView.as_view(), name="api_courses"),
    path(COURSE, courses.CourseView.as_view(), name="api_course"),
    path(f"{COURSE}publish/", courses.CoursePublishView.as_view(), name="api_publish_course"),
    path(f"{COURSE}close/", courses.CourseCloseView.as_view(), name="api_close_course"),
    path(f"{COURSE}reopen/", courses.CourseReopenView.as_view(), name="api_reopen_course"),
    path(f"{COURSE}figures/", courses.CourseFiguresView.as_view(), name="api_course_figures"),
    path(f"{COURSE}time/", attempts.ExamTimeView.as_view(), name="api_exam_time"),
    path(f"{COURSE}attempts/", attempts.AttemptsView.as_view(), name="api_attempts"),
    path(ATTEMPT, attempts.AttemptView.as_view(), name="api_attempt"),
    path(f"{ATTEMPT}void/", attempts.AttemptVoidView.as_view(), name="api_void_attempt"),
    path(f"{ATTEMPT}count/", attempts.AttemptCountView.as_view(), name="api_count_attempt"),
]
