"""What has happened in the demo: who asked about which sample paper, and who answered."""

from __future__ import annotations

from annotation.i18n import _
from annotation.protocol_tools import DemoRound, MeetingTalk, Scene
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
RECIPES = "Half a Recipe: Shortening Cooking Instructions with the Questions of Home Cooks"
CLINICS = "Whose Cough Is It? Assigning Symptoms to People in the Notes of Village Clinics"
BUSES = "The Bus That Does Not Come: Question Answering over Timetables and the Notices That Change Them"
MESSAGES = "Small Words, Large Files: Language Identification for Messages of Five Words"
VERSES = "Where the Verse Breaks: Enjambment as a Sequence Labelling Task"
TWICE = "Asking the Encyclopedia Twice: Consistency of Open-Domain Question Answering"
COLLEAGUES = "Polite Disagreement: Sentiment in Reviews by Colleagues"
NOT_SAID = {"kind": "unanswerable"}
BY_ABSENCE = {"kind": "yes_no", "value": False, "evidence": [], "by_absence": True}
NEVER = "Do earlier messages help people who never change languages?"

STORY = (
    Scene(5, "bob", "ask", RECIPES, seconds=410),
    Scene(5, "carol", "answer", RECIPES, seconds=380),
    Scene(5, "emil", "answer", RECIPES, says={"What do cooks ask about most often?": NOT_SAID}, seconds=290),
    Scene(4, "dana", "ask", BUSES, seconds=340),
    Scene(4, "carol", "answer", BUSES, seconds=420),
    Scene(4, "farah", "answer", BUSES, seconds=360),
    Scene(
        4,
        "dana",
        "ask",
        VERSES,
        ends="reported",
        reason="other",
        note="I heard this paper at a conference, so I know more than the abstract says. Should I leave it to others?",
        seconds=35,
    ),
    Scene(3, "lena", ends="released"),
    Scene(2, "bob", "ask", MESSAGES, seconds=260),
    Scene(2, "emil", "answer", MESSAGES, seconds=240),
    Scene(2, "farah", "answer", MESSAGES, says={NEVER: BY_ABSENCE}, seconds=300),
    Scene(
        2,
        "farah",
        "answer",
        NEVER,
        ends="reopened",
        note="The paper does mention it, in the last section. Please choose that sentence as your evidence.",
    ),
    Scene(1, "farah", "answer", NEVER, ends="revised", seconds=75),
    Scene(1, "dana", "ask", CLINICS, seconds=390),
    Scene(0, "carol", "answer", CLINICS, ends="begun", sends=1, seconds=150),
    Scene(0, "dana", "ask", COLLEAGUES, seconds=270),
    Scene(0, "bob", "ask", TWICE, ends="begun", seconds=95),
)

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
