"""What leads write on the data card of the releases that are built from then on."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation import clock, events
from annotation.setup import changes
from frontend import access
from frontend.leads.releases.forms import card_form
from frontend.leads.setup import undoing
from frontend.requests import AuthedRequest, form_view


@form_view
def edit(request: AuthedRequest, slug: str) -> HttpResponse:
    """The texts; POST keeps them for the next release."""
    project = access.led_project(request.user, slug)
    form = card_form(project, request.POST if request.method == "POST" else None)
    refused = request.method == "POST" and not form.is_valid()
    if request.method == "GET" or refused:
        context = {"project": project, "form": form, "refused": refused}
        return render(request, "project/releases/card.html", context, status=422 if refused else 200)
    with events.recorded() as made:
        changed = changes.change(project, config={"card": form.texts()}, by=request.user, now=clock.now())
    said = _("Saved. The next release has it on its card.") if changed else _("Nothing was different.")
    messages.success(request, said, extra_tags=undoing.tag_of(project, made))
    return redirect("data_card", slug=slug)
