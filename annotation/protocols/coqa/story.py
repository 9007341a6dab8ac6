"""What has happened in the demo: who talked about which sample passage, and who guessed the answers."""

from __future__ import annotations

from pathlib import Path

from annotation.i18n import _
from annotation.protocol_tools import DemoRound, scenes_in
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

# The lobby gives a pair the first passage that is new to both; one that two people have left is free for others again.
STORY = scenes_in(Path(__file__).parent / "samples" / "story.jsonl")

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
