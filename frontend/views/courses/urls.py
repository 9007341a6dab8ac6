"""URLs of courses, for those who take them."""

from __future__ import annotations

from django.urls import path

from frontend.views.courses import course, exam

COURSE = "projects/<slug:slug>/courses/<slug:qualification>/"
EXAM = "exam/<uuid:attempt>/"

urlpatterns = [
    path(COURSE, course.show, name="course"),
    path(f"{COURSE}begin/", course.begin, name="begin_course"),
    path(f"{COURSE}guidelines/", course.guidelines, name="course_guidelines"),
    path(f"{COURSE}tutorial/<slug:item>/", course.tutorial, name="course_tutorial"),
    path(f"{COURSE}tutorial/<slug:item>/pictures/<int:n>/", course.tutorial_picture, name="tutorial_picture"),
    path(f"{COURSE}time/", course.time, name="course_time"),
    path(f"{COURSE}exam/", exam.begin, name="begin_exam"),
    path(EXAM, exam.exam, name="exam"),
    path(f"{EXAM}pictures/<int:place>/<int:n>/", exam.picture, name="exam_picture"),
    path(f"{EXAM}draft/", exam.draft, name="exam_draft"),
    path(f"{EXAM}more/", exam.extend, name="extend_exam"),
    path(f"{EXAM}hand-in/", exam.hand_in, name="hand_in_exam"),
]
