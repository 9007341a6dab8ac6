"""Home, consent and guidelines."""

from __future__ import annotations

import uuid as uuids
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify

from annotation import clock, membership, projects, randomness
from annotation.worktime import taken, totals
from frontend import access, my_time
from frontend.access.projects import or_not_found
from frontend.courses import offered
from frontend.experts.disputes import decided_by
from frontend.leads.led import archived_by, led_by, led_projects, trials_of_lead
from frontend.markdown import document
from frontend.requests import AuthedRequest, form_view, page_view
from frontend.work import judging, own_messages
from frontend.work.beginning import beforehand, news, offers
from frontend.work.held import held_by
from frontend.work.meetings.acts import meetings_of
from frontend.work.partner import ended_work

TO_READ = "guidelines_to_read"
"""In the session: slugs of projects whose consent text was accepted in it, and whose guidelines come next."""


@page_view
def index(request: AuthedRequest) -> HttpResponse:
    """Home: what the person can do now."""
    now, rows = clock.now(), offers.offers_for(request.user, to_read=request.session.get(TO_READ, ()))
    context = {
        "letters": own_messages.unread(request.user),
        "lost": news.lost_work(request.user, now=now),
        "left": news.ended_memberships(request.user, now=now),
        "decided": news.decided_work(request.user, now=now),
        "ended": ended_work(request.user, now=now),
        "held": held_by(request.user),
        "open": [row for row in rows if not row["closed"]],
        "closed": [row for row in rows if row["closed"]],
        "led": led_by(request.user),
        "trials": trials_of_lead(request.user, led_projects(request.user), now=now),
        "archived": archived_by(request.user),
        "makes": membership.may_make_projects(request.user),
        "decides": decided_by(request.user),
        "rounds": judging.rounds_of(request.user),
        "meetings": meetings_of(request.user),
        "courses": offered.courses_for(request.user, now=now),
        "has_left": not rows and membership.has_left(request.user),
        "texts": offers.read_again(request.user),
        "changed": beforehand.changed_guidelines(request.user, my_time.worked_in(request.user)),
        "today": totals.today_of(request.user, now=now),
        "spent": my_time.total_of_day(request.user, now.date()),
        "since": totals.bounds(now.date())[0],
        "day": now.date(),
    }
    return render(request, "home.html", context)


@form_view
def consent(request: AuthedRequest, slug: str) -> HttpResponse:
    """Show the consent text; POST accepts it and goes on to the guidelines, for the activity in the query `to`.

    Or to the dispute of the item in `dispute`, for whoever wants to answer it themselves, or to the course in `course`.
    """
    project, disputed = access.member_project(request.user, slug), request.GET.get("dispute", "")
    if request.method == "POST":
        to = request.GET.get("to", "")
        task = access.disputed_task(request.user, slug, to, access.key_of(disputed)) if disputed else None
        membership.accept_consent(user=request.user, project=project, now=clock.now())
        request.session[TO_READ] = [*{*request.session.get(TO_READ, ()), slug}]
        if task is not None:
            return redirect("dispute", slug=slug, activity=task.activity, item_id=task.item_id)
        if course := request.GET.get("course", ""):
            return redirect("course", slug, access.course_qualification(request.user, slug, course).key)
        activity = urlencode({"to": to})
        return redirect(f"{reverse('guidelines', args=[slug])}?{activity}")
    text = document(membership.consent_text_of(project)[0])
    accepted = membership.has_consented(request.user, project)
    context = {"project": project.title, "text": text, "accepted": accepted, "disputed": disputed}
    return render(request, "consent.html", context)


@page_view
def guidelines(request: AuthedRequest, slug: str) -> HttpResponse:
    """The current guidelines, or those in force when the assignment `of` was claimed, opened at its stage `at`.

    Without `of`, buttons to begin follow: the activity `to`, or all of the project's that are open to the person.
    """
    project = access.member_project(request.user, slug)
    of, at = request.GET.get("of", ""), slugify(request.GET.get("at", ""))
    claimed = access.guidelines_of_work(request.user, project, of)
    version = or_not_found(claimed or projects.guidelines_of(project))
    context = {"project": project.title, "number": version.number, "at": version.at, "text": document(version.text)}
    context |= {"fast_percent": round(100 * version.fast_share), "usual": taken.USUAL}
    if claimed and at:
        context |= {"draft_url": reverse("draft", args=[uuids.UUID(of), at]), "client": randomness.handle()}
    elif claimed is None:
        context["begin"] = offers.to_begin(project, request.user, request.GET.get("to", ""))
    return render(request, "guidelines.html", context)
