"""The course of a qualification: its draft, rules, publishing, closing, versions, and corrections of right answers."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation import clock, events
from annotation.errors import NotFound, StalePage, WrongMove
from annotation.models import Event
from frontend import access
from frontend.access.projects import or_not_found
from frontend.leads.courses import arranging, item_form, overview
from frontend.leads.courses.forms import RulesForm
from frontend.requests import AuthedRequest, action_view, form_view, page_view
from qualification.courses import editing, regrading, sitting
from qualification.models import CourseVersion


@page_view
def index(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """The draft, or what is published, with what is missing, the versions and the history."""
    row = access.led_qualification(request.user, slug, qualification)
    return render(request, "people/course/index.html", overview.course_context(row))


@action_view
def begin(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """Begin a draft: an empty course, or a copy of the latest version."""
    row = access.led_qualification(request.user, slug, qualification)
    editing.edit(row, by=request.user, now=clock.now())
    return redirect("course_draft", slug, qualification)


@form_view
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
            status = arranging.save(draft, form, form.changed, by=request.user, what="rules")
            if not status:
                messages.success(request, _("Saved in the draft."))
                return redirect("course_draft", slug, qualification)
    context = overview.draft_context(draft) | {"form": form, "refused": status != 200}
    context |= {"previewed": request.method == "POST" and status == 200}
    return render(request, "people/course/rules.html", context, status=status)


@action_view
def publish(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """Freeze the draft: who begins from now on gets it."""
    draft = access.led_draft(request.user, slug, qualification)
    editing.publish(draft, edits=arranging.edits_of(request.POST), by=request.user, now=clock.now())
    words = _("Version %(n)s is published: who begins from now on gets it.") % {"n": draft.version}
    messages.success(request, words)
    return redirect("course_draft", slug, qualification)


@action_view
def add_pictures(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """Add pictures that items of the draft name and the project lacks, as after a set-up file from another site."""
    draft = access.led_draft(request.user, slug, qualification)
    added, others = item_form.add_missing_pictures(request, draft, now=clock.now())
    if not added and not others:
        messages.error(request, _("Choose a file first."))
    if added:
        words = ngettext("%(n)s picture is added.", "%(n)s pictures are added.", added) % {"n": added}
        messages.success(request, words)
    if others:
        words = _("None of the missing pictures: %(names)s. Choose the same files as before, unchanged.")
        messages.error(request, words % {"names": ", ".join(others)})
    return redirect("course_draft", slug, qualification)


@action_view
def discard(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """Make the draft what was published last."""
    draft = access.led_draft(request.user, slug, qualification)
    event = editing.discard(draft, edits=arranging.edits_of(request.POST), by=request.user, now=clock.now())
    messages.success(
        request, _("The changes of the draft are discarded."), extra_tags=_undo(slug, qualification, event)
    )
    return redirect("course_draft", slug, qualification)


@action_view
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


@action_view
def bring_back(request: AuthedRequest, slug: str, qualification: str, event: int) -> HttpResponse:
    """Bring back what was deleted, or the changes that were discarded."""
    draft = access.led_draft(request.user, slug, qualification)
    row = or_not_found(Event.objects.filter(pk=event, project_id=draft.qualification.project_id).first())
    editing.bring_back(draft, row, by=request.user, now=clock.now())
    messages.success(request, _("As before."))
    return redirect(arranging.page_of(draft, row))


@page_view
def show_version(request: AuthedRequest, slug: str, qualification: str, version: int) -> HttpResponse:
    """All of a version, with right options and explanations."""
    row = access.led_course(request.user, slug, qualification, version)
    return render(request, "people/course/version.html", overview.version_context(row))


@action_view
def sit(request: AuthedRequest, slug: str, qualification: str, version: int) -> HttpResponse:
    """Sit the exam of a version as a candidate would; it counts nowhere."""
    row = access.led_course(request.user, slug, qualification, version)
    attempt = sitting.issue_trial(request.user, row.qualification, row, now=clock.now())
    return redirect("exam", attempt.uuid)


def _undo(slug: str, qualification: str, event: Event) -> str:
    return f"undo {reverse('bring_back_piece', args=[slug, qualification, event.pk])}"


@form_view
def correct(request: AuthedRequest, slug: str, qualification: str, version: int, piece: str) -> HttpResponse:
    """Choose the right options, see who changes by it, and do it."""
    row = access.led_course(request.user, slug, qualification, version)
    if request.method == "GET":
        return render(request, "people/course/correct.html", arranging.correction_context(row, piece, None))
    right = arranging.chosen_by(row, piece, request.POST)
    context, status = arranging.correction_context(row, piece, right), 200
    context |= {"reason": request.POST.get("reason", "")}
    try:
        if request.POST.get("go") == "correct":
            return _corrected(request, row, piece, right)
    except (WrongMove, StalePage) as refused:
        context |= {"why": refused.message, "wants_reason": not context["reason"].strip()}
        status = 409 if isinstance(refused, StalePage) else 422
    try:
        context |= arranging.preview_context(regrading.preview(row, piece, right))
    except WrongMove as refused:
        context |= {"why": refused.message}
        status = 422
    return render(request, "people/course/correct.html", context, status=status)


@action_view
def correct_back(request: AuthedRequest, slug: str, qualification: str, version: int, event: int) -> HttpResponse:
    """Undo a correction; who was given the qualification keeps it."""
    row = access.led_course(request.user, slug, qualification, version)
    found = Event.objects.filter(pk=event, project_id=row.qualification.project_id).first()
    arranging.correct_back(row, found, by=request.user, now=clock.now())
    messages.success(request, _("The right answer is as before. Whoever was given the qualification keeps it."))
    return redirect("course_version", slug, qualification, version)


def _corrected(request: AuthedRequest, row: CourseVersion, piece: str, right: list[Any]) -> HttpResponse:
    was, reason = arranging.shown_by(row, piece, request.POST.get("was", "")), request.POST.get("reason", "")
    with events.recorded() as made:
        changed = regrading.correct(row, piece, right, was=was, reason=reason, by=request.user, now=clock.now())
    [slug, key] = row.qualification.project.slug, row.qualification.key
    done = [each for each in made if each.kind == "course.corrected"]
    undo = f"undo {reverse('correct_item_back', args=[slug, key, row.version, done[-1].pk])}" if done else ""
    words = _in_words(len(changed), sum(each.admits for each in changed)) if done else _("Nothing was different.")
    messages.success(request, words, extra_tags=undo)
    return redirect("course_version", slug, key, row.version)


def _in_words(n: int, given: int) -> str:
    again = ngettext("%(n)s attempt is graded anew.", "%(n)s attempts are graded anew.", n) % {"n": n}
    to = ngettext("%(n)s person was given the qualification.", "%(n)s people were given the qualification.", given)
    return f"{_('Corrected.')} {again} {to % {'n': given}}"
