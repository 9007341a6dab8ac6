"""What a protocol is: stages, activities, sheets and functions; and the registry in which the protocols stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from annotation.errors import Problem
from annotation.i18n import ngettext
from annotation.parsing.incoming import ImportSource, IncomingItem, RefusedLine
from annotation.records import AnnotationRecord, ItemRecord, ReleaseRecord, Said


class Payload(BaseModel):
    """Base of every stored JSON value: strict types, no unknown key, immutable."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Mix(Payload):
    """A seeded mix of overlaps: `base` for everybody, `more` for a random `share` of the items (0..1)."""

    base: int = Field(ge=1, le=100)
    more: int = Field(ge=1, le=100)
    share: float = Field(ge=0, le=1)


class ActivityConfig(Payload):
    """How one activity of a project is handed out: overlap by split, and the draw (None: by overlap)."""

    overlap: dict[str, int | Mix] = {}
    draw: Literal["in_order", "random"] | None = None
    lease_minutes: int | None = Field(default=None, ge=1)


class ProjectConfig(Payload):
    """The numbers of a project; a protocol adds its own fields.

    `separate_pools`: who works in an activity never works in one that excludes it, in the whole project.
    `pay`: the rate as people read it ("12.60 EUR an hour"); nothing is said about pay where it is empty.
    `fast_share`: the floor for fast answers that the guidelines declare (annotation/worktime/fast_answers.py), 0
    for none.
    """

    activities: dict[str, ActivityConfig] = {}
    seed: str = ""
    separate_pools: bool = False
    pay: str = Field(default="", max_length=80)
    fast_share: float = Field(default=0.2, ge=0, le=0.5)


@dataclass(frozen=True)
class Stage:
    """An ordered screen of an activity; sealed means no way back once it is committed."""

    key: str
    title: Any
    schema_name: str
    schema: TypeAdapter
    published_name: str = ""
    published: TypeAdapter | None = None
    sealed: bool = False


@dataclass(frozen=True)
class Activity:
    """A kind of work on a kind of item.

    `excludes` names activities that one person can't do under the same root; `shows_at_claim`: being given the work
    shows what those must not know, so the conflict begins there and not with the first answer. `block`: a claim takes
    every free item under one root at once; it lasts `minutes`, or `idle_minutes` after the last input. `searches` are
    examples of what to search for, where the work is picked so. `counted` says in words how many items of it there are.
    `published_seconds` is what the paper says one whole annotation took on average, beside which leads see their own.
    """

    key: str
    title: Any
    description: Any
    kind: str
    stages: tuple[Stage, ...]
    minutes: int
    picks: Literal["next", "search", "pair"] = "next"
    searches: tuple[Any, ...] = ()
    seats: tuple[str, ...] = ("one",)
    overlap: Mapping[str, int | Mix] = field(default_factory=dict)
    excludes: frozenset[str] = frozenset()
    shows_at_claim: bool = True
    block: bool = False
    idle_minutes: int | None = None
    train_only: bool = False
    counted: tuple[str, str] = ngettext("%(n)s item", "%(n)s items")
    published_seconds: int | None = None

    def stage(self, key: str) -> Stage:
        """The stage of that name, or KeyError."""
        return next(stage for stage in self.stages if stage.key == key)


@dataclass(frozen=True)
class Envelope:
    """A container: one JSON object whose `records` is the list of records, between fields that are always the same.

    `Envelope("data", before={"version": "v2.0"})` is `{"version": "v2.0", "data": [...]}`; what stands `after` the list
    comes after it. `annotation.parsing.envelopes` reads such files.
    """

    records: str
    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = [*self.before, self.records, *self.after]
        if len(names) != len(set(names)):
            raise ValueError(f"An object has each of its fields once: {', '.join(names)}.")


@dataclass(frozen=True)
class Format:
    """A release layout: file name pattern with {split} and {shard}, items a shard holds (0: one file).

    A record is made of an item of `kind` with its finished annotations of `activity`, or, with `child_kind`, of one
    with those items under it whose annotations of `activity` are wanted; its own annotations of `root_activities`
    (None: of every one) then come along. `lines`: JSON Lines, gzipped by the name's ending; `object`: one JSON object,
    to which `write` gives (key, value) pairs; or an Envelope. `group` names a field of the item's payload: neighbours
    with the same value are given to `write` together, however many they are, and stand in the same shard, so that
    `write` may make one record of them (`itertools.groupby`). `notes` says of an item what readers of the release
    should know and the layout can't tell them: the manifest lists it.
    """

    key: str
    title: Any
    pattern: str
    kind: str
    activity: str
    child_kind: str = ""
    root_activities: tuple[str, ...] | None = None
    shard_size: int = 0
    container: Literal["lines", "object"] | Envelope = "lines"
    group: str = ""
    notes: Callable[[ReleaseRecord], Iterable[str]] = lambda record: ()


