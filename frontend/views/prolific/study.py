"""A lead connects a project to a study on Prolific, reads it again, and approves submissions."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation import clock, projects
from annotation.errors import NotFound, WrongMove
from annotation.models import Project
from annotation.setup import changes
from frontend import access
from frontend.leads.prolific import history, page
from frontend.leads.prolific.forms import ConnectForm, connect_form, keys_among
from frontend.requests import AuthedRequest
from frontend.views.prolific.telling import refusal_words, told
from tasks.prolific import api, connecting
from tasks.prolific.answers import ProlificFailed
from tasks.prolific.api import TurnedAway


@login_required
@never_cache
@require_GET
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """The study with its submissions, bonuses and groups; or the form that connects one."""
    project = access.led_recruited(request.user, slug)
    return _page(request, project, connect_form(project))


@login_required
@never_cache
@require_POST
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


@login_required
@require_POST
def disconnect(request: AuthedRequest, slug: str) -> HttpResponse:
    """Forget the token."""
    study = access.led_study(request.user, slug)
    with told(request):
        connecting.disconnect(study, by=request.user, now=clock.now())
        messages.success(request, _("Disconnected. The token is deleted here; delete it on Prolific, too."))
    return redirect("prolific", slug)


@login_required
@require_POST
def read(request: AuthedRequest, slug: str) -> HttpResponse:
    """Read study and submissions again."""
    study = access.led_study(request.user, slug)
    with told(request):
        n = connecting.read(study, now=clock.now())
        messages.success(request, ngettext("%(n)s submission read.", "%(n)s submissions read.", n) % {"n": n})
    return redirect("prolific", slug)


@login_required
@require_POST
def approve(request: AuthedRequest, slug: str) -> HttpResponse:
    """Approve what was ticked, or all of people who have finished."""
    study = access.led_study(request.user, slug)
    keys = page.all_finished(study) if request.POST.get("all") else keys_among(request.POST.getlist("submission"))
    with told(request):
        n = connecting.approve(study, keys, by=request.user, now=clock.now())
        said = ngettext("Prolific approves %(n)s submission.", "Prolific approves %(n)s submissions.", n) % {"n": n}
        messages.success(request, said + " " + _("Read again in a minute to see it."))
    return redirect("prolific", slug)


@login_required
@require_POST
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
        "history": history.history_of(project),
    }
    if study is not None:
        address = page.join_address(request.build_absolute_uri("/")[:-1], project)
        context |= page.of_study(study, address, number=request.GET.get("page", "1"))
    return render(request, "people/prolific/index.html", context, status=status)
