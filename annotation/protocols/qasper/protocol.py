"""The definition of the QASPER protocol: kinds of item, activities, stages, and the functions behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotation.i18n import Noun, _, ngettext
from annotation.parsing.incoming import IncomingItem
from annotation.protocol import Activity, Protocol, Stage
from annotation.protocol_tools import Bots, Demo, Division, FiguresReport, Unnamed
from annotation.protocols.qasper import (
    comparing,
    demo,
    exhibits,
    formats,
    rules,
    schemas,
    scoring,
    statistics,
    story,
    writing,
)
from annotation.protocols.qasper.human import HUMAN
from annotation.protocols.qasper.layouts import exchange
from annotation.protocols.qasper.scorer import PREDICTIONS, SCORER
from annotation.values.records import AnnotationRecord, ItemRecord
from annotation.values.schemas import Mix
from annotation.values.scores import Score

PAPER = Noun(_("paper"), _("papers"), _("a paper"))
QUESTION = Noun(_("question"), _("questions"), _("a question"))

QUESTIONS = Stage(
    key="questions",
    title=_("Questions"),
    schema_name="qasper.questions/1",
    schema=schemas.QUESTIONS,
)
ANSWER = Stage(
    key="answer",
    title=_("Answer"),
    schema_name="qasper.answer/1",
    schema=schemas.ANSWER,
    published_name="qasper.answer/published/1",
    published=schemas.PUBLISHED_ANSWER,
)

ASK = Activity(
    key="ask",
    title=_("Ask about papers"),
    description=_("Read the title and abstract of a paper, and ask what you would want to find in the rest of it."),
    kind="paper",
    stages=(QUESTIONS,),
    minutes=60,
    picks="search",
    searches=(_("question answering"), _("bert"), _("medical")),
    excludes=frozenset({"answer"}),
    shows_at_claim=False,
    noun=PAPER,
    counted=ngettext("%(n)s paper", "%(n)s papers"),
    similarity=_("For each question the most similar one of the other is taken: the words that both share (F1)."),
    by_hand=True,
)
ANSWERING = Activity(
    key="answer",
    title=_("Answer from papers"),
    description=_("Read a paper, choose the least evidence that answers each question about it, and answer."),
    kind="question",
    stages=(ANSWER,),
    minutes=2880,
    # As in the QASPER paper: train one answer; dev a second for 74 % of questions; test two, and a third for 40 %.
    overlap={"train": 1, "dev": Mix(base=1, more=2, share=0.74), "test": Mix(base=2, more=3, share=0.4)},
    excludes=frozenset({"ask"}),
    block=True,
    idle_minutes=240,
    noun=QUESTION,
    whole=_("paper"),
    counted=ngettext("%(n)s question", "%(n)s questions"),
    similarity=_(
        "The words that two answers share count half, and the evidence that they share the other half (F1). "
        "Unanswerable is alike to unanswerable only."
    ),
)


class Qasper(Protocol):
    """Writers ask about a paper from its title and abstract; other people answer with evidence from the full text."""

    sheet = staticmethod(rules.sheet)
    check = staticmethod(rules.check)
    follow_ups = staticmethod(rules.follow_ups)
    compare = staticmethod(scoring.compare)
    read = staticmethod(formats.read)
    write = staticmethod(formats.write)
    view = staticmethod(rules.view)
    exhibits_of = staticmethod(exhibits.exhibits_of)
    predicted_exhibit = staticmethod(exhibits.predicted_exhibit)

    key = "qasper"
    title = _("QASPER")
    kinds = ("paper", "question")
    activities = (ASK, ANSWERING)
    formats = formats.FORMATS
    unnamed = {"question": Unnamed(("question",))}
    exchange = exchange.EXCHANGE
    table = writing.TABLE
    material = _("papers")
    config = schemas.Config
    bots = Bots(demo.pretend, demo.write_large)
    demo = Demo(
        slug="questions-about-papers",
        title=_("Questions about papers"),
        items=demo.PAPERS,
        answer=demo.answer_sample,
        story=story.STORY,
        rounds=story.ROUNDS,
        people=story.PEOPLE,
        config=story.CONFIG,
        least_agreement=story.LEAST_AGREEMENT,
        qualifications=demo.COURSES,
        exam_items=demo.EXAM_PAPERS,
        course_pictures=demo.COURSE_PICTURES,
    )
    scorer = SCORER
    measures = comparing.MEASURES
    exhibits = exhibits.KINDS
    predictions = (PREDICTIONS,)
    # The QASPER paper: of 1,585 papers, 888 for train, 281 for dev and 416 for test.
    division = Division("root", {"dev": "17.73 %", "test": "26.25 %"})
    report = FiguresReport(
        lambda records: statistics.figures(dict(formats.write("qasper", records))),
        statistics.PUBLISHED,
        statistics.LABELS,
        statistics.NUMBERS,
    )
    human = HUMAN

    def grade(
        self, activity: str, item: ItemRecord, answer: AnnotationRecord, references: Sequence[AnnotationRecord]
    ) -> tuple[Score, ...]:
        """Answers by the official metrics; questions by how alike they are."""
        if activity == "ask":
            return super().grade(activity, item, answer, references)
        return comparing.answer_scores(item, answer, references)

    def caption(self, kind: str, payload: dict[str, Any]) -> str:
        """The title of a paper, or the text of a question."""
        return str(payload["title" if kind == "paper" else "question"])

    def id_field(self, kind: str) -> str:
        """`paper_id` or `question_id`, as in the published layout."""
        return f"{kind}_id"

    def search_text(self, item: IncomingItem) -> tuple[str, str] | None:
        """Title and abstract of a paper, for question writers to search; None if it has no abstract to ask about."""
        if item.kind != "paper" or not item.payload["abstract"].strip():
            return None
        return item.payload["title"], item.payload["abstract"]


PROTOCOL = Qasper()
