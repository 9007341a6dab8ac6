"""The editor of a project's guidelines: the form of a new version, its preview, and the differences to another."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Any, Literal

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import GuidelineVersion
from annotation.setup import changes
from annotation.setup.schema import LONGEST_TEXT
from frontend.leads.setup.number_words import percent_field

AROUND = 2
"""Lines that are shown around each difference."""
KINDS = {
    GuidelineVersion.Kind.EDITORIAL: (_("Editorial"), _("Clearer words; right answers stay the same.")),
    GuidelineVersion.Kind.SEMANTIC: (_("Semantic"), _("Some right answers are different from now on.")),
}


class GuidelinesForm(forms.Form):
    """A new version; `seen` is the number of the one from which it was written."""

    text = forms.CharField(
        label=_("Text"),
        help_text=_("In Markdown."),
        max_length=LONGEST_TEXT,
        strip=False,
        error_messages={"required": _("Guidelines need a text.")},
    )
    kind = forms.ChoiceField(
        choices=GuidelineVersion.Kind.choices, error_messages={"required": _("Say which kind of change this is.")}
    )
    fast_percent = forms.FloatField(
        label=_("Very fast answers: below this percentage of a person’s own median"),
        help_text=_("The text says so by itself, at its end. A lead may look at them, nothing else follows. 0: none."),
        min_value=0,
        max_value=50,
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"), _("Give a number from 0 to 50.")
        ),
    )
    seen = forms.IntegerField(min_value=0)

    def clean_text(self) -> str:
        """As it would be stored."""
        text = changes.tidy(self.cleaned_data["text"])
        if not text:
            raise forms.ValidationError(self.fields["text"].error_messages["required"])
        return text


@dataclass(frozen=True)
class DiffLine:
    """A line of a difference: kept, added or removed; `gap`, where lines are left out."""

    kind: Literal["kept", "added", "removed", "gap"]
    text: str = ""


def form_from(version: GuidelineVersion | None, *, last: GuidelineVersion | None) -> GuidelinesForm:
    """The form that starts with the text of a version."""
    fields: dict[str, Any] = {"seen": last.number if last else 0, "kind": ""}
    if version is not None:
        fields |= {"text": version.text, "fast_percent": percent_field(version.fast_share)}
    return GuidelinesForm(fields)


def differences(before: str, after: str) -> list[DiffLine]:
    """The lines that differ, with a few around them; [] if none do."""
    found: list[DiffLine] = []
    signs: dict[str, Literal["kept", "added", "removed"]] = {" ": "kept", "+": "added", "-": "removed"}
    for line in list(difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=AROUND))[2:]:
        if line.startswith("@@"):
            found.append(DiffLine("gap"))
        else:
            found.append(DiffLine(signs[line[0]], line[1:]))
    return found
