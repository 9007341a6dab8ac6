"""Projects of the token's person."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from annotation import membership
from annotation.models import Membership, Project, User
from frontend import access
from frontend.api.base import ApiView
from frontend.api.calls import read_call
from frontend.api.paging import CursorPage
from frontend.api.serializers.projects import ProjectPageSerializer, ProjectSerializer
from qualification.models import ApiToken, TokenScope

ANY_SCOPE = frozenset(TokenScope)


class ProjectsView(ApiView):
    """The projects in which the person has a role; with a token of one project, that one."""

    scopes = ANY_SCOPE
    of_any_project = True

    @read_call("list_projects", ProjectPageSerializer)
    def get(self) -> Any:
        """List the projects, the oldest first."""
        page = CursorPage(self.request, _projects_of(self.person(), self.request.auth))
        roles = _roles(self.person())
        return page.answer([_with_roles(row, roles) for row in page.rows])


class ProjectView(ApiView):
    """One of these projects."""

    scopes = ANY_SCOPE

    @read_call("read_project", ProjectSerializer, finder=access.member_project)
    def get(self, project: Project) -> Any:
        """Read a project."""
        return _with_roles(project, {project.pk: sorted(membership.roles_of(self.person(), project))})


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
