"""What a protocol is: what it declares, and its methods. Protocols are written with the names of `__all__`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.errors import Problem
from annotation.i18n import Noun
from annotation.judging.answer_metrics import AnswerMetrics
from annotation.parsing.incoming import ImportSource, IncomingItem, RefusedLine
from annotation.protocol_tools import (
    Bots,
    DatasetTable,
    Demo,
    Division,
    FiguresReport,
    HumanBound,
    MaterialChooser,
    Scorer,
    Unnamed,
)
from annotation.values.activities import ITEM, Activity, Format, Stage
from annotation.values.exchange import Exchange
from annotation.values.exhibits import ExhibitKind, ShownExhibit
from annotation.values.measures import Comparison, Measure
from annotation.values.predictions import PredictionLayout, ReadPrediction
from annotation.values.records import AnnotationRecord, Context, GivenAnswer, ItemRecord, ReleaseRecord, Step, Waiting
from annotation.values.schemas import ProjectConfig
from annotation.values.scores import WHOLE, Score, points_of_similarity
from annotation.values.sheets import Sheet

__all__ = ["ITEM", "Activity", "Format", "Protocol", "Stage"]

ACTIVITIES_OF_ALL: dict[str, Activity] = {}
"""The activities of every protocol's items, by key: those of protocols that are registered as such (judging)."""


