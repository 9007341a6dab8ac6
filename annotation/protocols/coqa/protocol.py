"""CoQA at a glance: its kinds of items, its activities and stages, and which function does what."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from annotation.i18n import Noun, _, ngettext
from annotation.protocol import Activity, Protocol, Stage
from annotation.protocol_tools import Bots, Demo, Division, FiguresReport
from annotation.protocols.coqa import (
    comparing,
    demo,
    exhibits,
    published,
    reading,
    rules,
    schemas,
    scoring,
    sheets,
    statistics,
    story,
    writing,
)
from annotation.protocols.coqa.choosing import CHOOSER
from annotation.protocols.coqa.human import HUMAN
from annotation.protocols.coqa.scorer import PREDICTIONS, SCORER

PASSAGE = Noun(_("passage"), _("passages"), _("a passage"))
CONVERSATION = Noun(_("conversation"), _("conversations"), _("a conversation"))

VAGUE = ("vague", _("The question is vague"))
WRONG = ("wrong", _("The answer is wrong"))
IN_BOTH = (
    ("not_in_passage", _("It has nothing to do with the passage")),
    ("copying", _("It is copied")),
    ("nonsense", _("It makes no sense")),
    ("unresponsive", _("It does not respond to what was said")),
    ("abuse", _("It is abusive")),
)
"""Why a partner may flag what was said (protocols.md 7.2.8)."""

# What was sent is on the partner's screen, or was answered by revealing the original: nothing can be revised. Only a
# question can be taken back, before its answer is begun.
QUESTION = Stage(
    key="question",
    title=_("Ask"),
    schema_name="coqa.question/1",
    schema=schemas.QUESTION,
    published_name=published.QUESTION,
    published=schemas.PUBLISHED_QUESTION,
    sealed=True,
    withdrawable=True,
    flags=(VAGUE, *IN_BOTH),
)
CLOSING = Stage(
    key="closing",
    title=_("End"),
    schema_name="coqa.closing/1",
    schema=schemas.CLOSING,
    sealed=True,
)
ANSWER = Stage(
    key="answer",
    title=_("Answer"),
    schema_name="coqa.answer/1",
    schema=schemas.ANSWER,
    published_name=published.ANSWER,
    published=schemas.PUBLISHED_ANSWER,
    sealed=True,
    flags=(WRONG, *IN_BOTH),
)
GUESS = replace(
    ANSWER,
    key="guess",
    title=_("Guess"),
    schema_name="coqa.guess/1",
    flags=(),
    published_name=published.GUESS,
)
VERDICT = Stage(
    key="verdict",
    title=_("Compare"),
    schema_name="coqa.verdict/1",
    schema=schemas.VERDICT,
    sealed=True,
)

CONVERSE = Activity(
    key="converse",
    title=_("Talk about a passage"),
    description=_("Two people read a passage; one asks about it, the other answers from it, for about 15 turns."),
    kind="passage",
    stages=(QUESTION, CLOSING, ANSWER),
    minutes=30,
    picks="pair",
    seats=("questioner", "answerer"),
    seat_titles={"questioner": _("Questioner"), "answerer": _("Answerer")},
    alone="converse_alone",
    published_alone=statistics.PUBLISHED["solo"],
    excludes=frozenset({"converse_alone", "guess"}),
    noun=PASSAGE,
    counted=ngettext("%(n)s passage", "%(n)s passages"),
    similarity=_("The words of the answers are compared turn by turn (F1); a turn that only one of them has counts 0."),
)
CONVERSE_ALONE = Activity(
    key="converse_alone",
    title=_("Ask and answer alone"),
    description=_("Read a passage and play both parts: ask about it, and answer from it."),
    kind="passage",
    stages=(QUESTION, ANSWER),
    minutes=30,
    train_only=True,
    excludes=frozenset({"converse", "guess"}),
    noun=PASSAGE,
    counted=ngettext("%(n)s passage", "%(n)s passages"),
    similarity=_("The words of the answers are compared turn by turn (F1); a turn that only one of them has counts 0."),
)
GUESSING = Activity(
    key="guess",
    title=_("Guess the answers"),
    description=_("Answer the questions of a finished conversation one by one, and compare each with the original."),
    kind="conversation",
    stages=(GUESS, VERDICT),
    minutes=45,
    # CoQA: three further answers to each question of the development and test sets.
    overlap={"train": 0, "dev": 3, "test": 3},
    excludes=frozenset({"converse", "converse_alone"}),
    noun=CONVERSATION,
    whole=_("passage"),
    counted=ngettext("%(n)s conversation", "%(n)s conversations"),
    similarity=_("The words of the guesses are compared turn by turn (F1); a turn that only one of them has counts 0."),
)


class Coqa(Protocol):
    """Two people talk about a passage; later, others guess the answers."""

    next_step = staticmethod(rules.next_step)
    sheet = staticmethod(sheets.sheet)
    check = staticmethod(rules.check)
    stored = staticmethod(rules.stored)
    follow_ups = staticmethod(rules.follow_ups)
    needs_acceptance = staticmethod(rules.needs_acceptance)
    is_enough = staticmethod(rules.is_enough)
    compare = staticmethod(scoring.compare)
    grade = staticmethod(comparing.grade)
    read = staticmethod(reading.read)
    write = staticmethod(writing.dialogues)
    view = staticmethod(rules.view)
    exhibits_of = staticmethod(exhibits.exhibits_of)
    predicted_exhibit = staticmethod(exhibits.predicted_exhibit)
    turns_of = staticmethod(rules.turns_of)

    key = "coqa"
    title = _("CoQA")
    kinds = ("passage", "conversation")
    activities = (CONVERSE, CONVERSE_ALONE, GUESSING)
    formats = writing.FORMATS
    table = writing.TABLE
    reads_texts = True
    material = _("passages")
    config = schemas.Config
    bots = Bots(demo.pretend, demo.write_large)
    demo = Demo(
        slug="coqa-demo",
        title=_("Conversations about passages"),
        items=demo.PASSAGES,
        answer=demo.answer_sample,
        story=story.STORY,
        rounds=story.ROUNDS,
        people=story.PEOPLE,
        more_members=story.MORE_MEMBERS,
        config=story.CONFIG,
        least_agreement=story.LEAST_AGREEMENT,
        qualifications=demo.COURSES,
    )
    scorer = SCORER
    chooser = CHOOSER
    measures = comparing.MEASURES
    exhibits = exhibits.KINDS
    predictions = (PREDICTIONS,)
    report = FiguresReport(statistics.figures, statistics.PUBLISHED, statistics.LABELS, statistics.NUMBERS)
    human = HUMAN
    # The CoQA paper: 100 passages for dev and 100 for test from each domain, two domains in test only. They stand in
    # the files by these names.
    division = Division("domain", {"dev": "100", "test": "100"}, only=dict.fromkeys(scoring.OUT_OF_DOMAIN, "test"))

    def caption(self, kind: str, payload: dict[str, Any]) -> str:
        """The title of a passage (its file name, if it came without one), or the first question of a conversation."""
        if kind == "passage":
            title = payload.get("fields", {}).get("title")
            return title if isinstance(title, str) and title.strip() else payload["filename"]
        return str(payload["turns"][0]["question"])

    def domain_of(self, payload: dict[str, Any]) -> str:
        """The source of a passage."""
        return str(payload["source"])


PROTOCOL = Coqa()
