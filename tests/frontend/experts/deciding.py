"""Look at a dispute and decide it, in a browser."""

from __future__ import annotations

from django.urls import reverse

from annotation.models import Annotation, Role
from tasks.disputes import who
from tasks.models import Task
from tests.disagreeing import browser
from tests.people import NOON, join

ANNOTATE = "annotate"


def expert(nq, name):
    """An expert who has begun to see everybody's answers."""
    user = join(nq, name, Role.EXPERT)
    who.begin(user, nq, now=NOON)
    return user


def at(name, item) -> str:
    """The address of a page about the item."""
    return reverse(name, args=[item.project.slug, ANNOTATE, item.pk])


def dispute(user, item):
    """The page of the dispute, as this person gets it."""
    return browser(user).get(at("dispute", item))


def sides(user, item):
    """The answers as that page has them beside each other."""
    return dispute(user, item).context["dispute"].sides.sides


def decide(user, item, *, reason="The smallest box that answers it.", chosen=None):
    """Decide for one of the answers; for the first that was given if none is chosen."""
    chosen = chosen or item.annotations.order_by("pk").first().uuid
    return browser(user).post(at("decide_dispute", item), {"chosen": chosen, "reason": reason})


def task(item) -> Task:
    """The task in which the item is annotated."""
    return Task.objects.get(item=item, queue__activity=ANNOTATE)


def what_is_kept(item):
    """Its annotations with their responses, to be compared with later."""
    rows = Annotation.objects.filter(item=item).order_by("pk")
    return [(row.uuid, row.purpose, row.completed_at, row.responses.count()) for row in rows]
