"""Sign in: on its own page, or in the dialog over a work page whose session has ended; then perhaps a second step."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import LoginForm
from allauth.account.internal.stagekit import clear_login
from allauth.account.views import LoginView
from allauth.mfa.base.views import AuthenticateView
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.generic.edit import FormView

from frontend import log_in_limits
from frontend.accounts import second_step
from frontend.middleware.session_expired import is_by_script
from frontend.requests import client_address


class SignInForm(LoginForm):
    """django-allauth's form; its field `login` is called `username` in the page."""

    def add_prefix(self, field_name: str) -> str:
        """The name of a field in the page."""
        return "username" if field_name == "login" else super().add_prefix(field_name)


@method_decorator([never_cache, sensitive_post_parameters("password")], name="dispatch")
class SignInView(LoginView):
    """django-allauth's view with our limits; a script gets 204, 202 (a code is wanted), 422 or 429, and no page."""

    template_name = "registration/login.html"
    form_class = SignInForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The dialog may sign in another account than is signed in by now; a new try gives up an unfinished one."""
        if is_by_script(request):
            return FormView.dispatch(self, request, *args, **kwargs)
        if request.method == "POST" or "again" in request.GET:
            clear_login(request)
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return response

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """429, whatever the password, once a limit is exceeded."""
        exceeded = log_in_limits.count_try(*self._who())
        return super().post(request, *args, **kwargs) if exceeded is None else self._too_many(exceeded)

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Who runs the site, how to reach them, and whether a new password can be mailed."""
        who = {"organisation": settings.GOLDFINCH_ORGANISATION, "contact": settings.GOLDFINCH_CONTACT}
        return {**super().get_context_data(**more), **who, "mails": settings.EMAIL_HOST != ""}

    def form_valid(self, form: Any) -> HttpResponse:
        """204 for a script, or 202 if the code of a second step is wanted; who needs one is asked to set it up."""
        log_in_limits.take_back(*self._who())
        response = super().form_valid(form)
        if is_by_script(self.request):
            return _for_script(response)
        needs_one = self.request.user.is_authenticated and second_step.due(self.request.user) is not None
        return redirect("mfa_activate_totp") if needs_one else response

    def form_invalid(self, form: Any) -> HttpResponse:
        """422 for a script."""
        return HttpResponse(status=422) if is_by_script(self.request) else super().form_invalid(form)

    def _who(self) -> tuple[str, str]:
        return self.request.POST.get("username", ""), client_address(self.request)

    def _too_many(self, limit: log_in_limits.Limit) -> HttpResponse:
        """Say how long to wait; the form gets no data, because validating it would verify the password."""
        wait = ngettext(
            "Wait %(count)s minute, then try again.", "Wait %(count)s minutes, then try again.", limit.minutes
        ) % {"count": limit.minutes}
        headers = {"Retry-After": str(limit.minutes * 60)}
        if is_by_script(self.request):
            return HttpResponse(wait, content_type="text/plain; charset=utf-8", status=429, headers=headers)
        form = self.get_form_class()(initial={"login": self._who()[0]}, request=self.request)
        context = self.get_context_data(form=form, wait=wait)
        response: HttpResponse = self.render_to_response(context, status=429, headers=headers)
        return response


@method_decorator(never_cache, name="dispatch")
class Code(AuthenticateView):
    """The second step of a sign-in: a code from the app, or a recovery code. A script gets 204 or 422."""

    template_name = "accounts/code.html"

    def form_valid(self, form: Any) -> HttpResponse:
        """204 for a script."""
        response = super().form_valid(form)
        return _for_script(response) if is_by_script(self.request) else response

    def form_invalid(self, form: Any) -> HttpResponse:
        """422 for a script."""
        return HttpResponse(status=422) if is_by_script(self.request) else super().form_invalid(form)


def _for_script(response: HttpResponse) -> HttpResponse:
    wants_code = response.get("Location", "").startswith(reverse("mfa_authenticate"))
    return HttpResponse(status=202 if wants_code else 204)
