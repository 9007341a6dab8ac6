"""Forms for a new password, and links with which somebody may choose one."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from allauth.account.forms import ChangePasswordForm, ResetPasswordKeyForm
from allauth.account.utils import user_pk_to_url_str
from django.http import HttpRequest
from django.urls import reverse

from annotation import events, membership
from annotation.errors import NotFound
from annotation.models import User
from frontend.accounts.password_tokens import SERVER, PasswordTokens


class ChangeForm(ChangePasswordForm):
    """The old password and the new one, which is not typed twice since it can be shown."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["password2"]


class ChooseForm(ResetPasswordKeyForm):
    """The new password alone."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["password2"]


def link_for(user: User, *, by: User, now: datetime, request: HttpRequest) -> str:
    """A link with which the person chooses a new password, once. NotFound if `by` may give them none."""
    if not membership.may_give_password(by, user):
        raise NotFound
    key = new_key(user, by=by, now=now)
    return request.build_absolute_uri(reverse("account_reset_password_from_key", args=key))


def new_key(user: User, *, by: User | None, now: datetime) -> tuple[str, str]:
    """What identifies the account and proves the right, in the address; None as the giver is the server.

    It ends with the password, with whatever is decided about the person, and while `by` may give them no link.
    """
    events.record("account.password_link", user, by=by, now=now)
    return user_pk_to_url_str(user), PasswordTokens(str(by.pk) if by else SERVER).make_token(user)
