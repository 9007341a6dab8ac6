"""The protocol: what is worked on, what is shown, what can be answered, how files are read and written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from pydantic import ValidationError

from annotation.documents.spans import problem_of
from annotation.documents.words import language_by_script
from annotation.errors import Problem
from annotation.i18n import Noun, _, ngettext
from annotation.parsing import fields
from annotation.parsing.fields import LineRefused
from annotation.parsing.incoming import ImportSource, IncomingItem, RefusedLine
from annotation.parsing.plain_text import text_document
from annotation.parsing.steps import annotation_as_steps, annotation_from_steps
from annotation.protocol import Activity, Format, Protocol, Stage
from annotation.protocol_tools import Bots, Demo
from annotation.skeletons.one import demo, schemas
from annotation.statistics.token_f1 import f1_points
from annotation.values.measures import Comparison, Measure
from annotation.values.records import AnnotationRecord, Context, ItemRecord, ReleaseRecord, Step, Waiting
from annotation.values.scores import Part, Score, Wording, best_scores, quotation
from annotation.values.sheets import PassageSheet, Sheet

ANSWER = Stage("answer", _("Answer"), "skeleton_one.answer/1", schemas.ANSWER)
MARK = Activity(
    key="mark",
    title=_("Mark words that answer"),
    description=_("Read a text, and mark the words that answer what is asked about it."),
    kind="prompt",
    stages=(ANSWER,),
    minutes=10,
    overlap={"train": 2, "dev": 2, "test": 2},
    noun=Noun(_("text"), _("texts"), _("a text")),
    counted=ngettext("%(n)s text", "%(n)s texts"),
    similarity=_("The marked words are compared (F1); two people who both find that the text does not say agree."),
)
WORDS = Part("words", _("Words"))
NONE = Wording(_("The text does not say"))


def quote_of(annotation: AnnotationRecord) -> str:
    """The words that an annotation marks, "" where it says that the text does not say."""
    payload = annotation.answers[-1].payload
    return payload.span.quote if isinstance(payload, schemas.Marked) else ""


def similarity(a: str, b: str) -> float:
    """Token F1 of the marked words."""
    return float(f1_points(a, b))


class SkeletonOne(Protocol):
    """One person reads a text, and marks the words that answer what is asked about it."""

    key = "skeleton_one"
    title = _("Skeleton one")
    kinds = ("prompt",)
    activities = (MARK,)
    formats = (
        Format(
            key="skeleton_one",
            title=_("Skeleton one, JSON Lines"),
            pattern="{split}.jsonl",
            kind="prompt",
            activity="mark",
        ),
    )
    material = _("texts")
    measures = (
        Comparison("words", _("Marked words (F1)"), "mark", quote_of, similarity),
        Measure("said", _("Said or not"), "mark", "nominal", lambda one: "said" if quote_of(one) else "not said"),
    )
    bots = Bots(demo.pretend, demo.write_large)
    demo = Demo(
        slug="skeleton-one-demo",
        title=_("Skeleton one"),
        items=demo.ITEMS,
        answer=demo.answer,
        story=demo.STORY,
        least_agreement=demo.LEAST_AGREEMENT,
    )

    def sheet(self, context: Context, step: Step | Waiting) -> Sheet:
        """What is asked, and the text; whatever is not in here reaches no page."""
        text = context.item.documents[0].text
        return PassageSheet(
            stage="answer", prompt=context.item.payload["prompt"], text=text, lang=language_by_script(text)
        )

    def check(self, context: Context, step: Step, payload: Any) -> list[Problem]:
        """Words that are not in this text are refused."""
        if not isinstance(payload, schemas.Marked):
            return []
        problem = problem_of(payload.span, (context.item.documents[0].text,), field="span")
        return [problem] if problem else []

    def compare(self, activity: str, a: AnnotationRecord, b: AnnotationRecord) -> float:
        """Token F1 of the marked words."""
        return similarity(quote_of(a), quote_of(b))

    def grade(
        self, activity: str, item: ItemRecord, answer: AnnotationRecord, references: Sequence[AnnotationRecord]
    ) -> tuple[Score, ...]:
        """Token F1 with the best reference."""
        return best_scores((_score(answer, one),) for one in references)

    def read(self, source: ImportSource) -> Iterator[IncomingItem | RefusedLine]:
        """JSON Lines with id, text, prompt and source; a release has annotations, too."""
        for number, line in source.lines():
            try:
                yield _item(number, fields.parse(line), source)
            except LineRefused as refused:
                yield RefusedLine(number, refused.field, refused.reason)
            except ValidationError as error:
                yield RefusedLine(number, str(error.errors()[0]["loc"][0]), str(error.errors()[0]["msg"]))

    def write(self, format: str, records: Iterable[ReleaseRecord]) -> Iterator[Any]:
        """The same lines, with the annotations."""
        for record in records:
            text = record.item.documents[0].text
            yield {
                "id": record.item.external_id,
                "text": text,
                **record.item.payload,
                "annotations": [annotation_as_steps(one, (text,)) for one in record.annotations],
            }

    def caption(self, kind: str, payload: dict[str, Any]) -> str:
        """What is asked."""
        return str(payload["prompt"])


def _score(answer: AnnotationRecord, reference: AnnotationRecord) -> Score:
    wanted = quote_of(reference)
    if not answer.answers:
        return Score(Step("answer"), WORDS, Fraction(0), wanted=quotation(wanted) if wanted else NONE)
    said = quote_of(answer)
    return Score(
        Step("answer"),
        WORDS,
        f1_points(said, wanted),
        quotation(said) if said else NONE,
        quotation(wanted) if wanted else NONE,
    )


def _item(number: int, record: dict[str, Any], source: ImportSource) -> IncomingItem:
    payload = schemas.Prompt(prompt=fields.need(record, "prompt", str), source=fields.need(record, "source", str))
    given = fields.need(record, "annotations", list) if source.published else []
    return IncomingItem(
        line=number,
        kind="prompt",
        external_id=fields.need(record, "id", str),
        split=fields.split_name(source.split or "train", "split"),
        payload=payload.model_dump(mode="json"),
        documents=(text_document(fields.need(record, "text", str), "text"),),
        annotations=tuple(annotation_from_steps(one, MARK, {}, f"annotations[{at}]") for at, one in enumerate(given)),
    )


PROTOCOL = SkeletonOne()
