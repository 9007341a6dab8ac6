"""Who judges in a round: named experts and leads, what each is left out of, and whose turn it is if they take turns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from math import gcd
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from annotation import events, membership, randomness
from annotation.errors import NotFound, WrongMove
from annotation.i18n import _
from annotation.judging import draw, rounds
from annotation.judging.rules import by_screen
from annotation.models import (
    Adjudication,
    Annotation,
    Event,
    Exhibit,
    ExhibitUse,
    JudgingRound,
    Project,
    Rater,
    Response,
    Role,
    RoundState,
    User,
)
from tasks.models import Assignment

REPLACED = "judging.rater_replaced"
"""The event of a replacement: `rater` is the number of who dropped out, `new` that of who judges instead, or None."""


def rotation_at(row: JudgingRound, at: int, numbers: Sequence[int], judged_by: int) -> Sequence[int]:
    """Whose turn it is at a place of the order: everybody equally often, with others each time.

    The raters are put in a seeded order for as many exhibits as give each of them the same number.
    """
    n = len(numbers)
    together = n // gcd(n, judged_by)
    order = sorted(numbers, key=lambda number: randomness.number(row.seed, "turn", at // together, number))
    start = at * judged_by % n
    return [*order[start:], *order[:start]]


def replacements(row: JudgingRound) -> Mapping[int, int]:
    """By the number of each rater who replaced another, the number of that one."""
    told = Event.objects.filter(subject=events.name(row), kind=REPLACED).values_list("data", flat=True)
    return {data["new"]: data["rater"] for data in told if data["new"] is not None}


def exhibits_given(row: JudgingRound, person: User) -> set[int]:
    """The keys of the exhibits that somebody has been given since they began, whatever became of them."""
    rows = Assignment.objects.filter(annotator=person, task__exhibit__round=row)
    return set(rows.values_list("task__exhibit", flat=True))


MADE, ASKED, DECIDED, SEEN = "made", "asked", "decided", "seen"
REASONS: Mapping[str, Any] = {
    MADE: _("made the answer"),
    ASKED: _("asked it"),
    DECIDED: _("decided about it"),
    SEEN: _("has looked at it since the seal"),
}
"""Why somebody does not judge an exhibit."""


def candidates(project: Project) -> QuerySet[User]:
    """Whom a lead can name: the project's leads and experts."""
    named = {"memberships__role__in": (Role.EXPERT, Role.LEAD), "memberships__ended_at": None}
    rows = User.objects.filter(memberships__project=project, is_active=True, **named)
    return rows.distinct().order_by("username")


@transaction.atomic
def name(row: JudgingRound, person: User, *, by: User, now: datetime, replaces: bool = False) -> Rater:
    """Name a rater; the same one if they are named already. `replaces`: they take over another one's part.

    WrongMove where raters take turns and somebody has begun, unless they replace another. NotFound for somebody who is
    neither expert nor lead.
    """
    row = JudgingRound.objects.select_for_update().get(pk=row.pk)
    if row.state not in (RoundState.DRAFT, RoundState.SEALED):
        raise WrongMove(_("This round is over."))
    joins = not replaces and not row.raters.filter(person=person).exists()
    if joins and rounds.rules_of(row).judged_by and _somebody_has_begun(row):
        raise WrongMove(_("Somebody has begun, and who judges what is settled."))
    if not membership.roles_of(person, row.project) & {Role.EXPERT, Role.LEAD}:
        raise NotFound
    rater, new = Rater.objects.get_or_create(
        round=row, person=person, defaults={"number": 1 + row.raters.count(), "named_at": now}
    )
    if new:
        events.record("judging.rater_named", row, by=by, now=now, person=person.pk)
    return rater


def _somebody_has_begun(row: JudgingRound) -> bool:
    return Annotation.with_trials.filter(exhibit__round=row).exists()


