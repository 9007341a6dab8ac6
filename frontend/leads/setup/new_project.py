"""A project that is being made: what was entered in four steps, what is wrong with it, and what it will take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django import forms
from django.contrib.staticfiles import finders
from django.db import transaction
from django.http import QueryDict
from django.utils.text import slugify
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation import membership, registry
from annotation.models import NewProject, Project, User
from annotation.protocol import Protocol
from annotation.setup import changes, schema
from annotation.setup.schema import LONGEST_TEXT, Setup, checked_values, config_from
from frontend.leads.setup.config_form import ConfigForm, fields_by_activity, splits_in
from frontend.leads.setup.pace import Pace, pace_for
from frontend.leads.setup.settings import TitleForm
from frontend.markdown import MarkdownPage, document
from tasks.setup import estimate

STEPS = {
    "protocol": _("Protocol"),
    "words": _("Name and words"),
    "numbers": _("Numbers"),
    "check": _("Check and make"),
}
"""In order, with their titles."""
PACE = "pace"
"""The prefix of the fields beside the numbers, which say with how many people the days are reckoned."""
UNKNOWN = _("Choose a protocol.")


class ProtocolForm(forms.Form):
    """The first step."""

    protocol = forms.ChoiceField(error_messages={"required": UNKNOWN, "invalid_choice": UNKNOWN})

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        field = self.fields["protocol"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(each.key, str(each.title)) for each in registry.all_protocols()]


class WordsForm(TitleForm):
    """The second step; an empty address is made from the title, or of `otherwise` and a number."""

    slug = forms.CharField(
        label=_("Address"),
        help_text=_(
            "Letters (a to z), digits, hyphens and underscores. If it is empty, it is made from the title, or from the "
            "protocol if the title has none of these."
        ),
        max_length=60,
        required=False,
    )
    guidelines = forms.CharField(
        label=_("Guidelines"),
        help_text=_("In Markdown. They begin as the protocol’s; if they are empty, they are the protocol’s."),
        max_length=LONGEST_TEXT,
        strip=False,
        required=False,
    )
    consent = forms.CharField(
        label=_("Consent text"),
        help_text=_("In Markdown. Everybody accepts it before the first task. It begins as that of the site."),
        max_length=LONGEST_TEXT,
        strip=False,
        required=False,
    )

    def __init__(self, data: Mapping[str, Any], *, otherwise: str) -> None:
        super().__init__(data)
        self._otherwise = otherwise

    def clean_slug(self) -> str:
        """The address, if it is free; without a title, only that is missing."""
        title = self.data.get("title", "").strip()
        slug: str = self.cleaned_data["slug"] or slugify(title)[:60].strip("-_")
        if title and not slug:
            slug = schema.free_slug(self._otherwise)
        refused = schema.why_not_slug(slug) if slug or title else ""
        if refused:
            raise forms.ValidationError(gettext(refused))
        return slug


@dataclass
class Entered:
    """What somebody has entered so far: by step, the fields as they were sent; the numbers by protocol as well."""

    fields: dict[str, Any]
    saved_at: datetime | None = None

    @cached_property
    def protocol(self) -> Protocol | None:
        """The protocol that was chosen, if any."""
        chosen = self.fields.get("protocol", {}).get("protocol")
        return next((each for each in registry.all_protocols() if each.key == chosen), None)

    @cached_property
    def protocol_form(self) -> ProtocolForm:
        """The first step as it was entered."""
        return ProtocolForm(self.fields.get("protocol", {}))

    @cached_property
    def words_form(self) -> WordsForm:
        """The second step as it was entered; its texts start as the protocol's and the site's."""
        otherwise = self.protocol.key if self.protocol else "project"
        return WordsForm(self._own_texts() | self.fields.get("words", {}), otherwise=otherwise)

    @cached_property
    def numbers_form(self) -> ConfigForm | None:
        """The third step as it was entered; it starts with the numbers of the protocol."""
        if self.protocol is None:
            return None
        entered = self.fields.get("numbers", {}).get(self.protocol.key)
        fields = entered or fields_by_activity(self.protocol, self.protocol.config())
        return ConfigForm(self.protocol, fields, splits=splits_in(self.protocol, fields))

    def form_of(self, step: str) -> forms.Form | None:
        """The form of a step; the last one has none."""
        found = {"protocol": self.protocol_form, "words": self.words_form, "numbers": self.numbers_form}
        return found.get(step)

    def is_possible(self, step: str) -> bool:
        """Whether a project could be made from what was entered in the step."""
        form = self.form_of(step)
        return form is not None and form.is_valid()

    def is_touched(self, step: str) -> bool:
        """Whether the step was ever sent."""
        if step == "numbers":
            return self.protocol is not None and self.protocol.key in self.fields.get("numbers", {})
        return step in self.fields

    @property
    def wrong(self) -> list[str]:
        """The steps from which no project can be made."""
        return [step for step in STEPS if step != "check" and not self.is_possible(step)]

    def setup(self) -> Setup:
        """The set-up that possible steps say; SetupRefused for what no form has found."""
        form, words = self.numbers_form, self.words_form.cleaned_data
        assert self.protocol is not None
        assert form is not None
        own = {name: changes.tidy(words[name]) for name in ("guidelines", "consent")}
        same = self._own_texts()
        found = {
            "protocol": self.protocol.key,
            "slug": words["slug"],
            "title": words["title"],
            "config": form.config(),
            **{name: "" if text == changes.tidy(same[name]) else text for name, text in own.items()},
        }
        taken = self.fields.get("taken_over", {})
        if taken.get("protocol") == self.protocol.key:
            for key, required in taken["requires"].items():
                found["config"].setdefault("activities", {}).setdefault(key, {})["requires"] = required
            found |= taken["sections"]
        return checked_values(found)

    def estimate(self) -> estimate.WorkEstimate | None:
        """What the expected items will cost, from the times that were entered; None if none are expected."""
        form = self.numbers_form
        if self.protocol is None or form is None or not form.is_valid():
            return None
        config = config_from(Setup(protocol=form.protocol.key, title="-", config=form.config()))
        seconds, expected = form.seconds(), form.expected()
        parts = [
            estimate.ActivityEstimate(
                activity,
                estimate.annotations_of(activity, config.activities[activity.key], expected[activity.key]),
                estimate.assumed(seconds[activity.key]) if activity.key in seconds else None,
            )
            for activity in self.protocol.activities
        ]
        return estimate.WorkEstimate(parts, config.pay) if any(part.annotations for part in parts) else None

    @property
    def pace(self) -> Pace:
        """The days of the estimate, for the people and hours that were entered beside the numbers."""
        entered = self.fields.get("numbers", {}).get(self.protocol.key, {}) if self.protocol else {}
        return pace_for(self.estimate(), entered, prefix=PACE)

    @property
    def has_possible_numbers(self) -> bool:
        """Whether an estimate can be made of the numbers, if items are expected."""
        return self.is_possible("numbers")

    def numbers_with(self, fields: dict[str, Any]) -> dict[str, Any]:
        """The numbers by protocol, with these of the one that was chosen; of a step without one, the fields."""
        if self.protocol is None:
            return fields
        kept: dict[str, Any] = self.fields.get("numbers", {})
        return kept | {self.protocol.key: fields}

    def texts_shown(self) -> dict[str, MarkdownPage]:
        """Guidelines and consent text as annotators would read them."""
        said, own = self.fields.get("words", {}), self._own_texts()
        return {name: document(changes.tidy(str(said.get(name, ""))) or own[name]) for name in own}

    def _own_texts(self) -> dict[str, str]:
        guidelines = self.protocol.guideline() if self.protocol else ""
        return {"guidelines": guidelines, "consent": membership.consent_text()[0]}


def picture_of(protocol: Protocol) -> str:
    """The static file with a picture of a protocol's work screen; "" if there is none."""
    picture = f"{protocol.key}/work-screen.webp"
    return picture if finders.find(picture) else ""


