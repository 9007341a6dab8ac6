"""The form in which a new person makes their account."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from annotation.models import User

NAME = User._meta.get_field("username")
LONGEST_PASSWORD = 1000
"""Characters: hashing takes time for each."""


class AccountForm(forms.Form):
    """User name, password, and an e-mail address if they like."""

    username = forms.CharField(
        max_length=NAME.max_length,
        validators=[
            UnicodeUsernameValidator(message=_("A user name has letters, digits and @ . + - _ only, and no spaces."))
        ],
    )
    password = forms.CharField(strip=False, max_length=LONGEST_PASSWORD)
    email = forms.EmailField(required=False)

    def clean_username(self) -> str:
        """The name; refused if somebody has it, if only in other capitals."""
        name: str = User.normalize_username(self.cleaned_data["username"])
        if User.objects.filter(username__iexact=name).exists():
            raise ValidationError(_("This user name is taken: choose another one."))
        return name

    def clean(self) -> dict[str, Any]:
        """Check the password against the rules, which also know the name."""
        cleaned = super().clean() or {}
        if "password" in cleaned:
            try:
                validate_password(cleaned["password"], User(username=cleaned.get("username", "")))
            except ValidationError as refused:
                self.add_error("password", refused)
        return cleaned

    def account(self) -> dict[str, str]:
        """The account of a valid form, its password hashed: that is slow, so do it before a transaction begins."""
        hashed = make_password(self.cleaned_data["password"])
        given = self.cleaned_data
        return {"username": given["username"], "password_hash": hashed, "email": given["email"]}
