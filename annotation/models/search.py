"""The only text that searches see: what somebody may know of an item before choosing it."""

from __future__ import annotations

from django.db import models


class SearchText(models.Model):
    """Title and abstract of an item. The full-text index over it is made after every migrate (`annotation.search`)."""

    item = models.OneToOneField("annotation.Item", on_delete=models.CASCADE, related_name="search_text")
    title = models.TextField()
    abstract = models.TextField()
