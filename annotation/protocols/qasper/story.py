"""What has happened in the demo: who asked about which sample paper, and who answered."""

from __future__ import annotations

from pathlib import Path

from annotation.i18n import _
from annotation.protocol_tools import DemoRound, MeetingTalk, scenes_in
from annotation.values.exhibits import ShownExhibit

CONFIG = {
    "activities": {
        "ask": {"lease_minutes": 720},
        "answer": {"overlap": {"train": 2}, "requires": ["qasper-answer"]},
    }
}
"""Half a day to ask about a paper, so that what is in work at the start is still in work after lunch. Two answers, by
people who have passed the exam.
"""
PEOPLE = {
    "bob": _("writer: has asked about two papers, and has a third one open"),
    "carol": _("answerer: has answered about two papers, and one of four questions about a third"),
}
LEAST_AGREEMENT = {"answer": 0.3}

STORY = scenes_in(Path(__file__).parent / "samples" / "story.jsonl")

SYNTHETIC = "Do they add synthetic questions or notices to the training data?"
BASELINES = "Which baselines is the model compared with?"


def answer_judgement(exhibit: ShownExhibit, rater: int) -> str:
    """What the two raters make of an answer by its evidence."""
    if exhibit.prompt == SYNTHETIC:
        return ("right", "wrong")[rater - 1]
    return "wrong" if exhibit.prompt == BASELINES and rater == 1 else "right"


ROUNDS = (
    DemoRound(
        day=1,
        kind="answers",
        title=_("Answers, at the meeting"),
        raters=("ruth", "erin"),
        marks=answer_judgement,
        comments={
            (SYNTHETIC, 2): "There is no evidence at all. How would one know?",
            (BASELINES, 1): "One of the three is not called a baseline.",
        },
        talks=(MeetingTalk(SYNTHETIC, (("ruth", "The paper lists what it trains on, and that is not in it."),)),),
        ended=False,
    ),
)
"""`erin` has the chair; the other voter is not in the room, so that the exhibit is paused."""
