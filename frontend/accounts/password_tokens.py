"""Tokens of links for a new password, which name who gave the link: the right to give it is asked when it is used."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.tokens import PasswordResetTokenGenerator

from annotation import membership
from annotation.models import User

MAILED = ""
"""The giver of a link that somebody has had mailed to their own address: whoever reads it can ask for another."""
SERVER = "0"
"""The giver of a link that was printed on the server; anybody else is the key of their account."""


class PasswordTokens(PasswordResetTokenGenerator):
    """Django's tokens, which end with the password, the e-mail address, a sign-in or the account's closing.

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
