"""The protocol at a glance."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from annotation.i18n import _
from annotation.protocol import Protocol
from annotation.protocol_tools import Bots, Demo
from annotation.skeletons.pair import activities, demo, files, rules
from annotation.statistics.token_f1 import f1_points
from annotation.values.measures import Comparison
from annotation.values.records import AnnotationRecord, ItemRecord, Step
from annotation.values.schemas import ProjectConfig
from annotation.values.scores import Part, Score, best_scores, quotation

TOLD = Part("told", _("What was told"))


def told_in_turn(turn: AnnotationRecord) -> str | None:
    """What was told in a turn, given as a record of that turn; None where nothing was told."""
    return next(iter(rules.told(turn).values()), None)


def similarity(a: str, b: str) -> float:
    """Token F1 of two texts."""
    return float(f1_points(a, b))


class SkeletonPair(Protocol):
    """Two people talk about a text that only one of them sees; later, others answer what was asked."""

    next_step = staticmethod(rules.next_step)
    sheet = staticmethod(rules.sheet)
    check = staticmethod(rules.check)
    follow_ups = staticmethod(rules.follow_ups)
    read = staticmethod(files.read)
    write = staticmethod(files.write)

    key = "skeleton_pair"
    title = _("Skeleton pair")
    kinds = ("topic", "talked")
    activities = (activities.TALK, activities.AGAIN)
    formats = files.FORMATS
    material = _("topics with texts")
    measures = tuple(
        Comparison(f"told_{key}", _("What was told (F1)"), key, told_in_turn, similarity, by_turn=True)
        for key in ("talk", "again")
    )
    bots = Bots(demo.pretend, demo.write_large)
    demo = Demo(
        slug="skeleton-pair-demo",
        title=_("Skeleton pair"),
        items=demo.TOPICS,
        answer=demo.answer,
        story=demo.STORY,
        config=demo.CONFIG,
        least_agreement=demo.LEAST_AGREEMENT,
    )

    def is_enough(self, item: ItemRecord, annotation: AnnotationRecord, config: ProjectConfig) -> bool:
        """A talk that somebody leaves counts from the turn on at which it could have ended."""
        return len(rules.told(annotation)) >= rules.FEWEST

    def compare(self, activity: str, a: AnnotationRecord, b: AnnotationRecord) -> float:
        """The mean token F1 of what was told in each turn; a turn that only one of them has counts 0."""
        one, other = rules.told(a), rules.told(b)
        turns = one.keys() | other.keys()
        return sum(similarity(one[turn], other[turn]) for turn in turns if turn in one and turn in other) / (
            len(turns) or 1
        )

    def grade(
        self, activity: str, item: ItemRecord, answer: AnnotationRecord, references: Sequence[AnnotationRecord]
    ) -> tuple[Score, ...]:
        """A score for each turn of the references: token F1 with the best of them."""
        said = rules.told(answer)
        found: list[Score] = []
        for turn in sorted({turn for one in references for turn in rules.told(one)}):
            wanted = [rules.told(one)[turn] for one in references if turn in rules.told(one)]
            found += best_scores(
                (
                    Score(
                        _step(activity, turn),
                        TOLD,
                        _points(said.get(turn), text),
                        quotation(said.get(turn, "")),
                        quotation(text),
                    ),
                )
                for text in wanted
            )
        return tuple(found)

    def turns_of(self, item: ItemRecord) -> Sequence[Any]:
        """What was asked and told in the talk that others answer again."""
        return rules.talked_of(item).exchanges if item.kind == "talked" else ()

    def caption(self, kind: str, payload: dict[str, Any]) -> str:
        """The topic, or the first thing that was asked."""
        return str(payload["topic"] if kind == "topic" else payload["exchanges"][0]["asked"])


def _step(activity: str, turn: int) -> Step:
    return Step("again" if activity == "again" else "tell", turn)


def _points(text: str | None, wanted: str) -> Fraction:
    return Fraction(0) if text is None else f1_points(text, wanted)


PROTOCOL = SkeletonPair()
