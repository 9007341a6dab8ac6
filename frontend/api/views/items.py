"""Items with their annotations, for leads."""

from __future__ import annotations

from django.db.models import Prefetch, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation.models import Annotation, Item, Response, User
from frontend import access
from frontend.api.base import LeadView
from frontend.api.paging import CursorPage
from frontend.api.schema import PAGED
from frontend.api.serializers.items import AnnotatedItemSerializer, ItemPageSerializer, ItemQuerySerializer
from frontend.leads.items import listing


class ItemsView(LeadView):
    """The items of a project with their annotations."""

    shows_answers = True

    @extend_schema(operation_id="list_items", parameters=[ItemQuerySerializer, *PAGED], responses=ItemPageSerializer)
    def get(self, request: Request, slug: str) -> Answer:
        """List the items that the filters leave, in the order of import."""
        project = access.led_project(self.person(), slug)
        asked = ItemQuerySerializer(data=request.query_params.dict())
        asked.is_valid(raise_exception=True)
        page = CursorPage(request, listing.matching(project, asked.filter()), order=("position", "pk"))
        rows = Item.with_set_aside.filter(pk__in=[row.pk for row in page.rows]).order_by("position", "pk")
        return Answer(page.answer(AnnotatedItemSerializer(_annotated(rows), many=True).data))


class ItemView(LeadView):
    """One of these items."""

    shows_answers = True

    @extend_schema(operation_id="read_item", responses=AnnotatedItemSerializer)
    def get(self, request: Request, slug: str, item_id: int) -> Answer:
        """Read an item."""
        found = access.led_item(self.person(), slug, item_id)
        return Answer(AnnotatedItemSerializer(_annotated(Item.with_set_aside.filter(pk=found.pk)).get()).data)


def _annotated(items: QuerySet[Item]) -> QuerySet[Item]:
    """The items with what their serializer tells, in as many statements however many they are.

    A person is read once, and not with each of their answers.
    """
    author = Prefetch("author", User.objects.only("worker_code"))
    responses = Response.objects.defer("submission_key", "body_sha256", "guidelines").prefetch_related(author)
    annotations = Annotation.objects.prefetch_related(author, Prefetch("responses", responses.order_by("pk")))
    return items.prefetch_related(Prefetch("annotations", annotations.order_by("pk")))
