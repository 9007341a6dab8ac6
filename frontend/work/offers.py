"""What a person can do now: their activities with progress, and the work kept for them."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Q
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from annotation import clock
from annotation import protocol as registry
from annotation.membership import has_consented
from annotation.models import Membership, Project, Role, User
from annotation.protocol import Activity
from frontend.errors import row_of
from frontend.work import revoked, screen
from tasks import assignments, eligibility, leases, no_work, notices
from tasks.models import Assignment, Queue
from tasks.states import AssignmentState, QueueState, TaskState

WHY_NOTHING = {
    "all_done": _("Everything here has all the answers it needs."),
    "done_all_you_may": _("You have done all you may here. The rest is for other people."),
    "others_hold": _("Other people are working on everything that is left."),
    "alike_lately": _("You had everything that is left in the last 12 hours, with another page. It comes back later."),
    "not_open": _("No queue is open here at the moment."),
}
"""Why a claim finds nothing, by its reason."""
WHY_NOT = {
    "leads_cannot_claim": _("You lead this project, so you see everybody's answers."),
    "not_a_member": _("You are no longer an annotator in this project. Ask a lead of the project."),
    "other_pool": _("In this project people either ask or answer, never both, and you are on the other side."),
}
"""Why a person may not do some work at all: it only ever says something about themselves."""


def in_words(activity: Activity, n: int) -> str:
    """`n` items of an activity in words: `1 item`."""
    return ngettext(*activity.counted, n) % {"n": number_format(n, force_grouping=True)}


def _left_in_words(activity: Activity, left: int) -> str:
    if left <= eligibility.COUNTED:
        return in_words(activity, left)
    return gettext("more than %(many)s") % {"many": in_words(activity, eligibility.COUNTED)}


def offers_for(user: User) -> list[dict[str, Any]]:
    """The activities of the person's projects with an open queue, and what is left in each; those with nothing last."""
    offers = []
    projects = Project.objects.filter(
        memberships__user=user, memberships__ended_at__isnull=True, memberships__role__in=eligibility.WORKERS
    )
    for project in projects.distinct().order_by("title"):
        for queue in project.queues.filter(state=QueueState.OPEN).select_related("project").order_by("pk"):
            if len(leases.activity_of(queue).seats) == 1:
                offers.append(_offer(user, project, queue))
    return sorted(offers, key=lambda offer: bool(offer["why_not"] or offer["nothing"]))


def kept(user: User) -> list[dict[str, Any]]:
    """The person's open assignments, oldest first."""
    rows = Assignment.objects.filter(annotator=user, state=AssignmentState.LEASED).select_related(
        "task__item__project", "lease", "annotation"
    )
    return [
        {
            "title": gettext(registry.get(row.task.item.project.protocol).activity(row.task.activity).title),
            "project": row.task.item.project.title,
            "url": reverse("work", args=[row.uuid]),
            "until": row.lease.expires_at,
            "reopened": screen.reopened_by_lead(row),
        }
        for row in rows.order_by("claimed_at")
    ]


def lost(user: User) -> list[dict[str, Any]]:
    """Work that was revoked in the last seven days, with the reason and how the person can go on."""
    return [
        {
            "project": row.task.item.project.title,
            "row": row_of(assignments.why_closed(row)),
            "away": revoked.way_on(row),
        }
        for row in notices.recently_revoked(user, now=clock.now())
    ]


def led(user: User) -> list[dict[str, Any]]:
    """The projects that the person leads, with their progress."""
    memberships = Membership.objects.filter(user=user, role=Role.LEAD, ended_at__isnull=True)
    rows = Project.objects.filter(memberships__in=memberships).annotate(
        total=Count("queues__tasks", distinct=True),
        done=Count("queues__tasks", filter=Q(queues__tasks__state=TaskState.DONE), distinct=True),
    )
    return [
        {"title": row.title, "slug": row.slug, "done": row.done, "total": row.total} for row in rows.order_by("title")
    ]


def _offer(user: User, project: Project, queue: Queue) -> dict[str, Any]:
    activity = registry.get(project.protocol).activity(queue.activity)
    counts = queue.tasks.aggregate(
        total=Count("pk"), done=Count("pk", filter=Q(state__in=(TaskState.DONE, TaskState.DISPUTED)))
    )
    resume = Assignment.objects.filter(annotator=user, task__queue=queue, state=AssignmentState.LEASED).exists()
    seek = eligibility.Seeker(user, project, (queue,), activity, project.protocol, clock.now() - eligibility.SESSION)
    left = eligibility.count_doable(seek)
    consented = has_consented(user, project)
    refused = eligibility.why_not_claim(user, project, queue.activity)
    return {
        "project": project.title,
        "slug": project.slug,
        "activity": queue.activity,
        "title": gettext(activity.title),
        "description": gettext(activity.description),
        "minutes": queue.lease_minutes,
        "left_words": _left_in_words(activity, left),
        "left": left,
        "done": counts["done"],
        "total": counts["total"],
        "claim_url": reverse("claim", args=[project.slug, queue.activity]),
        "search_url": reverse("search", args=[project.slug, queue.activity]) if activity.picks == "search" else "",
        "why_not": WHY_NOT.get(refused or "", ""),
        "consent_needed": not consented,
        "nothing": "" if left or resume else WHY_NOTHING[no_work.why_no_work(seek).reason],
        "resume": resume,
    }
