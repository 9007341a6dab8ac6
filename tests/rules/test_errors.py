"""Every refusal of the domain has a status code and words."""

from __future__ import annotations

import importlib
import pkgutil

import annotation
import frontend
import qualification
import tasks
from annotation.errors import ConsentMissing, InviteClosed, NotFound, Refused, SecondStepMissing
from annotation.outgoing.addresses import CallRefused
from frontend.errors import TABLE
from frontend.rehearsal.job import RehearsalRefused

ANSWERED_APART = {NotFound, ConsentMissing, InviteClosed, SecondStepMissing, RehearsalRefused, CallRefused}
"""Answered elsewhere: the same 404 as for what does not exist; redirects; a page of its own; the error of a job;
a form that names an address."""


def children(kind: type[Refused]) -> set[type[Refused]]:
    return {kind for child in kind.__subclasses__() for kind in {child} | children(child)}


def test_every_refusal_is_in_the_table_or_answered_elsewhere():
    for package in (annotation, qualification, tasks, frontend):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if ".migrations" not in found.name and found.name != "frontend.asgi":
                importlib.import_module(found.name)
    ours = {kind for kind in children(Refused) if not kind.__module__.startswith("tests.")}
    assert {kind for kind in ours - ANSWERED_APART if not TABLE.keys() & set(kind.__mro__)} == set()
    assert set(TABLE) | ANSWERED_APART <= ours
    assert len({kind.reason for kind in TABLE}) == len(TABLE)


def test_a_refusal_is_a_client_error_with_a_heading_and_advice():
    for kind, row in TABLE.items():
        assert 400 <= row.status < 500, kind
        assert str(row.heading), kind
        assert str(row.advice), kind
