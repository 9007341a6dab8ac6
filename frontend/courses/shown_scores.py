"""The scores of an answer against references, as a page shows them: part by part, in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext

from annotation.protocol import Activity
from annotation.values.scores import Score, Wording
from frontend.courses.pages import points_for_people
from qualification.marks import BlockPoints


@dataclass(frozen=True)
class ShownScore:
    """A part of an answer beside the best reference: stage, turn or 0, points of 1, and what each says."""

    stage: str
    turn: int
    part: str
    points: str
    said: str
    wanted: str


def shown_scores(scores: Iterable[Score], activity: Activity) -> list[ShownScore]:
    """The scores in their order, in the person's language."""
    return [_shown_score(score, activity) for score in scores]


def _shown_score(score: Score, activity: Activity) -> ShownScore:
    title, points = gettext(activity.stage(score.step.stage).title), points_for_people(BlockPoints(score.points, 1))
    said, wanted = _in_words(score.said), _in_words(score.wanted)
    return ShownScore(title, score.step.turn, gettext(score.part.title), points, said, wanted)


def _in_words(wording: Wording) -> str:
    return str(wording.text) if wording.quoted or not wording.text else gettext(wording.text)
