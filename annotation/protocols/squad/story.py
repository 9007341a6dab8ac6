"""What has happened in the demo: who asked about which sample paragraph, and who answered."""

from __future__ import annotations

from annotation.protocol_tools import Scene

CONFIG = {
    "activities": {"ask": {"lease_minutes": 720}, "answer": {"lease_minutes": 720}},
    "disputes_in_evaluation": True,
}
"""Half a day for each piece of work, so that what is in work at the start is still in work after lunch."""
LEAST_AGREEMENT = {"answer": 0.4}
POND = "Where is the water kept until it is let out?"
SHIFT = "By how much does the time of high water shift from one day to the next?"
GATE = "What keeps the water from running back when the sea begins to sink?"
NIGHT = "When did people often have to work in such a place?"
FILLING = "How long does it take to fill the pond?"
PRIZE = "With whom did Frisch share his prize?"
SECOND = "How far away are the flowers if the run takes one second?"
FLIGHT = "How fast does a forager fly?"
EAST = "In which direction does one travel from the capital to his birthplace?"
AWL = "With what tool did the boy injure himself?"

STORY = (
    Scene(5, "alice", "ask", "Tide mill (1)", seconds=370),
    Scene(5, "dana", "ask", "Honey bee (1)", seconds=410),
    Scene(4, "emil", "answer", POND, seconds=24),
    Scene(4, "farah", "answer", POND, says="millpond", seconds=31),
    Scene(4, "emil", "answer", SHIFT, seconds=28),
    Scene(4, "farah", "answer", SHIFT, says="fifty minutes", seconds=26),
    Scene(4, "emil", "answer", GATE, says="one-way gate", seconds=33),
    Scene(4, "farah", "answer", GATE, seconds=35),
    Scene(4, "emil", "answer", NIGHT, says="at odd hours", seconds=22),
    Scene(4, "farah", "answer", NIGHT, seconds=27),
    Scene(3, "emil", "answer", FILLING, seconds=41),
    Scene(3, "farah", "answer", FILLING, says="about fifty minutes", seconds=18),
    Scene(3, "alice", "answer", PRIZE, seconds=25),
    Scene(3, "goran", "answer", PRIZE, seconds=21),
    Scene(3, "alice", "answer", SECOND, seconds=30),
    Scene(3, "goran", "answer", SECOND, says="a kilometre", seconds=34),
    Scene(2, "lena", ends="released"),
    Scene(1, "alice", "ask", "Louis Braille (1)", seconds=330),
    Scene(1, "dana", "ask", "ISO 216 (1)", seconds=300),
    Scene(1, "goran", "answer", AWL, says="awl", seconds=20),
    Scene(1, "emil", "answer", FLIGHT, ends="skipped", reason="hard", seconds=40),
    Scene(
        0,
        "emil",
        "answer",
        EAST,
        ends="reported",
        reason="other",
        note="Nobody can understand this question without having the paragraph in front of them: whose birthplace?",
        seconds=28,
    ),
    Scene(0, "alice", "ask", "Tide mill (2)", ends="begun", seconds=120),
)