def entered_by(user: User) -> Entered:
    """What the person has entered so far."""
    row = NewProject.objects.filter(by=user).first()
    return Entered(row.fields, row.saved_at) if row else Entered({})


def keep(user: User, step: str, sent: QueryDict, *, now: datetime) -> Entered:
    """Keep what was sent for a step, possible or not."""
    fields = _fields_of(sent)
    entered = entered_by(user)
    if step == "numbers":
        fields = entered.numbers_with(fields)
    if step == "words":
        own = entered._own_texts()
        fields = {
            name: text for name, text in fields.items() if changes.tidy(str(text)) != changes.tidy(own.get(name, ""))
        }
    if step in STEPS and step != "check":
        _store(user, entered.fields | {step: fields}, now=now)
    return entered_by(user)


def tried(user: User, sent: QueryDict) -> Entered:
    """What the person has entered, with these numbers instead; nothing is kept."""
    entered = entered_by(user)
    return Entered(entered.fields | {"numbers": entered.numbers_with(_fields_of(sent))})


def _fields_of(sent: QueryDict) -> dict[str, Any]:
    return {name: value for name, value in sent.items() if name not in ("csrfmiddlewaretoken", "go")}


def begin_from(user: User, setup: Setup, *, now: datetime) -> None:
    """Enter a set-up in all steps, in place of what was entered; its address only if that is free."""
    protocol = registry.get(setup.protocol)
    words = {"title": setup.title, "slug": "" if schema.why_not_slug(setup.slug) else setup.slug}
    words |= {name: text for name in ("guidelines", "consent") if (text := getattr(setup, name))}
    numbers = {
        protocol.key: {name: _sent(value) for name, value in fields_by_activity(protocol, config_from(setup)).items()}
    }
    fields = {"protocol": {"protocol": protocol.key}, "words": words, "numbers": numbers}
    required = {key: list(each.requires) for key, each in config_from(setup).activities.items() if each.requires}
    if required or setup.sections:  # what no step asks for
        fields["taken_over"] = {"protocol": protocol.key, "requires": required, "sections": setup.sections}
    _store(user, fields, now=now)


def _sent(value: Any) -> Any:
    """A value as a browser sends it; a box that is not ticked is sent as nothing."""
    return ("on" if value else "") if isinstance(value, bool) else str(value)


def discard(user: User) -> None:
    """Forget what was entered."""
    NewProject.objects.filter(by=user).delete()


@transaction.atomic
def make(user: User, entered: Entered, *, now: datetime) -> Project:
    """Make the project, and forget what was entered."""
    project = schema.make_project(entered.setup(), by=user, now=now)
    discard(user)
    return project


def _store(user: User, fields: dict[str, Any], *, now: datetime) -> None:
    NewProject.objects.update_or_create(by=user, defaults={"fields": fields, "saved_at": now})
