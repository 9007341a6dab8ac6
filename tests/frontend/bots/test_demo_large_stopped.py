"""`manage.py demo_large` resumes where it was stopped."""

from collections import Counter
from io import StringIO

import pytest
from django.core.management import call_command

from annotation.imports import run
from annotation.models import Project
from tests.protocols.examples import with_demos

ITEMS = 8
pytestmark = pytest.mark.sqlite_only  # imports that are killed are proven on both databases elsewhere


def filled():
    call_command("demo_large", items=ITEMS, work=1, stdout=StringIO())


@pytest.mark.in_test_all(
    shown_by="tests/frontend/bots/test_demo_large.py"
    "::test_each_protocol_gets_its_items_an_open_queue_and_some_finished_work"
)
def test_a_run_that_was_stopped_is_resumed(db, monkeypatch):
    real = run._insert

    def stopped(*args, **kwargs):
        real(*args, **kwargs)
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "_insert", stopped)
    with pytest.raises(KeyboardInterrupt):
        filled()
    monkeypatch.setattr(run, "_insert", real)
    filled()
    for protocol in with_demos():
        names = Counter(Project.objects.get(slug=f"{protocol.demo.slug}-large").items.values_list("external_id"))
        assert len(names) == sum(names.values()) >= ITEMS
