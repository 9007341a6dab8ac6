"""SQuAD at a glance: its kinds of items, its activities and stages, and which function does what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotation.i18n import Noun, _, ngettext
from annotation.protocol import Activity, Protocol, Stage
from annotation.protocol_tools import Bots, Demo, Division, FiguresReport, Unnamed
from annotation.protocols.squad import (
    comparing,
    demo,
    exchange,
    exhibits,
    reading,
    rules,
    schemas,
    scoring,
    statistics,
    story,
    writing,
)
from annotation.protocols.squad.scorer import PREDICTIONS, SCORER
from annotation.values.records import AnnotationRecord, ItemRecord
from annotation.values.scores import Score

PARAGRAPH = Noun(_("paragraph"), _("paragraphs"), _("a paragraph"))
QUESTION = Noun(_("question"), _("questions"), _("a question"))

QUESTIONS = Stage(
    key="questions",
    title=_("Ask"),
    schema_name="squad.questions/1",
    schema=schemas.QUESTIONS,
)
ANSWER = Stage(
    key="answer",
    title=_("Answer"),
    schema_name="squad.answer/1",
    schema=schemas.ANSWER,
    published_name=reading.PUBLISHED,
    published=schemas.PUBLISHED_ANSWER,
)

ASK = Activity(
    key="ask",
    title=_("Ask about paragraphs"),
    description=_("Read a paragraph, ask up to five questions about it, and mark the words that answer them."),
    kind="paragraph",
    stages=(QUESTIONS,),
    minutes=30,
    excludes=frozenset({"answer"}),
    shows_at_claim=False,
    noun=PARAGRAPH,
    counted=ngettext("%(n)s paragraph", "%(n)s paragraphs"),
    similarity=_("For each question the most similar one of the other is taken: the words that both share (F1)."),
    by_hand=True,
)
ANSWERING = Activity(
    key="answer",
    title=_("Answer from paragraphs"),
    description=_("Read a paragraph and mark the words that answer a question about it, or say that it has no answer."),
    kind="question",
    stages=(ANSWER,),
    minutes=15,
    # As in the 1.1 paper: training questions have only the writer's own answer, others at least two more.
    overlap={"train": 0, "dev": 2, "test": 2},
    excludes=frozenset({"ask"}),
    noun=QUESTION,
    whole=_("paragraph"),
    counted=ngettext("%(n)s question", "%(n)s questions"),
    similarity=_("The words that two answers share are compared (F1). No answer is alike to no answer only."),
)


class Squad(Protocol):
    """Some people ask about a paragraph and mark the answers; others answer without seeing what was marked."""

    sheet = staticmethod(rules.sheet)
    check = staticmethod(rules.check)
    follow_ups = staticmethod(rules.follow_ups)
    compare = staticmethod(scoring.compare)
    read = staticmethod(reading.read)
    write = staticmethod(writing.articles)
    view = staticmethod(rules.view)
    exhibits_of = staticmethod(exhibits.exhibits_of)
    predicted_exhibit = staticmethod(exhibits.predicted_exhibit)

    key = "squad"
    title = _("SQuAD")
    kinds = ("paragraph", "question")
    activities = (ASK, ANSWERING)
    formats = writing.FORMATS
    unnamed = {"paragraph": Unnamed(("title",), group="article", place="place", around=("before", "after"))}
    exchange = exchange.EXCHANGE
    table = writing.TABLE
    material = _("articles")
    config = schemas.Config
    bots = Bots(demo.pretend, demo.write_large)
    demo = Demo(
        slug="questions-about-paragraphs",
        title=_("Questions about paragraphs"),
        items=demo.ARTICLES,
        answer=demo.answer_sample,
        story=story.STORY,
        config=story.CONFIG,
        least_agreement=story.LEAST_AGREEMENT,
        qualifications=demo.COURSES,
    )
    scorer = SCORER
    measures = comparing.MEASURES
    exhibits = exhibits.KINDS
    predictions = (PREDICTIONS,)
    # The SQuAD paper, 3: articles at random, 80 % train, 10 % dev, 10 % test.
    division = Division("root", {"dev": "10 %", "test": "10 %"})
    report = FiguresReport(statistics.figures, statistics.PUBLISHED, statistics.LABELS, statistics.NUMBERS)

    def grade(
        self, activity: str, item: ItemRecord, answer: AnnotationRecord, references: Sequence[AnnotationRecord]
    ) -> tuple[Score, ...]:
        """Answers by the official metrics; questions by how alike they are."""
        if activity == "ask":
            return super().grade(activity, item, answer, references)
        return comparing.answer_scores(answer, references)

    def caption(self, kind: str, payload: dict[str, Any]) -> str:
        """A paragraph's title and number, or a question's text."""
        if kind == "paragraph":
            return f"{schemas.article_title(payload['title'])} ({payload['place']})"
        return str(payload["question"]).strip()

    def id_field(self, kind: str) -> str:
        """The field that the external id comes from; a paragraph has none, so its id is a hash of what it says."""
        return "context" if kind == "paragraph" else "id"

    def group_of(self, payload: dict[str, Any]) -> str:
        """The article of a paragraph."""
        return str(payload["article"])


PROTOCOL = Squad()
