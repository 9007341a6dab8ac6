"""How much there is to judge, and how long it takes, while a lead chooses: cheap enough to be asked at each key."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.db.models import Sum

from annotation import randomness
from annotation.judging import drawing
from annotation.judging.given_marks import seconds_of_each
from annotation.judging.rules import Rules
from annotation.models import ExhibitUse, JudgingRound, Project, TimeSpan
from annotation.models.time import COUNTED

LOOKED_AT = 300
"""Items whose exhibits are counted; of more, as many are looked at, and the rest is taken to be like them."""
PREDICTED_LOOKED_AT = 60
"""The same of items with predictions, of which more has to be read: a page's layout, or what people have said."""
TIMED = 2000
"""Judgements that an estimate of seconds is made of, at most: the latest."""
SECONDS = 60
"""What an exhibit takes, before anybody has judged one."""


@dataclass(frozen=True)
class Counted:
    """How many exhibits there are to draw from, in how many units that are drawn as one (all and of each type); `exact`
    or of a part, in two digits."""

    n: int
    types: dict[str, int]
    exact: bool
    units: int

    @property
    def on_each(self) -> float:
        """Exhibits of a unit, in the mean."""
        return self.n / self.units if self.units else 1


def count_of(project: Project, rules: Rules) -> Counted:
    """Count what matches the rules, by at most `LOOKED_AT` items, or `PREDICTED_LOOKED_AT`."""
    items = drawing.items_of(project, rules)
    most = PREDICTED_LOOKED_AT if rules.systems else LOOKED_AT
    exact = len(items) <= most
    chosen = None if exact else randomness.rng(project.pk, "count").sample(sorted(items), most)
    found = list(drawing.units_of(project, rules, seed="", items=chosen))
    n, types = sum(len(unit.exhibits) for unit in found), Counter(unit.type for unit in found)
    if exact:
        return Counted(n, dict(types), True, len(found))
    times = len(items) / most
    rough = {key: _rough(n * times) for key, n in types.items()}
    return Counted(_rough(n * times), rough, False, _rough(len(found) * times))


def _rough(number: float) -> int:
    """To two digits."""
    step: int = 10 ** max(len(str(round(number))) - 2, 0)
    return round(number / step) * step


@dataclass(frozen=True)
class TimeOfExhibit:
    """Seconds that an exhibit takes, in the mean; `judged`: of how many, 0 if that is only assumed."""

    seconds: float
    judged: int


def time_of(project: Project, kind: str) -> TimeOfExhibit:
    """What exhibits of a kind took in the latest rounds of the project."""
    earlier = list(JudgingRound.objects.filter(project=project, sealed_at__isnull=False, rules__kind=kind))
    of_drawn = {"annotation__exhibit__round__in": earlier, "annotation__exhibit__use": ExhibitUse.DRAWN}
    spans = TimeSpan.objects.filter(**of_drawn, kind__in=COUNTED).order_by().values("annotation", "annotator")
    rows = spans.annotate(all=Sum("seconds")).order_by("-annotation")[:TIMED]
    timed = seconds_of_each(earlier, rows.values_list("annotation", "annotator", "all"))
    all_ = sum(seconds for _author, seconds in timed)
    return TimeOfExhibit(all_ / len(timed), len(timed)) if timed else TimeOfExhibit(SECONDS, 0)


@dataclass(frozen=True)
class RoundEstimate:
    """What a draft would seal: `judged` exhibits without repeats and practice, and what each rater judges in all.

    `items`: how many items these are, 0 if each exhibit is drawn by itself.
    """

    there: Counted
    judged: int
    items: int
    each: int
    time: TimeOfExhibit

    @property
    def minutes(self) -> int:
        """For each rater."""
        return max(1, round(self.each * self.time.seconds / 60))

    @property
    def hours(self) -> float:
        """For each rater."""
        return self.minutes / 60


def estimate_of(project: Project, rules: Rules, raters: int) -> RoundEstimate:
    """How much these rules draw, and what it takes each of so many raters."""
    there = count_of(project, rules)
    rest = max(there.units - rules.practice, 0)
    units = min(sum(rules.strata.values()) or rules.sample or rest, rest)
    judged = round(units * there.on_each)
    part = min(rules.judged_by or raters, raters) / raters if raters else 1
    each = round(judged * part * (1 + rules.repeats / 100))
    each += round(min(rules.practice, there.units) * (there.on_each if rules.together else 1))
    of_items = bool(rules.together or rules.systems)
    return RoundEstimate(there, judged, units if of_items else 0, each, time_of(project, rules.kind))
