"""The form of what leads write on the data card of their releases."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

from annotation import projects
from annotation.models import Project
from annotation.values.schemas import CardTexts

LONG = {"description": 5, "authors": 4, "citation": 6, "intended_use": 5, "limits": 5}
"""Lines of the fields that have several."""


class CardForm(forms.Form):
    """A field for each text of `CardTexts`, with its title and help."""

    def __init__(self, data: Any = None, *, initial: CardTexts) -> None:
        super().__init__(data, initial=initial.model_dump())
        for name, field in CardTexts.model_fields.items():
            longest = max(each.max_length for each in field.metadata if hasattr(each, "max_length"))
            self.fields[name] = forms.CharField(
                required=False,
                max_length=longest,
                label=field.title,
                help_text=str(field.description or ""),
                widget=forms.Textarea if name in LONG else forms.TextInput,
                validators=_validators(field.metadata),
            )

    @property
    def rows(self) -> list[tuple[forms.BoundField, int]]:
        """Each field with its lines, 0 for an input of one line."""
        return [(self[name], LONG.get(name, 0)) for name in self.fields]

    def texts(self) -> dict[str, str]:
        """The texts of a valid form, as they are stored."""
        return {name: text.replace("\r\n", "\n").strip() for name, text in self.cleaned_data.items()}


def _validators(metadata: list[Any]) -> list[RegexValidator]:
    patterns = [each.pattern for each in metadata if getattr(each, "pattern", None)]
    return [RegexValidator(each, _("Give codes such as en or pt-BR, with commas between them.")) for each in patterns]


def card_form(project: Project, data: Any = None) -> CardForm:
    """The form, filled in with what is written."""
    return CardForm(data, initial=projects.project_config(project).card)
