"""URLs of a project's study on Prolific."""

from __future__ import annotations

from django.urls import path

from frontend.views.prolific import study

STUDY = "projects/<slug:slug>/prolific/"

urlpatterns = [
    path(STUDY, study.index, name="prolific"),
    path(f"{STUDY}connect/", study.connect, name="connect_study"),
    path(f"{STUDY}disconnect/", study.disconnect, name="disconnect_study"),
    path(f"{STUDY}read/", study.read, name="read_study"),
    path(f"{STUDY}approve/", study.approve, name="approve_submissions"),
    path(f"{STUDY}code/", study.take_code, name="take_completion_code"),
    path(f"{STUDY}bonus/", study.preview_bonus, name="prolific_bonus"),
    path(f"{STUDY}bonus/<uuid:settlement>/", study.decide_bonus, name="decide_bonus"),
    path(f"{STUDY}groups/", study.add_group, name="add_study_group"),
    path(f"{STUDY}groups/<int:group>/drop/", study.drop_group, name="drop_study_group"),
]
