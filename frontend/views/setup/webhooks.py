"""Webhooks of a project: added, changed, tested, given another secret, removed; and what was delivered."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation import clock
from annotation.models import Project
from annotation.outgoing.addresses import CallRefused
from frontend import access
from frontend.leads.setup import webhooks as pages
from frontend.requests import AuthedRequest, action_view, answer_view, form_view, page_view
from tasks.models import Webhook
from tasks.webhooks import sending, webhooks


@form_view
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """The webhooks and a form; POST adds one, and shows its secret."""
    project = access.led_project(request.user, slug)
    if request.method == "GET":
        return _index(request, project, kinds=pages.kinds_of(None))
    url, chosen = request.POST.get("url", "").strip(), request.POST.getlist("kinds")
    try:
        row = webhooks.add(project, url=url, kinds=chosen, by=request.user, now=clock.now())
    except CallRefused as refused:
        return _index(request, project, kinds=pages.kinds_of(None, chosen), url=url, refused=refused)
    return _secret(request, row, is_new=True)


@page_view
def show(request: AuthedRequest, slug: str, webhook: int) -> HttpResponse:
    """One of them: what it tells of, what can be decided, and its deliveries."""
    row = access.led_webhook(request.user, slug, webhook)
    return _page(request, row)


@answer_view
def change(request: AuthedRequest, slug: str, webhook: int) -> HttpResponse:
    """Have it tell of other things."""
    row, chosen = access.led_webhook(request.user, slug, webhook), request.POST.getlist("kinds")
    try:
        webhooks.change(row, kinds=chosen, by=request.user, now=clock.now())
    except CallRefused as refused:
        return _page(request, row, chosen=chosen, refused=refused)
    messages.success(request, _("From now on it tells of what you have chosen."))
    return redirect("webhook", slug=slug, webhook=webhook)


@action_view
def pause(request: AuthedRequest, slug: str, webhook: int) -> HttpResponse:
    """Send nothing for now; with `resume`, send again."""
    row = access.led_webhook(request.user, slug, webhook)
    if "resume" in request.POST:
        webhooks.resume(row, by=request.user, now=clock.now())
        messages.success(request, _("It is called again. What waited is on its way."))
    else:
        webhooks.pause(row, by=request.user, now=clock.now())
        messages.success(request, _("It is paused. What happens meanwhile waits."))
    return redirect("webhook", slug=slug, webhook=webhook)


@answer_view
def rotate(request: AuthedRequest, slug: str, webhook: int) -> HttpResponse:
    """Give it a new secret, and show that."""
    row = access.led_webhook(request.user, slug, webhook)
    webhooks.rotate(row, by=request.user, now=clock.now())
    return _secret(request, row, is_new=False)


@action_view
def remove(request: AuthedRequest, slug: str, webhook: int) -> HttpResponse:
    """Call it no more."""
    row = access.led_webhook(request.user, slug, webhook)
    webhooks.end(row, by=request.user, now=clock.now())
    messages.success(request, _("The webhook is removed. What waited for it is dropped."))
    return redirect("webhooks", slug=slug)


@action_view
def test(request: AuthedRequest, slug: str, webhook: int) -> HttpResponse:
    """Send it a message that tells of nothing."""
    row = access.led_webhook(request.user, slug, webhook)
    sending.send_test(row, by=request.user, now=clock.now())
    messages.success(request, _("A test is on its way. What comes of it is below in a few seconds."))
    return redirect("webhook", slug=slug, webhook=webhook)


@action_view
def send_again(request: AuthedRequest, slug: str, webhook: int, delivery: int) -> HttpResponse:
    """Send one of its deliveries once more."""
    row = access.led_delivery(request.user, slug, webhook, delivery)
    sending.send_again(row, by=request.user, now=clock.now())
    messages.success(request, _("It is on its way again, under the same id."))
    return redirect("webhook", slug=slug, webhook=webhook)


def _index(
    request: AuthedRequest,
    project: Project,
    *,
    kinds: list[tuple[str, str, bool]],
    url: str = "",
    refused: CallRefused | None = None,
) -> HttpResponse:
    context = {
        "project": project,
        "listed": pages.listed(project),
        "kinds": kinds,
        "url": url,
        "refused": refused,
        "why": _(refused.message) if refused else "",
        "hosts_are_allowed": pages.hosts_are_allowed(),
    }
    return render(request, "webhooks/index.html", context, status=422 if refused else 200)


def _page(
    request: AuthedRequest, row: Webhook, *, chosen: list[str] | None = None, refused: CallRefused | None = None
) -> HttpResponse:
    context = {
        "project": row.project,
        "webhook": row,
        "kinds": pages.kinds_of(row, chosen),
        "why": _(refused.message) if refused else "",
        "problem": pages.address_problem(row),
        "log": pages.log_page(row, page=request.GET.get("page", "1")),
        "is_about_to_send": pages.is_about_to_send(row, now=clock.now()),
        "history": pages.history_of(row),
    }
    return render(request, "webhooks/show.html", context, status=422 if refused else 200)


def _secret(request: AuthedRequest, row: Webhook, *, is_new: bool) -> HttpResponse:
    return render(request, "webhooks/secret.html", {"project": row.project, "webhook": row, "is_new": is_new})
