"""The page behind the link of an invitation: make an account, or join with the one that is signed in."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from annotation import clock
from annotation.errors import InviteClosed
from annotation.models import Role
from frontend.accounts.joining import AccountForm
from qualification import invitations
from qualification.models import Invite, InviteState

FIRST_PAGE = {Role.ANNOTATOR: "consent", Role.EXPERT: "disputes", Role.LEAD: "project"}
"""The page of the project that a new member sees first, by their role."""


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, link: str) -> HttpResponse:
    """Say what one is invited to; POST joins. A link that doesn't work has the same page, whatever the reason."""
    invite = invitations.find(link)
    if invite is None or invite.state(clock.now()) != InviteState.OPEN:
        raise InviteClosed
    if request.method == "POST" and request.user.is_authenticated:
        return _welcome(request, invitations.accept(link, by=request.user, now=clock.now()))
    form = AccountForm(request.POST if request.method == "POST" else None, initial={"email": invite.email})
    if not form.is_valid():
        return _page(request, invite, form)
    user, joined = invitations.accept_as_new(link, **form.account(), now=clock.now())
    get_adapter(request).login(request, user)
    return _welcome(request, joined)


def _page(request: HttpRequest, invite: Invite, form: AccountForm) -> HttpResponse:
    context = {
        "form": form,
        "project": invite.project.title,
        "role": invite.role,
        "sign_in_url": f"{reverse('login')}?next={request.path}",
        "here": request.path,
    }
    return render(request, "accounts/join.html", context, status=422 if form.errors else 200)


def _welcome(request: HttpRequest, invite: Invite) -> HttpResponse:
    return redirect(FIRST_PAGE[Role(invite.role)], invite.project.slug)
