"""The text that is searched: only what somebody may know of an item before choosing it."""

from __future__ import annotations

from django.db import models


class SearchText(models.Model):
    """Title and abstract of an item. `annotation.search` creates the full-text index over it after every migrate."""

    item = models.OneToOneField("annotation.Item", on_delete=models.CASCADE, related_name="search_text")
    title = models.TextField()
    abstract = models.TextField()
