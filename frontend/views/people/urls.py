"""URLs of one person of a project and of messages. They come after those of the People page: no code is `invite`."""

from __future__ import annotations

from django.urls import path

from frontend.views.people import messages, person

PERSON = "projects/<slug:slug>/people/<slug:code>/"

urlpatterns = [
    path(PERSON, person.index, name="person"),
    path(f"{PERSON}write/", messages.to_person, name="write_to_person"),
    path(f"{PERSON}end/", person.end, name="end_membership"),
    path(f"{PERSON}give-back/", person.give_back, name="give_membership_back"),
    path(f"{PERSON}role/", person.change_role, name="change_role"),
    path("projects/<slug:slug>/messages/", messages.own, name="messages"),
    path("projects/<slug:slug>/messages/read/", messages.read, name="messages_read"),
]
