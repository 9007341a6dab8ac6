"""What a person has done and is owed, and what they can do next, in projects where they may work by script.

With the readers of their own pages: finished work, time, and home.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date
from typing import Any

from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext

from annotation import membership, projects, registry
from annotation.engine.work import Work
from annotation.models import Project, Purpose, User
from frontend import my_pay, my_time
from frontend.api.work.holding import scripted_projects
from frontend.work import finished
from frontend.work.beginning import offers
from tasks.engine import assignments
from tasks.models import Assignment


def finished_rows(user: User, *, decided: bool) -> QuerySet[Assignment]:
    """The person's finished work of queues, or only that about which an expert has decided."""
    found = finished.finished_rows(user, decided=decided).filter(annotation__purpose=Purpose.WORK)
    among = Project.objects.filter(pk__in=found.order_by().values("task__item__project"))
    allowed = [each.pk for each in among if projects.project_config(each).work_by_script]
    return found.filter(task__item__project__in=allowed)


def finished_as_json(assignment: Assignment) -> dict[str, Any]:
    """What the page of finished work shows of it."""
    work = assignments.work_of(assignment)
    return {
        "uuid": assignment.uuid,
        "project": work.item.project.slug,
        "activity": work.activity.key,
        "title": gettext(work.activity.title),
        "asked": finished.asked_of(work),
        "finished_at": finished.finished_at(assignment),
        "answers": _own_answers(work),
        "outcome": _outcome(assignment, work),
    }


def _own_answers(work: Work) -> list[dict[str, Any]]:
    prompts = finished.prompts_of(work)
    return [
        {
            "step": each.address,
            "stage": each.stage,
            "title": gettext(work.activity.stage(each.stage).title),
            "prompt": prompts.get(each.address, ""),
            "payload": each.payload.model_dump(mode="json"),
        }
        for each in work.own
    ]


def _outcome(assignment: Assignment, work: Work) -> dict[str, Any] | None:
    """The decision about it; of another's answer only what the page shows, which may be less than was sent."""
    found = finished.outcome_of(assignment, work)
    if found is None:
        return None
    shown = [
        {"title": title, "html": render_to_string("work/_version.html", {"version": version})}
        for title, _prompt, version in found.answers
    ]
    return {"same": found.same, "reason": found.reason, "answers": shown}


def pay_of(user: User) -> dict[str, Any]:
    """What the person is owed, and the latest payments."""
    with timezone.override(UTC):
        found = my_pay.own_pay(user, scripted_projects(user), only=True)
    return {
        "projects": [
            {"project": row.slug, "rate": row.rate, "paid": row.paid, "owed": row.owed} for row in found.projects
        ],
        "payments": [_payment(row) for row in found.payments],
        "more": found.more,
    }


def _payment(row: my_pay.PaidOnce) -> dict[str, Any]:
    about = {"project": row.slug, "amount": row.amount, "paid_on": row.on, "note": row.note}
    return about | {"since": row.period.since, "until": row.period.until}


def days_of(user: User, *, since: date, until: date) -> list[dict[str, Any]]:
    """The time of these days (UTC), in seconds, by project; the latest day first."""
    allowed = {each.pk for each in scripted_projects(user)}
    rows = my_time.rows_between(user, since=since, until=until)
    return [_day(row) for row in rows if row.project.pk in allowed]


def _day(row: my_time.DayOfWork) -> dict[str, Any]:
    spent = {name: getattr(row.spent, name) for name in ("counts", "active", "reading", "idle", "amended", "meeting")}
    return {"day": row.day, "project": row.project.slug, "comes_to": row.comes_to} | spent


def offers_to(user: User) -> list[dict[str, Any]]:
    """What the person can do now; what is closed to them last."""
    found = [_offer(row, user, each) for each in scripted_projects(user) for row in offers.offers_in(each, user)]
    return [one for closed in (False, True) for one, is_closed in found if is_closed == closed]


def _offer(row: offers.WorkOffer, user: User, project: Project) -> tuple[dict[str, Any], bool]:
    picks = registry.get(project.protocol).activity(row["activity"]).picks
    shown: Mapping[str, object] = row
    taken = ("activity", "title", "description", "takes", "pay", "resume", "closes")
    counts = {"left": row["left"], "left_in_words": row["left_words"], "done": row["done"], "total": row["total"]}
    return {
        "project": project.slug,
        **{name: shown[name] for name in taken},
        # Of what is closed to them, the page has no figures: they tell what others have made meanwhile.
        **(dict.fromkeys(counts) if row["closed"] else counts),
        "begins_by": {"pair": "lobby", "search": "search"}.get(picks, "claim"),
        "consented": membership.has_consented(user, project),
        "why_not": str(row["why_not"]),
        "why_none": str(row["nothing"]),
    }, row["closed"]
