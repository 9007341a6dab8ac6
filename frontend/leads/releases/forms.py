"""The choices of a release (splits, format, what counts, a cut-off), and the texts of data cards."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from annotation import projects, releases
from annotation.models import Item, Project
from annotation.releases import recipes, selection
from annotation.values.schemas import CardTexts

ABOUT = {
    recipes.PROVENANCE: _lazy("every answer with its revisions, guidelines and times, for analysis"),
    recipes.HUGGING_FACE: _lazy("parquet with typed columns and a data card, for datasets.load_dataset"),
    "label_studio": _lazy("tasks with their annotations, to be imported there; nobody is named"),
    "doccano": _lazy("a line for each answer with its marks, for sequence labelling"),
    "jsonl": _lazy("a line for each item with its text and all answers"),
    "csv": _lazy("a row for each answer, for spreadsheets"),
}
TIMES = {
    "none": _lazy("No times"),
    "month": _lazy("Months"),
    "day": _lazy("Days"),
    "hour": _lazy("Hours"),
}
"""How fine the times in a release may be (`recipes.TIMES`)."""


def splits_of(project: Project) -> list[str]:
    """The splits that the project's items are in."""
    rows = Item.objects.filter(selection.visible_items(), project=project).order_by()
    return sorted(rows.values_list("split", flat=True).distinct())


class ReleaseForm(forms.Form):
    """What a lead chooses. `options` are the arguments of `releases.build`, as JSON."""

    split = forms.MultipleChoiceField()
    format = forms.ChoiceField()
    partial = forms.BooleanField(required=False)
    times = forms.ChoiceField(required=False, choices=[("", ""), *TIMES.items()])
    name_writers = forms.BooleanField(required=False)
    until = forms.DateTimeField(required=False, input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"])

    def __init__(self, project: Project, data: Any, *, now: datetime) -> None:
        super().__init__(data)
        self._project, self._now = project, now
        self.splits = splits_of(project)
        self._field("split").choices = [(split, split) for split in self.splits]
        self._field("split").error_messages["required"] = _("Choose at least one split.")
        self._field("format").choices = [(one.key, one.title) for one in releases.formats_of(project)]
        self._field("until").error_messages["invalid"] = _("Give a date and a time.")

    def _field(self, name: str) -> Any:
        return self.fields[name]

    def clean_until(self) -> datetime | None:
        until: datetime | None = self.cleaned_data["until"]
        if until is not None and until > self._now:
            raise forms.ValidationError(_("The cut-off is in the future. Leave it empty to include everything."))
        return until

    @property
    def options(self) -> dict[str, Any]:
        """The splits are not named if they are all that are not sequestered."""
        chosen = self.cleaned_data
        every = [split for split in self.splits if not selection.is_sequestered(self._project, split)]
        until = chosen["until"]
        return {
            "format": chosen["format"],
            "splits": [] if sorted(chosen["split"]) == every else sorted(chosen["split"]),
            "partial": chosen["partial"],
            "until": until.isoformat() if until else None,
            **({"name_writers": True} if chosen["name_writers"] else {}),
            **({"times": chosen["times"] or recipes.DEFAULT_TIMES} if chosen["format"] == recipes.PROVENANCE else {}),
        }

    def split_choices(self) -> Iterator[dict[str, Any]]:
        """The checkboxes of the splits."""
        chosen = set(self["split"].value() or ())
        for split in self.splits:
            aside = selection.is_sequestered(self._project, split)
            yield {"name": split, "checked": split in chosen, "sequestered": aside}

    def format_choices(self) -> Iterator[dict[str, Any]]:
        """The radio buttons of the formats."""
        for one in releases.formats_of(self._project):
            yield {
                "key": one.key,
                "title": one.title,
                "about": ABOUT.get(one.key, ""),
                "checked": one.key == self["format"].value(),
            }

    @property
    def has_writers(self) -> bool:
        """Whether people have written items of the project."""
        return Item.objects.filter(project=self._project, made_from__author__isnull=False).exists()

    def times_choices(self) -> Iterator[dict[str, Any]]:
        """How fine times are: the radio buttons."""
        for key, title in TIMES.items():
            yield {"key": key, "title": title, "checked": key == (self["times"].value() or recipes.DEFAULT_TIMES)}


def defaults(project: Project) -> dict[str, Any]:
    """What is chosen at first."""
    splits = [split for split in splits_of(project) if not selection.is_sequestered(project, split)]
    return {"split": splits, "format": releases.formats_of(project)[0].key}


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
    return [
        RegexValidator(each, _lazy("Give codes such as en or pt-BR, with commas between them.")) for each in patterns
    ]


def card_form(project: Project, data: Any = None) -> CardForm:
    """The form, filled in with what is written."""
    return CardForm(data, initial=projects.project_config(project).card)
