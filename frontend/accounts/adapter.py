"""How django-allauth behaves here: no sign-up of its own, our limits on log-ins, our words, and our mails."""

from __future__ import annotations

import time
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter, get_adapter
from allauth.account.internal.flows.login import get_authentication_records, record_authentication
from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation import clock
from annotation.models import User
from frontend.accounts import mails
from frontend.requests import client_address
from qualification import sign_ins

RECENTLY = 300
"""Seconds after giving a password or a code in which it is not asked for again."""
SAID = {
    "account/messages/password_changed.txt": _("You have a new password. All other sign-ins have ended."),
    "mfa/messages/totp_deactivated.txt": _("The second step is removed. Your password alone signs you in."),
}
"""What is said after a change, instead of the messages of django-allauth; what is not here is not said."""


class Adapter(DefaultAccountAdapter):
    """The account adapter."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": _("Check the spelling, and that Caps Lock is off. Then type the password again."),
        "enter_current_password": _("This is not your password."),
        "incorrect_password": _("This is not your password."),
        "too_many_login_attempts": _("Too many wrong codes. Try again in a few minutes."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never: people join by invitations, or projects that are open (frontend/views/accounts/joining.py)."""
        return False

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Nothing: frontend/log_in_limits.py has counted the try."""

    def is_ajax(self, request: HttpRequest) -> bool:
        """Never: there are no answers in JSON."""
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        """As uvicorn has it, which reads X-Forwarded-For only from a proxy of ours."""
        return client_address(request)

    def login(self, request: HttpRequest, user: Any) -> None:
        """Sign in, and note the session in the person's list."""
        super().login(request, user)
        note(request, user)

    def is_reauthentication_required(self, *, app: str, **more: Any) -> bool:
        """Whether password or code was last given a while ago, at the sign-in or since."""
        request = context.request
        given = [record["at"] for record in get_authentication_records(request, request.user)]
        return time.time() - max(given, default=0) > RECENTLY

    def add_message(
        self, request: HttpRequest, level: int, message_template: str | None = None, *args: Any, **more: Any
    ) -> None:
        """Say it in our words, or not at all."""
        if message_template in SAID:
            messages.success(request, SAID[message_template])

    def get_reset_password_from_key_url(self, key: str) -> str:
        """The address of the page for a new password; `key` is the account's, a dash, and the token."""
        uidb36, _dash, token = key.partition("-")
        path = reverse("account_reset_password_from_key", args=[uidb36, token])
        return str(context.request.build_absolute_uri(path))

    def respond_user_inactive(self, request: HttpRequest, user: Any) -> HttpResponse:
        """Back to the sign-in page, which says no more than that it did not work."""
        return redirect("login")

    def send_password_reset_mail(self, user: Any, email: str, context: dict[str, Any]) -> None:
        """Send the link for a new password."""
        mails.new_password(user, email=email, link=context["password_reset_url"])


class SecondStepAdapter(DefaultMFAAdapter):
    """The adapter of the second step."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": _("This code is not right. Codes change every 30 seconds, and work once."),
    }


def sign_in(request: HttpRequest, user: User) -> None:
    """Sign in somebody who has just chosen their password."""
    record_authentication(request, user, method="password", username=user.username)
    get_adapter(request).login(request, user)


def note(request: HttpRequest, user: User) -> None:
    """Put the session of this request on the person's list."""
    sign_ins.note(
        user,
        session_key=request.session.session_key or "",
        address=client_address(request),
        browser=request.headers.get("User-Agent", ""),
        now=clock.now(),
    )