class Protocol:
    """A dataset style: what is worked on, in which steps, who sees what, and how files are read and written.

    Write a subclass in `annotation/protocols/<key>/protocol.py` and register one instance of it in `apps.py`;
    docs/protocols.md is the tutorial. Methods are pure: they get frozen records and return values, with no query, clock
    or random number of their own (seed a shuffle with `context.seed`).
    """

    key: str
    """The name of the package and of the template folder; stored in `Project.protocol`."""
    title: Any
    kinds: tuple[str, ...]
    """The kinds of items (`Item.kind`)."""
    activities: tuple[Activity, ...]
    formats: tuple[Format, ...] = ()
    """The release layouts; the first is the default."""
    reads_line_by_line: bool = False
    """Whether `read` treats each line of a file by itself, so that several processes can share a file's lines."""
    reads_texts: bool = False
    """Whether a folder or zip of texts can be imported: `read` gets a line with `id` and `file` for each of them."""
    material: Any = ITEM.many
    """What an import brings, for the page of an empty project: "texts and summaries"."""
    config: type[ProjectConfig] = ProjectConfig
    demo: Demo | None = None
    bots: Bots | None = None
    scorer: Scorer | None = None
    chooser: MaterialChooser | None = None
    report: FiguresReport | None = None
    human: HumanBound | None = None
    division: Division | None = None
    """How the published items were divided into splits."""
    unnamed: Mapping[str, Unnamed] = {}
    """By kind, how items are recognised that have no id in their file."""
    exchange: Exchange | None = None
    """How it takes items from other annotation tools, and gives them."""
    table: DatasetTable | None = None
    """The columns of a Hugging Face dataset; without them, payloads are JSON texts."""
    item_types: Mapping[str, Any] = {}
    """The types of items that results of judging rounds are shown apart for, by key with a title."""
    exhibits: tuple[ExhibitKind, ...] = ()
    """The kinds of answers that judging rounds can be about."""
    answer_metrics: AnswerMetrics | None = None
    """What judging rounds compare people's scores with, if they give any."""
    predictions: tuple[PredictionLayout, ...] = ()
    """The layouts of files with answers of models."""
    measures: tuple[Measure | Comparison, ...] = ()
    """What is compared to measure agreement, of each activity the most telling first."""

    def next_step(self, context: Context) -> Step | Waiting | None:
        """The step that `context.seat` answers next, Waiting if another seat is to answer first, None when complete.

        By default each stage of the activity comes once, in order.
        """
        answered = {entry.stage for entry in context.answers}
        for stage in self.activity(context.activity).stages:
            if stage.key not in answered:
                return Step(stage.key, seat=context.seat)
        return None

    def sheet(self, context: Context, step: Step | Waiting) -> Sheet:
        """Everything that `context.seat` may see at a step, or while it waits.

        `context.answers` are those before it.

        Raise NotFound if those answers do not lead to that step.
        """
        raise NotImplementedError

    def check(self, context: Context, step: Step, payload: Any) -> list[Problem]:
        """What is wrong with an answer that has passed the stage's schema; the context is the one `sheet` gets."""
        return []

    def stored(self, context: Context, step: Step, payload: Any) -> Any:
        """The payload that is stored of an answer that `check` accepts: with what the server computes of it, if any.

        Whatever a browser sends in such a field has to be replaced.
        """
        return payload

    def follow_ups(self, item: ItemRecord, annotation: AnnotationRecord) -> Sequence[IncomingItem]:
        """New items made from one finished annotation. Deterministic: the same annotation gives the same ids."""
        return ()

    def on_settled(self, item: ItemRecord, annotations: Sequence[AnnotationRecord]) -> Sequence[IncomingItem]:
        """New items made from all annotations of an item (in order of completion) once its task is done."""
        return ()

    def needs_acceptance(self, item: ItemRecord, annotation: AnnotationRecord, config: ProjectConfig) -> bool:
        """Whether this finished annotation of an item counts only if a lead accepts it: then it is a case for them.

        Once accepted, its record says so (`accepted`), to `follow_ups` and to `write`.
        """
        return False

    def is_enough(self, item: ItemRecord, annotation: AnnotationRecord, config: ProjectConfig) -> bool:
        """Whether work of several people that ends before they have finished it counts as finished all the same.

        `config` is the project's, of the class that the protocol names.
        """
        return False

    def compare(self, activity: str, a: AnnotationRecord, b: AnnotationRecord) -> float:
        """The similarity of two annotations, 0 to 1; symmetric, and 1 for identical ones."""
        raise NotImplementedError

    def grade(
        self, activity: str, item: ItemRecord, answer: AnnotationRecord, references: Sequence[AnnotationRecord]
    ) -> tuple[Score, ...]:
        """What an annotation is worth against annotations that are trusted, each with the responses that count.

        The references alone decide which scores there are (none without references); for what `answer` lacks they are
        0, and the best reference counts. By default one score: `compare` with the most alike reference.
        """
        if not references:
            return ()
        step = Step(self.activity(activity).stages[-1].key)
        alike = max(self.compare(activity, answer, one) for one in references) if answer.answers else 0.0
        return (Score(step, WHOLE, points_of_similarity(alike)),)

    def read(self, source: ImportSource) -> Iterator[IncomingItem | RefusedLine]:
        """Yield the items of a file with their documents and annotations, line by line, and the lines it refuses."""
        raise NotImplementedError

    def write(self, format: str, records: Iterable[ReleaseRecord]) -> Iterator[Any]:
        """Yield the records of a release in one of `formats`: JSON values, or (key, value) pairs for an object."""
        raise NotImplementedError

    def view(self, stage: str, payload: Any, item: ItemRecord) -> Any:
        """What the read-only template `<key>/<stage>_read.html` shows of one answer, as its variable `view`."""
        return payload

    def box_of(self, stage: str, payload: Any) -> int | None:
        """The box (candidate) of the item's imported page that an answer chooses, to be marked in it for experts."""
        return None

    def spans_of(self, stage: str, payload: Any) -> Sequence[tuple[int, int]]:
        """The words of the item's imported page that an answer marks, as half-open ranges of tokens; for experts."""
        return ()

    def exhibits_of(
        self, kind: str, item: ItemRecord, annotation: AnnotationRecord
    ) -> Iterable[tuple[int, ShownExhibit]]:
        """What raters of a judging round see of an annotation: (turn, exhibit) for each answer of a kind of `exhibits`.

        It says nothing about who made it or what others think of it. Deterministic: what is shown is sealed by a hash.
        """
        return ()

    def predicted_exhibit(
        self, kind: str, item: ItemRecord, prediction: ReadPrediction, given: Callable[[], Sequence[AnnotationRecord]]
    ) -> ShownExhibit | None:
        """What raters of a judging round see of the prediction of a model; None for an empty one, and where predictions
        can't be judged as exhibits of this kind.

        `given`: what people have answered to the item. It says nothing about the system. Deterministic, as
        `exhibits_of`.
        """
        return None

    def material_of(self, item: ItemRecord, answers: Sequence[tuple[str, Sequence[GivenAnswer]]]) -> Any | None:
        """What `<key>/material_read.html` shows, as its variable `view`, of the item's documents beside answers.

        `answers`: those that are shown beside it, in their order, each under what the page calls whose they are.
        None: nothing but what every page shows, the text of a plain document or the imported page.
        """
        return None

    def turns_of(self, item: ItemRecord) -> Sequence[Any]:
        """What an item itself says in turns 1, 2, 3 ..., for the pages of leads: each is the variable `turn` of
        `<key>/turn_read.html`, beside the annotations of that turn."""
        return ()

    def caption(self, kind: str, payload: dict[str, Any]) -> str:
        """A short text by which people recognise an item: its title, its first sentence."""
        raise NotImplementedError

    def guideline(self) -> str:
        """The guidelines that a new project starts with, in Markdown: by default its `texts/guideline.md`."""
        return self._text("guideline.md").read_text(encoding="utf-8")

    def file_format(self) -> str:
        """How a file of items to be imported looks, in Markdown, for leads: by default `texts/import.md`, or ""."""
        path = self._text("import.md")
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def _text(self, name: str) -> Path:
        """The file in the folder `texts` beside the protocol's module, or beside that of one it derives from."""
        own, *others = (
            Path(inspect.getfile(each)).parent / "texts" / name for each in type(self).mro() if each is not object
        )
        return next((path for path in (own, *others) if path.exists()), own)

    def oddities_of(self, item: IncomingItem) -> Iterable[str]:
        """Sentences for the notes of an import about an item that is kept, beside those that `read` has given it.

        Equal ones are told once, with how many they are: say nothing in them that only one item has.
        """
        return ()

    def search_text(self, item: IncomingItem) -> tuple[str, str] | None:
        """(title, text) to index where work is picked by search; None keeps the item out of the search."""
        return None

    def alike(self, kind: str, payload: dict[str, Any]) -> str:
        """A similarity key (at most 64 characters, or ""): nobody gets two items with the same key in a session."""
        return ""

    def group_of(self, payload: dict[str, Any]) -> str:
        """What imported items that belong together share, for splits: an article; "" if each stands by itself."""
        return ""

    def domain_of(self, payload: dict[str, Any]) -> str:
        """The domain that an imported item is from, for splits; "" if the protocol knows none."""
        return ""

    def type_of(self, payload: dict[str, Any]) -> str:
        """Which of `item_types` an item is, by its payload; "" if that is not known."""
        return ""

    @property
    def finds_alike(self) -> bool:
        """Whether the protocol overrides `alike`; if not, a claim skips that rule."""
        return type(self).alike is not Protocol.alike

    def id_field(self, kind: str) -> str:
        """The field that holds the id of an item of that kind in a file; import messages about ids name it."""
        return "id"

    def noun_of(self, kind: str) -> Noun:
        """What screens call an item of that kind: the noun of the first activity that works on it."""
        return next((activity.noun for activity in self.activities if activity.kind == kind), ITEM)

    @property
    def substitutes(self) -> frozenset[str]:
        """The activities that people without a partner are offered instead: nobody has to do any of their tasks."""
        return frozenset(activity.alone for activity in self.activities if activity.alone)

    @property
    def noun(self) -> Noun:
        """What screens call an item of any kind: the noun that all activities share, else "item"."""
        nouns = {activity.noun for activity in self.activities}
        return nouns.pop() if len(nouns) == 1 else ITEM

    def activity(self, key: str) -> Activity:
        """The activity with this key, its own or one of all protocols, or KeyError."""
        return next((each for each in self.activities if each.key == key), None) or ACTIVITIES_OF_ALL[key]
