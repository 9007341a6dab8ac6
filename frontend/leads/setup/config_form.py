"""The form of a project's numbers: overlap by split, draw, leases, and the settings of its protocol with labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from django import forms
from django.utils.translation import gettext
from pydantic.fields import FieldInfo

from annotation.protocol import Activity, Protocol
from annotation.values.schemas import ActivityConfig, Mix, ProjectConfig
from frontend.leads.setup.number_words import (
    DRAW,
    DRAWS,
    FAST,
    LEASE,
    LEAST,
    SECONDS,
    agreement_in_words,
    overlap_in_words,
    percent_field,
)
from frontend.wording import noun_of_activity
from tasks.setup.opening import LONGEST_LEASE

SPLITS = ("train", "dev", "test")
"""Those for which a new project says how many people annotate an item."""
ELSEWHERE = {"activities", "seed", "fast_share", "recruiting", "card"}
"""Fields of the config that have fields of their own in the form, or another page."""
OF_PAIRS = ("same_partner_a_day", "alone_at_most", "kept_minutes")
MOST = 1000


@dataclass(frozen=True)
class OverlapRow:
    """How many people annotate each item of a split; some of them `more`. `expected`: items, for an estimate."""

    split: str
    base: forms.BoundField
    share: forms.BoundField
    more: forms.BoundField
    expected: forms.BoundField | None
    published: str

    @property
    def fields(self) -> list[forms.BoundField]:
        """Those that can be wrong."""
        return [field for field in (self.base, self.share, self.more, self.expected) if field is not None]


@dataclass(frozen=True)
class ActivityFields:
    """The fields of one activity; `numbers` of its pairs, its queue and the estimate only where they are asked for."""

    activity: Activity
    title: str
    nouns: str
    rows: list[OverlapRow]
    draw: forms.BoundField
    numbers: list[forms.BoundField]


class ConfigForm(forms.Form):
    """Built for one protocol. `new`: with the numbers that its queues start with, and those of an estimate.

    The names of its fields are `<activity>-<field>`, `<activity>-<split>-<field>`, or that of a field of the config.
    """

    def __init__(
        self, protocol: Protocol, data: Mapping[str, Any], *, splits: Iterable[str] = SPLITS, new: bool = True
    ) -> None:
        super().__init__(data)
        self.protocol, self.splits, self.new = protocol, tuple(splits), new
        for name, info in _own_fields(protocol):
            self.fields[name] = _field(info)
        if self.new:
            self.fields["fast_percent"] = _number(0, 50, **FAST)
        for activity in protocol.activities:
            self._add(activity)

    def _add(self, activity: Activity) -> None:
        expected = gettext("Expected %(nouns)s") % {"nouns": noun_of_activity(activity).many}
        each, share, these = gettext("People for each"), gettext("But for so many %"), gettext("This many people")
        for split in self.splits_of(activity):
            prefix = f"{activity.key}-{split}"
            self.fields[f"{prefix}-base"] = _integer(0, MOST, label=each)
            self.fields[f"{prefix}-share"] = _number(0, 100, required=False, label=share)
            self.fields[f"{prefix}-more"] = _integer(1, MOST, required=False, label=these)
            if self.new:
                self.fields[f"{prefix}-expected"] = _integer(0, 10**8, required=False, label=expected)
        self.fields[f"{activity.key}-draw"] = forms.ChoiceField(choices=DRAWS, required=False, **DRAW)
        for name in _of_pairs(activity):
            self.fields[f"{activity.key}-{name}"] = _field(ActivityConfig.model_fields[name])
        if self.new:
            self.fields[f"{activity.key}-lease_minutes"] = _integer(1, LONGEST_LEASE, **LEASE)
            self.fields[f"{activity.key}-least_agreement"] = _number(
                0, 1, required=False, help_text=agreement_in_words(activity), **LEAST
            )
            self.fields[f"{activity.key}-seconds"] = _integer(1, 10**6, required=False, **SECONDS)

    def splits_of(self, activity: Activity) -> list[str]:
        """The splits whose items people can annotate in the activity."""
        return [split for split in self.splits if split == "train" or not activity.train_only]

    def clean(self) -> dict[str, Any]:
        """A share of the items needs a number for them, and the number a share."""
        for activity in self.protocol.activities:
            for split in self.splits_of(activity):
                share, more = (self.cleaned_data.get(f"{activity.key}-{split}-{name}") for name in ("share", "more"))
                if bool(share) != bool(more) and f"{activity.key}-{split}-share" not in self.errors:
                    self.add_error(f"{activity.key}-{split}-share", gettext("Give both the share and the number."))
        return self.cleaned_data

    def config(self) -> dict[str, Any]:
        """The config that a valid form says, as JSON; what only a queue or another page says is not in it."""
        said = self.cleaned_data
        own = {name: said[name] for name, _info in _own_fields(self.protocol)}
        activities = {activity.key: self._activity(activity) for activity in self.protocol.activities}
        fast = {"fast_share": said["fast_percent"] / 100} if self.new else {}
        return {**own, **fast, "activities": activities}

    def _activity(self, activity: Activity) -> dict[str, Any]:
        said, key = self.cleaned_data, activity.key
        found: dict[str, Any] = {
            "overlap": {split: self._overlap(f"{key}-{split}") for split in self.splits_of(activity)},
            "draw": said[f"{key}-draw"] or None,
            **{name: said[f"{key}-{name}"] for name in _of_pairs(activity)},
        }
        if self.new:
            found |= {name: said[f"{key}-{name}"] for name in ("lease_minutes", "least_agreement")}
        return found

    def _overlap(self, prefix: str) -> int | dict[str, Any]:
        base, share, more = (self.cleaned_data[f"{prefix}-{name}"] for name in ("base", "share", "more"))
        return {"base": base, "more": more, "share": share / 100} if share else base

    def expected(self) -> dict[str, dict[str, int]]:
        """By activity and split, the items that are expected; what was left open is not in it."""
        return {
            activity.key: {
                split: n
                for split in self.splits_of(activity)
                if (n := self.cleaned_data.get(f"{activity.key}-{split}-expected"))
            }
            for activity in self.protocol.activities
        }

    def seconds(self) -> dict[str, int]:
        """By activity, how long an annotation is expected to take."""
        keys = [activity.key for activity in self.protocol.activities]
        return {key: n for key in keys if (n := self.cleaned_data.get(f"{key}-seconds"))}

    @property
    def own(self) -> list[forms.BoundField]:
        """The settings of the project as a whole."""
        return [self[name] for name in (*dict(_own_fields(self.protocol)), *(["fast_percent"] if self.new else []))]

    @property
    def groups(self) -> Iterator[ActivityFields]:
        """The fields of each activity."""
        for activity in self.protocol.activities:
            key, of_queue = activity.key, ("lease_minutes", "least_agreement", "seconds") if self.new else ()
            yield ActivityFields(
                activity=activity,
                title=gettext(activity.title),
                nouns=noun_of_activity(activity).many,
                rows=[self._row(activity, split) for split in self.splits_of(activity)],
                draw=self[f"{key}-draw"],
                numbers=[self[f"{key}-{name}"] for name in (*_of_pairs(activity), *of_queue)],
            )

    def _row(self, activity: Activity, split: str) -> OverlapRow:
        prefix = f"{activity.key}-{split}"
        base, share, more = (self[f"{prefix}-{name}"] for name in ("base", "share", "more"))
        expected = self[f"{prefix}-expected"] if self.new else None
        published = overlap_in_words(activity.overlap[split]) if split in activity.overlap else ""
        return OverlapRow(split, base, share, more, expected, published)


def fields_by_activity(protocol: Protocol, config: ProjectConfig, *, fast_share: float | None = None) -> dict[str, Any]:
    """What the form's fields hold for a config: with the protocol's numbers where it has none of its own."""
    share = config.fast_share if fast_share is None else fast_share
    found: dict[str, Any] = {"fast_percent": percent_field(share)}
    for name, _info in _own_fields(protocol):
        value = getattr(config, name)
        found[name] = ", ".join(value) if isinstance(value, tuple) else value
    for activity in protocol.activities:
        own = config.activities.get(activity.key) or ActivityConfig()
        for split in (*SPLITS, *own.overlap):
            number = {**activity.overlap, **own.overlap}.get(split, 1)
            parts = number if isinstance(number, Mix) else None
            found |= {
                f"{activity.key}-{split}-base": parts.base if parts else number,
                f"{activity.key}-{split}-share": percent_field(parts.share) if parts else "",
                f"{activity.key}-{split}-more": parts.more if parts else "",
            }
        found |= {f"{activity.key}-{name}": getattr(own, name) for name in OF_PAIRS}
        least = "" if own.least_agreement is None else own.least_agreement
        found |= {
            f"{activity.key}-draw": own.draw or "",
            f"{activity.key}-lease_minutes": own.lease_minutes or activity.minutes,
            f"{activity.key}-least_agreement": least,
            f"{activity.key}-seconds": activity.published_seconds or "",
        }
    return found


def splits_in(protocol: Protocol, fields: Mapping[str, Any]) -> list[str]:
    """The splits that such fields speak of."""
    names = [
        name.removeprefix(f"{activity.key}-").removesuffix("-base")
        for name in fields
        for activity in protocol.activities
        if name.startswith(f"{activity.key}-") and name.endswith("-base")
    ]
    return list(dict.fromkeys([*SPLITS, *names]))


def _own_fields(protocol: Protocol) -> list[tuple[str, FieldInfo]]:
    """The protocol's own first; none about activities that exclude each other if there are none."""
    shared = set(ProjectConfig.model_fields)
    apart = any(activity.excludes for activity in protocol.activities)
    hidden = ELSEWHERE if apart else ELSEWHERE | {"separate_pools"}
    known = [(name, info) for name, info in protocol.config.model_fields.items() if name not in hidden]
    return sorted(known, key=lambda one: one[0] in shared)


