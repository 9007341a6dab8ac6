"""Set up and remove the second step of signing in, and give password or code again before such a change."""

from __future__ import annotations

from typing import Any

from allauth.account.views import ReauthenticateView
from allauth.mfa.base.views import ReauthenticateView as ReauthenticateByCodeView
from allauth.mfa.recovery_codes.internal.flows import generate_recovery_codes
from allauth.mfa.recovery_codes.views import GenerateRecoveryCodesView
from allauth.mfa.totp.internal.flows import activate_totp
from allauth.mfa.totp.views import ActivateTOTPView, DeactivateTOTPView
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from frontend import log_in_limits
from frontend.accounts import second_step
from frontend.requests import client_address


@method_decorator(never_cache, name="dispatch")
class SetUp(ActivateTOTPView):
    """Show the key for an app as a picture and as text; POST with a code of the app answers with recovery codes."""

    template_name = "accounts/second_step.html"

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """The QR code as the path of an SVG: our policy allows no pictures in `data:` URLs."""
        context: dict[str, Any] = super().get_context_data(**more)
        size, path = second_step.qr_code(context["totp_svg"])
        return context | {"size": size, "path": path, "due": second_step.due(self.request.user)}

    def form_valid(self, form: Any) -> HttpResponse:
        """The recovery codes, once."""
        _step, codes = activate_totp(self.request, form)
        return _codes(self.request, codes)


@method_decorator(never_cache, name="dispatch")
class Remove(DeactivateTOTPView):
    """Sign in with the password alone again."""

    template_name = "accounts/second_step_remove.html"
    success_url = reverse_lazy("account")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Not for those who need one."""
        if request.user.is_authenticated and second_step.is_needed(request.user):
            return redirect("account")
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return response


@method_decorator(never_cache, name="dispatch")
class NewCodes(GenerateRecoveryCodesView):
    """Replace the recovery codes; POST answers with the new ones."""

    template_name = "accounts/recovery_codes_new.html"

    def form_valid(self, form: Any) -> HttpResponse:
        """The recovery codes, once."""
        return _codes(self.request, generate_recovery_codes(self.request))


def _codes(request: HttpRequest, codes: Any) -> HttpResponse:
    unused = codes.wrap().get_unused_codes() if codes is not None else []
    return render(request, "accounts/recovery_codes.html", {"codes": unused})


@method_decorator([never_cache, sensitive_post_parameters("password")], name="dispatch")
class Again(ReauthenticateView):
    """The password again. Tries are limited as at the sign-in."""

    template_name = "accounts/again.html"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """429 once a limit is exceeded."""
        who = request.user.get_username(), client_address(request)
        if log_in_limits.count_try(*who) is not None:
            return render(request, "429.html", status=429)
        response: HttpResponse = super().post(request, *args, **kwargs)
        return response

    def form_valid(self, form: Any) -> HttpResponse:
        """That try was none."""
        log_in_limits.take_back(self.request.user.get_username(), client_address(self.request))
        response: HttpResponse = super().form_valid(form)
        return response


@method_decorator(never_cache, name="dispatch")
class AgainByCode(ReauthenticateByCodeView):
    """The same with a code of the app."""

    template_name = "accounts/again.html"
