"""Items of the work for courses: an item that people have answered, set aside or not, and what a course says of it."""

from __future__ import annotations

from annotation.models import Annotation, Item
from qualification.courses import real_items
from qualification.courses.real_items import ItemName, RealItem
from tasks.items import setting_aside
from tests.people import NOON


def put_aside(item: Item, by) -> Item:
    """The item set aside for an exam."""
    setting_aside.set_aside([item], by=by, reason="for the exam", now=NOON)
    item.refresh_from_db()
    return item


def answers_to(item: Item) -> list[Annotation]:
    """Its finished annotations, in their order."""
    rows = Annotation.with_trials.filter(item=item, completed_at__isnull=False)
    return list(rows.select_related("item__project").order_by("pk"))


def real_item(key: str, item: Item, *, activity: str = "annotate", **said) -> RealItem:
    """An item of a course, with all answers to it as references."""
    found = tuple(real_items.reference_of(each) for each in answers_to(item))
    name = ItemName(kind=item.kind, id=item.external_id)
    return RealItem(
        **{"kind": "item", "key": key, "title": f"Title of {key}", "activity": activity, "item": name}
        | {"references": found}
        | said
    )
