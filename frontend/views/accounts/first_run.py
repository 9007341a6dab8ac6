"""The page that makes the first account of a site, and the URLs of a site that has none."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import get_script_prefix, path, re_path
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from annotation import clock
from frontend.accounts import first_run
from frontend.accounts.adapter import sign_in
from frontend.accounts.recruiting import AccountForm
from frontend.views import health


class FirstForm(AccountForm):
    """An account and the code that the server has printed."""

    code = forms.CharField(max_length=100)

    def clean_code(self) -> str:
        """The code; a wrong one is refused before a password is hashed."""
        if not first_run.is_right(self.cleaned_data["code"]):
            raise ValidationError(_("This is not the code. The server prints a new one each time it starts."))
        return str(self.cleaned_data["code"])

    def account(self) -> dict[str, Any]:
        """The account with the code."""
        return super().account() | {"code": self.cleaned_data["code"]}


@sensitive_post_parameters("password", "code")
@never_cache
@require_http_methods(["GET", "POST"])
def index(request: HttpRequest) -> HttpResponse:
    """Ask for the code and the first account; POST makes it and signs in."""
    form = FirstForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        context = {"form": form, "start": get_script_prefix()}
        return render(request, "accounts/first_run.html", context, status=422 if form.errors else 200)
    user = first_run.make_admin(**form.account(), now=clock.now())
    sign_in(request, user)
    return HttpResponseRedirect(get_script_prefix())


handler404 = "frontend.errors.not_found"
urlpatterns = [
    path("health/", health.ready, name="health"),
    path("health/live/", health.live, name="health_live"),
    re_path("", index, name="home"),
]
