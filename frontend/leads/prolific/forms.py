"""The forms of the pages about Prolific."""

from __future__ import annotations

import re
import uuid
from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

from annotation import projects
from annotation.models import Project
from annotation.worktime import totals
from frontend.leads.pay import DayThatHasCome
from qualification.models import Qualification

ID = re.compile(r"[0-9a-zA-Z]{8,60}")
NO_ID = _("An id has letters and digits only, as in 60aca280709ee40ec37d4885.")
MOST_CHOSEN = 1000


class ConnectForm(forms.Form):
    """The study, the token with which it is read, and the currency in which it pays."""

    study_id = forms.CharField(validators=[RegexValidator(re.compile(rf"{ID.pattern}\Z"), NO_ID)])
    token = forms.CharField(max_length=300)
    currency = forms.CharField(validators=[RegexValidator(r"^[A-Z]{3}\Z", _("Three letters, as in GBP."))])

    def clean_token(self) -> str:
        """The token as it goes into a header."""
        token: str = self.cleaned_data["token"]
        if not re.fullmatch(r"[!-~]+", token):
            raise ValidationError(_("A token has neither spaces nor letters beyond ASCII."))
        return token


def connect_form(project: Project, data: Any = None) -> ConnectForm:
    """The form; it proposes the currency of the project's rate."""
    hour = totals.amount_of_pay(projects.project_config(project).pay, 3600)
    return ConnectForm(data, initial={"currency": hour[1] if hour else ""})


class BonusForm(forms.Form):
    """Which bonuses a lead confirms: what they saw (`tasks.prolific.bonuses.seen_by`), and until which day."""

    seen = forms.CharField(max_length=50_000)
    until = DayThatHasCome()
    key = forms.UUIDField()

    def chosen(self) -> tuple[str, date, uuid.UUID]:
        """Of a valid form."""
        return self.cleaned_data["seen"], self.cleaned_data["until"], self.cleaned_data["key"]


class GroupForm(forms.Form):
    """Which group on Prolific holds who has which qualification."""

    group_id = forms.CharField(validators=[RegexValidator(re.compile(rf"{ID.pattern}\Z"), NO_ID)])

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rows = Qualification.objects.filter(project=project).order_by("title", "pk")
        self.fields["qualification"] = forms.ModelChoiceField(rows, to_field_name="key")


def keys_among(sent: list[str]) -> list[int]:
    """The numbers that boxes of a form send."""
    return [int(one) for one in sent[:MOST_CHOSEN] if one.isascii() and one.isdigit() and len(one) < 19]
