"""Addresses of sockets. Each leads to a function of `admission` that says what the person may listen to there."""

from __future__ import annotations

from django.urls import path

from frontend.sockets import admission

WORK = "ws/work/<uuid:uuid>/"
LOBBY = "ws/projects/<slug:slug>/<slug:activity>/lobby/"
# `admission.admit` resolves these and calls what it finds.
urlpatterns = [
    path(WORK, admission.work, name="socket_of_work"),  # type: ignore[arg-type]  # Django's types allow only views
    path(LOBBY, admission.lobby, name="socket_of_lobby"),  # type: ignore[arg-type]  # as above
]
