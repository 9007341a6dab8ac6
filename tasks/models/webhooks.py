"""Webhooks of a project, and the outbox of what is to be delivered; a trigger on events fills it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation import randomness

LONGEST_URL = 500


class Webhook(models.Model):
    """An address that is called when something happens in a project, until `ended_at`; nothing is sent while paused.

    `old_secret` signs beside `secret` until `old_secret_until`. `busy_until`: a sender has it until then.
    """

    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, related_name="webhooks")
    url = models.CharField(max_length=LONGEST_URL)
    secret = models.CharField(max_length=80)
    old_secret = models.CharField(max_length=80, blank=True)
    old_secret_until = models.DateTimeField(null=True)
    by = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    paused_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    busy_until = models.DateTimeField(null=True)

    # Annotated by `frontend.leads.setup.webhooks.listed`.
    n_waiting: int
    n_given_up: int


class WebhookKind(models.Model):
    """An event of the history of which a webhook tells, and what it calls it; a webhook that has ended has none."""

    webhook = models.ForeignKey(Webhook, on_delete=models.PROTECT, related_name="kinds")
    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, related_name="+", db_index=False)
    event_kind = models.CharField(max_length=60)
    kind = models.CharField(max_length=40)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "event_kind", "webhook"], name="one_row_per_event_of_a_webhook")
        ]


class DeliveryOutcome(models.TextChoices):
    """A delivery `waits` until an answer says that it has arrived, or until it has been tried often enough."""

    WAITING = "waiting", _("Waiting")
    DELIVERED = "delivered", _("Delivered")
    GIVEN_UP = "given_up", _("Given up")
    DROPPED = "dropped", _("Dropped")


class Delivery(models.Model):
    """One message for a webhook; its `uuid` is the same in every try. `event`: the key of the event, None for a test.

    `due_at`: when it is tried next. A try moves that on before it calls, so that no two call at once, and one that is
    killed is followed by another.
    """

    uuid = models.UUIDField(unique=True, default=randomness.handle, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.PROTECT, related_name="deliveries")
    event = models.BigIntegerField(null=True)
    kind = models.CharField(max_length=40)
    outcome = models.CharField(max_length=20, choices=DeliveryOutcome, default=DeliveryOutcome.WAITING)
    failures = models.PositiveSmallIntegerField(default=0)
    made_at = models.DateTimeField()
    due_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["webhook", "due_at"],
                condition=Q(outcome=DeliveryOutcome.WAITING),
                name="deliveries_that_are_due",
            ),
        ]


class DeliveryTry(models.Model):
    """One call. `outcome`: "" until it is known, which it never is of a sender that was killed; `answered`, or why not.

    `status`: of the answer.
    """

    delivery = models.ForeignKey(Delivery, on_delete=models.CASCADE, related_name="calls")
    at = models.DateTimeField()
    outcome = models.CharField(max_length=20, blank=True)
    status = models.PositiveSmallIntegerField(null=True)
