"""Sign in: on the page for it, or again in the dialog over work whose session has ended."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse

from frontend.middleware.session_expired import is_by_script


class SignIn(LoginView):
    """Django's own; a script hears 204 or 422 and stays where it is."""

    redirect_authenticated_user = True

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """Who is signed in as somebody else may sign in as themselves in the dialog."""
        super().setup(request, *args, **kwargs)
        self.redirect_authenticated_user = not is_by_script(request)

    def form_valid(self, form: Any) -> HttpResponse:
        """Signed in."""
        response = super().form_valid(form)
        return HttpResponse(status=204) if is_by_script(self.request) else response

    def form_invalid(self, form: Any) -> HttpResponse:
        """The name and the password do not go together."""
        return HttpResponse(status=422) if is_by_script(self.request) else super().form_invalid(form)
