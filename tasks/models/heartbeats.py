"""The table of the background jobs' sign of life."""

from __future__ import annotations

from django.db import models


class Heartbeat(models.Model):
    """When a background job last ran: one row for the whole site."""

    ONLY = 1
    """The key of the row."""

    at = models.DateTimeField()
