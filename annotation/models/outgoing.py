"""Which hosts the site may call."""

from __future__ import annotations

from django.db import models


class AllowedHost(models.Model):
    """A host that an admin has allowed the site to call: its name, with a port unless that is 443, and what for."""

    name = models.CharField(max_length=260, unique=True)
    purpose = models.CharField(max_length=200, blank=True)
    by = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
