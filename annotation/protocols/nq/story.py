"""What has happened in the demo: who answered which sample question, with every state that a lead may meet."""

from __future__ import annotations

from typing import Any

from annotation.i18n import _
from annotation.protocol_tools import DemoRound, MeetingTalk, Scene
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
EVERYBODY = ("alice", "dana", "emil", "farah", "goran")
CARELESS = "goran"
"""Never looks at a page for long, and says that it has no answer: the numbers of agreement are to show it."""
HASTE = 9
"""Seconds that a careless answer takes."""
BAD_PREMISE = {"path": "bad", "reasons": ["false_presupposition"]}
NOT_ON_THE_PAGE = {"path": "none", "reason": "page"}
LAMINATED = {"path": "box", "kind": "dd", "box": "Two sheets with a tough film", "short": "none"}
PAINTING = {"path": "box", "kind": "p", "box": '"Painting the Forth Bridge" is a saying', "short": "none"}
CHINA = {"path": "box", "kind": "p", "box": "The oldest sure traces of tea", "short": "none"}
EUROPE = {"path": "box", "kind": "p", "box": "Portuguese and Dutch traders", "short": "none"}
PAINT = "do they still have to paint the forth bridge without ever stopping"
EIGHT = {"path": "box", "kind": "p", "box": "The couple had eight children", "short": ["eight"]}


def done(day: int, who: str, item: str, says: dict[str, Any] | None = None, *, seconds: int = 80) -> Scene:
    """Somebody finished a question."""
    return Scene(day, who, "annotate", item, says=says, seconds=seconds)


def five(day: int, item: str, says: dict[str, dict[str, Any]]) -> tuple[Scene, ...]:
    """Five people finished a question of the development set; `says`: who answered it in another way."""
    return tuple(
        done(day, who, item, says.get(who), seconds=HASTE if who == CARELESS and who in says else 60 + 17 * place)
        for place, who in enumerate(EVERYBODY)
    )


STORY = (
    done(6, "alice", "who designed the railway bridge over the firth of forth", seconds=74),
    done(6, "alice", "how much money did it cost to build the forth bridge", seconds=203),
    done(6, "dana", "why do honey bees do the waggle dance in the hive", seconds=96),
    done(6, "dana", "how many days does it take a queen bee to grow from egg to adult", NOT_ON_THE_PAGE, seconds=61),
    Scene(
        6,
        "dana",
        "annotate",
        "how many days does it take a queen bee to grow from egg to adult",
        ends="reopened",
        note="There is a table about the days from egg to adult, further down. Is the answer in it?",
    ),
    Scene(
        5,
        "dana",
        "annotate",
        "how many days does it take a queen bee to grow from egg to adult",
        ends="revised",
        seconds=49,
    ),
    Scene(
        5, "emil", "annotate", "what does ctc stand for in the tea trade", ends="skipped", reason="topic", seconds=14
    ),
    done(5, "emil", "is it nicer to live on the edinburgh side or the fife side of the forth", seconds=19),
    *five(5, "what temperature should the water be to brew green tea", {}),
    *five(5, "what is the focal length of a fourth order fresnel lens", {"goran": NOT_ON_THE_PAGE}),
    *five(4, "is laminated glass used to make the windscreens of cars", {"emil": NOT_ON_THE_PAGE, "farah": LAMINATED}),
    *five(
        4,
        PAINT,
        {"dana": BAD_PREMISE, "emil": NOT_ON_THE_PAGE, "farah": PAINTING, "goran": BAD_PREMISE},
    ),
    *five(3, "can a male honey bee sting you if you hold it", {"goran": NOT_ON_THE_PAGE}),
    Scene(
        3,
        "erin",
        "annotate",
        PAINT,
        ends="decided",
        says="alice",
        note="The question is clear, and the paragraph answers it: the last repainting is to hold for 25 years, so no.",
    ),
    done(3, "alice", "where in the world is the highest tidal range found", seconds=58),
    done(3, "farah", "how many workers were killed while they built the jungfrau railway", seconds=172),
    done(3, "farah", "tide how is was the which moon high of", seconds=11),
    done(3, "goran", "when did the first one of them open to the public", seconds=16),
    done(3, "goran", "when did clara schumann win the nobel prize for music", NOT_ON_THE_PAGE, seconds=22),
    Scene(
        3,
        "goran",
        "annotate",
        "boston tea party pictures to colour in for school free",
        ends="reported",
        reason="other",
        note="Somebody wants pictures. Is this a question at all, or should it not be here?",
        seconds=31,
    ),
    Scene(
        3,
        "emil",
        "annotate",
        "who was the keeper of gannet rock lighthouse in the year 1900",
        ends="reported",
        reason="broken",
        note="The table of keepers is cut off on my screen after the first few hundred rows.",
        seconds=140,
    ),
    Scene(
        3,
        "farah",
        "annotate",
        "who was the keeper of gannet rock lighthouse in the year 1900",
        ends="reported",
        reason="broken",
        note="I can't scroll to the end of this page on my phone.",
        seconds=88,
    ),
    Scene(
        2,
        "goran",
        "annotate",
        "when did clara schumann win the nobel prize for music",
        ends="excluded",
        note="There is no Nobel Prize for music, so the question is bad; the page was not needed to see that.",
    ),
    *five(2, "why does the jungfrau railway end below the top of the mountain", {"goran": NOT_ON_THE_PAGE}),
    Scene(2, "lena", ends="released"),
    *five(
        1,
        "in what order did tea come to china japan europe and india",
        {"dana": CHINA, "farah": EUROPE, "goran": NOT_ON_THE_PAGE},
    ),
    *five(1, "what are the mamma that hang below a thunder cloud", {"goran": NOT_ON_THE_PAGE}),
    done(1, "dana", "which well known map projections are equal area projections", seconds=150),
    done(1, "emil", "which well known map projections are equal area projections", seconds=131),
    done(1, "farah", "which well known map projections are equal area projections", NOT_ON_THE_PAGE, seconds=77),
    done(1, "alice", "who invented the evans gambit in chess and in what decade", seconds=66),
    done(1, "alice", "how many children did robert and clara schumann have together", EIGHT, seconds=52),
    done(0, "alice", "how is molten glass made flat in the float process", seconds=109),
    done(0, "alice", "how do the sun and the moon make spring tides and neap tides", seconds=84),
    Scene(
        0,
        "emil",
        "annotate",
        "why does greenland look as big as africa on the mercator map",
        ends="begun",
        sends=1,
        seconds=30,
    ),
    Scene(
        0,
        "alice",
        "annotate",
        "how high are cirrus clouds above the ground in temperate regions",
        ends="begun",
        sends=1,
        seconds=45,
    ),
    Scene(
        0,
        "alice",
        "annotate",
        "how many children did robert and clara schumann have together",
        ends="reopened",
        note="The box at the top of the page says it too, and comes first. Which is the smallest box there?",
    ),
)

EXPERTS = ("erin", "ruth", "sami", "tove")
TEA = "in what order did tea come to china japan europe and india"
GLASS = "is laminated glass used to make the windscreens of cars"
MAPS = "which well known map projections are equal area projections"
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
