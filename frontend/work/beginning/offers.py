"""What a person can do now: their activities with progress, and what each waits for."""

from __future__ import annotations

from collections.abc import Collection
from typing import NotRequired, TypedDict

from django.db.models import Count, Q
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.text import get_text_list
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from annotation import clock, projects, registry
from annotation.membership import has_consented
from annotation.models import Project, User
from annotation.protocol import Activity
from frontend.my_time import worked_in
from frontend.work.beginning import beforehand, missing
from frontend.work.held import LeftWork, left_for_later
from tasks.engine import eligibility, no_work
from tasks.models import Assignment, Queue
from tasks.models.states import AssignmentState, QueueState, TaskState

WHY_NOTHING = {
    "all_done": _("Everything here has all the answers it needs."),
    "done_all_you_may": _("The rest is for other people, or is waiting for a lead."),
    "others_hold": _("Other people are working on everything that is left."),
    "alike_lately": _("You had all of these in the last 12 hours, about another page. They come back later."),
    "not_open": _("This work is not open at the moment."),
}
"""Why a claim finds nothing, by its reason."""
CLOSES = {
    True: _("Once you open something here, “%(other)s” is closed to you for good."),
    False: _("Once you send something here, “%(other)s” is closed to you for good."),
}
"""What choosing one of two activities means where nobody may do both, by `Activity.shows_at_claim`."""
WHY_NOT = {
    "leads_cannot_claim": _("You lead this project and see everybody’s answers, so you can’t give any yourself."),
    "sees_answers": _("As an expert or a lead you have seen everybody’s answers here, so you can’t give any yourself."),
    "not_a_member": _("You are no longer an annotator in this project. Ask a lead of the project."),
    "finishing": _("You finish what you have open; there is no new work for you in this project."),
    "waits_elsewhere": _("You are waiting for a partner in other work, in another tab."),
    "other_pool": _("In this project you either ask or answer, never both, and you have begun the other."),
}
"""Why a person may not do some work at all: it only ever says something about themselves."""


class WorkOffer(TypedDict):
    """An activity as home, lobbies and scripts offer it to somebody.

    `left` (also in words), `done` and `total` are tasks; `resume`: they hold work of it. `why_not` and the `missing`
    qualifications say why it is not theirs to do, `nothing` why nothing is left, `closes` what it closes for good.
    `closed`: it can't be begun now. Of the addresses that do not apply each is "".
    """

    project: str
    slug: str
    activity: str
    title: str
    description: str
    takes: str
    pay: str
    left_for_later: LeftWork | None
    closes: str
    left_words: str
    left: int
    done: int
    total: int
    claim_url: str
    search_url: str
    why_not: str
    missing: list[missing.MissingQualification]
    consent_url: str
    read_url: NotRequired[str]
    closed: bool
    nothing: str
    resume: bool
    pairs: bool


class ProjectToRead(TypedDict):
    """A project with pages to read; `consented`: to its consent text."""

    title: str
    slug: str
    consented: bool


def in_words(activity: Activity, n: int) -> str:
    """`n` items of an activity in words: `1 item`."""
    return ngettext(*activity.counted, n) % {"n": number_format(n, force_grouping=True)}


def _left_in_words(activity: Activity, left: int) -> str:
    if left <= eligibility.COUNTED:
        return in_words(activity, left)
    return gettext("more than %(many)s") % {"many": in_words(activity, eligibility.COUNTED)}


def offers_for(user: User, *, to_read: Collection[str] = ()) -> list[WorkOffer]:
    """The activities of the person's projects with an open queue, and what is left in each; those with nothing last.

    `to_read`: slugs of projects whose guidelines come first, until the person has been given work there.
    """
    offers = [offer for project in worked_in(user) for offer in offers_in(project, user)]
    unread = [slug for slug in to_read if not _has_begun(user, slug)]
    for offer in offers:
        guidelines = f"{reverse('guidelines', args=[offer['slug']])}?to={offer['activity']}"
        offer["read_url"] = offer["consent_url"] or (guidelines if offer["slug"] in unread else "")
    return sorted(offers, key=lambda offer: offer["closed"])


