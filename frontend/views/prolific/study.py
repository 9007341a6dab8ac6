"""A lead connects a project to a study on Prolific, approves submissions, pays bonuses and fills participant groups."""

from __future__ import annotations

import uuid as uuids
from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation import clock, projects, randomness
from annotation.errors import NotFound, WrongMove
from annotation.models import Project
from annotation.setup import changes
from frontend import access
from frontend.leads.prolific import page
from frontend.leads.prolific.forms import BonusForm, ConnectForm, GroupForm, connect_form, keys_among
from frontend.leads.prolific.page import preview_of
from frontend.requests import AuthedRequest, action_view, answer_view, form_view, page_view, parse_day
from tasks.prolific import api, bonuses, connecting, groups
from tasks.prolific.answers import ProlificFailed
from tasks.prolific.api import TurnedAway


@page_view
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """The study with its submissions, bonuses and groups; or the form that connects one."""
    project = access.led_recruited(request.user, slug)
    return _page(request, project, connect_form(project))


@answer_view
def connect(request: AuthedRequest, slug: str) -> HttpResponse:
    """Connect the project, or give the token of its study anew; the token is never shown again."""
    project = access.led_recruited(request.user, slug)
    form = connect_form(project, request.POST)
    if form.is_valid() and _connected(request, project, form):
        messages.success(request, _("Connected. The token is stored encrypted and not shown again."))
        return redirect("prolific", slug)
    return _page(request, project, form, status=422)


def _connected(request: AuthedRequest, project: Project, form: ConnectForm) -> bool:
    """Whether it is connected now; if not, the form says why."""
    try:
        connecting.connect(project, **form.cleaned_data, by=request.user, now=clock.now())
    except TurnedAway as turned_away:
        form.add_error(None, refusal_words(turned_away))
    except (ProlificFailed, WrongMove) as why:
        form.add_error(None, _(why.message))
    return not form.errors


@action_view
def disconnect(request: AuthedRequest, slug: str) -> HttpResponse:
    """Forget the token."""
    study = access.led_study(request.user, slug)
    with told(request):
        connecting.disconnect(study, by=request.user, now=clock.now())
        messages.success(request, _("Disconnected. The token is deleted here; delete it on Prolific, too."))
    return redirect("prolific", slug)


@action_view
def read(request: AuthedRequest, slug: str) -> HttpResponse:
    """Read study and submissions again."""
    study = access.led_study(request.user, slug)
    with told(request):
        n = connecting.read(study, now=clock.now())
        messages.success(request, ngettext("%(n)s submission read.", "%(n)s submissions read.", n) % {"n": n})
    return redirect("prolific", slug)


@action_view
def approve(request: AuthedRequest, slug: str) -> HttpResponse:
    """Approve what was ticked, or all of people who have finished."""
    study = access.led_study(request.user, slug)
    keys = page.all_finished(study) if request.POST.get("all") else keys_among(request.POST.getlist("submission"))
    with told(request):
        n = connecting.approve(study, keys, by=request.user, now=clock.now())
        said = ngettext("Prolific approves %(n)s submission.", "Prolific approves %(n)s submissions.", n) % {"n": n}
        messages.success(request, said + " " + _("Read again in a minute to see it."))
    return redirect("prolific", slug)


@action_view
def take_code(request: AuthedRequest, slug: str) -> HttpResponse:
    """Make a completion code of the study that of the project."""
    study = access.led_study(request.user, slug)
    code = request.POST.get("code", "")
    if code not in study.codes:
        raise NotFound
    recruiting = projects.project_config(study.project).recruiting.model_dump(mode="json")
    config = {"recruiting": recruiting | {"completion_code": code}}
    changes.change(study.project, config=config, by=request.user, now=clock.now())
    messages.success(request, _("The project’s completion code is %(code)s now.") % {"code": code})
    return redirect("prolific", slug)


