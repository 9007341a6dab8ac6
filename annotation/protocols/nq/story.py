"""What has happened in the demo: who answered which sample question, with every state that a lead may meet."""

from __future__ import annotations

from pathlib import Path

from annotation.i18n import _
from annotation.protocol_tools import DemoRound, MeetingTalk, scenes_in
from annotation.values.exhibits import ShownExhibit

CONFIG = {
    "seed": "goldfinch-2579",
    "activities": {"annotate": {"draw": "in_order", "lease_minutes": 720}},
    "disputes_in_evaluation": True,
    "tells_decisions": True,
}
"""Half a day for each question, so that what is in work at the start is still in work after lunch. The seed gives the
order of the questions: newcomers get those first that have an answer on an English page."""
PEOPLE = {"alice": _("annotator: has one question open, and one that a lead sent back")}
LEAST_AGREEMENT = {"annotate": 0.6}
STORY = scenes_in(Path(__file__).parent / "samples" / "story.jsonl")
"""In it, `goran` never looks at a page for long, and says that it has no answer: the numbers of agreement show it."""

EXPERTS = ("erin", "ruth", "sami", "tove")
TEA = "in what order did tea come to china japan europe and india"
GLASS = "is laminated glass used to make the windscreens of cars"
MAPS = "which well known map projections are equal area projections"
PAINT = "do they still have to paint the forth bridge without ever stopping"
QUEEN = "how many days does it take a queen bee to grow from egg to adult"
JUNGFRAU = "why does the jungfrau railway end below the top of the mountain"
MARKS = {
    TEA: ("Cd", "W", "C", "W"),
    GLASS: ("C", "C", "Cd", "C"),
    MAPS: ("Cd", "Cd", "C", "C"),
    QUEEN: ("W", "Cd", "W", "W"),
    JUNGFRAU: ("C", "Cd", "C", "Cd"),
    PAINT: ("Cd", "C", "Cd", "W"),
    "what are the mamma that hang below a thunder cloud": ("C", "C", "C", "Cd"),
}
"""What the experts do not all find right beyond a reasonable doubt, by the order of EXPERTS."""
COMMENTS = {
    (TEA, 2): "Only half of the order: the other paragraph has Europe and India.",
    (TEA, 4): "It begins with China, but says nothing of India.",
    (QUEEN, 2): "A table says the days; whoever asks has to add them up.",
    (MAPS, 1): "Two of them are named here, others further down.",
    (PAINT, 4): "The saying is explained, but is it the answer?",
}
TALKS = (
    MeetingTalk(
        TEA,
        (
            ("ruth", "The question asks for an order of four, and the paragraph has two of them."),
            ("sami", "Together with its heading one can work it out."),
            ("erin", "Then it is debatable at best. I would not call it right beyond doubt."),
        ),
        "W",
        "The box alone does not give the order that was asked for.",
    ),
    MeetingTalk(
        QUEEN,
        (("ruth", "All the days are in that table; one has to add them up."),),
        "W",
        "Nobody who asks for a number finds it there.",
    ),
    MeetingTalk(JUNGFRAU, (("sami", "It gives the reason, and says since when."),), "C", "It says why."),
    MeetingTalk(
        GLASS,
        (("sami", "It says that windscreens are made of it. So the answer is yes."), ("erin", "I see no doubt.")),
        "C",
        "It says so in its first sentence.",
    ),
    MeetingTalk(PAINT, (("tove", "It answers another question: where the saying comes from."),)),
)


def box_judgement(exhibit: ShownExhibit, rater: int) -> str:
    """What an expert makes of a box: most are right beyond a reasonable doubt."""
    return MARKS.get(exhibit.prompt, ("C",) * len(EXPERTS))[rater - 1]


def words_judgement(exhibit: ShownExhibit, rater: int) -> str:
    """The same of short answers, where one of the experts is stricter."""
    return "Cd" if rater == 1 and exhibit.prompt in MARKS else box_judgement(exhibit, rater)


ROUNDS = (
    DemoRound(
        day=1,
        kind="long",
        title=_("Long answers, four experts"),
        raters=EXPERTS,
        marks=box_judgement,
        comments=COMMENTS,
        of_an_item="all",
        talks=TALKS,
    ),
    DemoRound(
        day=1,
        kind="short",
        title=_("Short answers, under way"),
        raters=("ruth", "erin"),
        marks=words_judgement,
        locked=1,
        judged=4,
    ),
)
"""One that is over, with what its meeting settled and left open; and one that `erin` is in the middle of."""
