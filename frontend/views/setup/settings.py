"""A project's settings: title, numbers, texts, its set-up as a file; undoing a change; archiving and removing it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation import clock, events, membership
from annotation.models import Project
from annotation.setup import changes
from frontend import access
from frontend.leads.setup import from_file, settings, undoing
from frontend.markdown import document
from frontend.requests import AuthedRequest, action_view, form_view, page_view
from tasks.setup import archiving, estimate, opening, overlap, remaining


@form_view
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """The settings; POST changes them, and goes on to the items that exist if their overlap is another."""
    project = access.led_project(request.user, slug)
    title, form = settings.forms_of(project, request.POST if request.method == "POST" else None)
    if request.method == "GET" or not (title.is_valid() and form.is_valid()):
        return _page(request, project, title=title, form=form)
    with events.recorded() as made:
        changed = settings.save(project, title, form, by=request.user, now=clock.now())
    messages.success(request, settings.changes_in_words(project, changed), extra_tags=undoing.tag_of(project, made))
    return redirect("existing_items" if any(map(changes.is_overlap, changed)) else "settings", slug=slug)


@action_view
def undo(request: AuthedRequest, slug: str, event: int) -> HttpResponse:
    """Set everything as it was before a change, of the settings, a text or the numbers of a queue."""
    project = access.led_project(request.user, slug)
    undone = undoing.undo(project, event, by=request.user, now=clock.now())
    messages.success(request, undoing.SAID[undone.kind])
    if undone.kind == opening.CHANGED:
        return redirect("queues", slug=slug)
    resized = undone.kind == changes.CHANGED and any(map(changes.is_overlap, undone.data["after"]))
    return redirect("existing_items" if resized else "settings", slug=slug)


@form_view
def existing_items(request: AuthedRequest, slug: str) -> HttpResponse:
    """What the overlap means for items that have a task already; POST gives them the places that are wanted now."""
    project = access.led_project(request.user, slug)
    if request.method == "POST":
        done = overlap.apply(project, by=request.user, now=clock.now())
        messages.success(request, _("Done.") if done else _("Nothing was different."))
        return redirect("settings", slug=slug)
    return render(request, "setup/existing_items.html", {"project": project, "planned": overlap.planned(project)})


@form_view
def consent_text(request: AuthedRequest, slug: str) -> HttpResponse:
    """The consent text; POST changes it, or shows how it would look if `go` is `preview`."""
    project = access.led_project(request.user, slug)
    form = settings.consent_form(project, request.POST if request.method == "POST" else None)
    publish = request.POST.get("go") == "publish"
    if publish and form.is_valid():
        with events.recorded() as made:
            changed = changes.change_consent(project, text=form.cleaned_data["text"], by=request.user, now=clock.now())
        said = _("Changed. Everybody is asked again before they go on.") if changed else _("Nothing was different.")
        messages.success(request, said, extra_tags=undoing.tag_of(project, made))
        return redirect("settings", slug=slug)
    context = {"project": project, "form": form, "refused": publish, "accepted": settings.accepted(project)}
    context |= {"preview": document(form["text"].value() or membership.consent_text()[0])}
    return render(request, "setup/consent_text.html", context, status=422 if publish else 200)


@page_view
def setup_file(request: AuthedRequest, slug: str) -> HttpResponse:
    """The set-up as a YAML file to keep, or to make another project from."""
    project = access.led_project(request.user, slug)
    name = f'attachment; filename="{project.slug}.yaml"'
    return HttpResponse(
        from_file.text_of(project), content_type="application/yaml", headers={"Content-Disposition": name}
    )


def _page(
    request: AuthedRequest, project: Project, *, title: settings.TitleForm, form: settings.ConfigForm
) -> HttpResponse:
    refused, before = request.method == "POST", remaining.before_queues(project)
    context = {
        "project": project,
        "title_form": title,
        "form": form,
        "refused": refused,
        "history": settings.history(project),
        "before": before,
        "estimate": before.estimate if before else estimate.of_project(project, remaining.left_in_queues(project)),
        "versions": settings.versions(project),
        "has_own_consent": bool(project.consent_sha256),
        "why_not_archive": archiving.why_not_archive(project),
        "why_not_remove": archiving.why_not_remove(project),
    }
    return render(request, "setup/settings.html", context, status=422 if refused else 200)


@form_view
def edit(request: AuthedRequest, slug: str) -> HttpResponse:
    """The editor, from the last version or from that of the query `version`; POST publishes, or previews (`go`)."""
    project = access.led_project(request.user, slug)
    versions = settings.versions(project)
    last, wanted = next(iter(versions), None), request.GET.get("version", "")
    chosen = next((each for each in versions if str(each.number) == wanted), last)
    form = settings.GuidelinesForm(request.POST) if request.POST else settings.guidelines_form(chosen, last=last)
    publish = request.POST.get("go") == "publish"
    if publish and form.is_valid():
        sent = form.cleaned_data
        with events.recorded() as made:
            published = changes.publish_guidelines(
                project,
                text=sent["text"],
                kind=sent["kind"],
                fast_share=sent["fast_percent"] / 100,
                seen=sent["seen"],
                by=request.user,
                now=clock.now(),
            )
        said = _("In force for what is claimed from now on.") if published else _("Nothing was different.")
        messages.success(request, said, extra_tags=undoing.tag_of(project, made))
        return redirect("settings", slug=slug)
    text = changes.tidy(form["text"].value() or "")
    context = {
        "project": project,
        "form": form,
        "refused": publish,
        "previewed": request.method == "POST" or chosen is not last,
        "kinds": settings.GUIDELINE_KINDS.items(),
        "versions": versions,
        "chosen": chosen,
        "next": last.number + 1 if last else 1,
        "text": document(text),
        "lines": settings.differences(last.text if last else "", text),
    }
    return render(request, "setup/guidelines.html", context, status=422 if publish else 200)


@action_view
def archive(request: AuthedRequest, slug: str) -> HttpResponse:
    """Let the project rest; the message can bring it back."""
    project = access.led_project(request.user, slug)
    archiving.archive(project, by=request.user, now=clock.now())
    said, url = _("%(title)s is archived."), reverse("bring_back_project", args=[slug])
    messages.success(request, said % {"title": project.title}, extra_tags=f"undo {url}")
    return redirect("home")


@action_view
def bring_back(request: AuthedRequest, slug: str) -> HttpResponse:
    """Bring it back."""
    project = access.led_project(request.user, slug)
    archiving.bring_back(project, by=request.user, now=clock.now())
    messages.success(request, _("%(title)s is back. Its queues are as they were.") % {"title": project.title})
    return redirect("project", slug=slug)


@action_view
def remove(request: AuthedRequest, slug: str) -> HttpResponse:
    """Take a project with nothing in it away."""
    project = access.led_project(request.user, slug)
    archiving.remove(project, by=request.user, now=clock.now())
    said = _("%(title)s is taken away, and its address, %(slug)s, is free.")
    messages.success(request, said % {"title": project.title, "slug": slug})
    return redirect("home")
