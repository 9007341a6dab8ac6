"""Disputes, for experts and leads: what waits for a decision, one dispute, and what is decided about it."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation import clock, membership, projects, registry
from annotation.errors import ConsentMissing, ReasonMissing, Refused
from annotation.models import Role
from annotation.setup import changes
from frontend import access
from frontend.access.projects import or_not_found
from frontend.errors import row_of
from frontend.experts import asked, disputes
from frontend.experts import references as references_to_write
from frontend.leads.items.overview import prompt_of
from frontend.requests import AuthedRequest, action_view, answer_view, page_view
from frontend.wording import noun_of_activity
from frontend.work.csp import allow_frame
from frontend.work.forms.tokens import uuid_of
from tasks.corrections import more_annotations
from tasks.disputes import deciding, references, who
from tasks.models import Task


@page_view
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """The disputes that are open, or decided; an expert who has not begun is told first what follows from it."""
    project, decided = access.dispute_project(request.user, slug), "decided" in request.GET
    if not who.sees_answers(request.user, project):
        begins = {"project": project, "references": references_to_write.set_aside_for(project).exists()}
        return render(request, "experts/begin.html", begins)
    context = {
        "project": project,
        "leads": Role.LEAD in membership.roles_of(request.user, project),
        "decided": decided,
        "references": references_to_write.set_aside_for(project).exists(),
        "tells": projects.project_config(project).tells_decisions,
        "asked": asked.asked_of(request.user, project, request.GET.get("asked", "")),
        "rows": disputes.listed(
            request.user, project, decided=decided, page=request.GET.get("page", "1"), now=clock.now()
        ),
        "activities": [(each.key, _(each.title)) for each in registry.get(project.protocol).activities],
    }
    return render(request, "experts/disputes.html", context)


@action_view
def begin(request: AuthedRequest, slug: str) -> HttpResponse:
    """An expert begins to see everybody's answers, and is given no more work in the project."""
    project = access.dispute_project(request.user, slug)
    who.begin(request.user, project, now=clock.now())
    return redirect("disputes", slug=slug)


@action_view
def tell(request: AuthedRequest, slug: str) -> HttpResponse:
    """A lead has the people concerned told about decisions (`tell=1`), or no longer."""
    project, told = access.led_project(request.user, slug), request.POST.get("tell") == "1"
    changes.change(project, config={"tells_decisions": told}, by=request.user, now=clock.now())
    return redirect("disputes", slug=slug)


@page_view
def item(request: AuthedRequest, slug: str, activity: str, item_id: int) -> HttpResponse:
    """One dispute: the answers side by side, and the decision; leads see whose they are with `names=1`."""
    return _page(request, access.disputed_task(request.user, slug, activity, item_id))


@answer_view
def decide(request: AuthedRequest, slug: str, activity: str, item_id: int) -> HttpResponse:
    """Decide for one of the answers, and go on to the next dispute; back to it with the reason if that is refused."""
    task = access.once_disputed_task(request.user, slug, activity, item_id)
    if more_annotations.is_awaiting(task):
        return _not_open(request, task)
    reason, chosen = request.POST.get("reason", ""), or_not_found(uuid_of(request, "chosen"))
    try:
        deciding.decide(task, chosen, by=request.user, reason=reason, now=clock.now())
    except (deciding.AnswerGone, ReasonMissing) as why:
        return _page(request, task, refused=why)
    messages.success(request, _("Decided. The annotations stay as they are."))
    return redirect(_next(slug, activity, disputes.next_after(request.user, task)))


@action_view
def ask(request: AuthedRequest, slug: str, activity: str, item_id: int) -> HttpResponse:
    """Ask for two more annotations instead of a decision, and go on to the next dispute, where that can be undone."""
    task = access.once_disputed_task(request.user, slug, activity, item_id)
    if more_annotations.is_awaiting(task):
        return _not_open(request, task)
    following = disputes.next_after(request.user, task)
    asked.ask(task, by=request.user, reason=request.POST.get("reason", ""), now=clock.now())
    return redirect(f"{_next(slug, activity, following)}?{urlencode({'asked': task.pk})}")


@action_view
def unask(request: AuthedRequest, slug: str, task_id: int) -> HttpResponse:
    """Take that back, while nobody has begun one of them: the dispute is open again."""
    task = access.asked_task(request.user, slug, task_id)
    more_annotations.take_back(task, by=request.user, now=clock.now())
    messages.success(request, _("Taken back. The dispute is open again."))
    return redirect("dispute", slug=slug, activity=task.activity, item_id=task.item_id)


def _page(request: AuthedRequest, task: Task, *, refused: Refused | None = None) -> HttpResponse:
    """A dispute; with what was sent, if that was refused."""
    project = task.item.project
    kind = registry.get(project.protocol).activity(task.activity)
    leads = Role.LEAD in membership.roles_of(request.user, project)
    names = leads and request.GET.get("names") == "1"
    context = {
        "project": project,
        "item_id": task.item_id,
        "activity": kind.key,
        "title": _(kind.title),
        "noun": noun_of_activity(kind),
        "prompt": prompt_of(task.item),
        "leads": leads,
        "names": names,
        "rail": disputes.rail_of(request.user, task, now=clock.now()),
        "asked": asked.asked_of(request.user, project, request.GET.get("asked", "")),
        "dispute": disputes.dispute_page(task, kind, by=request.user, leads=leads, names=names),
        "sent": request.POST,
        "refused": _(refused.message) if refused else "",
    }
    status = row_of(refused).status if refused else 200
    return allow_frame(request, render(request, "experts/dispute.html", context, status=status))


def _not_open(request: AuthedRequest, task: Task) -> HttpResponse:
    """Say in the list of disputes that more annotations were asked for meanwhile, where that can be undone."""
    messages.info(request, deciding.why_not_open(task))
    return redirect(f"{reverse('disputes', args=[task.queue.project.slug])}?{urlencode({'asked': task.pk})}")


def _next(slug: str, activity: str, item: int | None) -> str:
    """The address of the next dispute, or of the list if there is none."""
    return reverse("disputes", args=[slug]) if item is None else reverse("dispute", args=[slug, activity, item])


@action_view
def write(request: AuthedRequest, slug: str, activity: str, item_id: int) -> HttpResponse:
    """Begin an answer of one's own, or go on with it, on the screens of the work."""
    task = access.once_disputed_task(request.user, slug, activity, item_id)
    if more_annotations.is_awaiting(task):
        return _not_open(request, task)
    try:
        mine = references.write(task, by=request.user, now=clock.now())
    except ConsentMissing:
        back = urlencode({"to": activity, "dispute": item_id})
        return redirect(f"{reverse('consent', args=[slug])}?{back}")
    return redirect("work", mine.uuid)


@action_view
def undo(request: AuthedRequest, slug: str, activity: str, item_id: int) -> HttpResponse:
    """Take a decision back: the dispute is open again."""
    task = access.disputed_task(request.user, slug, activity, item_id)
    deciding.take_back(task, by=request.user, reason=request.POST.get("reason", ""), now=clock.now())
    messages.success(request, _("Taken back. The dispute is open again."))
    return redirect("dispute", slug=slug, activity=activity, item_id=item_id)
