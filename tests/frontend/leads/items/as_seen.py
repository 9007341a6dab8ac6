"""A lead looks at the screens of work on an item that nobody has annotated."""

from __future__ import annotations

import re

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from annotation import registry
from annotation.models import Item, Role
from tests.disagreeing import browser
from tests.people import join
from tests.protocols.examples import Example

LINK = re.compile(r'href="(/projects/[^"]+/as-seen/[^"]+/)"')


def fresh(protocol: str, activity: str, split: str = "") -> tuple[Item, Client]:
    """An item of that activity on which nobody has worked, and its lead."""
    found = registry.get(protocol)
    made = Example(found).opened(of=found.activity(activity))
    item = made.items.filter(kind=found.activity(activity).kind, annotations=None).order_by("pk").first()
    return item, browser(join(made, "lena", Role.LEAD))


def pages_of(item, lead) -> dict[str, HttpResponse]:
    """All screens by their addresses, as the notice links them."""
    page = lead.get(reverse("as_seen_first", args=[item.project.slug, item.pk]), follow=True)
    links, found = list(dict.fromkeys(LINK.findall(page.content.decode()))), {}
    for link in links:
        found[link] = lead.get(link)
        links += [other for other in dict.fromkeys(LINK.findall(found[link].content.decode())) if other not in links]
    return found
