"""URLs of the qualifications of a project."""

from __future__ import annotations

from django.urls import path

from frontend.views.people import qualifications

ALL = "projects/<slug:slug>/qualifications/"
ONE = f"{ALL}<slug:qualification>/"

urlpatterns = [
    path(ALL, qualifications.index, name="qualifications"),
    path(f"{ALL}new/", qualifications.make, name="make_qualification"),
    path(ONE, qualifications.show, name="qualification"),
    path(f"{ONE}change/", qualifications.change, name="change_qualification"),
    path(f"{ONE}admit/", qualifications.admit, name="admit_workers"),
    path(f"{ONE}give/", qualifications.give, name="give_qualification"),
    path(f"{ONE}copy/", qualifications.copy, name="copy_grants"),
    path(f"{ONE}given/<uuid:form>/undo/", qualifications.undo_giving, name="undo_giving"),
    path(f"{ONE}grants/<int:grant>/", qualifications.decide, name="decide_grant"),
    path(f"{ONE}grants/<int:grant>/undo/<int:after>/", qualifications.undo_decision, name="undo_grant_decision"),
]
