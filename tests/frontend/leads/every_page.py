"""Every page of a lead, opened: each address below a project that the rows which are there can make."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from django.urls import get_resolver, reverse

from annotation import registry
from annotation.models import Annotation, Project, User
from qualification.models import Attempt, CourseVersion, Qualification
from tasks.models import Delivery, Webhook
from tests.boards import bring_up_to_date
from tests.disagreeing import browser

ANSWERS = (200, 302, 403, 404, 405)


def routes() -> Iterator[tuple[str, set[str]]]:
    """The pages below a project by their names, with the parts of their addresses."""
    for found in get_resolver().url_patterns:
        parts = set(found.pattern.converters)
        if "slug" in parts and str(found.pattern).startswith("projects/<slug:slug>/"):
            yield found.name, parts


def parts_of(made: Project) -> dict[str, list]:
    """What the addresses can be made of, by the names of their parts: of most kinds of rows one or two."""
    keys = [each.key for each in registry.get(made.protocol).activities]
    versions = CourseVersion.objects.filter(qualification__project=made)
    webhooks = Webhook.objects.filter(project=made)
    jobs = list(made.jobs.values_list("pk", flat=True)[:4])
    return {
        "slug": [made.slug],
        "card": ["work", "pay", "agreement", "figures", "speed"],
        "activity": keys,
        "item_id": list(made.items.values_list("pk", flat=True)[:2]),
        "code": list(User.objects.filter(memberships__project=made).values_list("worker_code", flat=True)[:2]),
        "annotation": list(Annotation.objects.filter(item__project=made).values_list("uuid", flat=True)[:1]),
        "qualification": list(Qualification.objects.filter(project=made).values_list("key", flat=True)),
        "version": sorted({*versions.values_list("pk", flat=True), *made.releases.values_list("version", flat=True)}),
        "part": ["tutorial", "task"],
        "block": ["task"],
        "piece": ["tutorial-0", "task-0"],
        "table": ["steps", "weeks", "sources", "items"],
        "attempt": list(Attempt.objects.filter(qualification__project=made).values_list("uuid", flat=True)[:1]),
        "uuid": list(made.judging_rounds.values_list("uuid", flat=True)),
        "webhook": list(webhooks.values_list("pk", flat=True)),
        "delivery": list(Delivery.objects.filter(webhook__in=webhooks).values_list("pk", flat=True)[:1]),
        "job": jobs,
        "build": jobs,
        "rehearsal": jobs,
    }


def addresses(made: Project) -> Iterator[tuple[str, str]]:
    """Every address that the rows can make, with the name of its page."""
    parts = parts_of(made)
    for name, needed in routes():
        if needed <= parts.keys():
            for values in product(*(parts[part] for part in sorted(needed))):
                yield name, reverse(name, kwargs=dict(zip(sorted(needed), values, strict=True)))


def look_at_all(made: Project, lena: User) -> set[str]:
    """Open every page; returns the names of those that are there. The client raises what a page raises."""
    bring_up_to_date(made)
    lead, opened = browser(lena), set()
    for name, address in addresses(made):
        answer = lead.get(address)
        assert answer.status_code in ANSWERS, address
        if answer.status_code == 200:
            opened.add(name)
    assert lead.get(reverse("home")).status_code == 200
    return opened