@dataclass(frozen=True)
class Picture:
    """An image of a shown page: the first byte of its tag, its place among the item's documents, its size in pixels."""

    at: int
    place: int
    width: int
    height: int


@dataclass(frozen=True)
class Frame:
    """Which imported page a stage shows, whole (`root` None) or only one candidate of it; `words`: spans are picked.

    `pictures` are the images that stand in what is shown.
    """

    document: int = 0
    root: int | None = None
    words: bool = False
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """Exactly what one person may see now. Protocols add their fields; templates, API and bots get nothing else.

    `images` are the places, among the documents of the item or its root, of the pictures that belong to it.
    """

    stage: str
    prompt: str
    lang: str = ""
    dir: str = ""
    frame: Frame | None = None
    images: tuple[int, ...] = ()

    @property
    def reading(self) -> int:
        """How many words there are to read, by which time for reading is allowed; a protocol counts its material."""
        return len(self.prompt.split())

    @property
    def passages(self) -> tuple[str, ...] | None:
        """The texts in which spans may be marked, where no frame shows them; pasted quotes are looked for in these."""
        return None


@dataclass(frozen=True)
class ScoreRequest:
    """What `manage.py score` was given: gold files, a file of predictions or none, and which flags are set."""

    gold: tuple[Path, ...]
    predictions: Path | None = None
    flags: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Scorer:
    """The field's official metrics on files. `flags` are its own switches, each with what it does.

    `run` answers what is printed, as JSON; ScoreRefused says in a sentence what is wrong with the files or the flags.
    """

    run: Callable[[ScoreRequest], dict[str, Any]]
    flags: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Demo:
    """A project of our own material that `make run` shows: its address, name, the file of items to import.

    `answer(sheet, external_id, rng)` is what a person might answer to one of them. `large(folder, count)` writes a file
    of that many items of our own making, always the same, and tells its path: for `make demo-large`.
    """

    slug: str
    title: Any
    items: Path
    large: Callable[[Path, int], Path]
    answer: Callable[[Sheet, str, Random], dict[str, Any]] | None = None


@dataclass(frozen=True)
class Report:
    """Figures of a project (a dict, groups as dicts, None: nothing to measure) and the published ones, same keys."""

    figures: Callable[[Iterable[ReleaseRecord]], dict[str, Any]]
    published: dict[str, Any]


@dataclass(frozen=True)
class Protocol:
    """The table of contents of a dataset style: which function does what (what each answers: docs/protocols.md)."""

    key: str
    title: Any
    kinds: tuple[str, ...]
    activities: tuple[Activity, ...]
    formats: tuple[Format, ...]
    config: type[ProjectConfig]
    sheet: Callable[[str, ItemRecord, tuple[Said, ...], str], Sheet]
    check: Callable[[str, Any, ItemRecord, tuple[Said, ...]], list[Problem]]
    next_stage: Callable[[str, tuple[Said, ...]], str | None]
    follow_ups: Callable[[ItemRecord, AnnotationRecord], Sequence[IncomingItem]]
    compare: Callable[[str, AnnotationRecord, AnnotationRecord], float]
    read: Callable[[ImportSource], Iterator[IncomingItem | RefusedLine]]
    write: Callable[[str, Iterable[ReleaseRecord]], Iterator[Any]]
    pretend: Callable[[Sheet, Random], dict[str, Any]]
    reading: Callable[[str, Any, ItemRecord], Any]
    caption: Callable[[str, dict[str, Any]], str]
    guideline: Callable[[], str]
    demo: Demo
    scorer: Scorer
    report: Report
    search_text: Callable[[IncomingItem], tuple[str, str] | None] = lambda item: None
    alike: Callable[[str, dict[str, Any]], str] | None = None

    def alike_of(self, kind: str, payload: dict[str, Any]) -> str:
        """What an item shares with those that ask the same of a person: 64 characters at most, "" for nothing."""
        return self.alike(kind, payload) if self.alike else ""

    def activity(self, key: str) -> Activity:
        """The activity of that name, or KeyError."""
        for activity in self.activities:
            if activity.key == key:
                return activity
        raise KeyError(key)


_PROTOCOLS: dict[str, Protocol] = {}
_FORMS: dict[str, Mapping[str, Any]] = {}


def register(protocol: Protocol, *, forms: Mapping[str, Any]) -> None:
    """Enter a protocol; `forms` maps each stage to the Django form that turns a POST into a payload."""
    _PROTOCOLS[protocol.key] = protocol
    _FORMS[protocol.key] = forms


def get(key: str) -> Protocol:
    """The protocol of that name, or KeyError."""
    return _PROTOCOLS[key]


def everyone() -> tuple[Protocol, ...]:
    """All registered protocols, by key."""
    return tuple(_PROTOCOLS[key] for key in sorted(_PROTOCOLS))


def form_of(key: str, stage: str) -> Any:
    """The Django form class of one stage."""
    return _FORMS[key][stage]
