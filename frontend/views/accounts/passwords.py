"""A new password: chosen by somebody who is signed in, by a link that was mailed, or by one that a lead passes on."""

from __future__ import annotations

from typing import Any

from allauth.account.views import PasswordChangeView, PasswordResetDoneView, PasswordResetFromKeyView, PasswordResetView
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache

from annotation import clock
from frontend import access
from frontend.accounts import mails, new_password
from frontend.requests import AuthedRequest, answer_view
from qualification import sign_ins


@method_decorator([login_required, never_cache], name="dispatch")
class PasswordChange(PasswordChangeView):
    """Choose a new password, which ends all other sign-ins. An account without one has a link mailed instead."""

    template_name = "accounts/password.html"
    form_class = new_password.ChangeForm
    success_url = reverse_lazy("account")

    def dispatch(self, request: AuthedRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Send an account without a password to the page for forgotten ones."""
        if not request.user.has_usable_password():
            return redirect("account_reset_password")
        response: HttpResponse = super().dispatch(request, *args, **kwargs)
        return response

    def get_default_success_url(self) -> str:
        """The account page."""
        return str(self.success_url)

    def form_valid(self, form: Any) -> HttpResponse:
        """The session of this request has another key afterwards."""
        before = self.request.session.session_key or ""
        response: HttpResponse = super().form_valid(form)
        sign_ins.renamed(before, self.request.session.session_key or "")
        sign_ins.end_all(form.user, but=self.request.session.session_key or "")
        return response


@method_decorator(never_cache, name="dispatch")
class Forgotten(PasswordResetView):
    """Have a link mailed. Whether the address is known makes no difference that can be seen."""

    template_name = "accounts/forgotten.html"

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Whether anything can be mailed, and whom to ask if not."""
        mails = {"mails": settings.EMAIL_HOST != "", "contact": settings.GOLDFINCH_CONTACT}
        return {**super().get_context_data(**more), **mails}

    def form_valid(self, form: Any) -> HttpResponse:
        """Without a mail server, nothing: the page says so."""
        response: HttpResponse = super().form_valid(form) if settings.EMAIL_HOST else self.form_invalid(form)
        return response


class ForgottenSent(PasswordResetDoneView):
    """What to do now, whether or not something was mailed."""

    template_name = "accounts/forgotten_sent.html"


@method_decorator(never_cache, name="dispatch")
class Choose(PasswordResetFromKeyView):
    """The page behind such a link, which ends all sign-ins of the account."""

    template_name = "accounts/password_new.html"
    form_class = new_password.ChooseForm
    success_url = reverse_lazy("login")

    def render_to_response(self, context: dict[str, Any], **more: Any) -> HttpResponse:
        """404 for a link that doesn't work (any more)."""
        more = ({"status": 404} if context.get("token_fail") else {}) | more
        response: HttpResponse = super().render_to_response(context, **more)
        return response

    def form_valid(self, form: Any) -> HttpResponse:
        """Whoever was signed in with the old password no longer is."""
        response: HttpResponse = super().form_valid(form)
        sign_ins.end_all(self.reset_user)
        return response


@answer_view
def give(request: AuthedRequest, slug: str, code: str) -> HttpResponse:
    """Make a link for a member who has forgotten their password; it is shown in the answer, and never again.

    It is mailed as well, if that is asked for.
    """
    project, member = access.led_member(request.user, slug, code)
    link = new_password.link_for(member, by=request.user, now=clock.now(), request=request)
    sent = "mail" in request.POST and mails.new_password_again(member, link=link)
    days = settings.PASSWORD_RESET_TIMEOUT // 86400
    context = {"project": project, "member": member, "link": link, "days": days, "sent": sent}
    return render(request, "people/password_link.html", context)
