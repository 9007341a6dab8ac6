"""Items with their annotations, for leads."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch, QuerySet

from annotation.models import Annotation, Item, Project, Response, User
from frontend import access
from frontend.api.base import LeadView
from frontend.api.calls import read_call
from frontend.api.paging import CursorPage
from frontend.api.serializers.items import AnnotatedItemSerializer, ItemPageSerializer, ItemQuerySerializer
from frontend.leads.items import listing
from frontend.leads.items.filters import Filter


class ItemsView(LeadView):
    """The items of a project with their annotations."""

    shows_answers = True

    @read_call("list_items", ItemPageSerializer, query=ItemQuerySerializer)
    def get(self, project: Project, asked: dict[str, Any]) -> Any:
        """List the items that the filters leave, in the order of import."""
        queue = asked.pop("queue", None)
        wanted = Filter(**asked, queue=str(queue) if queue else "")
        page = CursorPage(self.request, listing.matching(project, wanted), order=("position", "pk"))
        rows = Item.with_set_aside.filter(pk__in=[row.pk for row in page.rows]).order_by("position", "pk")
        return page.answer(_annotated(rows))


class ItemView(LeadView):
    """One of these items."""

    shows_answers = True

    @read_call("read_item", AnnotatedItemSerializer, finder=access.led_item)
    def get(self, item: Item) -> Item:
        """Read an item."""
        return _annotated(Item.with_set_aside.filter(pk=item.pk)).get()


def _annotated(items: QuerySet[Item]) -> QuerySet[Item]:
    """The items with what their serializer tells, in as many statements however many they are.

    A person is read once, and not with each of their answers.
    """
    author = Prefetch("author", User.objects.only("worker_code"))
    responses = Response.objects.defer("submission_key", "body_sha256", "guidelines").prefetch_related(author)
    annotations = Annotation.objects.prefetch_related(author, Prefetch("responses", responses.order_by("pk")))
    return items.prefetch_related(Prefetch("annotations", annotations.order_by("pk")))
