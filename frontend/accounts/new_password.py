"""Forms for a new password, and links with which somebody may choose one."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from allauth.account.forms import ChangePasswordForm, ResetPasswordKeyForm
from allauth.account.utils import user_pk_to_url_str
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.http import HttpRequest
from django.urls import reverse

from annotation import events, membership
from annotation.errors import NotFound
from annotation.models import User

MAILED = ""
"""The giver of a link that somebody has had mailed to their own address: whoever reads it can ask for another."""
SERVER = "0"
"""The giver of a link that was printed on the server; anybody else is the key of their account."""


class PasswordTokens(PasswordResetTokenGenerator):
    """Django's tokens, which end with the password, the e-mail address, a sign-in or the account's closing.

    They name who gave the link: the right to give it is asked when it is used.

    A token that somebody gave also ends with anything that is decided about the account or its roles, with another
    link given to the person, and while the giver may give them none.
    """

    key_salt = "frontend.accounts.password_tokens"

    def __init__(self, giver: str = MAILED) -> None:
        super().__init__()
        self.giver = giver

    def make_token(self, user: Any) -> str:
        """The token, with the giver at its end."""
        token = super().make_token(user)
        return f"{token}_{self.giver}" if self.giver else token

    def check_token(self, user: Any, token: str | None) -> bool:
        """Whether it was made for this person, and still holds."""
        signed, mark, giver = (token or "").partition("_")
        if user is None or not user.is_active or bool(mark) != bool(giver):
            return False
        return PasswordTokens(giver)._is_signed(user, signed) and _may_give(giver, user)

    def _is_signed(self, user: Any, token: str) -> bool:
        return super().check_token(user, token)

    def _make_hash_value(self, user: Any, timestamp: int) -> str:
        decided = membership.decided_about(user) if self.giver else 0
        return f"{super()._make_hash_value(user, timestamp)}/{self.giver}/{decided}"


def _may_give(giver: str, user: User) -> bool:
    """Whether whoever gave the link may give it now; their key is signed."""
    if giver in (MAILED, SERVER):
        return True
    by = User.objects.filter(pk=giver).first()
    return by is not None and membership.may_give_password(by, user)


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
