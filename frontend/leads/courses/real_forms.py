"""The form in which leads write an item of the work into a course, and the answers that it may take as references."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from django import forms
from django.forms import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from pydantic import ValidationError

from annotation.models import Annotation, Item, Purpose
from annotation.protocol import Activity
from frontend.leads.courses import shown_items
from frontend.leads.courses.forms import DraftForm
from frontend.leads.items import overview
from qualification.courses import real_items
from qualification.courses.real_items import MOST_REFERENCES, ItemName, RealItem, Reference

KEPT = "kept-"
"""How the value of a reference begins that the course has and no annotation says any more."""


@dataclass(frozen=True)
class ReferenceChoice:
    """An answer that can be a reference: its `value` in forms, who gave it for what purpose, when (None: unknown),
    whether it is excluded, and what it says stage by stage.
    """

    value: str
    reference: Reference
    who: str
    purpose: str
    completed_at: Any
    excluded: str
    answers: Sequence[overview.ReadableAnswer]


def answers_to_take(item: Item, activity: Activity, kept: Sequence[Reference] = ()) -> list[ReferenceChoice]:
    """What can be a reference: those that the course has (`kept`), and all finished annotations but those of exams.

    A kept reference that an annotation still says is shown as that annotation.
    """
    rows = Annotation.with_trials.filter(item=item, activity=activity.key, completed_at__isnull=False)
    rows = rows.exclude(purpose=Purpose.QUIZ).select_related("author").prefetch_related("responses__author")
    made = list(rows.order_by("-purpose", "position", "opened_at", "pk"))
    columns = overview.columns_of(item, made)
    found = []
    for row, column in zip(made, columns, strict=True):
        row.item = item
        who, reference = column.who or column.external_id, real_items.reference_of(row)
        told = (column.purpose, column.completed_at, column.excluded, column.answers)
        found.append(ReferenceChoice(str(row.uuid), reference, who, *told))
    said = [each.reference for each in found]
    return [_kept_choice(item, activity, each) for each in kept if each not in said] + found


def value_of_kept(reference: Reference) -> str:
    """The value in forms of a reference that the course has."""
    said = orjson.dumps(reference.model_dump(mode="json"), option=orjson.OPT_SORT_KEYS)
    return KEPT + hashlib.sha256(said).hexdigest()[:20]


def _kept_choice(item: Item, activity: Activity, reference: Reference) -> ReferenceChoice:
    try:
        answers = shown_items.said_by_reference(item, activity, reference)
    except (ValidationError, KeyError):
        answers = []
    who, value = gettext("Copied earlier"), value_of_kept(reference)
    return ReferenceChoice(value, reference, who, gettext("Reference"), None, "", answers)


class RealItemForm(DraftForm):
    """An item of the work: what leads call it, its concept, explanations by stage, and `reference`, values of choices.

    `reason`: why it is set aside, asked for while it is in the work.
    """

    title = forms.CharField(
        label=_("Title"),
        max_length=200,
        help_text=_("What leads know it by. Candidates don’t see it."),
        error_messages={"required": _("Give it a title.")},
    )
    concept = forms.CharField(
        label=_("Concept"),
        max_length=120,
        required=False,
        help_text=_("What it asks about. Extra training has the tutorial items of the concepts that failed."),
    )
    note = forms.CharField(
        label=_("Explanation of the item as a whole"),
        max_length=4000,
        required=False,
        help_text=_("In Markdown. In the tutorial at once, of the exam after the last attempt."),
    )
    reason = forms.CharField(max_length=200, required=False)

    def __init__(
        self, activity: Activity, choices: Sequence[ReferenceChoice], *args: Any, in_work: bool, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.activity, self.choices, self.in_work = activity, choices, in_work
        self._chosen = self._values()  # a form that was out of date gets other data, without lists
        for key, title in shown_items.stages_of(activity):
            self.fields[f"explanation_{key}"] = forms.CharField(label=title, max_length=4000, required=False)

    def explanations(self) -> list[BoundField]:
        """The field of each stage."""
        return [self[f"explanation_{key}"] for key, _title in shown_items.stages_of(self.activity)]

    def _values(self) -> Collection[str]:
        """The values of the references that are chosen, sent or from the start."""
        if not self.is_bound:
            return frozenset(self.initial.get("reference", ()))
        sent = self.data.getlist("reference") if hasattr(self.data, "getlist") else self.data.get("reference", [])
        return frozenset(sent)

    def shown_choices(self) -> list[tuple[ReferenceChoice, bool]]:
        """What can be chosen, and whether it is."""
        return [(each, each.value in self._chosen) for each in self.choices]

    def references(self) -> tuple[Reference, ...]:
        """What was chosen; answers that say the same once."""
        found: list[Reference] = []
        for each, chosen in self.shown_choices():
            if chosen and each.reference not in found:
                found.append(each.reference)
        return tuple(found)

    def sources(self) -> list[str]:
        """The uuids of the annotations from which they are copied."""
        return [each.value for each, chosen in self.shown_choices() if chosen and not each.value.startswith(KEPT)]

    def clean(self) -> dict[str, Any]:
        """At least one reference and not too many; a reason, if it leaves the work by this."""
        cleaned = super().clean() or {}
        found = len(self.references())
        if not found:
            self.add_error(None, _("Choose at least one answer as a reference."))
        if found > MOST_REFERENCES:
            self.add_error(None, _("Choose at most %(n)s references.") % {"n": MOST_REFERENCES})
        if self.in_work and not cleaned.get("reason"):
            self.add_error("reason", _("Say why it is set aside."))
        return cleaned

    def item(self, key: str, name: ItemName) -> RealItem:
        """The item with this key."""
        sent = self.cleaned_data
        said = {stage: sent[f"explanation_{stage}"] for stage, _title in shown_items.stages_of(self.activity)}
        return RealItem(
            kind="item",
            key=key,
            concept=sent["concept"],
            title=sent["title"],
            activity=self.activity.key,
            item=name,
            references=self.references(),
            explanations={stage: words for stage, words in said.items() if words},
            note=sent["note"],
        )

    @staticmethod
    def values_of(real: RealItem, choices: Sequence[ReferenceChoice]) -> dict[str, Any]:
        """What the form shows of an item."""
        chosen = [each.value for each in choices if each.reference in real.references]
        said = {f"explanation_{stage}": words for stage, words in real.explanations.items()}
        return {"title": real.title, "concept": real.concept, "note": real.note, "reference": chosen} | said
