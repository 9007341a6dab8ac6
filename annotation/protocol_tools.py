"""The optional tools of a protocol: its scorer, chooser, demo, bots, report, human upper bound; how it knows items."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Literal

import orjson

from annotation.parsing.incoming import ImportSource
from annotation.statistics.human_bound import Measured
from annotation.values.exhibits import ShownExhibit
from annotation.values.records import ReleaseRecord
from annotation.values.sheets import Sheet


@dataclass(frozen=True)
class ScoreRequest:
    """The arguments of `manage.py score`: gold files, a predictions file or None, the flags set, the options given."""

    gold: tuple[Path, ...]
    predictions: Path | None = None
    flags: frozenset[str] = frozenset()
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Scorer:
    """The field's official metrics on files. `flags` and `options`: the command line's, with their help texts.

    A flag is set or not; an option has a value, a text; in `files` are those whose value is the path of a file, which
    only the command line has. `run` returns what is printed, as JSON, or raises ScoreRefused
    with a sentence about the files, flags or options. Its `notes`, sentences that are no figures, go to standard error.
    """

    run: Callable[[ScoreRequest], dict[str, Any]]
    flags: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    files: frozenset[str] = frozenset()


@dataclass(frozen=True)
class DatasetTable:
    """The typed columns of a released dataset, and the rows of one item: dicts of Python values, None if missing.

    The type of a column is a name such as "string", "bool", "int32" or "uint64", [type] for a list, or {name: type}.
    `rows` raises ReleaseRefused for an item that can't be written. `task`: the category of the task on the hub.
    `earlier`: the table of the writers 1 and 2 of releases, if it was another.
    """

    columns: Mapping[str, Any]
    rows: Callable[[ReleaseRecord], Iterable[Mapping[str, Any]]]
    task: str = ""
    earlier: DatasetTable | None = None


@dataclass(frozen=True)
class ChosenMaterial:
    """Whether raw material is worth importing, and why: its name, the figures behind it, and the line to import."""

    name: str
    kept: bool
    why: str
    figures: Mapping[str, int] = field(default_factory=dict)
    line: dict[str, Any] | None = None


@dataclass(frozen=True)
class MaterialChooser:
    """Chooses from a file of raw material what is worth importing, for `manage.py choose_items`.

    `run(source, options)` returns a sentence on how it was judged, and a choice for each record; `line` is a JSON
    object for `import_items`, None if it is dropped. It raises ImportRefused for a wrong option or file. `options`: the
    command line's, with their help texts.
    """

    run: Callable[[ImportSource, Mapping[str, str]], tuple[Any, Iterator[ChosenMaterial]]]
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Scene:
    """What happened in a demo project `day` days ago: `who` worked for `seconds` on the item with the caption `item`.

    `partners`: who made it together with them, in an activity with several seats. They meet in the lobby, which gives
    each a seat, and draws the item, one that is new to everybody. The scene names none, and `drawn` is what later
    scenes call it; or it names the one that has to be drawn by the project's seed, and the story does not go on with
    another. `answers`: how many they send, if it is not one for each stage.

    `ends`: how. `finished`: all stages are answered; in a block, all of its items (its `item` is their root). `begun`:
    they sent the first `sends` answers and hold the rest, with a draft. `left`: whoever would have gone on after
    `sends` answers left. `revised`: they sent back another answer to what a lead had re-opened. `skipped` and
    `reported`, with the code of the reason in `reason` and their words in `note`. `reopened` and `excluded`: a lead did
    that to their answer, with the reason in `note`. `decided`: `who`, an expert, decided a dispute for the answer of
    the person named in `says`, because of `note`. `released`: a lead made a release; there is no `item`. Else `says` is
    passed to `Demo.answer`.
    """

    day: int
    who: str
    activity: str = ""
    item: str = ""
    partners: tuple[str, ...] = ()
    drawn: str = ""
    ends: Literal[
        "finished", "begun", "left", "revised", "skipped", "reported", "reopened", "excluded", "decided", "released"
    ] = "finished"
    says: Any = None
    sends: int = 0
    answers: int = 0
    seconds: int = 90
    reason: str = ""
    note: str = ""


def scenes_in(file: Path) -> tuple[Scene, ...]:
    """The scenes in a file, in the order of its lines: each is a JSON object with the fields of a `Scene`."""
    lines = map(orjson.loads, file.read_bytes().splitlines())
    return tuple(Scene(**line | {"partners": tuple(line.get("partners", ()))}) for line in lines)


@dataclass(frozen=True)
class MeetingTalk:
    """What the meeting of a demo's round did with the exhibits that have this prompt: its last rater has the chair.

    `says`: (rater, argument), in order. Then all confirm `mark`, for `reason`; with none it is parked.
    """

    prompt: str
    says: tuple[tuple[str, str], ...] = ()
    mark: str = ""
    reason: str = ""


@dataclass(frozen=True)
class DemoRound:
    """A judging round of a demo, sealed `day` days ago after the scenes of that day, over `kind` of its protocol.

    `marks(exhibit, rater)`: the mark that the rater with this number, from 1, gives, or "mark/part"; `checks(exhibit,
    rater)`: what they say to checks, as a judgement has it; `comments`: what some say once, by (prompt, number).
    `systems`: of `Demo.predictions`, which are judged in place of people's answers; () for none. `sample`,
    `of_an_item` and `together`: as `annotation.judging.rules.Rules`. The first `locked` of the `raters` lock their
    marks, None: all; the next has judged `judged` exhibits, and the others have not begun. `talks`: of the meeting; ()
    for none. `ended`: whether it was. `seconds`: about what an exhibit takes.
    """

    day: int
    kind: str
    title: Any
    raters: tuple[str, ...]
    marks: Callable[[ShownExhibit, int], str]
    comments: Mapping[tuple[str, int], str] = field(default_factory=dict)
    checks: Callable[[ShownExhibit, int], Mapping[str, Any]] = lambda _exhibit, _rater: {}
    sample: int | None = None
    of_an_item: Literal["one", "all"] = "one"
    systems: tuple[str, ...] = ()
    together: bool = False
    locked: int | None = None
    judged: int = 0
    talks: tuple[MeetingTalk, ...] = ()
    ended: bool = True
    seconds: int = 14


@dataclass(frozen=True)
class Demo:
    """The demo project that `make run` sets up: its slug, its title, the file of items to import, and its history.

    `answer(sheet, external_id, says)` returns what a person of the `story` answers at a sheet: what is known about the
    sample, or what `says` states in the protocol's own terms. The `story` is in the order in which it happened; in it,
    `lena` leads and `erin` decides. `people`: who of the others can sign in, and what one sees as them. `more_members`:
    members who are in no scene. `least_agreement`: by activity, as for opening a queue. `qualifications`: a file with
    that section of a set-up, which `config` may require; whoever is a member from the beginning has them.
    `exam_items`: a file of items that these ask, which are set aside. `course_pictures`: what these show. `rounds`:
    judging rounds, which follow the scenes of their day. `predictions`: files of systems' answers, by their names, in
    the first of the protocol's own layouts.
    """

    slug: str
    title: Any
    items: Path
    answer: Callable[[Sheet, str, Any], dict[str, Any]]
    story: tuple[Scene, ...] = ()
    people: Mapping[str, Any] = field(default_factory=dict)
    more_members: frozenset[str] = frozenset()
    config: Mapping[str, Any] = field(default_factory=dict)
    least_agreement: Mapping[str, float] = field(default_factory=dict)
    qualifications: Path | None = None
    exam_items: Path | None = None
    course_pictures: tuple[Path, ...] = ()
    rounds: tuple[DemoRound, ...] = ()
    predictions: Mapping[str, Path] = field(default_factory=dict)


@dataclass(frozen=True)
class Bots:
    """Tools for rehearsals, tests and benchmarks; no bot works on what people work on.

    `pretend(sheet, rng)` makes up a valid answer to any sheet; TypeError for another protocol's sheet.
    `large(folder, count)` writes a file of `count` items, always the same ones, and returns its path.
    """

    pretend: Callable[[Sheet, Random], dict[str, Any]]
    large: Callable[[Path, int], Path] | None = None


@dataclass(frozen=True)
class Division:
    """How the items of a project are divided into splits: as published, or as a lead wants it.

    `by`: what is drawn. `root`: an imported item with everything under it, together with those of the same group
    (`Protocol.group_of`); `domain`: the same, from each domain (`Protocol.domain_of`) as many; `random`: imported items
    whatever their group. `sizes`: how many of them a split gets, a number or a share ("10 %"); `rest`: the split of all
    others. `only`: domains that go into one split as a whole.
    """

    by: Literal["root", "domain", "random"]
    sizes: Mapping[str, str]
    rest: str = "train"
    only: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Unnamed:
    """How items of a kind without an id in their file are recognised: by their text and the payload's fields `by`.

    Without a document of their own, the root takes the place of the text. The other fields named here say where in its
    file an item stood. They are not compared, so that it stays the same wherever a later file has it: `group` is what
    neighbours share (`Format.group`), and `place` the number of an item in its group, by which releases put those of
    several imports in order; the lists `around` are what stood beside it and is no item, which comes in once.
    """

    by: tuple[str, ...]
    group: str = ""
    place: str = ""
    around: tuple[str, ...] = ()

    @property
    def places(self) -> frozenset[str]:
        """The fields that say where in its file an item stood."""
        return frozenset(filter(None, (self.group, self.place, *self.around)))


@dataclass(frozen=True)
class FiguresReport:
    """A project's figures (a dict; groups are dicts; None: nothing to measure), and published ones by the same keys.

    A mean or share is a `ClusteredMean` of `annotation.statistics.clustered_means`, which knows its n and interval.
    `labels`: what each figure and each group is, in words, by its key; one in a group by `group.figure`. `numbers`: the
    keys of figures that are counts or means (a group's for all in it); all others are shares (0..1).
    """

    figures: Callable[[Iterable[ReleaseRecord]], dict[str, Any]]
    published: Mapping[str, Any]
    labels: Mapping[str, str]
    numbers: frozenset[str] = frozenset()


@dataclass(frozen=True)
class ThresholdSweep:
    """A table of figures by threshold: a heading, those of its columns, the threshold's first, and the one in use."""

    title: Any
    columns: tuple[Any, ...]
    used: int


@dataclass(frozen=True)
class HumanBound:
    """How well people do on the official metrics, measured like a system: the upper bound for one.

    `part(record, seed)` is what of an item's record is needed, `measure(parts, seed)` measures some of them. `labels`:
    what each group and each figure in it is, in words, by `group` and `group.figure`; `procedures`: how it is measured,
    in a few sentences. `published`: published figures (0..1) by the same keys, and `source` where they are from.
    `counts`: what the numbers of a figure count; the first are the clusters of the bootstrap. `reasons`: the sentences
    of `Measured.why_not`, `left_out` and `notes`, with `%(name)s` for a number; a pair has a plural by `n`. `sweeps`:
    by group.
    """

    part: Callable[[ReleaseRecord, str], Any]
    measure: Callable[[Sequence[Any], str], Measured]
    labels: Mapping[str, Any]
    procedures: Mapping[str, Any]
    published: Mapping[str, float]
    source: Any
    counts: tuple[Any, ...]
    reasons: Mapping[str, Any]
    sweeps: Mapping[str, ThresholdSweep] = field(default_factory=dict)

    def sentence(self, code: str, numbers: Mapping[str, int]) -> str:
        """One of `reasons` with its numbers, in English; pages translate it first."""
        found = self.reasons[code]
        text = found if isinstance(found, str) else found[numbers["n"] != 1]
        return str(text) % numbers
