"""A project's settings: forms of its numbers and texts, what was changed by whom, what can be undone."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from django import forms
from django.http import QueryDict
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation import membership, projects, registry
from annotation.models import Consent, Event, GuidelineVersion, Project, User
from annotation.protocol import Protocol
from annotation.setup import changes
from annotation.setup.schema import LONGEST_TEXT
from annotation.values.schemas import ActivityConfig, CardTexts
from frontend.leads.event_lines import EventLine, event_lines
from frontend.leads.setup import undoing
from frontend.leads.setup.config_form import ConfigForm, fields_by_activity, splits_in
from frontend.leads.setup.number_words import DRAWS, overlap_in_words, percent_field
from tasks.setup import archiving, opening, overlap, undoing_imports

LATEST = 20
"""Changes that are shown."""
CARD_WORDS = 80
"""Characters of a text of the data card that the history shows."""
OTHERS = {
    changes.CONSENT: _("Consent text"),
    overlap.APPLIED: _("Places of items that existed"),
    "project.splits": _("Splits"),
    archiving.ARCHIVED: _("Archived"),
    archiving.BROUGHT_BACK: _("Brought back"),
    undoing_imports.UNDONE: _("An import was undone"),
}
FIELDS = {
    "overlap": _("people for each of %(last)s"),
    "draw": _("order in which items are handed out"),
    "lease_minutes": _("minutes for which work is kept"),
    "least_agreement": _("least agreement"),
}
"""Fields of an activity that have no title in its schema."""


class TitleForm(forms.Form):
    """The title; the rest of the settings is a ConfigForm."""

    title = forms.CharField(
        label=_("Title"), max_length=200, error_messages={"required": _("Give the project a title.")}
    )


class ConsentForm(forms.Form):
    """The consent text; an empty one is that of the site."""

    text = forms.CharField(
        label=_("Consent text"),
        help_text=_("In Markdown. If it is empty, it is that of the site."),
        max_length=LONGEST_TEXT,
        strip=False,
        required=False,
    )

    def clean_text(self) -> str:
        """As it would be stored."""
        return changes.tidy(self.cleaned_data["text"])


def consent_form(project: Project, sent: QueryDict | None = None) -> ConsentForm:
    """As it is, or as it was sent."""
    return ConsentForm({"text": membership.consent_text_of(project)[0]} if sent is None else sent)


def accepted(project: Project) -> int:
    """How many people have accepted the text as it is."""
    return Consent.objects.filter(project=project, text_sha256=membership.consent_text_of(project)[1]).count()


def forms_of(project: Project, sent: QueryDict | None = None) -> tuple[TitleForm, ConfigForm]:
    """The two forms of the settings: as they are, or as they were sent."""
    protocol, config = registry.get(project.protocol), projects.project_config(project)
    fields = fields_by_activity(protocol, config)
    held = project.items.order_by().values_list("split", flat=True).distinct()
    splits = [*splits_in(protocol, fields), *sorted(held)]
    fields |= {f"{each.key}-{split}-base": 1 for each in protocol.activities for split in splits} | fields
    form = ConfigForm(protocol, fields if sent is None else sent, splits=dict.fromkeys(splits), new=False)
    return TitleForm({"title": project.title} if sent is None else sent), form


def save(project: Project, title: TitleForm, form: ConfigForm, *, by: User, now: Any) -> dict[str, Any]:
    """Change what is different; returns that, by the paths of the fields."""
    changed = changes.change(project, title=title.cleaned_data["title"], config=form.config(), by=by, now=now)
    opening.put_in_order_again(project, changed)
    return changed


def changes_in_words(project: Project, changed: Mapping[str, Any]) -> str:
    """What was changed, in a sentence, and which of the sequestered splits have no items so far."""
    if not changed:
        return gettext("Nothing was different.")
    aside = projects.project_config(project).sequestered if "config.sequestered" in changed else ()
    held = {split.casefold() for split in project.items.order_by().values_list("split", flat=True).distinct()}
    empty = [f"“{split}”" for split in aside if split.casefold() not in held]
    if not empty:
        return gettext("Changed.")
    return gettext("Changed. No item is in %(splits)s so far.") % {"splits": ", ".join(empty)}


def history(project: Project) -> list[EventLine]:
    """The latest changes of the settings, newest first; `undo` of those that no later one in force has overtaken."""
    rows = Event.objects.filter(project_id=project.pk, kind__in=[changes.CHANGED, changes.PUBLISHED, *OTHERS])
    shown = list(rows.order_by("-pk")[:LATEST])
    protocol = registry.get(project.protocol)
    return event_lines(shown, lines=lambda row: _in_words(row, protocol), **undoing.undoing_of(project, shown))


def versions(project: Project) -> list[GuidelineVersion]:
    """The versions of the guidelines, newest first."""
    return list(project.guidelines.select_related("by").order_by("-number"))


def _in_words(row: Event, protocol: Protocol) -> list[str]:
    if row.kind == changes.PUBLISHED:
        words = gettext("Guidelines, version %(number)s (%(change)s)")
        change = GuidelineVersion.Kind(row.data["change"]).label.lower()
        return [words % {"number": row.data["number"], "change": change}]
    if row.kind != changes.CHANGED:
        return [gettext(str(OTHERS[row.kind]))]
    before, after = row.data["before"], row.data["after"]
    return [
        f"{_name(path, protocol)}: {_field_in_words(before, path)} → {_field_in_words(after, path)}" for path in after
    ]


def _name(path: str, protocol: Protocol) -> str:
    """What a field is called on the page of settings."""
    first, *names = path.split(".")
    if first == "title":
        return gettext("Title")
    if names[0] == "card":
        return gettext(str(CardTexts.model_fields[names[1]].title))
    if names[0] != "activities":
        return gettext(protocol.config.model_fields[names[0]].title or names[0])
    activity, field = names[1], names[2]
    title = next((gettext(each.title) for each in protocol.activities if each.key == activity), activity)
    known = ActivityConfig.model_fields.get(field)
    words = gettext(str(FIELDS[field])) if field in FIELDS else gettext((known.title if known else "") or field)
    return f"{title}, {words % {'last': names[-1]} if '%(' in words else words}"


def _field_in_words(fields: Mapping[str, Any], path: str) -> str:
    value = fields[path]
    if path.startswith("config.card."):
        return Truncator(" ".join(str(value).split())).chars(CARD_WORDS) or gettext("none")
    if path.endswith(".draw"):
        return str(dict(DRAWS)[value or ""])
    return _value(changes.UNSAID_OVERLAP if value is None and changes.is_overlap(path) else value)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if value is None or value == "" or value == []:
        return gettext("none")
    if isinstance(value, dict):
        return overlap_in_words(changes.mix_of(value))
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


AROUND = 2
"""Lines that are shown around each difference."""
GUIDELINE_KINDS = {
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


def guidelines_form(version: GuidelineVersion | None, *, last: GuidelineVersion | None) -> GuidelinesForm:
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
