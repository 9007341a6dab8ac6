"""The Natural Questions protocol: its kind of item, its activity and stages, and the functions behind its methods."""

from __future__ import annotations

from typing import Any

from annotation.i18n import Noun, _, ngettext
from annotation.protocol import Activity, Protocol, Stage
from annotation.protocol_tools import Bots, Demo, Division, FiguresReport
from annotation.protocols.nq import (
    comparing,
    dataset_table,
    demo,
    exhibits,
    formats,
    large,
    rules,
    schemas,
    scoring,
    statistics,
    story,
)
from annotation.protocols.nq.human_bound import HUMAN
from annotation.protocols.nq.scorer import PREDICTIONS, SCORER

QUESTION = Stage(
    key="question",
    title=_("Question"),
    schema_name="nq.question/1",
    schema=schemas.QUESTION,
    sealed=True,
)
LONG_ANSWER = Stage(
    key="long_answer",
    title=_("Long answer"),
    schema_name="nq.long_answer/1",
    schema=schemas.LONG_ANSWER,
    published_name="nq.long_answer/published/1",
    published=schemas.PUBLISHED_LONG_ANSWER,
)
SHORT_ANSWER = Stage(
    key="short_answer",
    title=_("Short answer"),
    schema_name="nq.short_answer/1",
    schema=schemas.SHORT_ANSWER,
    published_name="nq.short_answer/published/1",
    published=schemas.PUBLISHED_SHORT_ANSWER,
)

ANNOTATE = Activity(
    key="annotate",
    title=_("Answer questions from a page"),
    description=_(
        "Judge a question, find the smallest part of a page that answers it, and mark the shortest answer in it."
    ),
    kind="example",
    stages=(QUESTION, LONG_ANSWER, SHORT_ANSWER),
    minutes=20,
    # The NQ paper: one annotation in training, five in development and test.
    overlap={"train": 1, "dev": 5, "test": 5},
    noun=Noun(_("question"), _("questions"), _("a question")),
    counted=ngettext("%(n)s question", "%(n)s questions"),
    similarity=_(
        "The same long answer counts half, and the words that the short answers share the other half (F1). No answer "
        "is alike to no answer only; without any short answer, the long answer is all."
    ),
    # The NQ paper, 3: a mean of 80 s for the three stages.
    published_seconds=80,
)


class NaturalQuestions(Protocol):
    """One person judges a question, finds the long answer on its page, and marks the short answer in it."""

    next_step = staticmethod(rules.next_step)
    sheet = staticmethod(rules.sheet)
    check = staticmethod(rules.check)
    compare = staticmethod(scoring.compare)
    grade = staticmethod(comparing.grade)
    read = staticmethod(formats.read)
    write = staticmethod(formats.write)
    view = staticmethod(rules.view)
    box_of = staticmethod(rules.box_of)
    spans_of = staticmethod(rules.spans_of)
    exhibits_of = staticmethod(exhibits.exhibits_of)
    predicted_exhibit = staticmethod(exhibits.predicted_exhibit)
    alike = staticmethod(rules.alike)
    oddities_of = staticmethod(rules.oddities_of)

    key = "nq"
    title = _("Natural Questions")
    kinds = ("example",)
    activities = (ANNOTATE,)
    formats = formats.FORMATS
    table = dataset_table.TABLE
    reads_line_by_line = True
    material = _("questions and pages")
    config = schemas.Config
    bots = Bots(demo.pretend, large.write_large)
    demo = Demo(
        slug="everyday-questions",
        title=_("Everyday questions"),
        items=demo.QUESTIONS,
        answer=demo.answer_sample,
        story=story.STORY,
        rounds=story.ROUNDS,
        people=story.PEOPLE,
        config=story.CONFIG,
        least_agreement=story.LEAST_AGREEMENT,
        qualifications=demo.COURSES,
    )
    scorer = SCORER
    measures = comparing.MEASURES
    exhibits = exhibits.KINDS
    predictions = (PREDICTIONS,)
    # The NQ paper: 307,373 for train, 7,830 for dev and 7,842 for test, at random.
    division = Division("random", {"dev": "2.42 %", "test": "2.43 %"})
    report = FiguresReport(statistics.figures, statistics.PUBLISHED, statistics.LABELS, statistics.NUMBERS)
    human = HUMAN

    def caption(self, kind: str, payload: dict[str, Any]) -> str:
        """The question."""
        return str(payload["question_text"])

    def id_field(self, kind: str) -> str:
        """The same in the simplified layout and in our own."""
        return "example_id"


PROTOCOL = NaturalQuestions()
