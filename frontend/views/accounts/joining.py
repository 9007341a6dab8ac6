"""The pages on which people join a project: behind the link of an invitation, and of a project that is open."""

from __future__ import annotations

from allauth.core import ratelimit
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from annotation import clock
from annotation.errors import InviteClosed
from annotation.models import Project, Role
from frontend import access
from frontend.accounts.adapter import sign_in
from frontend.accounts.recruiting import AccountForm
from qualification import invitations, recruiting

FIRST_PAGE = {Role.ANNOTATOR: "consent", Role.EXPERT: "disputes", Role.LEAD: "project"}
"""The page of the project that a new member sees first, by their role."""


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, link: str) -> HttpResponse:
    """Say what one is invited to; POST joins. A link that doesn't work has the same page, whatever the reason."""
    invite = invitations.find(link)
    if invite is None or not invitations.is_open(invite, now=clock.now()):
        raise InviteClosed
    if request.method == "POST" and request.user.is_authenticated:
        invitations.accept(link, by=request.user, now=clock.now())
        return redirect(FIRST_PAGE[Role(invite.role)], invite.project.slug)
    form = AccountForm(request.POST if request.method == "POST" else None, initial={"email": invite.email})
    if not form.is_valid():
        return _page(request, invite.project, form, role=invite.role, once=True)
    user, _invite = invitations.accept_as_new(link, **form.account(), now=clock.now())
    sign_in(request, user)
    return redirect(FIRST_PAGE[Role(invite.role)], invite.project.slug)


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "POST"])
def join_open(request: HttpRequest, slug: str) -> HttpResponse:
    """The same for a project that everybody with its address may join as an annotator; 404 for all others."""
    project = access.open_project(slug)
    parameters, now = recruiting.given(project, request.GET), clock.now()
    if request.method == "POST" and request.user.is_authenticated:
        recruiting.join(project, user=request.user, parameters=parameters, now=now)
        return redirect("consent", slug)
    form = AccountForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _page(request, project, form, role=Role.ANNOTATOR)
    too_many: HttpResponse | None = ratelimit.consume_or_429(request, action="signup")
    if too_many is not None:
        return too_many
    user = recruiting.join_as_new(project, parameters=parameters, now=now, **form.account())
    sign_in(request, user)
    return redirect("consent", slug)


def _page(request: HttpRequest, project: Project, form: AccountForm, *, role: str, once: bool = False) -> HttpResponse:
    back = urlencode({"next": request.get_full_path()})
    context = {
        "form": form,
        "project": project.title,
        "role": role,
        "once": once,
        "sign_in_url": f"{reverse('login')}?{back}",
        "sign_out_url": f"{reverse('logout')}?{back}",
    }
    return render(request, "accounts/join.html", context, status=422 if form.errors else 200)
