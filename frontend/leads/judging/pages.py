"""The pages of judging rounds: the list, a draft and its seal, one in judgement, its meeting and its history."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from annotation import events, registry
from annotation.judging import draw, drawing, given_marks, rounds
from annotation.judging.agreed import RIGHT, AgreedResults
from annotation.models import (
    Event,
    ExhibitUse,
    Job,
    JudgingRound,
    PredictionSet,
    Project,
    Rater,
    Removal,
    RoundState,
    User,
)
from annotation.statistics.estimates import Estimate
from frontend import access
from frontend.access.judging import has_met
from frontend.leads import estimates
from frontend.leads.event_lines import wait_in_words
from frontend.leads.judging import counting, results
from frontend.leads.judging.forms import RoundForm
from tasks.background import long_jobs
from tasks.judging import raters, working
from tasks.judging.meeting import agenda, room, voters
from tasks.measuring import judging_rounds


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
        page |= _seal_job_of(row)
        return page | {"people": people_of(row)}
    drawn = row.exhibits.filter(use=ExhibitUse.DRAWN)
    page |= {"population": row.population, "sample": drawn.count()}
    if page["systems"] or page["rules"].together:
        page["items"] = drawn.values("item").distinct().count()
    if page["own"]:
        return page
    page["people"] = people_of(row)
    page["defects"] = draw.defects_of(row)
    page["history"] = history_of(row)
    named = {rater.person_id for rater in _raters(row)}
    page["substitutes"] = [each for each in raters.candidates(row.project) if each.pk not in named]
    return page | {"results": results.of_page(row) if page["locked"] else None} | _meeting_of(row)


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


SEAL = "seal_round"
IN_REQUEST, PREDICTED_IN_REQUEST = 3000, 300
"""Annotations, and predictions, that are read in a request, at most: some tenths of a second."""


def seal(row: JudgingRound, *, by: User, now: datetime) -> bool:
    """Seal a draft, or ask a job for that, once; returns whether it is sealed now. WrongMove as `rounds.seal`."""
    rules = rounds.rules_of(row)
    if drawing.answers_read(row.project, rules) <= (PREDICTED_IN_REQUEST if rules.systems else IN_REQUEST):
        rounds.seal(row, by=by, now=now)
        return True
    job = latest_seal_job(row)
    if job is None or job.state not in (Job.State.QUEUED, Job.State.RUNNING):
        long_jobs.ask(row.project, SEAL, subject=row.title, asked={"round": str(row.uuid)}, by=by, now=now)
    return False


def latest_seal_job(row: JudgingRound) -> Job | None:
    """The job that seals the round, or that has failed to."""
    return Job.objects.filter(project=row.project, kind=SEAL, report__asked__round=str(row.uuid)).order_by("pk").last()


def _seal_job_of(row: JudgingRound) -> dict[str, Any]:
    """What the page of a draft shows of such a job: how far it is, or why it has failed."""
    job = latest_seal_job(row)
    if job is None:
        return {}
    if job.state == Job.State.FAILED:
        return {"seal_failed": job.error}
    if job.state not in (Job.State.QUEUED, Job.State.RUNNING):
        return {}
    wait = long_jobs.wait_of(job)
    return {"job": job, "ahead": wait.ahead, "waits_for": wait_in_words(wait), "total": job.total}


@dataclass(frozen=True)
class AgreedRow:
    """A mark: how many have it by consensus or from all, and its share in percent with the bootstrap's interval and
    Wilson's, each over both bounds where some are open; "" until they have been computed."""

    title: str
    settled: int
    share: str
    ends: str
    wilson: str


def _meeting_of(row: JudgingRound) -> dict[str, Any]:
    """What the page of a round shows of its meeting; nothing if there was none."""
    if not has_met(row):
        return {}
    found, figures = agenda.marks_after_meeting(row), judging_rounds.of_page(row)
    kept = figures.values.get("agreed") if figures else None
    current = kept if kept and kept["consensus"] == found.consensus else None
    rows = list(_agreed_rows(found, current))
    met = {"meeting_time": room.time_in(row)}
    return {"agreed": found, "agreed_rows": rows, "agreed_computed": current is not None} | met


