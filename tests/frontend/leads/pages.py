"""The pages of leads as a lead, or somebody else, opens them."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from annotation.models import Project, User


def page_of(found: Project, who: User, name: str = "human_bound", **query: str) -> HttpResponse:
    """A page of the project, as this person gets it."""
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(who)
    return client.get(reverse(name, args=[found.slug]), query)


def rows_of(shown: Any) -> dict[tuple[str, str], Any]:
    """The rows of the human upper bound, by group and label."""
    return {(group.key, row.label): row for group in shown.context["bound"].groups for row in group.rows}
