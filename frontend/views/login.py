"""Sign in: on its own page, or in the dialog over a work page whose session has ended."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse

from frontend.middleware.session_expired import is_by_script


class SignIn(LoginView):
    """Django's view; a script gets 204 or 422 instead of a redirect or page."""

    redirect_authenticated_user = True

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """Let the dialog sign in even if another account is signed in by now."""
        super().setup(request, *args, **kwargs)
        self.redirect_authenticated_user = not is_by_script(request)

    def form_valid(self, form: Any) -> HttpResponse:
        """204 for a script."""
        response = super().form_valid(form)
        return HttpResponse(status=204) if is_by_script(self.request) else response

    def form_invalid(self, form: Any) -> HttpResponse:
        """422 for a script."""
        return HttpResponse(status=422) if is_by_script(self.request) else super().form_invalid(form)