def offers_in(project: Project, user: User) -> list[WorkOffer]:
    """The same for one project, in the order of its queues; what one does alone is offered in the lobby only."""
    queues = project.queues.filter(state=QueueState.OPEN).select_related("project").order_by("pk")
    ways_out = {activity.alone for activity in registry.get(project.protocol).activities}
    return [_offer(user, project, queue) for queue in queues if queue.activity not in ways_out]


def to_begin(project: Project, user: User, activity: str) -> list[WorkOffer]:
    """What the person can begin in a project: this activity, or all of them if it is not open to them."""
    rows = [row for row in offers_in(project, user) if not row["closed"]] if project in worked_in(user) else []
    return [row for row in rows if row["activity"] == activity] or rows


def read_again(user: User) -> list[ProjectToRead]:
    """The projects that the person works in, with the pages to read before and during the work."""
    return [
        {"title": project.title, "slug": project.slug, "consented": has_consented(user, project)}
        for project in worked_in(user)
    ]


def _has_begun(user: User, slug: str) -> bool:
    return Assignment.objects.filter(annotator=user, lease__project__slug=slug).exists()


def _holds(user: User, project: Project) -> bool:
    mine = Assignment.objects.filter(annotator=user, lease__project=project, state=AssignmentState.LEASED)
    return mine.exists()


def _offer(user: User, project: Project, queue: Queue) -> WorkOffer:
    activity = registry.get(project.protocol).activity(queue.activity)
    counts = queue.tasks.exclude(state=TaskState.CANCELLED).aggregate(
        total=Count("pk"), done=Count("pk", filter=Q(state__in=(TaskState.DONE, TaskState.DISPUTED)))
    )
    resume = Assignment.objects.filter(annotator=user, task__queue=queue, state=AssignmentState.LEASED).exists()
    now = clock.now()
    seek = eligibility.Seeker(user, project, (queue,), activity, project.protocol, now - eligibility.SESSION)
    free = eligibility.count_doable(seek)
    left = free or eligibility.count_new(seek)
    consented = has_consented(user, project)
    refused = eligibility.why_not_claim(user, project, queue.activity) or ""
    if refused == "not_a_member" and _holds(user, project):
        refused = "finishing"
    lacking = missing.missing_qualifications(user, project, queue.activity) if refused == "not_qualified" else []
    why_not = "" if lacking and resume else missing.missing_in_words(lacking) if lacking else WHY_NOT.get(refused, "")
    return {
        "project": project.title,
        "slug": project.slug,
        "activity": queue.activity,
        "title": gettext(activity.title),
        "description": gettext(activity.description),
        "takes": beforehand.usual_time_in_words(project, activity),
        "pay": projects.project_config(project).pay,
        "left_for_later": None if resume or why_not else left_for_later(seek, now=now),
        "closes": "" if why_not else _closes(user, project, activity),
        "left_words": _left_in_words(activity, left),
        "left": left,
        "done": counts["done"],
        "total": counts["total"],
        "claim_url": reverse(
            "enter_lobby" if activity.picks == "pair" else "claim", args=[project.slug, queue.activity]
        ),
        # A search finds tasks only; what has none yet is given by a claim.
        "search_url": reverse("search", args=[project.slug, queue.activity])
        if activity.picks == "search" and (free or not left) and not lacking
        else "",
        "why_not": str(why_not),
        "missing": lacking,
        "consent_url": "" if consented else f"{reverse('consent', args=[project.slug])}?to={queue.activity}",
        "closed": bool(why_not) or not (left or resume),
        "nothing": "" if left or resume else str(WHY_NOTHING[no_work.why_no_work(seek).reason]),
        "resume": resume,
        "pairs": activity.picks == "pair",
    }


def _closes(user: User, project: Project, activity: Activity) -> str:
    """What doing this activity closes for good, said before it happens; "" if nothing, or if it has happened."""
    if not activity.excludes or not projects.project_config(project).separate_pools:
        return ""
    open_ones = set(project.queues.filter(state=QueueState.OPEN).values_list("activity", flat=True))
    others = [
        gettext(other.title)
        for other in registry.get(project.protocol).activities
        if other.key in activity.excludes & open_ones
        and eligibility.why_not_claim(user, project, other.key) != "other_pool"
    ]
    return CLOSES[activity.shows_at_claim] % {"other": get_text_list(others, gettext("and"))} if others else ""
