"""Joining a project by its address or an invitation, and the form with which a lead opens that address."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation import projects
from annotation.models import Project, User
from annotation.values.schemas import Recruiting
from qualification.models import Participant
from tasks.models import NO_DATA, Assignment
from tasks.models.states import AssignmentState

MOST_PARAMETERS = 10
PARAMETER = re.compile(r"[A-Za-z0-9_.-]{1,40}")


class RecruitingForm(forms.Form):
    """The settings of `annotation.values.schemas.Recruiting`; names of parameters stand with commas between them."""

    open = forms.BooleanField(required=False)
    parameters = forms.CharField(max_length=500)
    completion_code = forms.CharField(required=False, max_length=80)
    completion_after = forms.IntegerField(min_value=1, max_value=100_000)

    def clean_parameters(self) -> tuple[str, ...]:
        """The names."""
        names = tuple(filter(None, (part.strip() for part in self.cleaned_data["parameters"].split(","))))
        if len(names) > MOST_PARAMETERS or not all(PARAMETER.fullmatch(name) for name in names):
            raise ValidationError(_("Give at most 10 names of letters, digits, and _ . - between them."))
        return names

    def chosen(self) -> Recruiting:
        """The settings of a valid form."""
        return Recruiting(**self.cleaned_data)


def form_of(project: Project, data: Any = None) -> RecruitingForm:
    """The form, filled in with the project's settings."""
    now = projects.project_config(project).recruiting
    return RecruitingForm(data, initial=now.model_dump() | {"parameters": ", ".join(now.parameters)})


def address_of(project: Project) -> str:
    """The path of the page on which everybody may join, with the placeholders that Prolific fills in."""
    path = reverse("join_open", args=[project.slug])
    names = projects.project_config(project).recruiting.parameters
    known = [f"{name}={{{{%{name}%}}}}" for name in ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID") if name in names]
    return f"{path}?{'&'.join(known)}" if known else path


@dataclass(frozen=True)
class Completion:
    """How far somebody from a recruitment site is in a project; `code`: what they enter there, "" until then."""

    project: str
    finished: int
    needed: int
    code: str


def completions_of(user: User) -> list[Completion]:
    """For each project to which the person came from such a site, and which has a code."""
    rows = Participant.objects.filter(user=user).select_related("project").order_by("pk")
    return [found for row in rows if (found := _completion(row.project, user))]


def _completion(project: Project, user: User) -> Completion | None:
    asked = projects.project_config(project).recruiting
    if not asked.completion_code:
        return None
    held = Assignment.objects.filter(annotator=user, task__queue__project=project, state=AssignmentState.SUBMITTED)
    finished = held.exclude(task__queue__activity__in=NO_DATA).count()
    code = asked.completion_code if finished >= asked.completion_after else ""
    return Completion(project.title, finished, asked.completion_after, code)


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
