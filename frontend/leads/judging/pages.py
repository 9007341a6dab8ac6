"""The pages of judging rounds: the list, a draft, one in judgement, and results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext

from annotation.judging import drawing, rounds
from annotation.judging.results import RoundResults, results
from annotation.models import JudgingRound, Project, Rater, RoundState, User
from annotation.statistics.estimates import Estimate
from annotation.values.exhibits import ExhibitKind
from frontend.leads import estimates
from frontend.leads.judging import agreed
from frontend.leads.judging.forms import RoundForm
from tasks.judging import marks, raters, working
from tasks.judging.meeting import voters

MINUTES = 1
"""What an exhibit takes, before anybody has judged one."""


@dataclass(frozen=True)
class RaterRow:
    """A rater, for leads: how far they are, and how many exhibits they are left out of."""

    rater: Rater
    judged: int
    given: int
    left_out: int


@dataclass(frozen=True)
class ShareRow:
    """The share of a mark, or of several together, in percent with its interval and the published one; what a reader
    sees. `counts`: how often each rater gave it."""

    title: str
    share: str
    ends: str
    published: str
    counts: tuple[int, ...]


def make(project: Project, form: RoundForm, *, by: User, now: Any) -> JudgingRound:
    """A draft by a valid form, with its raters."""
    kind = drawing.kind_of(project, form.cleaned_data["kind"])
    with transaction.atomic():
        row = rounds.make(
            project, title=form.cleaned_data["title"], rubric=kind.rubric(), rules=form.rules, by=by, now=now
        )
        for person in form.cleaned_data["raters"]:
            raters.name(row, person, by=by, now=now)
        if form.cleaned_data["meeting"] and form.cleaned_data["chair"]:
            voters.choose_chair(row, form.cleaned_data["chair"], by=by, now=now)
    return row


def list_of(project: Project) -> list[dict[str, Any]]:
    """The rounds of a project, latest first."""
    rows = JudgingRound.objects.filter(project=project).order_by("-pk")
    return [{"row": row, "exhibits": row.exhibits.count(), **_done(row)} for row in rows]


def _done(row: JudgingRound) -> dict[str, int]:
    people = Rater.objects.filter(round=row)
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
        "own": Rater.objects.filter(round=row, person=by, locked_at=None).exists(),
        **_done(row),
    }
    if row.state == RoundState.DRAFT:
        found, population = drawing.drawn(row.project, rounds.rules_of(row), seed=row.seed)
        page |= {"population": population, "sample": len(found), "minutes": MINUTES * len(found)}
        return page | {"people": [RaterRow(rater, 0, 0, 0) for rater in _raters(row)]}
    page |= {"population": row.population, "sample": row.exhibits.count()}
    if page["own"]:
        return page
    page["people"] = [_rater_row(row, rater) for rater in _raters(row)]
    if page["locked"]:
        found_results = results(rounds.rubric_of(row), marks.of_round(row))
        page |= {"results": found_results, "shares": list(_shares(row, kind, found_results))}
    return page | agreed.part_of(row)


def _raters(row: JudgingRound) -> list[Rater]:
    return list(Rater.objects.filter(round=row).select_related("person").order_by("number"))


def _rater_row(row: JudgingRound, rater: Rater) -> RaterRow:
    lease, without = working.lease_of(row, rater.person), len(raters.left_out(row, rater.person))
    given = working.work_in(lease).count() if lease else row.exhibits.count() - without
    left = working.left_to_judge(lease).count() if lease else given
    return RaterRow(rater, given - left, given, without)


def _shares(row: JudgingRound, kind: ExhibitKind, found: RoundResults) -> Iterator[ShareRow]:
    """A row for each mark; last those that count as right together."""
    rubric = rounds.rubric_of(row)
    for mark in rubric.marks:
        yield _share_row(mark.title, [mark.key], found.shares[mark.key], kind, found)
    if found.right is not None:
        yield _share_row(gettext("Right"), rubric.right, found.right, kind, found)


def _share_row(title: str, keys: Sequence[str], share: Estimate, kind: ExhibitKind, found: RoundResults) -> ShareRow:
    ends = "" if share.low is None or share.high is None else f"{_percent(share.low)} – {_percent(share.high)}"
    published = [kind.published[key] for key in keys if key in kind.published]
    return ShareRow(
        title=title,
        share="" if share.value is None else _percent(share.value),
        ends=ends or estimates.no_interval(share),
        published=_percent(sum(published)) if published else "",
        counts=tuple(sum(given[key] for key in keys) for given in found.by_rater.values()),
    )


def _percent(part: float) -> str:
    return f"{100 * part:.0f} %"
