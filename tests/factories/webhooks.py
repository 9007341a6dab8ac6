"""Webhooks of projects, and what was delivered to them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from annotation.models import AllowedHost, Project, User
from annotation.outgoing.addresses import target_of
from tasks.models import Delivery, DeliveryTry, Webhook
from tasks.webhooks import webhooks
from tasks.webhooks.kinds import KINDS
from tests.factories.base import NOON, RowFactory
from tests.factories.outgoing import AllowedHostFactory


class WebhookFactory(RowFactory):
    """A webhook of `project` that tells of all `kinds`; its host is allowed."""

    class Meta:
        model = Webhook

    url = "https://hooks.lab.example/goldfinch"
    kinds = tuple(KINDS)
    now = NOON

    @classmethod
    def _create(
        cls, model_class: type[Webhook], *, project: Project, by: User, url: str, kinds: Iterable[str], now: datetime
    ):
        name = target_of(url).allowed_as
        if not AllowedHost.objects.filter(name=name).exists():
            AllowedHostFactory(name=name, by=by)
        return webhooks.add(project, url=url, kinds=kinds, by=by, now=now)


class DeliveryFactory(RowFactory):
    """A delivery for `webhook` that waits, of an item that is done."""

    class Meta:
        model = Delivery

    kind = "item.done"
    made_at = NOON
    due_at = NOON


class DeliveryTryFactory(RowFactory):
    """A call of `delivery` that was answered."""

    class Meta:
        model = DeliveryTry

    at = NOON
    outcome = "answered"
    status = 204