@transaction.atomic
def name_again(row: JudgingRound, people: Iterable[User], *, by: User, now: datetime) -> None:
    """Make these the raters of a draft, in place of those that were named before; WrongMove for what is sealed."""
    row = JudgingRound.objects.select_for_update().get(pk=row.pk)
    if row.state != RoundState.DRAFT:
        raise WrongMove(_("This round is sealed: nothing of it changes any more."))
    wanted = list(people)
    if {person.pk for person in wanted} != set(row.raters.values_list("person", flat=True)):
        row.raters.all().delete()
        for person in wanted:
            name(row, person, by=by, now=now)


def left_out(row: JudgingRound, person: User) -> dict[int, str]:
    """The exhibits that the person does not judge, by key, with the reason. What they had marked before they looked at
    it is none of them."""
    exhibits = draw.seen(row)
    marked = Annotation.with_trials.filter(exhibit__round=row, author=person, completed_at__isnull=False)
    items = exhibits.values("item")
    activities = exhibits.values("annotation__activity")
    decided = Adjudication.objects.filter(by=person, item__in=items, activity__in=activities, taken_back_at=None)
    wrote = Response.objects.filter(author=person, annotation__in=exhibits.values("annotation"))
    seen = exhibits.filter(item__in=draw.items_seen(row, person)).exclude(pk__in=marked.values("exhibit"))
    found = dict.fromkeys(seen.values_list("pk", flat=True), SEEN)
    found |= dict.fromkeys(exhibits.filter(item__in=decided.values("item")).values_list("pk", flat=True), DECIDED)
    asked = Response.objects.filter(author=person, annotation__in=exhibits.values("item__made_from"))
    about = exhibits.filter(item__made_from__in=asked.values("annotation"))
    found |= dict.fromkeys(about.values_list("pk", flat=True), ASKED)
    found |= dict.fromkeys(
        exhibits.filter(annotation__in=wrote.values("annotation")).values_list("pk", flat=True), MADE
    )
    copies = exhibits.filter(same_as__isnull=False, pk__in=list(found)).values_list("pk", "same_as")
    return {earlier: found[copy] for copy, earlier in copies if earlier} | found


def given_to(row: JudgingRound, rater: Rater, *, in_place_of: Rater | None = None) -> Sequence[Exhibit]:
    """What a rater judges, in the sealed order: all but what they are left out of, or their part if raters take turns.

    Practice is for all of them. Turns are of screens: whoever is left out of one of the answers there judges the
    others, and the next rater judges that one by itself. Whoever replaces another judges that one's part: `in_place_of`
    says whose, as long as the event of the replacement is not stored.
    """
    rules, every = rounds.rules_of(row), list(draw.to_judge(row).select_related("item").order_by("place"))
    without = left_out(row, rater.person)
    if rules.judged_by is None:
        return [each for each in every if each.pk not in without]
    taken_over = replacements(row)
    replaced = in_place_of.number if in_place_of else taken_over.get(rater.number)
    if replaced is not None:
        other = row.raters.select_related("person").get(number=replaced)
        part = exhibits_given(row, other.person) or {each.pk for each in given_to(row, other)}
        return [each for each in every if each.pk not in without and _is_of_part(each, part)]
    people = [each for each in row.raters.select_related("person").order_by("number") if each.number not in taken_over]
    without_of = {each.number: left_out(row, each.person) for each in people}
    numbers = [each.number for each in people]
    found, at = [], 0
    for screen in by_screen(rules, every):
        order = rotation_at(row, at, numbers, rules.judged_by)
        is_practice = screen[0].use == ExhibitUse.PRACTICE
        at += not is_practice
        for each in screen:
            able = [number for number in order if each.pk not in without_of[number]]
            if rater.number in (able if is_practice else able[: rules.judged_by]):
                found.append(each)
    return found


def _is_of_part(exhibit: Exhibit, part: Collection[int]) -> bool:
    """Whether it is one of these, is for practice, or is judged in the place of one of these, a defect."""
    if exhibit.pk in part or exhibit.use == ExhibitUse.PRACTICE:
        return True
    defect = getattr(exhibit, "replaces", None)
    return defect is not None and _is_of_part(defect.exhibit, part)
