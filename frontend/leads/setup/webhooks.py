"""The webhooks of a project as its leads see them: all of them, and the deliveries and the history of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, Prefetch, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation import events
from annotation.models import AllowedHost, Event, Project
from annotation.outgoing.addresses import CallRefused, target_of
from frontend.leads.event_lines import EventLine, event_lines
from tasks.models import Delivery, DeliveryOutcome, DeliveryTry, Webhook
from tasks.webhooks import sending, webhooks
from tasks.webhooks.kinds import KINDS, TEST

PER_PAGE = 30
LATEST = 30
SOON = 10
"""Seconds: while something is due within them, the page fetches the log again and again."""
S = DeliveryOutcome
WORDS: dict[str, Any] = {
    webhooks.MADE: _("Added"),
    webhooks.CHANGED: _("Tells of other things"),
    webhooks.PAUSED: _("Paused"),
    webhooks.RESUMED: _("Resumed"),
    webhooks.ROTATED: _("Given a new secret"),
    webhooks.ENDED: _("Removed"),
    sending.TESTED: _("A test was sent"),
    sending.SENT_AGAIN: _("A delivery was sent again"),
}
"""What leads decided about a webhook."""
OUTCOMES: dict[str, Any] = {
    "": _("No outcome is known: the server was stopped while it called"),
    "address": _("The address can’t be called"),
    "https": _("The address is not of https"),
    "not_allowed": _("The host is not allowed any more"),
    "not_public": _("The host has an address in a private network"),
    "name": _("The name of the host is unknown"),
    "connection": _("The host took no connection"),
    "certificate": _("No secure connection: the certificate is not valid for this host"),
    "time": _("No answer within 5 seconds"),
    "size": _("The answer was too long"),
    "broken": _("The connection broke, or the answer was none"),
}
"""What came of a call that had no answer."""


@dataclass(frozen=True)
class ListedWebhook:
    """A webhook, with how many deliveries wait and were given up; its kinds in words, and when one last arrived."""

    row: Webhook
    kinds: tuple[str, ...]
    reached: datetime | None


@dataclass(frozen=True)
class LoggedDelivery:
    """A delivery: what it tells, how its last call went, in words ("" before the first), and the calls before that."""

    row: Delivery
    what: str
    last: str
    earlier: tuple[tuple[datetime, str], ...]
    can_be_sent: bool

    @property
    def message(self) -> str:
        """Its id, as it is sent."""
        return f"msg_{self.row.uuid.hex}"


def listed(project: Project) -> list[ListedWebhook]:
    """Those that have not ended, the newest last."""
    counts = {
        "n_waiting": Count("deliveries", filter=Q(deliveries__outcome=S.WAITING)),
        "n_given_up": Count("deliveries", filter=Q(deliveries__outcome=S.GIVEN_UP)),
    }
    rows = webhooks.live(project).annotate(**counts).order_by("pk")
    return [_listed(row) for row in rows]


def kinds_of(row: Webhook | None, chosen: Sequence[str] | None = None) -> list[tuple[str, str, bool]]:
    """All kinds: key, words, and whether it is chosen; by a form that was refused, by the webhook, or all of them."""
    if chosen is None:
        chosen = list(KINDS) if row is None else list(row.kinds.values_list("kind", flat=True).distinct())
    return [(kind, str(title), kind in chosen) for kind, (title, _events) in KINDS.items()]


def hosts_are_allowed() -> bool:
    """Whether the site may call any host at all."""
    return AllowedHost.objects.exists()


def log_page(row: Webhook, *, page: str) -> Page[LoggedDelivery]:
    """A page of its deliveries, newest first."""
    calls = Prefetch("calls", DeliveryTry.objects.order_by("-pk"))
    rows = Delivery.objects.filter(webhook=row).prefetch_related(calls).order_by("-pk")
    shown: Page[Any] = Paginator(rows, PER_PAGE).get_page(page)
    shown.object_list = [_logged(each, row) for each in shown]
    return shown


def is_about_to_send(row: Webhook, *, now: datetime) -> bool:
    """Whether the log is about to change."""
    waiting = Delivery.objects.filter(webhook=row, outcome=S.WAITING).values_list("due_at", flat=True)
    first = waiting.order_by("due_at").first()
    can_send = row.paused_at is None and row.ended_at is None
    return can_send and first is not None and (first - now).total_seconds() < SOON


def history_of(row: Webhook) -> list[EventLine]:
    """What leads decided about it; newest first."""
    found = Event.objects.filter(subject=events.name(row), kind__in=WORDS).order_by("-pk")[:LATEST]
    return event_lines(found, what=lambda each: str(WORDS[each.kind]))


def address_problem(row: Webhook) -> str:
    """Why nothing can be sent to it now, or ""."""
    try:
        name = target_of(row.url).allowed_as
    except CallRefused as refused:
        return gettext(refused.message)
    if AllowedHost.objects.filter(name=name).exists():
        return ""
    return gettext("An admin of the site has to allow %(host)s again. Until then nothing arrives.") % {"host": name}


def _listed(row: Webhook) -> ListedWebhook:
    kinds = tuple(title for _key, title, chosen in kinds_of(row) if chosen)
    arrived = Delivery.objects.filter(webhook=row, outcome=S.DELIVERED).order_by("-ended_at")
    return ListedWebhook(
        row=row,
        kinds=kinds,
        reached=arrived.values_list("ended_at", flat=True).first(),
    )


def _logged(each: Delivery, row: Webhook) -> LoggedDelivery:
    calls = [(call.at, _came_of(call)) for call in each.calls.all()]
    return LoggedDelivery(
        row=each,
        what=gettext("Test") if each.kind == TEST else str(KINDS[each.kind][0]),
        last=calls[0][1] if calls else "",
        earlier=tuple(calls[1:]),
        can_be_sent=row.ended_at is None and each.outcome != S.DROPPED,
    )


def _came_of(call: DeliveryTry) -> str:
    if call.status is not None:
        return gettext("Answered %(status)s") % {"status": call.status}
    return str(OUTCOMES[call.outcome])
