"""The pages of judging rounds: the list, a draft, one in judgement, and results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext

from annotation import registry
from annotation.judging import draw, drawing, given_marks, rounds
from annotation.models import ExhibitUse, JudgingRound, PredictionSet, Project, Rater, Removal, RoundState, User
from frontend import access
from frontend.leads.judging import agreed, counting, history, results, sealing
from frontend.leads.judging.forms import RoundForm
from tasks.judging import raters, working
from tasks.judging.meeting import voters


@dataclass(frozen=True)
class RaterRow:
    """A rater, for leads: how far they are, and how many exhibits they are left out of, by the reason in words.

    `replaced`: how they dropped out, so that what they judged counts nowhere.
    """

    rater: Rater
    judged: int
    given: int
    left_out: Sequence[tuple[str, int]]
    replaced: Removal | None = None


def make(project: Project, form: RoundForm, *, by: User, now: Any) -> JudgingRound:
    """A draft by a valid form, with its raters."""
    kind = drawing.kind_of(project, form.cleaned_data["kind"])
    with transaction.atomic():
        title, seed = form.cleaned_data["title"], form.cleaned_data["seed"]
        row = rounds.make(project, title=title, rubric=kind.rubric(), rules=form.rules, by=by, now=now, seed=seed)
        for person in form.cleaned_data["raters"]:
            raters.name(row, person, by=by, now=now)
        if form.cleaned_data["meeting"] and form.cleaned_data["chair"]:
            voters.choose_chair(row, form.cleaned_data["chair"], by=by, now=now)
    return row


def change(row: JudgingRound, form: RoundForm, *, by: User, now: Any) -> None:
    """Change a draft by a valid form. Definitions that nobody has changed are those of the kind that is judged."""
    data, before = form.cleaned_data, drawing.kind_of(row.project, rounds.rules_of(row).kind)
    untouched = row.rubric == before.rubric().model_dump(mode="json") and data["kind"] != before.key
    rubric = drawing.kind_of(row.project, data["kind"]).rubric() if untouched else None
    with transaction.atomic():
        named = {"title": data["title"], "seed": data["seed"]}
        rounds.change(row, rules=form.rules, rubric=rubric, by=by, now=now, **named)
        raters.name_again(row, data["raters"], by=by, now=now)
        if data["meeting"] and data["chair"]:
            voters.choose_chair(row, data["chair"], by=by, now=now)
        else:
            JudgingRound.objects.filter(pk=row.pk).update(chair=None)


def _systems(row: JudgingRound) -> list[str]:
    """The names of the systems that are judged; none where people's answers are."""
    sets = PredictionSet.objects.filter(project=row.project, uuid__in=rounds.rules_of(row).systems)
    return list(sets.order_by("system").values_list("system", flat=True))


def list_of(project: Project) -> list[dict[str, Any]]:
    """The rounds of a project, latest first."""
    rows = JudgingRound.objects.filter(project=project).order_by("-pk")
    return [{"row": row, **counts_of(row)} for row in rows]


def counts_of(row: JudgingRound) -> dict[str, int]:
    """How many exhibits are judged, by how many raters, and how many of these are done (`locked`)."""
    return {"exhibits": draw.judged(row).count(), **_done(row)}


def _done(row: JudgingRound) -> dict[str, int]:
    people = given_marks.remaining_raters(row)
    return {"raters": people.count(), "locked": people.filter(locked_at__isnull=False).count()}


def page_of(row: JudgingRound, *, by: User) -> dict[str, Any]:
    """The page of a round; a lead who rates sees nobody's progress or marks before their own are locked."""
    kind = drawing.kind_of(row.project, rounds.rules_of(row).kind)
    page: dict[str, Any] = {
        "project": row.project,
        "round": row,
        "rules": rounds.rules_of(row),
        "rubric": rounds.rubric_of(row),
        "kind": kind,
        "strata": _strata(row),
        "systems": _systems(row),
        "own": access.still_judges(by, row),
        **_done(row),
    }
    if row.state == RoundState.DRAFT:
        page["estimate"] = counting.estimate_of(row.project, rounds.rules_of(row), page["raters"])
        page |= sealing.part_of(row)
        return page | {"people": people_of(row)}
    drawn = row.exhibits.filter(use=ExhibitUse.DRAWN)
    page |= {"population": row.population, "sample": drawn.count()}
    if page["systems"] or page["rules"].together:
        page["items"] = drawn.values("item").distinct().count()
    if page["own"]:
        return page
    page["people"] = people_of(row)
    page["defects"] = draw.defects_of(row)
    page["history"] = history.history_of(row)
    named = {rater.person_id for rater in _raters(row)}
    page["substitutes"] = [each for each in raters.candidates(row.project) if each.pk not in named]
    return page | {"results": results.of_page(row) if page["locked"] else None} | agreed.part_of(row)


def people_of(row: JudgingRound) -> list[RaterRow]:
    """The raters with how far they are, by number. Nothing of it is for a lead who still judges in the round."""
    if row.state == RoundState.DRAFT:
        return [RaterRow(rater, 0, 0, ()) for rater in _raters(row)]
    return [_rater_row(row, rater) for rater in _raters(row)]


def _strata(row: JudgingRound) -> list[tuple[Any, int]]:
    """How many of each type are drawn, by its title."""
    titles = registry.get(row.project.protocol).item_types
    return [(titles.get(key, key), n) for key, n in rounds.rules_of(row).strata.items()]


def _raters(row: JudgingRound) -> list[Rater]:
    return list(Rater.objects.filter(round=row).select_related("person").order_by("number"))


def _rater_row(row: JudgingRound, rater: Rater) -> RaterRow:
    lease, reasons = working.lease_of(row, rater.person), Counter(raters.left_out(row, rater.person).values())
    without = [(gettext(raters.REASONS[reason]), n) for reason, n in sorted(reasons.items())]
    given = working.work_in(lease).count() if lease else len(raters.given_to(row, rater))
    left = working.left_to_judge(lease).count() if lease else given
    removal = Removal.objects.filter(rater=rater).first() if rater.locked_at is None else None
    return RaterRow(rater, given - left, given, without, removal)
