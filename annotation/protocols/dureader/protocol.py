"""DuReader at a glance: its kind of items, its activity and stages, and which function does what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotation.i18n import Noun, _, ngettext
from annotation.protocol import Activity, Protocol, Stage
from annotation.protocol_tools import Bots, Demo, FiguresReport
from annotation.protocols.dureader import (
    comparing,
    demo,
    exhibits,
    metric_columns,
    reading,
    rules,
    schemas,
    statistics,
    story,
    writing,
)
from annotation.protocols.dureader.human import HUMAN
from annotation.protocols.dureader.scorer import PREDICTIONS, SCORER
from annotation.values.records import AnnotationRecord, ItemRecord
from annotation.values.scores import Score

KIND = Stage(key="kind", title=_("Type"), schema_name="dureader.kind/1", schema=schemas.TYPED)
ANSWERS = Stage(
    key="answers",
    title=_("Answer"),
    schema_name="dureader.answers/1",
    schema=schemas.COMPOSED,
    published_name=reading.PUBLISHED,
    published=schemas.PUBLISHED_ANSWERS,
)

COMPOSE = Activity(
    key="compose",
    title=_("Answer from documents"),
    description=_("Read up to five documents and answer a question in your own words, with opinions or entities."),
    kind="question",
    stages=(KIND, ANSWERS),
    minutes=30,
    # One person can give several answers, as in the published data; two people show how they agree.
    overlap={"train": 1, "dev": 2, "test": 2},
    noun=Noun(_("question"), _("questions"), _("a question")),
    counted=ngettext("%(n)s question", "%(n)s questions"),
    similarity=_(
        "For each answer the most similar one of the other is taken, by the words that both share, or the characters "
        "where there are no spaces (F1). No answer is alike to no answer only."
    ),
)


class DuReader(Protocol):
    """People answer a question in their own words from up to five documents, with opinions or entities."""

    next_step = staticmethod(rules.next_step)
    sheet = staticmethod(rules.sheet)
    check = staticmethod(rules.check)
    compare = staticmethod(rules.compare)
    read = staticmethod(reading.read)
    write = staticmethod(writing.rows)
    view = staticmethod(rules.view)
    exhibits_of = staticmethod(exhibits.exhibits_of)
    predicted_exhibit = staticmethod(exhibits.predicted_exhibit)
    material_of = staticmethod(rules.material_of)

    key = "dureader"
    title = _("DuReader")
    kinds = ("question",)
    activities = (COMPOSE,)
    formats = writing.FORMATS
    table = writing.TABLE
    reads_line_by_line = True
    material = _("questions and documents")
    config = schemas.Config
    bots = Bots(demo.pretend, demo.write_large)
    demo = Demo(
        slug="answers-from-documents",
        title=_("Answers from documents"),
        items=demo.QUESTIONS,
        answer=demo.answer_sample,
        story=story.STORY,
        rounds=story.ROUNDS,
        predictions={story.COPYING: demo.COPYING, story.REWRITING: demo.REWRITING},
        config=story.CONFIG,
        least_agreement=story.LEAST_AGREEMENT,
        qualifications=demo.COURSES,
        exam_items=demo.EXAM_QUESTIONS,
    )
    scorer = SCORER
    measures = comparing.MEASURES
    exhibits = exhibits.KINDS
    answer_metrics = metric_columns.METRICS
    predictions = (PREDICTIONS,)
    item_types = {"YES_NO": _("Yes or no"), "ENTITY": _("Entities"), "DESCRIPTION": _("A description")}
    report = FiguresReport(statistics.figures, statistics.PUBLISHED, statistics.LABELS, statistics.NUMBERS)
    human = HUMAN

    def grade(
        self, activity: str, item: ItemRecord, answer: AnnotationRecord, references: Sequence[AnnotationRecord]
    ) -> tuple[Score, ...]:
        """Whether there is an answer, its words, opinions and entities."""
        return comparing.answer_scores(answer, references)

    def caption(self, kind: str, payload: dict[str, Any]) -> str:
        """The question."""
        return str(payload["question"]).strip()

    def type_of(self, payload: dict[str, Any]) -> str:
        """What the question asks for, if that came with it."""
        return payload.get("question_type") or ""

    def id_field(self, kind: str) -> str:
        """The field that the external id comes from."""
        return "question_id"


PROTOCOL = DuReader()
