"""What has happened in the demo: who talked about which sample passage, and who guessed the answers."""

from __future__ import annotations

from annotation.i18n import _
from annotation.protocol_tools import DemoRound, Scene
from annotation.values.exhibits import ShownExhibit

CONFIG = {
    "seed": "coqa-demo-300264",
    "activities": {"converse": {"lease_minutes": 720, "kept_minutes": 720}, "guess": {"lease_minutes": 720}},
    "disputes_in_evaluation": True,
}
"""Half a day for each piece of work, so that what is in work at the start is still in work after lunch. The seed gives
the order of the passages: the lobby draws those of the story in the story's order."""
MORE_MEMBERS = frozenset({"carol"})
"""Somebody without work here, for a visitor who signs in as two people to meet in the lobby (README.md)."""
PEOPLE = {
    "hana": _("talks about a passage with ilya, and is in the middle of a game of guessing"),
    "ilya": _("hana’s partner: sign in as both, in two browsers, and go on with their conversation"),
}
LEAST_AGREEMENT = {"guess": 0.75}
MENDED = "What did the old man do in Lindenby?"
SUBJECT = "Which subject did Mr. Okafor teach?"
ROAD = "What was carried on the Corran road?"
WRITER = "Who did the writer live with?"


def talk(day: int, who: str, partner: str, passage: str, turns: int) -> Scene:
    """Two people talked about a passage for so many turns, and agreed to end (or found nothing more to ask)."""
    answers = 2 * turns + 2
    return Scene(day, who, "converse", passage, partners=(partner,), answers=answers, seconds=16 * answers)


def game(day: int, who: str, first: str, player: int, turns: int = 16) -> Scene:
    """Somebody guessed the answers of a conversation; `first`: its first question."""
    return Scene(day, who, "guess", first, says=player, answers=2 * turns, seconds=29 * turns)


# The lobby gives a pair the first passage that is new to both; one that two people have left is free for others again.
STORY = (
    talk(6, "dana", "farah", "The cat of the ferry", 16),
    talk(6, "emil", "goran", "Ten past four", 16),
    talk(5, "farah", "goran", "Footbridge over the Aske is open again", 16),
    talk(5, "dana", "emil", "A garden behind the gym", 16),
    game(5, "dana", MENDED, 0),
    game(5, "farah", MENDED, 1),
    game(4, "hana", MENDED, 2),
    game(4, "farah", SUBJECT, 0),
    game(4, "ilya", SUBJECT, 1),
    game(4, "goran", SUBJECT, 2),
    talk(4, "dana", "goran", "The loaf that got me my job", 16),
    Scene(3, "goran", "converse_alone", "The other half of the lake", answers=25, seconds=430),
    talk(3, "emil", "farah", "Corran salt road", 16),
    game(3, "goran", ROAD, 0),
    Scene(2, "lena", ends="released"),
    talk(2, "hana", "ilya", "The second glove", 6),
    game(1, "farah", WRITER, 0),
    Scene(
        1,
        "emil",
        "guess",
        WRITER,
        ends="reported",
        reason="other",
        note="“Who is he?” comes right after “Theo”. I think that I know Theo. Is this somebody’s real post?",
        seconds=40,
    ),
    Scene(
        1,
        "hana",
        "converse",
        "The night train to Orsova",
        partners=("emil",),
        ends="left",
        sends=11,
        answers=11,
        seconds=230,
    ),
    Scene(0, "hana", "guess", ROAD, ends="begun", says=1, sends=12, answers=12, seconds=260),
    Scene(
        0,
        "ilya",
        "converse",
        "Robot would not stop picking",
        partners=("hana",),
        ends="begun",
        sends=17,
        answers=17,
        seconds=340,
    ),
)

EDITS = {
    "How old is it?": "preposition_added",
    "Such as?": "conjunction_added",
    "What did she do?": "coreference_added",
    "What did the old man do in Lindenby?": "coreference_added",
    "What does he own?": "article_added",
    "What had Ada lost?": "article_added",
    "What was a surprise in June?": "article_added",
    "What was opened on Monday?": "article_added",
    "When did she come aboard for the first time?": "adjective_removed",
    "Where did she like to lie?": "preposition_added",
    "Where was it in the end?": "preposition_added",
    "Who does she visit over there?": "possessive_added",
    "Who is he?": "noun_removed",
    "Were her hands cold then?": "coreference_added",
    "Will it get any of that back?": "adverb_added",
}
"""What was edited, by the question, where it is one thing."""


def answer_judgement(exhibit: ShownExhibit, rater: int) -> str:
    """How an answer comes from the marked words, as one rater sees it."""
    said = exhibit.answers[0]
    if said.startswith(("Yes", "No")):
        return "yes" if said.startswith("Yes") else "no"
    return f"fluency/{EDITS.get(exhibit.prompt, 'multiple')}"


ROUNDS = (
    DemoRound(
        day=1,
        kind="free_answers",
        title=_("Free answers, one rater"),
        raters=("ruth",),
        marks=answer_judgement,
        comments={("Was Pip any help?", 1): "It says yes, and adds why."},
    ),
)