def _page(request: AuthedRequest, project: Project, form: ConnectForm, *, status: int = 200) -> HttpResponse:
    study = connecting.study_of(project)
    context = {
        "project": project,
        "study": study,
        "form": form,
        "documented_on": api.DOCUMENTED_ON,
        "blocked_host": page.blocked_host(),
        "bonuses": page.bonus_rows(project),
        "history": page.history_of(project),
    }
    if study is not None:
        address = request.build_absolute_uri(reverse("join_open", args=[project.slug]))
        context |= page.of_study(study, address, number=request.GET.get("page", "1"))
    return render(request, "people/prolific/index.html", context, status=status)


@form_view
def preview_bonus(request: AuthedRequest, slug: str) -> HttpResponse:
    """What each would get, up to a day; POST confirms it."""
    study = access.led_study(request.user, slug)
    today = timezone.localdate(clock.now())
    if request.method == "POST":
        return _confirmed(request, slug)
    until = min(parse_day(request.GET.get("until", "")) or today, today)
    shown = {"project": study.project, "study": study, "today": today, "key": randomness.handle()}
    return render(request, "people/prolific/bonus.html", shown | preview_of(study, until=until))


def _confirmed(request: AuthedRequest, slug: str) -> HttpResponse:
    study, form, now = access.led_study(request.user, slug), BonusForm(request.POST), clock.now()
    if not form.is_valid():
        messages.error(request, _(bonuses.CHANGED))
        return redirect("prolific_bonus", slug)
    seen, until, key = form.chosen()
    only = frozenset(keys_among(request.POST.getlist("person")))
    today, following = timezone.localdate(now), "prolific_bonus"
    with told(request):
        bonuses.confirm(study, seen=seen, only=only, until=until, key=key, by=request.user, now=now, today=today)
        messages.success(request, _("Confirmed. They are sent within a minute; below is what becomes of them."))
        following = "prolific"
    return redirect(following, slug)


@action_view
def decide_bonus(request: AuthedRequest, slug: str, settlement: uuids.UUID) -> HttpResponse:
    """Take back what was not sent to be paid, or say what became of what stayed unclear."""
    bonus = access.led_bonus(request.user, slug, settlement)
    what, by, now = request.POST.get("what", ""), request.user, clock.now()
    with told(request):
        if what == "take_back":
            bonuses.take_back(bonus, by=by, now=now)
        elif what in {"paid", "not_paid"}:
            bonuses.decide(bonus, paid=what == "paid", by=by, now=now)
        else:
            raise NotFound
        messages.success(request, _("Noted."))
    return redirect("prolific", slug)


@action_view
def add_group(request: AuthedRequest, slug: str) -> HttpResponse:
    """Fill a group from now on."""
    study = access.led_study(request.user, slug)
    form = GroupForm(study.project, request.POST)
    if not form.is_valid():
        messages.error(request, _("Give the id of a group, and a qualification."))
        return redirect("prolific", slug)
    chosen = form.cleaned_data
    with told(request):
        made = groups.add(study, chosen["qualification"], chosen["group_id"], by=request.user, now=clock.now())
        messages.success(request, _("“%(name)s” is filled within a minute.") % {"name": made.name})
    return redirect("prolific", slug)


@action_view
def drop_group(request: AuthedRequest, slug: str, group: int) -> HttpResponse:
    """Fill it no more."""
    row = access.led_group(request.user, slug, group)
    groups.drop(row, by=request.user, now=clock.now())
    messages.success(request, _("“%(name)s” is filled no more; on Prolific it stays as it is.") % {"name": row.name})
    return redirect("prolific", slug)


@contextmanager
def told(request: HttpRequest) -> Iterator[None]:
    """Turn a refusal inside the block into a message of the next page."""
    try:
        yield
    except TurnedAway as turned_away:
        messages.error(request, refusal_words(turned_away))
    except (ProlificFailed, WrongMove) as why:
        messages.error(request, _(why.message))


def refusal_words(turned_away: TurnedAway) -> str:
    """What Prolific has refused, in words."""
    if turned_away.status in {401, 403}:
        return _("Prolific does not accept the token.")
    if turned_away.status == 404:
        return _("Prolific knows nothing with this id, or shows it to the token’s owner only.")
    return _("Prolific refuses it: %(words)s") % {"words": turned_away.message}
