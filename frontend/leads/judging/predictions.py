"""The page of a project's predictions of models: its sets, and the form of a new one."""

from __future__ import annotations

import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

from django import forms
from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from annotation.errors import ScoreRefused, WrongMove
from annotation.judging import predictions
from annotation.judging.predictions import AddedSet
from annotation.models import Item, PredictionSet, Project, User
from frontend.packed_files import PackedFileField

LARGEST = 2 * 1024 * 1024
"""Bytes of an uploaded file, as for other forms."""
UNPACKED = 8 * 1024 * 1024
"""Bytes of it without gzip: all of it is read within the request."""


class PredictionsForm(forms.Form):
    """A file with the answers of a system."""

    system = forms.CharField(
        label=_lazy("Name of the system"),
        max_length=PredictionSet.LONGEST,
        help_text=_lazy("Leads see it in results. Raters never do."),
        error_messages={"required": _lazy("Give it a name.")},
    )
    layout = forms.ChoiceField(label=_lazy("Layout"))
    split = forms.ChoiceField(label=_lazy("Split"), required=False)
    file = PackedFileField(
        label=_lazy("File"),
        largest=(LARGEST, _lazy("The file has more than 2 MB. Pack it with gzip (.gz).")),
        largest_unpacked=(UNPACKED, _lazy("The unpacked file has more than 8 MB. Leave out what nobody is to judge.")),
        error_messages={
            "required": _lazy("Choose a file of predictions."),
            "empty": _lazy("The file is empty."),
        },
    )

    def __init__(self, project: Project, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.project = project
        self.layouts = predictions.layouts_of(project)
        offer(self.fields["layout"], [(layout.key, layout.title) for layout in self.layouts])
        offer(self.fields["split"], split_choices(project))

    def add(self, *, by: User, now: datetime) -> AddedSet | None:
        """The new set of a valid form; None if the file is refused, as the form then says."""
        layout = next(layout for layout in self.layouts if layout.key == self.cleaned_data["layout"])
        with tempfile.TemporaryDirectory() as place:
            path = Path(place) / "predictions.json"
            path.write_bytes(self.cleaned_data["file"])
            try:
                return predictions.add(
                    self.project,
                    path,
                    layout,
                    system=self.cleaned_data["system"],
                    split=self.cleaned_data["split"],
                    by=by,
                    now=now,
                )
            except ScoreRefused as refused:
                self.add_error("file", str(refused).replace(f"{path.name}, ", "").replace(path.name, _("The file")))
            except WrongMove as refused:
                self.add_error("file", _(refused.message))
        return None


def offer(field: forms.Field, choices: list[tuple[str, Any]]) -> None:
    """Give a field of choices what there is to choose."""
    assert isinstance(field, forms.ChoiceField)
    field.choices = choices


def split_choices(project: Project) -> list[tuple[str, Any]]:
    """The splits to choose from: all of them together, then each by itself."""
    rows = Item.objects.filter(project=project).exclude(split="").order_by("split")
    return [("", _("All")), *((split, split) for split in rows.values_list("split", flat=True).distinct())]


def sets_of(project: Project) -> QuerySet[PredictionSet]:
    """The sets of a project, latest first, each with `answers`, how many, and `items`, to how many."""
    rows = PredictionSet.objects.filter(project=project).select_related("added_by").order_by("-pk")
    return rows.annotate(answers=Count("predictions"), items=Count("predictions__item", distinct=True))


def prediction_page(project: Project, form: PredictionsForm) -> dict[str, Any]:
    """The variables of the page."""
    titles = {layout.key: layout.title for layout in form.layouts}
    rows = [{"row": row, "layout": titles.get(row.format, row.format)} for row in sets_of(project)]
    return {"project": project, "form": form, "sets": rows, "refused": form.is_bound}
