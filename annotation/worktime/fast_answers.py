"""Answers that took far less time than their author usually takes at that stage: listed for a lead, nothing more.

The floor is a share of the person's own median, and applies to work claimed under guidelines that declare it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from django.db.models import Sum

from annotation.models import Project, TimeSpan
from annotation.worktime import taken

USUAL = 20
"""Measured annotations at a stage from which a person's median is meaningful."""
LATEST = 5000
"""How many finished annotations of an activity are examined, latest first."""


@dataclass(frozen=True)
class FastAnswer:
    """Seconds for which a stage was visible, and the median of its author's `n` annotations at that stage."""

    annotation: int
    done: datetime
    stage: str
    seconds: float
    usual: float
    n: int


def below_floor(project: Project, activity: str) -> list[FastAnswer]:
    """The answers below the floor, latest first. Unmeasured work (bots, imports) is not considered."""
    done_at = taken.latest_done(project, activity, at_most=LATEST)
    groups = defaultdict(list)
    for author, stage, annotation, share, seconds in _in_sight(list(done_at)):
        groups[author, stage].append((annotation, share, seconds))
    found = []
    for (_author, stage), pieces in groups.items():
        usual = median(seconds for _annotation, _share, seconds in pieces)
        found += [
            FastAnswer(annotation, done_at[annotation], stage, seconds, usual, len(pieces))
            for annotation, share, seconds in pieces
            if len(pieces) >= USUAL and seconds < share * usual
        ]
    return sorted(found, key=lambda one: one.done, reverse=True)


def _in_sight(annotations: list[int]) -> list[tuple[int, str, int, float, float]]:
    """(author, stage, annotation, declared share, seconds visible, idle ones included)."""
    spans = TimeSpan.objects.filter(annotation__in=annotations).exclude(annotation__guidelines=None).order_by()
    rows = spans.values_list("annotator", "stage", "annotation", "annotation__guidelines__fast_share")
    return list(rows.annotate(sum=Sum("seconds")))
