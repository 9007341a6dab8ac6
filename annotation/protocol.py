"""What a protocol is: its activities and stages, the sheets it shows, its methods; and the registry of protocols."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple

from pydantic import TypeAdapter

from annotation.errors import Problem
from annotation.i18n import _, ngettext
from annotation.parsing.incoming import ImportSource, IncomingItem, RefusedLine
from annotation.records import AnnotationRecord, Context, ItemRecord, ReleaseRecord, Said, Step, Waiting
from annotation.schemas import Mix, ProjectConfig


class Noun(NamedTuple):
    """What screens call a thing: one of them, several of them, and one with its article where a sentence needs it."""

    one: Any
    many: Any
    with_article: Any


ITEM = Noun(_("item"), _("items"), _("an item"))
"""What an item is called where nothing more precise is known."""
DOCUMENT = _("document")


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
    shows what those must not know, so the conflict begins there and not with the first answer. `seats` are the roles
    of the people who make one annotation together; a task has that many slots for each annotation wanted. `block`: a
    claim takes every free item under one root at once; it lasts `minutes`, or `idle_minutes` after the last input.
    `searches` are examples of what to search for, where the work is picked so. `noun` is what screens call an item of
    it, and `whole` what they call the root that the items of a block share; `counted` says in words how many items
    there are. `published_seconds` is what one whole annotation took on average according to the authors of the dataset,
    beside which leads see their own.
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
    noun: Noun = ITEM
    whole: Any = DOCUMENT
    counted: tuple[str, str] = ngettext("%(n)s item", "%(n)s items")
    published_seconds: int | None = None

    def stage(self, key: str) -> Stage:
        """The stage of that name, or KeyError."""
        for stage in self.stages:
            if stage.key == key:
                return stage
        raise KeyError(key)

    def place(self, step: Step | Said) -> tuple[int, int]:
        """Where a step stands among the steps of the activity: by its turn, then by its stage."""
        return step.turn, next(place for place, stage in enumerate(self.stages) if stage.key == step.stage)


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
    def word_count(self) -> int:
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

    `answer(sheet, external_id, rng)` is what a person might answer to one of them.
    """

    slug: str
    title: Any
    items: Path
    answer: Callable[[Sheet, str, Random], dict[str, Any]] | None = None


@dataclass(frozen=True)
class Bots:
    """Tools of tests and benchmarks, which a site never needs.

    `pretend(sheet, rng)` is a possible answer to any sheet, made up; TypeError for a sheet of another protocol.
    `large(folder, count)` writes a file of that many items, always the same, and returns its path.
    """

    pretend: Callable[[Sheet, Random], dict[str, Any]]
    large: Callable[[Path, int], Path] | None = None


@dataclass(frozen=True)
class Report:
    """Figures of a project (a dict, groups as dicts, None: nothing to measure) and the published ones, same keys."""

    figures: Callable[[Iterable[ReleaseRecord]], dict[str, Any]]
    published: dict[str, Any]


