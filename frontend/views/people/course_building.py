"""The course of a qualification: its draft, its rules and guidelines, publishing, closing, and what it was before."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation import clock
from annotation.errors import NotFound
from annotation.models import Event
from frontend import access
from frontend.leads.courses import item_pictures, overview, saving
from frontend.leads.courses.forms import RulesForm
from frontend.requests import AuthedRequest
from qualification.courses import editing, sitting


@login_required
@never_cache
@require_GET
def index(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """The draft, or what is published, with what is missing, the versions and the history."""
    row = access.led_qualification(request.user, slug, qualification)
    return render(request, "people/course/index.html", overview.course_context(row))


@login_required
@require_POST
def begin(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """Begin a draft: an empty course, or a copy of the latest version."""
    row = access.led_qualification(request.user, slug, qualification)
    editing.edit(row, by=request.user, now=clock.now())
    return redirect("course_draft", slug, qualification)


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def rules(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """Attempts, time, pay and guidelines of the draft."""
    draft = access.led_draft(request.user, slug, qualification)
    course = editing.read(draft)
    form = RulesForm(initial=RulesForm.values_of(course) | {"edits": draft.edits})
    status: int | None = 200
    if request.method == "POST":
        form = RulesForm(request.POST)
        status = 422 if not form.is_valid() else 200
        if status == 200 and request.POST.get("go") != "preview":
            status = saving.save(draft, form, form.changed, by=request.user, what="rules")
            if not status:
                messages.success(request, _("Saved in the draft."))
                return redirect("course_draft", slug, qualification)
    context = overview.draft_context(draft) | {"form": form, "refused": status != 200}
    context |= {"previewed": request.method == "POST" and status == 200}
    return render(request, "people/course/rules.html", context, status=status)


@login_required
@require_POST
def publish(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """Freeze the draft: who begins from now on gets it."""
    draft = access.led_draft(request.user, slug, qualification)
    editing.publish(draft, edits=saving.edits_of(request.POST), by=request.user, now=clock.now())
    words = _("Version %(n)s is published: who begins from now on gets it.") % {"n": draft.version}
    messages.success(request, words)
    return redirect("course_draft", slug, qualification)


@login_required
@require_POST
def add_pictures(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """Add pictures that items of the draft name and the project lacks, as after a set-up file from another site."""
    draft = access.led_draft(request.user, slug, qualification)
    added, others = item_pictures.add_missing(request, draft, now=clock.now())
    if not added and not others:
        messages.error(request, _("Choose a file first."))
    if added:
        words = ngettext("%(n)s picture is added.", "%(n)s pictures are added.", added) % {"n": added}
        messages.success(request, words)
    if others:
        words = _("None of the missing pictures: %(names)s. Choose the same files as before, unchanged.")
        messages.error(request, words % {"names": ", ".join(others)})
    return redirect("course_draft", slug, qualification)


@login_required
@require_POST
def discard(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """Make the draft what was published last."""
    draft = access.led_draft(request.user, slug, qualification)
    event = editing.discard(draft, edits=saving.edits_of(request.POST), by=request.user, now=clock.now())
    messages.success(
        request, _("The changes of the draft are discarded."), extra_tags=_undo(slug, qualification, event)
    )
    return redirect("course_draft", slug, qualification)


@login_required
@require_POST
def close(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """Let nobody begin the course any more, or let people begin it again."""
    row = access.led_qualification(request.user, slug, qualification)
    last = row.course_versions.filter(published_at__isnull=False).order_by("-version").first()
    how = request.POST.get("how", "")
    if last is None or how not in ("close", "open"):
        raise NotFound
    editing.close(last, closed=how == "close", by=request.user, now=clock.now())
    closed = _("Closed: nobody begins the course any more, and who has begun it finishes it.")
    messages.success(request, closed if how == "close" else _("Open again: people can begin the course."))
    return redirect("course_draft", slug, qualification)


@login_required
@require_POST
def bring_back(request: AuthedRequest, slug: str, qualification: str, event: int) -> HttpResponse:
    """Bring back what was deleted, or the changes that were discarded."""
    draft = access.led_draft(request.user, slug, qualification)
    row = Event.objects.filter(pk=event, project_id=draft.qualification.project_id).first()
    if row is None:
        raise NotFound
    editing.bring_back(draft, row, by=request.user, now=clock.now())
    messages.success(request, _("As before."))
    return redirect(saving.page_of(draft, row))


@login_required
@never_cache
@require_GET
def show_version(request: AuthedRequest, slug: str, qualification: str, version: int) -> HttpResponse:
    """All of a version, with right options and explanations."""
    row = access.led_course(request.user, slug, qualification, version)
    return render(request, "people/course/version.html", overview.version_context(row))


@login_required
@require_POST
def sit(request: AuthedRequest, slug: str, qualification: str, version: int) -> HttpResponse:
    """Sit the exam of a version as a candidate would; it counts nowhere."""
    row = access.led_course(request.user, slug, qualification, version)
    attempt = sitting.issue_trial(request.user, row.qualification, row, now=clock.now())
    return redirect(overview.exam_url(attempt))


def _undo(slug: str, qualification: str, event: Event) -> str:
    return f"undo {reverse('bring_back_piece', args=[slug, qualification, event.pk])}"
