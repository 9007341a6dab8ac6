"""What a protocol declares of its work, activities in stages, and of the files of its releases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import TypeAdapter

from annotation.i18n import Noun, _, ngettext
from annotation.parsing.envelopes import Envelope, TableRows
from annotation.values.records import AnnotationRecord, GivenAnswer, ReleaseRecord, Step
from annotation.values.schemas import Mix

ITEM = Noun(_("item"), _("items"), _("an item"))
"""The default noun."""
DOCUMENT = _("document")


@dataclass(frozen=True)
class Stage:
    """One screen of an activity. `sealed`: it can't be revised once committed. `withdrawable`: where a partner has the
    next step, it can be taken back until they have begun on that.

    `published_name` and `published` are the schema of imported answers, where it differs from `schema`. `flags`: the
    reasons (key, title) for which a partner may flag an answer given here, for a lead to decide; empty: nobody can.
    """

    key: str
    title: Any
    schema_name: str
    schema: TypeAdapter[Any]
    published_name: str = ""
    published: TypeAdapter[Any] | None = None
    sealed: bool = False
    withdrawable: bool = False
    flags: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Activity:
    """A kind of work on a kind of item.

    `excludes`: activities that the same person can't do under the same root. `shows_at_claim`: a claim already shows
    what those activities must not know, so the conflict begins at the claim and not with the first answer. `seats`: the
    roles of the people who make one annotation together; a task has that many slots per annotation wanted.
    `seat_titles`: what screens call them, if there are several. `alone`: the
    key of the activity (train only, one seat) that a person may do who waits in vain for a partner. `block`: a claim
    takes every free item under one root at once; it ends after `minutes`, or `idle_minutes` after the last input if
    that is earlier. `searches`: example queries, where work is picked by search. `noun`: what screens call an item;
    `whole`: what they call the root that the items of a block share; `counted`: a number of items in words.
    `similarity`: what `Protocol.compare` compares, in a sentence or two for leads who say what is disputed.
    `published_seconds`: average time for one annotation according to the dataset's authors, shown to leads beside their
    own; so is `published_alone`, the share of the annotations that one person made alone. `by_hand`: people have to
    judge what is made in it, as no reference says how good it is. `held_until_locked`: a block that has no time limit
    and ends when its holder locks it (a judging round); until then they can revise all of it.
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
    seat_titles: Mapping[str, Any] = field(default_factory=dict)
    alone: str = ""
    overlap: Mapping[str, int | Mix] = field(default_factory=dict)
    excludes: frozenset[str] = frozenset()
    shows_at_claim: bool = True
    block: bool = False
    idle_minutes: int | None = None
    train_only: bool = False
    noun: Noun = ITEM
    whole: Any = DOCUMENT
    counted: tuple[str, str] = ngettext("%(n)s item", "%(n)s items")
    similarity: Any = ""
    published_seconds: int | None = None
    published_alone: float | None = None
    by_hand: bool = False
    held_until_locked: bool = False

    @property
    def can_be_examined(self) -> bool:
        """Whether exams can ask an item in it: one person alone answers it, and references grade that."""
        return len(self.seats) == 1 and not self.by_hand

    def stage(self, key: str) -> Stage:
        """The stage with this key, or KeyError."""
        for stage in self.stages:
            if stage.key == key:
                return stage
        raise KeyError(key)

    def seat_title(self, seat: str) -> Any:
        """What screens call a seat: its title, or KeyError if the activity has only one."""
        return self.seat_titles[seat]

    def place(self, step: Step | GivenAnswer) -> tuple[int, int]:
        """The sort key of a step within the activity: turn, then stage."""
        return step.turn, next(place for place, stage in enumerate(self.stages) if stage.key == step.stage)


@dataclass(frozen=True)
class Format:
    """A release layout: a file name pattern with {split} and {shard}, and how items become records.

    A record is built from an item of `kind` and its finished annotations of `activity`; or, with `child_kind`, from an
    item of `kind`, its own annotations of `root_activities` (None: all), and the items of `child_kind` under it with
    their annotations of `activity`; with `without_children` also an item that has such annotations of its own, but no
    finished item under it. `shard_size`: items per shard (0: one file). `container`: `lines` (JSON Lines,
    gzipped if the name ends in .gz), `array` (one JSON array), `object` (one JSON object; `write` yields (key, value)
    pairs), an Envelope, or the columns of a table.
    `group`: a field of the item's payload; neighbours with the same value are passed to `write` together, however many
    there are, and go into the same shard, so that `write` can merge them into one record (`itertools.groupby`).
    `notes`: what the readers of a release should know about an item and the layout can't express, for the manifest.
    `counted`, of a layout that has no place for some annotations: the kind, the external id and the written annotations
    of each item of a record, the item itself included; an item that is left out is not in it. `former`: its keys of
    earlier versions, which recipes of older releases name.
    """

    key: str
    title: Any
    pattern: str
    kind: str
    activity: str
    child_kind: str = ""
    root_activities: tuple[str, ...] | None = None
    without_children: bool = False
    shard_size: int = 0
    container: Literal["lines", "array", "object"] | Envelope | TableRows = "lines"
    group: str = ""
    notes: Callable[[ReleaseRecord], Iterable[str]] = lambda record: ()
    counted: Callable[[ReleaseRecord], Iterable[tuple[str, str, Sequence[AnnotationRecord]]]] | None = None
    former: tuple[str, ...] = ()
