"""Sign in: on its own page, or in the dialog over a work page whose session has ended."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from frontend import log_in_limits
from frontend.middleware.session_expired import is_by_script


class SignInForm(AuthenticationForm):
    """Django's form; the page says in its heading what is wrong, and here what to try."""

    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": _("Check the spelling, and that Caps Lock is off. Then type the password again."),
    }


class SignIn(LoginView):
    """Django's view with limits on failed log-ins; a script gets 204, 422 or 429 instead of a redirect or page."""

    redirect_authenticated_user = True
    authentication_form = SignInForm

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """Let the dialog sign in even if another account is signed in by now."""
        super().setup(request, *args, **kwargs)
        self.redirect_authenticated_user = not is_by_script(request)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """429, whatever the password, once a limit is exceeded."""
        exceeded = log_in_limits.count_try(*self._who())
        return super().post(request, *args, **kwargs) if exceeded is None else self._too_many(exceeded)

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Who runs the site, and how to reach them."""
        who = {"organisation": settings.GOLDFINCH_ORGANISATION, "contact": settings.GOLDFINCH_CONTACT}
        return super().get_context_data(**more) | who

    def form_valid(self, form: Any) -> HttpResponse:
        """204 for a script."""
        log_in_limits.take_back(*self._who())
        response = super().form_valid(form)
        return HttpResponse(status=204) if is_by_script(self.request) else response

    def form_invalid(self, form: Any) -> HttpResponse:
        """422 for a script."""
        return HttpResponse(status=422) if is_by_script(self.request) else super().form_invalid(form)

    def _who(self) -> tuple[str, str]:
        return self.request.POST.get("username", ""), self.request.META.get("REMOTE_ADDR", "")

    def _too_many(self, limit: log_in_limits.Limit) -> HttpResponse:
        """Say how long to wait; the form gets no data, because validating it would verify the password."""
        wait = ngettext(
            "Wait %(count)s minute, then try again.", "Wait %(count)s minutes, then try again.", limit.minutes
        ) % {"count": limit.minutes}
        headers = {"Retry-After": str(limit.minutes * 60)}
        if is_by_script(self.request):
            return HttpResponse(wait, content_type="text/plain; charset=utf-8", status=429, headers=headers)
        form = self.get_form_class()(initial={"username": self._who()[0]})
        return self.render_to_response(self.get_context_data(form=form, wait=wait), status=429, headers=headers)
