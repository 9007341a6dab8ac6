"""The texts that are searched: what people may know of an item before choosing it, and by what leads find it."""

from __future__ import annotations

from django.db import models


class SearchText(models.Model):
    """Title and abstract of an item. `annotation.search` creates the full-text index over it after every migrate."""

    item = models.OneToOneField("annotation.Item", on_delete=models.CASCADE, related_name="search_text")
    title = models.TextField()
    abstract = models.TextField()


class ItemText(models.Model):
    """By what a lead finds an item: its caption and its external id, casefolded. `annotation.search` writes it."""

    item = models.OneToOneField("annotation.Item", on_delete=models.CASCADE, related_name="text")
    text = models.TextField()
