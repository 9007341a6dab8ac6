"""What is worked on: projects, items, documents and their bytes, and the texts that searches look through."""

from __future__ import annotations

from collections.abc import Collection

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.triggers.append_only import ImmutableModel


class ProjectsInUse(models.Manager["Project"]):
    """All projects but those that were taken away, empty."""

    def get_queryset(self) -> models.QuerySet[Project]:
        return super().get_queryset().filter(removed_at__isnull=True)


class Project(models.Model):
    """One collection effort under one protocol. `config` is typed by the protocol's `config` class.

    `consent_sha256`: the ConsentText that people accept here; "" is the text of the site. `archived_at`: since when it
    rests, to be read and brought back; `removed_at`: when it was taken away, empty, and its slug given free.
    """

    slug = models.SlugField(unique=True, max_length=60)
    title = models.CharField(max_length=200)
    protocol = models.CharField(max_length=40)
    config = models.JSONField(default=dict)
    consent_sha256 = models.CharField(max_length=64, blank=True, default="", db_default="")
    created_at = models.DateTimeField()
    archived_at = models.DateTimeField(null=True)
    removed_at = models.DateTimeField(null=True)

    objects = ProjectsInUse()
    with_removed = models.Manager()  # noqa: DJ012 -- not a field

    def __str__(self) -> str:
        return self.title


class GuidelineVersion(ImmutableModel):
    """One version of a project's guidelines; annotators stay on the version of their claim.

    `fast_share`, which the text declares: a lead looks at answers that took less than this share of their author's
    own median time at the stage (0: at none).
    """

    class Kind(models.TextChoices):
        EDITORIAL = "editorial", _("Editorial")
        SEMANTIC = "semantic", _("Semantic")

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="guidelines")
    number = models.PositiveIntegerField()
    text = models.TextField()
    fast_share = models.FloatField(default=0)
    kind = models.CharField(max_length=20, choices=Kind)
    at = models.DateTimeField()
    by = models.ForeignKey("annotation.User", null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "number"], name="one_guideline_number")]


class Document(ImmutableModel):
    """Immutable bytes: those of the blob with this sha-256."""

    sha256 = models.CharField(max_length=64, unique=True)
    media_type = models.CharField(max_length=80)
    length = models.PositiveBigIntegerField()


def items_in_work(relation: str = "") -> models.Q:
    """The items that the work is made of: neither was their import undone, nor were they set aside for an exam.

    `relation`: the way to them, such as "item__". `Item.objects` begins with it; queries that come from other tables
    name it themselves. What is paid and what people see of their own work asks nothing of the kind: that stays theirs.
    """
    return models.Q(**{f"{relation}undone_at__isnull": True, f"{relation}set_aside_at__isnull": True})


def under_roots(roots: Collection[int]) -> models.QuerySet[Item]:
    """The items with these keys, and all under them, undone or not: `filter(item__in=under_roots([item.pk]))`.

    `Q(item=root) | Q(item__root=root)` says the same, but an OR over two tables has no index: it reads every row.
    """
    return Item.with_undone.filter(models.Q(pk__in=roots) | models.Q(root__in=roots))


class ItemsInWork(models.Manager["Item"]):
    """The items of the work: what every list, count, search and figure begins with."""

    def get_queryset(self) -> models.QuerySet[Item]:
        return super().get_queryset().filter(items_in_work())


class ItemsInUse(models.Manager["Item"]):
    """Those and the items that were set aside: what a project has, for its leads, imports and exams."""

    def get_queryset(self) -> models.QuerySet[Item]:
        return super().get_queryset().filter(undone_at__isnull=True)


class Item(models.Model):
    """The thing to be worked on. It is visible only once its import job is done; `root` is null at the top of a tree.

    `alike`: the similarity key, equal for items that ask the same of a person ("" if the protocol has none).
    `undone_at`: that of its import, if this was undone. `set_aside_at`: since when it is kept out of the work for
    exams, the same at a root and at all under it. `objects` has neither; queries that come from other tables ask
    `items_in_work`, or `annotation.releases.selection.visible_items`.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="items")
    kind = models.CharField(max_length=40)
    external_id = models.CharField(max_length=200)
    split = models.CharField(max_length=40)
    payload = models.JSONField()
    content_sha256 = models.CharField(max_length=64)
    alike = models.CharField(max_length=64, blank=True, default="")
    made_from = models.ForeignKey("annotation.Annotation", null=True, on_delete=models.PROTECT, related_name="made")
    root = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="descendants")
    is_gold = models.BooleanField(default=False)
    position = models.PositiveBigIntegerField()
    job = models.ForeignKey("annotation.Job", null=True, on_delete=models.PROTECT, related_name="items")
    undone_at = models.DateTimeField(null=True)
    set_aside_at = models.DateTimeField(null=True)

    objects = ItemsInWork()
    with_set_aside = ItemsInUse()
    with_undone = models.Manager()  # noqa: DJ012 -- not a field

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "kind", "external_id"],
                condition=models.Q(undone_at__isnull=True),
                name="one_item_per_external_id",
            ),
        ]
        indexes = [
            models.Index(fields=["project", "split", "position"], name="items_in_order"),
            # A list of items begins with those that come first: without it all were sorted for a page.
            models.Index(fields=["project", "position"], name="items_of_a_project"),
            models.Index(fields=["project", "alike"], name="items_that_ask_the_same"),
            models.Index(
                fields=["project", "position"],
                condition=models.Q(set_aside_at__isnull=False),
                name="items_that_are_set_aside",
            ),
        ]


class ItemDocument(ImmutableModel):
    """A document of an item: its metadata, and the layout to which annotations refer."""

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="item_documents")
    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="item_documents")
    position = models.PositiveSmallIntegerField(default=0)
    title = models.TextField(blank=True)
    url = models.TextField(blank=True)
    licence = models.CharField(max_length=200, blank=True)
    layout = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["item", "position"], name="one_document_per_position")]


class Blob(ImmutableModel):
    """Bytes under their own sha-256, compressed (`annotation.storage.blobs`): those of a Document, or of a layout.

    A blob is inserted in the transaction that inserts the rows that refer to it, so there is none without such a row.
    """

    sha256 = models.CharField(max_length=64, primary_key=True)
    data = models.BinaryField()


class SearchText(models.Model):
    """Title and abstract of an item. `annotation.search` creates the full-text index over it after every migrate."""

    item = models.OneToOneField("annotation.Item", on_delete=models.CASCADE, related_name="search_text")
    title = models.TextField()
    abstract = models.TextField()


class ItemText(models.Model):
    """By what a lead finds an item: its caption and its external id, caseless. `annotation.search` writes it."""

    item = models.OneToOneField("annotation.Item", on_delete=models.CASCADE, related_name="text")
    text = models.TextField()