def _agreed_rows(after: AgreedResults, kept: Mapping[str, Any] | None) -> Iterator[AgreedRow]:
    titles = {mark.key: mark.title for mark in after.rubric.marks} | {RIGHT: gettext("Right")}
    for name, settled_ones in after.counts().items():
        shares = kept["shares"].get(name) if kept else None
        yield _agreed_row(titles[name], settled_ones, shares)


def _agreed_row(title: str, settled_ones: int, kept: Mapping[str, Any] | None) -> AgreedRow:
    if kept is None:
        return AgreedRow(title, settled_ones, "", "", "")
    low, high = (Estimate.from_list(kept[bound]["share"]) for bound in ("if_none", "if_all"))
    ends = "" if low.low is None or high.high is None else _range(low.low, high.high)
    wilson = _range(kept["if_none"]["wilson"][0], kept["if_all"]["wilson"][1])
    missing = estimates.no_interval(low if low.low is None else high)
    return AgreedRow(title, settled_ones, _range(low.value, high.value), ends or missing, wilson)


def _range(low: float | None, high: float | None) -> str:
    first, last = (f"{100 * (end or 0):.0f}" for end in (low, high))
    return f"{first} %" if low == high else f"{first} – {last} %"


LATEST = 50
"""Lines of a history, at most."""

WORDS: dict[str, Any] = {
    "judging.made": _("Made as a draft"),
    "judging.changed": _("The choices were changed"),
    "judging.rater_named": _("Named as a rater: %(person)s"),
    "judging.chair": _("In the chair: %(person)s"),
    "judging.begun": _("Began to judge"),
    "judging.locked": _("Locked, as rater %(rater)s"),
    "judging.recused": _("Looked at answers, and judges their items no more"),
    "judging.defect": _("Exhibit %(place)s is a defect: %(why)s"),
    "judging.rater_replaced": _("Rater %(rater)s was replaced: %(reason)s"),
    "judging.metrics_added": _("Metrics added: %(names)s"),
    "judging.metric_removed": _("Metric removed: %(name)s"),
    "judging.consensus": _("Exhibit %(place)s was settled"),
    "judging.voter_removed": _("Rater %(rater)s left the vote: %(reason)s"),
    "judginground.sealed": _("Sealed"),
    "judginground.meeting": _("The meeting was opened"),
    "judginground.closed": _("Closed"),
    "judginground.stopped": _("Stopped: %(stopped_why)s"),
}
"""Of the kinds of events of a round, all but what was said at a meeting, which stays in its room."""


def history_of(row: JudgingRound) -> list[dict[str, Any]]:
    """The latest that happened, newest first."""
    found = list(Event.objects.filter(subject=events.name(row), kind__in=WORDS).order_by("-pk")[:LATEST])
    people = {event.by for event in found if event.by} | {event.data.get("person") for event in found}
    names = dict(User.objects.filter(pk__in=people - {None}).values_list("pk", "username"))
    return [
        {"at": event.at, "what": event_in_words(event, row, names.__getitem__), "by": names.get(event.by or 0, "")}
        for event in found
    ]


def event_in_words(event: Event, row: JudgingRound, name: Callable[[int], str]) -> str:
    """What happened; `name`: of the person with a key."""
    data = {**event.data, "stopped_why": row.stopped_why}
    if "place" in data:
        data["place"] += 1
    if "person" in data:
        data["person"] = name(data["person"])
    if "names" in data:
        data["names"] = ", ".join(data["names"])
    said = gettext(WORDS[event.kind]) % data
    if event.kind == "judging.begun" and data["left_out"]:
        said += " · " + ngettext("left out of %(n)s exhibit", "left out of %(n)s exhibits", data["left_out"]) % {
            "n": data["left_out"]
        }
    if event.kind == "judging.defect" and data["replaced_by"] is not None:
        said += " · " + gettext("exhibit %(place)s is judged instead") % {"place": data["replaced_by"] + 1}
    return said
