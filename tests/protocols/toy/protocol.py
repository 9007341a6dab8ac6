"""A toy protocol: an asker and a teller talk about a topic for three turns; a third person judges all of its talks.

The generic tests of turns and seats use it rather than a real protocol.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from annotation.errors import NotFound, Problem
from annotation.parsing.incoming import ImportSource, IncomingAnnotation, IncomingItem, RefusedLine
from annotation.parsing.strict_json import strict_loads
from annotation.protocol import Activity, Format, Protocol, Stage
from annotation.protocol_tools import Bots
from annotation.talks import first_unanswered
from annotation.values.measures import Comparison, Measure
from annotation.values.records import AnnotationRecord, Context, ItemRecord, ReleaseRecord, Step, Waiting
from annotation.values.schemas import ProjectConfig
from annotation.values.sheets import Sheet
from tests.protocols.toy import schemas

TURNS = 3
EXAMPLES = Path(__file__).parent / "examples"
ASK = Stage(key="ask", title="Ask", schema_name="toy.ask/1", schema=schemas.QUESTION, withdrawable=True)
TELL = Stage(key="tell", title="Tell", schema_name="toy.tell/1", schema=schemas.TELLING)
JUDGE = Stage(key="judge", title="Judge", schema_name="toy.judge/1", schema=schemas.VERDICT)
TALK = Activity(
    key="talk",
    title="Talk about a topic",
    description="One asks, the other tells.",
    kind="topic",
    stages=(ASK, TELL),
    minutes=20,
    picks="pair",
    seats=("asker", "teller"),
    seat_titles={"asker": "Asker", "teller": "Teller"},
)
REVIEW = Activity(
    key="review",
    title="Judge talks",
    description="Read all talks about a topic.",
    kind="talks",
    stages=(JUDGE,),
    minutes=20,
    excludes=frozenset({"talk"}),
)


@dataclass(frozen=True, kw_only=True)
class TalkSheet(Sheet):
    """The topic and what was said; the teller also sees the fact and their own reasons, the asker neither."""

    topic: str
    lines: tuple[tuple[str, str], ...]
    fact: str = ""
    reasons: tuple[str, ...] = ()
    waiting: bool = False


@dataclass(frozen=True, kw_only=True)
class ReviewSheet(Sheet):
    """What was said in all talks."""

    lines: tuple[str, ...]


def pretend(sheet: Sheet, rng: Random) -> dict[str, Any]:
    """A possible answer to any sheet of the toy."""
    if isinstance(sheet, ReviewSheet):
        return {"good": rng.random() < 0.5}
    if not isinstance(sheet, TalkSheet):
        raise TypeError(f"The toy has no stage with a {type(sheet).__name__}.")
    text = f"words {rng.randrange(10**9)}"
    return {"text": text} if sheet.stage == "ask" else {"text": text, "reason": f"because of {rng.randrange(10**9)}"}


class Toy(Protocol):
    """Three turns, each a question by the asker and an answer by the teller."""

    key = "toy"
    title = "Toy"
    kinds = ("topic", "talks")
    activities = (TALK, REVIEW)
    bots = Bots(pretend)
    config = schemas.Config
    measures = (
        Measure(
            "good", "Good or bad", "review", "nominal", lambda one: "good" if one.answers[0].payload.good else "bad"
        ),
        Comparison(
            "told",
            "Told",
            "talk",
            lambda turn: {x.stage: x.payload.text for x in turn.answers}.get("tell"),
            lambda a, b: float(a == b),
            by_turn=True,
        ),
    )
    formats = (Format(key="toy", title="Toy", pattern="toy-{split}.jsonl", kind="topic", activity="talk"),)

    def next_step(self, context: Context) -> Step | Waiting | None:
        """The first step in order that nobody has answered: the asker asks, the teller tells."""
        if context.activity == "review":
            return super().next_step(context)
        seats = (("ask", "asker"), ("tell", "teller"))
        steps = (Step(stage, turn, seat) for turn in range(1, TURNS + 1) for stage, seat in seats)
        return first_unanswered(steps, context)

    def sheet(self, context: Context, step: Step | Waiting) -> Sheet:
        """The asker never gets the fact or a reason, whatever the step."""
        waiting = isinstance(step, Waiting)
        at = step.step if isinstance(step, Waiting) else step
        if context.activity == "review":
            talk = schemas.Talk.model_validate(context.item.payload, strict=False)
            return ReviewSheet(stage="judge", prompt=talk.topic, lines=talk.lines)
        if not waiting and at.seat != context.seat:
            raise NotFound
        topic = schemas.Topic.model_validate(context.item.payload)
        tells = context.seat == "teller"
        return TalkSheet(
            stage=at.stage,
            prompt=topic.topic,
            topic=topic.topic,
            lines=tuple((entry.stage, entry.payload.text) for entry in context.answers),
            fact=topic.fact if tells else "",
            reasons=tuple(entry.payload.reason for entry in context.answers if entry.stage == "tell") if tells else (),
            waiting=waiting,
        )

    def check(self, context: Context, step: Step, payload: Any) -> list[Problem]:
        """Refuse the same question twice."""
        earlier = [entry.payload.text for entry in context.answers if entry.stage == step.stage == "ask"]
        same = step.stage == "ask" and payload.text in earlier
        return [Problem("text", "asked_before", "This was asked before.")] if same else []

    def on_settled(self, item: ItemRecord, annotations: Sequence[AnnotationRecord]) -> Sequence[IncomingItem]:
        """Have all talks about a topic judged together."""
        if item.kind != "topic":
            return ()
        lines = tuple(entry.payload.text for talk in annotations for entry in talk.answers)
        return [
            IncomingItem(
                line=0,
                kind="talks",
                external_id=sha256(item.external_id.encode()).hexdigest()[:20],
                split=item.split,
                payload=schemas.Talk(topic=item.payload["topic"], lines=lines).model_dump(mode="json"),
                parent=("topic", item.external_id),
            )
        ]

    def needs_acceptance(self, item: ItemRecord, annotation: AnnotationRecord, config: ProjectConfig) -> bool:
        """Outside the training set, a lead decides about a talk that ended early."""
        return annotation.activity == "talk" and item.split != "train" and _told(annotation) < TURNS

    def is_enough(self, item: ItemRecord, annotation: AnnotationRecord, config: ProjectConfig) -> bool:
        """Where the project says how many turns are enough."""
        return isinstance(config, schemas.Config) and _told(annotation) >= config.enough_turns

    def compare(self, activity: str, a: AnnotationRecord, b: AnnotationRecord) -> float:
        """The share of steps at which both say the same."""
        one, other = ([entry.payload for entry in record.answers] for record in (a, b))
        same = sum(first == second for first, second in zip(one, other, strict=False))
        return same / max(len(one), len(other), 1)

    def read(self, source: ImportSource) -> Iterator[IncomingItem | RefusedLine]:
        """Read JSON Lines: id, topic, fact, and in a published file its talks."""
        for number, line in source.lines():
            record = strict_loads(line)
            yield IncomingItem(
                line=number,
                kind="topic",
                external_id=record["id"],
                split=source.split or "train",
                payload={"topic": record["topic"], "fact": record["fact"]},
                annotations=tuple(
                    IncomingAnnotation(
                        external_id=talk["id"],
                        activity="talk",
                        responses=tuple(
                            (stage, f"toy.{stage}/1", payload, turn, seat)
                            for turn, pair in enumerate(talk["turns"], start=1)
                            for stage, seat, payload in zip(("ask", "tell"), TALK.seats, pair, strict=True)
                        ),
                    )
                    for talk in record.get("talks", ())
                ),
            )

    def write(self, format: str, records: Iterable[ReleaseRecord]) -> Iterator[Any]:
        """Write the topic with its talks and who said what in each."""
        for record in records:
            talks = [
                {
                    "id": talk.external_id or talk.id_hex,
                    "turns": [
                        [said.payload.model_dump(mode="json") for said in talk.answers if said.turn == turn]
                        for turn in range(1, TURNS + 1)
                    ],
                    "people": {said.seat: said.author for said in talk.answers if said.author},
                }
                for talk in record.annotations
            ]
            yield {"id": record.item.external_id, **record.item.payload, "talks": talks}

    def caption(self, kind: str, payload: dict[str, Any]) -> str:
        """The topic."""
        return payload["topic"]

    def guideline(self) -> str:
        """One line."""
        return "# Talk\n\nOne asks, the other tells.\n"


def _told(annotation: AnnotationRecord) -> int:
    return sum(entry.stage == "tell" for entry in annotation.answers)


PROTOCOL = Toy()
