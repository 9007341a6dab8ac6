"""Work pages are built from sheets: their context has no model instances except the current user."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest
from django import forms
from django.db import models
from django.test.signals import template_rendered

from frontend.bots.bot import Bot
from tests.people import join
from tests.protocols.examples import Example, of_one_person, parameters

ASKING = {"request", "user", "perms", "csrf_token", "messages", "DEFAULT_MESSAGE_LEVELS", "block"}
"""Context variables of the frame around every page."""


def rows_in(value: Any, path: str = "") -> Iterator[str]:
    """The places in a value that hold model instances or querysets."""
    if isinstance(value, models.Model | models.QuerySet | models.Manager):
        yield f"{path}: {type(value).__name__}"
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from rows_in(inner, f"{path}.{key}")
    elif isinstance(value, list | tuple | set | frozenset):
        for number, inner in enumerate(value):
            yield from rows_in(inner, f"{path}[{number}]")
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from rows_in({field.name: getattr(value, field.name) for field in dataclasses.fields(value)}, path)
    elif isinstance(value, forms.Form):
        yield from rows_in(vars(value), path)


@pytest.fixture
def contexts():
    """(template, context) of every rendered page, without the variables of its frame."""
    made: list[tuple[str, dict[str, Any]]] = []

    def keep(template, context, **more):
        flat = {key: value for part in context.dicts for key, value in part.items() if key not in ASKING}
        made.append((template.name or "", flat))

    template_rendered.connect(keep)
    yield made
    template_rendered.disconnect(keep)


OTHERS = pytest.mark.in_test_all(
    shown_by="tests/rules/test_work_pages.py::test_no_model_instance_is_in_the_context_of_a_work_page"
)
"""The views that make the contexts are those of every protocol."""
PROTOCOLS = parameters(of_one_person(), each_merge=("nq", "qasper"), others=OTHERS)


@pytest.mark.django_db
@pytest.mark.sqlite_only
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_no_model_instance_is_in_the_context_of_a_work_page(protocol, contexts):
    project = Example(protocol).opened()
    for activity in protocol.activities:
        wanted = {f"{protocol.key}/{stage.key}.html" for stage in activity.stages} | {"work/none_left.html"}
        for seed in range(12):
            if wanted <= {name for name, _ in contexts}:
                break
            bot = Bot(join(project, f"{activity.key}-{seed}"), Random(seed))
            while bot.finish_one(project, activity.key):
                pass
        assert wanted <= {name for name, _ in contexts}
    assert sorted({f"{name} {found}" for name, context in contexts for found in rows_in(context)}) == []


def test_the_control_a_model_instance_is_found_wherever_it_is():
    from annotation.models import Project

    @dataclasses.dataclass
    class Leaky:
        entries: list

    assert list(rows_in({"sheet": Leaky([{"project": Project()}])})) == [".sheet.entries[0].project: Project"]
