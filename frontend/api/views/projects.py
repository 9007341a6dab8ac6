"""Projects of the token's person."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import membership
from annotation.models import Membership, Project, User
from frontend import access
from frontend.api.base import ApiView
from frontend.api.paging import CursorPage
from frontend.api.schema import PAGED
from frontend.api.serializers.projects import ProjectPageSerializer, ProjectSerializer
from qualification.models import ApiToken, TokenScope

ANY_SCOPE = frozenset(TokenScope)


class ProjectsView(ApiView):
    """The projects in which the person has a role; with a token of one project, that one."""

    scopes = ANY_SCOPE
    of_any_project = True

    @extend_schema(operation_id="list_projects", parameters=PAGED, responses=ProjectPageSerializer)
    def get(self, request: Request) -> Answer:
        """List the projects, the oldest first."""
        page = CursorPage(request, _projects_of(self.person(), request.auth))
        roles = _roles(self.person())
        shown = [ProjectSerializer(_with_roles(row, roles)).data for row in page.rows]
        return Answer(page.answer(shown))


class ProjectView(ApiView):
    """One of these projects."""

    scopes = ANY_SCOPE

    @extend_schema(operation_id="read_project", responses=ProjectSerializer)
    def get(self, request: Request, slug: str) -> Answer:
        """Read a project."""
        project = access.member_project(self.person(), slug)
        roles = {project.pk: sorted(membership.roles_of(self.person(), project))}
        return Answer(ProjectSerializer(_with_roles(project, roles)).data)


def _projects_of(user: User, token: ApiToken) -> QuerySet[Project]:
    live = Membership.objects.filter(user=user, ended_at__isnull=True)
    found = Project.objects.filter(pk__in=live.values("project"))
    return found if token.project_id is None else found.filter(pk=token.project_id)


def _roles(user: User) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    rows = Membership.objects.filter(user=user, ended_at__isnull=True).order_by("role")
    for project, role in rows.values_list("project", "role"):
        found.setdefault(project, []).append(role)
    return found


def _with_roles(project: Any, roles: dict[int, list[str]]) -> Any:
    project.roles = roles.get(project.pk, [])
    return project
