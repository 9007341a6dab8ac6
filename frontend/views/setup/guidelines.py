"""The versions of a project's guidelines: the editor, its preview, and publishing."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation import clock
from annotation.setup import texts
from frontend import access
from frontend.leads.setup import guidelines, settings, undoing
from frontend.markdown import document
from frontend.requests import AuthedRequest


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def edit(request: AuthedRequest, slug: str) -> HttpResponse:
    """The editor, from the last version or from that of the query `version`; POST publishes, or previews (`go`)."""
    project = access.led_project(request.user, slug)
    versions = settings.versions(project)
    last, wanted = next(iter(versions), None), request.GET.get("version", "")
    chosen = next((each for each in versions if str(each.number) == wanted), last)
    form = guidelines.GuidelinesForm(request.POST) if request.POST else guidelines.form_from(chosen, last=last)
    publish = request.POST.get("go") == "publish"
    if publish and form.is_valid():
        sent, now = form.cleaned_data, clock.now()
        made = texts.publish_guidelines(
            project,
            text=sent["text"],
            kind=sent["kind"],
            fast_share=sent["fast_percent"] / 100,
            seen=sent["seen"],
            by=request.user,
            now=now,
        )
        said = _("In force for what is claimed from now on.") if made else _("Nothing was different.")
        messages.success(request, said, extra_tags=undoing.tag_of(project, by=request.user, now=now))
        return redirect("settings", slug=slug)
    text = texts.tidy(form["text"].value() or "")
    context = {
        "project": project,
        "form": form,
        "refused": publish,
        "previewed": request.method == "POST" or chosen is not last,
        "kinds": guidelines.KINDS.items(),
        "versions": versions,
        "chosen": chosen,
        "next": last.number + 1 if last else 1,
        "text": document(text),
        "lines": guidelines.differences(last.text if last else "", text),
    }
    return render(request, "setup/guidelines.html", context, status=422 if publish else 200)
