"""What raters see of a judging round: where they are in it, on the work screen, on its own page, and at home."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.urls import reverse

from annotation.judging import given_marks, rounds
from annotation.models import ExhibitUse, JudgingRound, Rater, Removal, Role, RoundState, User
from tasks.judging import raters as raters_of_rounds
from tasks.judging import working
from tasks.models import Assignment, Lease
from tasks.models.states import AssignmentState


@dataclass(frozen=True)
class PlaceInRound:
    """The exhibit's number in the rater's order, how many there are and have a mark; addresses of the one before it
    and of the round, "" if there is none; how many raters there are, and have locked. `practice`: how many are for
    practice, if this one is; then the number is among those, else among the others.

    With several exhibits on the screen, the number is that of the first and `last` that of the last; `screen`: the
    number of the screen, `screens`: how many there are, both 0 if each exhibit has its own."""

    title: str
    number: int
    of: int
    done: int
    before_url: str
    after_url: str
    round_url: str
    raters: int
    locked: int
    practice: int = 0
    last: int = 0
    screen: int = 0
    screens: int = 0

    @property
    def is_last_left(self) -> bool:
        """Whether all that is not on this screen has a mark, so that the round's own page comes next."""
        here = self.last - self.number + 1 if self.screen else 1
        return not self.practice and self.done >= self.of - here


class PlacedExhibit(NamedTuple):
    """An exhibit in a rater's order; `item` and `number`, 2 for the second time, say which screen it is on."""

    pk: int
    uuid: uuid.UUID
    state: str
    use: str
    item_id: int
    number: int


def place_of(assignment: Assignment, parts: Sequence[Assignment] = ()) -> PlaceInRound:
    """Where a rater is in the round of an exhibit that they hold; `parts`: all on its screen, if there are others."""
    exhibit = assignment.annotation.exhibit
    assert exhibit is not None
    columns = ("pk", "uuid", "state", "annotation__exhibit__use", "task__item", "task__round")
    whole = [PlacedExhibit(*each) for each in working.work_to_show(assignment.lease).values_list(*columns)]
    is_practice = exhibit.use == ExhibitUse.PRACTICE
    every = [each for each in whole if (each.use == ExhibitUse.PRACTICE) == is_practice]
    at = next(place for place, each in enumerate(every) if each.pk == assignment.pk)
    mine = next(place for place, each in enumerate(whole) if each.pk == assignment.pk)
    after = mine + max(len(parts), 1)
    row, raters = exhibit.round, given_marks.remaining_raters(exhibit.round)
    here = list(dict.fromkeys((each.item_id, each.number) for each in every)) if parts else []
    return PlaceInRound(
        title=row.title,
        number=at + 1,
        of=len(every),
        practice=len(every) if is_practice else 0,
        done=sum(each.state == AssignmentState.SUBMITTED for each in every),
        before_url=reverse("work", args=[whole[mine - 1].uuid]) if mine else "",
        after_url=reverse("work", args=[whole[after].uuid]) if after < len(whole) else "",
        round_url=reverse("judge", args=[row.uuid]),
        raters=raters.count(),
        locked=raters.filter(locked_at__isnull=False).count(),
        last=at + max(len(parts), 1),
        screen=here.index((every[at].item_id, every[at].number)) + 1 if here else 0,
        screens=len(here),
    )


@dataclass(frozen=True)
class RoundToJudge:
    """A round on its rater's home page; `left`: None before they have begun."""

    title: str
    project: str
    uuid: str
    of: int
    left: int | None


def rounds_of(user: User) -> list[RoundToJudge]:
    """The rounds that the person still judges, oldest first; none in which they are left out of everything."""
    rows = Rater.objects.filter(person=user, locked_at=None, removal=None, round__state=RoundState.SEALED)
    here = rows.filter(round__project__memberships__user=user, round__project__memberships__ended_at=None)
    found = here.filter(round__project__archived_at=None).select_related("round__project").distinct().order_by("pk")
    return [each for each in map(_to_judge, found) if each.of or each.left is not None]


def _to_judge(rater: Rater) -> RoundToJudge:
    row, lease = rater.round, working.lease_of(rater.round, rater.person)
    left = working.left_to_judge(lease).count() if lease else None
    return RoundToJudge(row.title, row.project.title, str(row.uuid), _given(rater, lease), left)


def _given(rater: Rater, lease: Lease | None) -> int:
    """How many they judge; before they have begun, as many as the round has for them but for repeats."""
    return working.work_in(lease).count() if lease else len(raters_of_rounds.given_to(rater.round, rater))


def page_of(row: JudgingRound, rater: Rater) -> dict[str, Any]:
    """The page of a round for its rater: the rubric, what is left, and who is done; nobody's marks."""
    lease = working.lease_of(row, rater.person)
    given = _given(rater, lease)
    left = working.left_to_judge(lease).count() if lease else None
    raters = given_marks.remaining_raters(row)
    return {
        "round": row,
        "rubric": rounds.rubric_of(row),
        "rater": rater,
        "replaced": rater.locked_at is None and Removal.objects.filter(rater=rater).first(),
        "begun": lease is not None,
        "given": given,
        "left": left,
        "judged": given - (given if left is None else left),
        "raters": raters.count(),
        "locked": raters.filter(locked_at__isnull=False).count(),
        "leads": row.project.memberships.filter(user=rater.person, role=Role.LEAD, ended_at=None).exists(),
        "first": working.work_to_show(lease).first() if lease else None,
        "seen": Counter(raters_of_rounds.left_out(row, rater.person).values())[raters_of_rounds.SEEN],
    }