class Protocol:
    """A dataset style: what is worked on, in which steps, who sees what, and how files are read and written.

    Write a subclass in `annotation/protocols/<key>/protocol.py` and register one instance of it in `apps.py`;
    docs/protocols.md is the tutorial. Methods are pure: they get frozen records and return values, without a query, a
    clock or a random number of their own (`context.seed` seeds what must be shuffled).
    """

    key: str
    """Names the package, the template folder and the column of the project."""
    title: Any
    kinds: tuple[str, ...]
    """The sorts of items, as `Item.kind` names them."""
    activities: tuple[Activity, ...]
    formats: tuple[Format, ...] = ()
    """The release layouts; the first is the default."""
    material: Any = ITEM.many
    """What an import brings, as a project that is still empty says it: "texts and summaries"."""
    config: type[ProjectConfig] = ProjectConfig
    demo: Demo | None = None
    bots: Bots | None = None
    scorer: Scorer | None = None
    report: Report | None = None

    def next_step(self, context: Context) -> Step | Waiting | None:
        """What `context.seat` is to answer now, whom it waits for, or None once the whole work is complete.

        By default each stage of the activity once, in order, by whoever sits there.
        """
        answered = {entry.stage for entry in context.said}
        for stage in self.activity(context.activity).stages:
            if stage.key not in answered:
                return Step(stage.key, seat=context.seat)
        return None

    def sheet(self, context: Context, step: Step | Waiting) -> Sheet:
        """Exactly what `context.seat` may see at a step (or while it waits): `context.said` is what was said before it.

        NotFound where what was said does not lead to that step.
        """
        raise NotImplementedError

    def check(self, context: Context, step: Step, payload: Any) -> list[Problem]:
        """Why this answer is impossible on this item; the stage's schema has passed. Gets the sheet's context."""
        return []

    def follow_ups(self, item: ItemRecord, annotation: AnnotationRecord) -> Sequence[IncomingItem]:
        """Items that one finished annotation makes; the same annotation always makes the same ids."""
        return ()

    def on_settled(self, item: ItemRecord, annotations: Sequence[AnnotationRecord]) -> Sequence[IncomingItem]:
        """Items that all annotations of an item make together once its task is done; in order of completion."""
        return ()

    def compare(self, activity: str, a: AnnotationRecord, b: AnnotationRecord) -> float:
        """How alike two annotations are, 0 to 1; symmetric, and 1 for the same twice."""
        raise NotImplementedError

    def read(self, source: ImportSource) -> Iterator[IncomingItem | RefusedLine]:
        """The items, documents and annotations of a file, line by line, and what is refused of it."""
        raise NotImplementedError

    def write(self, format: str, records: Iterable[ReleaseRecord]) -> Iterator[Any]:
        """The records of a release in one of `formats`: JSON values, or (key, value) pairs for an object."""
        raise NotImplementedError

    def view(self, stage: str, payload: Any, item: ItemRecord) -> Any:
        """What the read-only template `<key>/<stage>_read.html` shows of one answer, as its variable `reading`."""
        return payload

    def caption(self, kind: str, payload: dict[str, Any]) -> str:
        """The words by which people know an item: its title, its first sentence."""
        raise NotImplementedError

    def guideline(self) -> str:
        """The guidelines that a new project starts with, in Markdown."""
        raise NotImplementedError

    def search_text(self, item: IncomingItem) -> tuple[str, str] | None:
        """(title, text) by which an item is found where work is picked by search; None where it can't be."""
        return None

    def alike(self, kind: str, payload: dict[str, Any]) -> str:
        """What an item shares with those that ask the same of a person (at most 64 characters), "" for nothing."""
        return ""

    @property
    def finds_alike(self) -> bool:
        """Whether items may share anything: where not, a claim need not ask."""
        return type(self).alike is not Protocol.alike

    def id_field(self, kind: str) -> str:
        """The field of a file in which an item of that kind has its id: what an import says of ids names it."""
        return "id"

    def noun_of(self, kind: str) -> Noun:
        """What screens call an item of that kind, by the first activity that works on it."""
        return next((activity.noun for activity in self.activities if activity.kind == kind), ITEM)

    @property
    def noun(self) -> Noun:
        """What screens call an item of whichever kind: the noun that all activities share, else "item"."""
        nouns = {activity.noun for activity in self.activities}
        return nouns.pop() if len(nouns) == 1 else ITEM

    def activity(self, key: str) -> Activity:
        """The activity of that name, or KeyError."""
        for activity in self.activities:
            if activity.key == key:
                return activity
        raise KeyError(key)


RESERVED = frozenset({"now", "renew", "take", "skip", "unskip", "return", "report", "explain"})
"""Words that are addresses of a piece of work, so that no stage can have them as its key."""
_PROTOCOLS: dict[str, Protocol] = {}
_FORMS: dict[str, Mapping[str, Any]] = {}


def register(protocol: Protocol, *, forms: Mapping[str, Any]) -> None:
    """Enter a protocol; `forms` maps each stage to the Django form that turns a POST into a payload.

    ValueError for a stage whose key can't be part of an address, or that has no form.
    """
    for stage in (stage for activity in protocol.activities for stage in activity.stages):
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", stage.key) or stage.key in RESERVED:
            raise ValueError(
                f"The stage {stage.key!r} of {protocol.key} needs another key: letters, digits and underscores, "
                f"and none of {', '.join(sorted(RESERVED))}."
            )
        if stage.key not in forms:
            raise ValueError(f"The stage {stage.key!r} of {protocol.key} has no form.")
    _PROTOCOLS[protocol.key] = protocol
    _FORMS[protocol.key] = forms


def get(key: str) -> Protocol:
    """The protocol of that name, or KeyError."""
    return _PROTOCOLS[key]


def everyone() -> tuple[Protocol, ...]:
    """All registered protocols, by key."""
    return tuple(_PROTOCOLS[key] for key in sorted(_PROTOCOLS))


def form_of(key: str, step: str) -> Any:
    """The Django form class of a step, by its address: that of its stage."""
    return _FORMS[key][Step.at(step).stage]
