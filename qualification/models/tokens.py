"""Tables of the API: tokens of people, and the answers to calls that may be repeated."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class TokenScope(models.TextChoices):
    """What a token may be used for; its person's rights at that moment are the other limit."""

    READ = "read", _("Read everything that you may see as a lead")
    LEAD = "lead", _("Lead one project: read and change it")
    WORK = "work", _("Do your own work as an annotator")


class ApiToken(models.Model):
    """A token with which a person's script calls the API. Its secret is stored as a hash only.

    `project`: with scope `lead`, the only one. `last_used_at` is at most a minute old while the token is in use.
    """

    user = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="api_tokens")
    name = models.CharField(max_length=100)
    scope = models.CharField(max_length=10, choices=TokenScope)
    project = models.ForeignKey(
        "annotation.Project", null=True, on_delete=models.PROTECT, related_name="api_tokens", db_index=False
    )
    secret_sha256 = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(scope=TokenScope.LEAD, project__isnull=False)
                | (~Q(scope=TokenScope.LEAD) & Q(project=None)),
                name="tokens_of_leads_have_a_project",
            ),
        ]

    def is_live(self, now: datetime) -> bool:
        """Whether it may be used at that time."""
        return self.revoked_at is None and now < self.expires_at


class ApiCall(models.Model):
    """A call that has changed something, with its answer, for a day: the same key again gets the same answer.

    `sha256`: of its method, address and body. `answer`: JSON, as text, since PostgreSQL would put its keys into
    another order and the second answer would not be the first.
    """

    token = models.ForeignKey(ApiToken, on_delete=models.CASCADE, related_name="calls", db_index=False)
    key = models.CharField(max_length=100)
    sha256 = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    answer = models.TextField(default="null")
    at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["token", "key"], name="one_call_per_key")]
