"""Rehearsals as a project's leads see them: the form, those there were, and what one found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from annotation import registry, releases
from annotation.models import Item, Job, Project, User
from annotation.models.job import JOB_MOVES
from frontend.bots.bot import Rates
from frontend.leads.event_lines import wait_in_words
from frontend.leads.setup.pace import able_to_work, pace_of
from frontend.rehearsal.job import KIND
from frontend.wording import noun_of_activity
from tasks.background import long_jobs
from tasks.engine import queues
from tasks.setup import estimate, remaining

MOST, USUAL = 200, 20
"""Items of a rehearsal; a conversation takes bots ten seconds, an answer a tenth of one."""
LATEST = 5
COURSES = {
    "in_time": _("finished in time"),
    "late": _("sent after their time had ended"),
    "returned": _("given back"),
    "abandoned": _("left until their time ended"),
}
PERCENT = {
    "required": _("Give a percentage."),
    "invalid": _("Give whole percents."),
    "min_value": _("Give 0 at least."),
    "max_value": _("Give 100 at most."),
}


def _percent(name: str, label: Any) -> forms.IntegerField:
    share = round(100 * getattr(Rates(), name))
    return forms.IntegerField(label=label, min_value=0, max_value=100, initial=share, error_messages=PERCENT)


class RehearsalForm(forms.Form):
    """How many items, and how many pieces of work go otherwise than they should."""

    items = forms.IntegerField(
        label=_("Items"),
        min_value=1,
        max_value=MOST,
        error_messages={
            "required": _("Say with how many."),
            "invalid": _("Give a whole number."),
            "min_value": _("Give at least one."),
            "max_value": _("Give %(limit_value)s at most: a rehearsal shows what happens, not how much."),
        },
    )
    wrong = _percent("wrong", _("Answered without care"))
    late = _percent("late", COURSES["late"])
    abandoned = _percent("abandoned", COURSES["abandoned"])
    returned = _percent("returned", COURSES["returned"])

    def clean(self) -> dict[str, Any]:
        """What ends otherwise can't be more than all."""
        given = self.cleaned_data
        if sum(given.get(name) or 0 for name in ("late", "abandoned", "returned")) > 100:
            raise forms.ValidationError(_("Late, left and given back are more than 100 % together."))
        return given

    def asked(self) -> dict[str, Any]:
        """What a valid form asks for."""
        rates = {field.name: self.cleaned_data[field.name] / 100 for field in fields(Rates)}
        return {"items": self.cleaned_data["items"], "rates": rates}


@dataclass(frozen=True)
class RehearsalProblem:
    """Something that a lead should see to. `stops`: before anybody works."""

    text: str
    stops: bool


def form_of(project: Project) -> RehearsalForm:
    """The form as it begins."""
    roots = Item.objects.filter(queues.visible(), project=project, root=None, made_from=None)[:USUAL].count()
    return RehearsalForm(initial={"items": roots or USUAL})


def latest(project: Project) -> list[Job]:
    """The latest rehearsals, newest first."""
    return list(project.jobs.filter(kind=KIND).order_by("-pk")[:LATEST])


def ask(project: Project, form: RehearsalForm, *, by: User, now: datetime) -> Job:
    """Put a rehearsal into the queue."""
    asked = form.asked()
    return long_jobs.ask(project, KIND, subject=str(asked["items"]), asked=asked, by=by, now=now)


def page_of(job: Job, query: Mapping[str, str]) -> dict[str, Any]:
    """How far a rehearsal is, or what it found and what the real work will take; `query`: see `pace_of`."""
    result, wait = job.report.get("result"), long_jobs.wait_of(job)
    context = {
        "project": job.project,
        "job": job,
        "by": User.objects.filter(pk=job.report["by"]).first(),
        "at": datetime.fromisoformat(job.report["at"]),
        "is_over": not JOB_MOVES[Job.State(job.state)],
        "ahead": wait.ahead,
        "waits_for": wait_in_words(wait),
    }
    if job.state != Job.State.DONE or not result:
        return context
    titles = {one.key: one.title for one in releases.formats_of(job.project)}
    activities = {one.key: one for one in registry.get(job.project.protocol).activities}
    found = estimate.of_project(job.project, remaining.left_with_unopened(job.project))
    problems = list(_problems(job.project, result, activities, titles))
    return context | {
        "result": result,
        "problems": problems,
        "stops": any(one.stops for one in problems),
        "courses": [(gettext(str(words)), result["courses"][key]) for key, words in COURSES.items()],
        "activities": [
            one | {"title": activities[one["activity"]].title}
            for one in result["activities"]
            if one["done"] + one["disputed"] + one["open"]
        ],
        "formats": [one | {"title": titles.get(one["format"], one["format"])} for one in result["formats"]],
        "estimate": found,
        "pace": pace_of(job.project, found, query),
        "left": True,
    }


def _problems(
    project: Project, result: dict[str, Any], activities: dict[str, Any], formats: dict[str, Any]
) -> Iterator[RehearsalProblem]:
    if result["lost"]:
        text = ngettext(
            "%(n)s answer that was sent is not in the record. Let nobody begin, and tell an operator.",
            "%(n)s answers that were sent are not in the record. Let nobody begin, and tell an operator.",
            result["lost"],
        )
        yield RehearsalProblem(text % {"n": result["lost"]}, stops=True)
    if result["refused"]:
        text = gettext(
            "A work page refused an answer, so the rehearsal ended early. Let nobody begin, and tell an operator "
            "what it says: %(why)s"
        )
        yield RehearsalProblem(text % {"why": result["refused"][:300]}, stops=True)
    if result.get("too_long"):
        yield RehearsalProblem(
            gettext(
                "The bots were stopped after a quarter of an hour, before all was done. Rehearse with fewer items."
            ),
            stops=False,
        )
    elif not result["refused"]:
        yield from _unfinished(result, activities)
    yield from _too_few_people(project, result, activities)
    for one in result["formats"]:
        if one["why"]:
            yield RehearsalProblem(
                f"{gettext(str(formats.get(one['format'], one['format'])))}: {one['why']}", stops=True
            )


def _unfinished(result: dict[str, Any], activities: dict[str, Any]) -> Iterator[RehearsalProblem]:
    for one in result["activities"]:
        if one["open"]:
            activity = activities[one["activity"]]
            text = gettext(
                "%(activity)s: %(n)s of the %(nouns)s could not be finished. Look at how many people each of them "
                "wants, and who may do it."
            )
            words = {"activity": gettext(activity.title), "n": one["open"], "nouns": noun_of_activity(activity).many}
            yield RehearsalProblem(text % words, stops=False)


def _too_few_people(project: Project, result: dict[str, Any], activities: dict[str, Any]) -> Iterator[RehearsalProblem]:
    """Nobody annotates an item twice, so an item waits for ever if the project has fewer people than it wants."""
    people = able_to_work(project)
    for one in result["activities"]:
        if one.get("wants", 0) > people:
            activity = activities[one["activity"]]
            text = gettext(
                "%(activity)s: some %(nouns)s want %(wants)s people each, and the project has %(n)s who may work. "
                "Invite more, or lower the overlap in the settings."
            )
            words = {"activity": gettext(activity.title), "nouns": noun_of_activity(activity).many}
            yield RehearsalProblem(text % {**words, "wants": one["wants"], "n": people}, stops=False)
