"""The form with which a lead opens a project to whoever has its address, and what people who came by it are shown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation import projects
from annotation.models import Project, User
from annotation.values.schemas import Recruiting
from qualification.models import Participant
from tasks.models import ADJUDICATE, Assignment
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
    finished = held.exclude(task__queue__activity=ADJUDICATE).count()
    code = asked.completion_code if finished >= asked.completion_after else ""
    return Completion(project.title, finished, asked.completion_after, code)
