"""SQuAD, the table of contents: its kinds of item, its activities and stages, which function does what."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annotation.i18n import _, ngettext
from annotation.protocol import Activity, Bots, Demo, Noun, Protocol, Report, Stage
from annotation.protocols.squad import demo, large, reading, rules, schemas, scoring, statistics, writing
from annotation.protocols.squad.scorer import SCORER

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
)
ANSWERING = Activity(
    key="answer",
    title=_("Answer from paragraphs"),
    description=_("Read a paragraph and mark the words that answer a question about it, or say that there are none."),
    kind="question",
    stages=(ANSWER,),
    minutes=15,
    # The 1.1 paper: in training the writer's own answer alone; elsewhere at least two more.
    overlap={"train": 0, "dev": 2, "test": 2},
    excludes=frozenset({"ask"}),
    noun=QUESTION,
    whole=_("paragraph"),
    counted=ngettext("%(n)s question", "%(n)s questions"),
)


class Squad(Protocol):
    """Some ask about a paragraph and mark the answers; others answer the same questions without knowing those."""

    sheet = staticmethod(rules.sheet)
    check = staticmethod(rules.check)
    follow_ups = staticmethod(rules.follow_ups)
    compare = staticmethod(scoring.compare)
    read = staticmethod(reading.read)
    write = staticmethod(writing.articles)
    view = staticmethod(rules.view)

    key = "squad"
    title = _("SQuAD")
    kinds = ("paragraph", "question")
    activities = (ASK, ANSWERING)
    formats = writing.FORMATS
    material = _("articles")
    config = schemas.Config
    bots = Bots(demo.pretend, large.write_large)
    demo = Demo(
        slug="questions-about-paragraphs",
        title=_("Questions about paragraphs"),
        items=demo.ARTICLES,
        answer=demo.answer_sample,
    )
    scorer = SCORER
    report = Report(statistics.report, statistics.PUBLISHED)

    def caption(self, kind: str, payload: dict[str, Any]) -> str:
        """The title and the place of a paragraph, the words of a question."""
        if kind == "paragraph":
            return f"{schemas.title_of(payload['title'])} ({payload['place']})"
        return payload["question"].strip()

    def id_field(self, kind: str) -> str:
        """Questions have an id; that of a paragraph is made of its text and its place."""
        return "context" if kind == "paragraph" else "id"

    def guideline(self) -> str:
        """The guidelines that a new project starts with, in Markdown."""
        return (Path(__file__).parent / "texts" / "guideline.md").read_text(encoding="utf-8")


PROTOCOL = Squad()