def _of_pairs(activity: Activity) -> tuple[str, ...]:
    if len(activity.seats) == 1:
        return ()
    return OF_PAIRS if activity.alone else ("same_partner_a_day", "kept_minutes")


class Several(forms.CharField):
    """Texts with commas between them."""

    def clean(self, value: Any) -> list[str]:
        """The texts, without spaces around them."""
        return [text for part in super().clean(value).split(",") if (text := part.strip())]


def _field(info: FieldInfo) -> forms.Field:
    """A form field for a field of a config."""
    words: dict[str, Any] = {"label": gettext(info.title or ""), "help_text": gettext(info.description or "")}
    kind = next((each for each in get_args(info.annotation) if each is not NoneType), info.annotation)
    if get_origin(info.annotation) is Literal:
        return forms.ChoiceField(choices=[(each, each) for each in get_args(info.annotation)], **words)
    if get_origin(info.annotation) is tuple:
        return Several(required=False, max_length=500, **words)
    if info.annotation is bool:
        return forms.BooleanField(required=False, **words)
    if kind is int:
        return _integer(min(_bounds(info), default=0), 10**6, **words)
    if kind is float:
        return _number(0, 1, **words)
    return forms.CharField(required=False, max_length=max(_bounds(info), default=200), **words)


def _bounds(info: FieldInfo) -> list[int]:
    return [value for each in info.metadata for name in ("ge", "max_length") if (value := getattr(each, name, None))]


def _integer(least: int, most: int, **more: Any) -> forms.IntegerField:
    words = gettext("Give a whole number from %(least)s to %(most)s.") % {"least": least, "most": most}
    said: dict[str, Any] = dict.fromkeys(("min_value", "max_value", "invalid", "required"), words)
    return forms.IntegerField(min_value=least, max_value=most, error_messages=said, **more)


def _number(least: float, most: float, **more: Any) -> forms.FloatField:
    words = gettext("Give a number from %(least)s to %(most)s.") % {"least": least, "most": most}
    said: dict[str, Any] = dict.fromkeys(("min_value", "max_value", "invalid", "required"), words)
    return forms.FloatField(min_value=least, max_value=most, error_messages=said, **more)
