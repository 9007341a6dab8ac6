"""A person's own account: e-mail address, password, second step, where they are signed in, and their record."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from annotation import clock
from frontend import log_in_limits
from frontend.accounts import own, second_step
from frontend.accounts.own import EmailForm
from frontend.accounts.own_data import own_data
from frontend.courses.pages import block_rows
from frontend.leads import qualifications
from frontend.requests import AuthedRequest, answer_view, client_address, page_view
from qualification import api_tokens, sign_ins
from qualification.courses import editing


@page_view
def index(request: AuthedRequest) -> HttpResponse:
    """Everything about the account."""
    return _page(request, EmailForm(request.user, initial={"email": request.user.email}))


@page_view
def data(request: AuthedRequest) -> JsonResponse:
    """A file with everything that is kept about the person."""
    headers = {"Content-Disposition": 'attachment; filename="my-data.json"'}
    return JsonResponse(own_data(request.user), json_dumps_params={"indent": 1, "ensure_ascii": False}, headers=headers)


@sensitive_post_parameters("password")
@answer_view
def email(request: AuthedRequest) -> HttpResponse:
    """Change the e-mail address, with the password: whoever has the address can have a new password mailed."""
    who = request.user.get_username(), client_address(request)
    if log_in_limits.count_try(*who) is not None:
        return render(request, "429.html", status=429)
    form = EmailForm(request.user, request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    log_in_limits.take_back(*who)
    form.save()
    messages.success(request, _("Your e-mail address is changed."))
    return redirect("account")


@answer_view
def end_sign_in(request: AuthedRequest, pk: int) -> HttpResponse:
    """End one of the sessions; those of others don't exist here."""
    sign_ins.end(request.user, pk=pk)
    return redirect("account")


@answer_view
def end_sign_ins(request: AuthedRequest) -> HttpResponse:
    """End all sessions but this one."""
    sign_ins.end_all(request.user, but=request.session.session_key or "")
    messages.success(request, _("You are signed out everywhere else."))
    return redirect("account")


def _page(request: AuthedRequest, form: EmailForm, *, status: int = 200) -> HttpResponse:
    now = clock.now()
    context = {
        "form": form,
        "second_step": second_step.is_set_up(request.user),
        "needed": second_step.is_needed(request.user),
        "due": second_step.due(request.user),
        "sign_ins": own.sign_ins_of(request.user, current=request.session.session_key or "", now=now),
        "tokens": api_tokens.live_tokens(request.user, now=now).count(),
        "tutorials": own.tutorials_of(request.user),
        "attempts": [(row, block_rows(editing.read(row.course), row)) for row in own.attempts_of(request.user)],
        "grants": qualifications.grants_of(request.user),
        "record": own.record_of(request.user),
    }
    return render(request, "accounts/account.html", context, status=status)
