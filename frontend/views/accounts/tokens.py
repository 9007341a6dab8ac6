"""The tokens with which a person's scripts call the API: made, shown once, and revoked."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from annotation import clock
from frontend import access, log_in_limits
from frontend.accounts.tokens import TokenForm, listed_tokens
from frontend.requests import AuthedRequest, action_view, client_address, form_view
from qualification import api_tokens


@sensitive_post_parameters("password", "code")
@form_view
def index(request: AuthedRequest) -> HttpResponse:
    """The person's tokens and the form for a new one; POST makes it and shows its secret, once."""
    if request.method == "GET":
        return _page(request, TokenForm(request.user))
    who = request.user.get_username(), client_address(request)
    if log_in_limits.count_try(*who) is not None:
        return render(request, "429.html", status=429)
    form = TokenForm(request.user, request.POST)
    valid = form.is_valid()
    if form.is_proven():
        log_in_limits.take_back(*who)
    if not valid:
        return _page(request, form, status=422)
    token, secret = form.save(now=clock.now())
    return render(request, "accounts/token_made.html", {"token": token, "secret": secret})


@action_view
def revoke(request: AuthedRequest, pk: int) -> HttpResponse:
    """End a token at once."""
    token = access.own_token(request.user, pk)
    api_tokens.revoke(token, by=request.user, now=clock.now())
    messages.success(request, _("Revoked. Scripts that use it are refused from now on."))
    return redirect("tokens")


def _page(request: AuthedRequest, form: TokenForm, *, status: int = 200) -> HttpResponse:
    listed = listed_tokens(request.user, now=clock.now())
    return render(request, "accounts/tokens.html", {"form": form, "tokens": listed}, status=status)
