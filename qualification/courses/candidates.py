"""How far everybody has come in the courses for a qualification: what the funnel counts. Trials never count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

from django.db.models import Count, Q

from annotation.models import Consent, Membership, Project, Role
from annotation.statistics.intervals import Share, wilson
from qualification.courses import editing
from qualification.models import (
    Attempt,
    AttemptPurpose,
    AttemptState,
    Enrolment,
    Invite,
    Outcome,
    Participant,
    Qualification,
    TutorialAnswer,
)

WORKING = (Role.ANNOTATOR, Role.EXPERT)
SITE, INVITED, ADDED = "site", "invited", "added"
"""How candidates came: from a recruitment site, by an invitation, or added by a lead."""
PUBLISHED = wilson(547, 960)
"""Of those who took the published test on guidelines beside which the funnel stands: 57 % of 960 passed."""


@dataclass(frozen=True)
class CourseCandidate:
    """Somebody who has begun the course. `week`: the Monday before. `outcome` of their last attempt that is over."""

    user: int
    week: date
    source: str
    read: bool
    tutorial: bool
    issued: bool
    finished: bool
    outcome: str

    @property
    def admitted(self) -> bool:
        """Whether their last attempt admits them."""
        return self.outcome == Outcome.ADMITTED


@dataclass(frozen=True)
class FunnelStep:
    """How many came to a step, and what share that is of the step `of` (its key; "" for none)."""

    key: str
    n: int
    of: str = ""
    share: Share | None = None


def candidates(qualification: Qualification) -> list[CourseCandidate]:
    """All who have begun the course, whichever version, by when."""
    came = _sources(qualification.project)
    sat: dict[int, list[Attempt]] = {}
    for row in qualification.attempts.filter(purpose=AttemptPurpose.EXAM, voided_at=None).order_by("n"):
        sat.setdefault(row.user_id, []).append(row)
    sizes = {row.pk: len(editing.read(row).tutorial) for row in qualification.course_versions.all()}
    answered = dict(
        TutorialAnswer.objects.filter(enrolment__course__qualification=qualification)
        .values_list("enrolment")
        .annotate(n=Count("item", distinct=True))
    )
    latest = {row.user_id: row for row in Enrolment.objects.filter(course__qualification=qualification).order_by("pk")}
    return [
        _candidate(
            row, sat.get(row.user_id, []), came.get(row.user_id, ADDED), sizes[row.course_id], answered.get(row.pk, 0)
        )
        for row in sorted(latest.values(), key=lambda row: (row.begun_at, row.pk))
    ]


def _sources(project: Project) -> dict[int, str]:
    """By person, that they came from a recruitment site or by an invitation; all others were added."""
    invited = Invite.objects.filter(project=project, used_by__isnull=False).values_list("used_by", flat=True)
    from_site = Participant.objects.filter(project=project).values_list("user", flat=True)
    return {**dict.fromkeys(invited, INVITED), **dict.fromkeys(from_site, SITE)}


def _candidate(row: Enrolment, sat: Sequence[Attempt], source: str, items: int, answered: int) -> CourseCandidate:
    over = [each for each in sat if each.state != AttemptState.OPEN]
    day = row.begun_at.date()
    return CourseCandidate(
        user=row.user_id,
        week=day - timedelta(days=day.weekday()),
        source=source,
        read=row.read_at is not None,
        tutorial=bool(sat) or (row.read_at is not None and answered >= items),
        issued=bool(sat),
        finished=bool(over),
        outcome=over[-1].outcome if over else "",
    )


def funnel(qualification: Qualification, people: Sequence[CourseCandidate]) -> list[FunnelStep]:
    """From the invitation to the exam, each as a share of the step before; then the outcomes, of those who finished.

    Invited are members who may work, and invitations to work that nobody has used and no lead revoked. A later step can
    have more people than the one before: who has begun the course may have been made a lead since.
    """
    project = qualification.project
    members = set(Membership.objects.filter(project=project, role__in=WORKING).values_list("user", flat=True))
    unused = Q(used_at=None, revoked_at=None, role__in=WORKING)
    agreed = Consent.objects.filter(project=project, user__in=members).values("user").distinct().count()
    counts = {
        "invited": len(members) + Invite.objects.filter(unused, project=project).count(),
        "consented": agreed,
        "begun": len(people),
        **{key: sum(getattr(each, key) for each in people) for key in ("read", "tutorial", "issued", "finished")},
    }
    keys = list(counts)
    steps = [FunnelStep("invited", counts["invited"])]
    steps += [_step(key, counts[key], before, counts[before]) for before, key in pairwise(keys)]
    n = counts["finished"]
    return steps + [_step(each, sum(one.outcome == each for one in people), "finished", n) for each in Outcome.values]


def _step(key: str, n: int, of_key: str, whole: int) -> FunnelStep:
    return FunnelStep(key, n, of_key, wilson(min(n, whole), whole) if whole else None)


def admitted_of(people: Sequence[CourseCandidate]) -> Share | None:
    """What share of those who finished the exam is admitted; None if nobody has."""
    finished = [each for each in people if each.finished]
    return wilson(sum(each.admitted for each in finished), len(finished)) if finished else None
