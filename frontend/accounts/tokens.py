"""The form for a new token of the API, and the tokens that a person sees in their account."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from allauth.mfa.base.forms import BaseAuthenticateForm
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from annotation import membership
from annotation.models import Membership, Project, User
from frontend.accounts import second_step
from qualification import api_tokens
from qualification.models import ApiToken, TokenScope

DAYS: dict[str, Any] = {"7": _("A week"), "30": _("30 days"), "90": _("90 days"), "365": _("A year")}


class TokenForm(forms.Form):
    """A name, what the token is for, until when, and the code of the second step, or else the password."""

    name = forms.CharField(max_length=100)
    days = forms.ChoiceField(choices=list(DAYS.items()), initial="90")

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        led = membership.leads(user).values("project")
        projects = Project.objects.filter(pk__in=led, archived_at=None).order_by("title")
        self.fields["project"] = forms.ModelChoiceField(projects, required=False, to_field_name="slug")
        self.fields["scope"] = forms.ChoiceField(choices=self.scopes(), initial=self.scopes()[0][0])
        proof = "code" if second_step.is_set_up(user) else "password"
        self.fields[proof] = forms.CharField(strip=proof == "code", max_length=1000)

    def scopes(self) -> list[tuple[str, Any]]:
        """The scopes that are of use to the person: those of leads only if they lead something."""
        leads = membership.leads(self.user).exists()
        of_use = TokenScope if leads else [TokenScope.WORK]
        return [(scope.value, scope.label) for scope in of_use]

    def clean_password(self) -> str:
        """The password, if it is the person's."""
        if not self.user.check_password(self.cleaned_data["password"]):
            raise ValidationError(_("This is not your password."))
        return str(self.cleaned_data["password"])

    def clean_code(self) -> str:
        """The code, if the app shows it now, or an unused recovery code; django-allauth limits the tries."""
        asked = BaseAuthenticateForm({"code": self.cleaned_data["code"]}, user=self.user)
        if not asked.is_valid():
            raise ValidationError([str(error) for error in asked.errors.get("code", [])])
        return str(self.cleaned_data["code"])

    def clean(self) -> dict[str, Any]:
        """A token that leads names its project, and no other token does."""
        said = super().clean() or {}
        if said.get("scope") != TokenScope.LEAD:
            said["project"] = None
        elif said.get("project") is None and "project" not in self.errors:
            self.add_error("project", _("Choose the project."))
        return said

    def is_proven(self) -> bool:
        """Whether the password or the code was right."""
        return not {"password", "code"} & set(self.errors)

    def save(self, *, now: datetime) -> tuple[ApiToken, str]:
        """The token and its secret. WrongMove if the person has too many."""
        said = self.cleaned_data
        scope, days = TokenScope(said["scope"]), int(said["days"])
        return api_tokens.make(self.user, name=said["name"], scope=scope, project=said["project"], days=days, now=now)


@dataclass(frozen=True)
class ListedToken:
    """A token in the list; `powerless`: its person no longer leads its project."""

    token: ApiToken
    expired: bool
    powerless: bool


def listed_tokens(user: User, *, now: datetime) -> list[ListedToken]:
    """The person's tokens that were not revoked, the latest first."""
    led = set(Membership.objects.filter(pk__in=membership.leads(user)).values_list("project", flat=True))
    return [
        ListedToken(
            token=token,
            expired=not token.is_live(now),
            powerless=token.project_id is not None and token.project_id not in led,
        )
        for token in api_tokens.tokens_of(user)
    ]
