"""`manage.py demo_large` fills large projects with our own material, once."""

from io import StringIO

import pytest
from django.core.management import call_command

from annotation.models import Annotation, Document, Item, Project
from annotation.parsing.sources import FileSource
from frontend.management.commands import demo_large
from tasks.models import Assignment, Queue, Task
from tests.protocols.examples import with_demos

ITEMS, WORK, BOTS = 6, 2, 2


pytestmark = pytest.mark.sqlite_only  # on PostgreSQL, the demo itself does the same with fewer items


def filled():
    said = StringIO()
    call_command("demo_large", items=ITEMS, work=WORK, stdout=said)
    return said.getvalue()


@pytest.fixture(scope="module")
def large(shared_rows):
    """What the command says when it makes the projects, once for the tests that look at them."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(demo_large, "BOTS", BOTS)
        yield filled()


def counts():
    return {model.__name__: model.objects.count() for model in (Project, Item, Document, Task, Assignment, Annotation)}


def test_each_protocol_gets_its_items_an_open_queue_and_some_finished_work(large, db):
    for protocol in with_demos():
        project = Project.objects.get(slug=f"{protocol.demo.slug}-large")
        assert project.items.count() >= ITEMS
        assert f"/projects/{project.slug}/" in large
        assert Queue.objects.filter(project=project, state="open").count() == len(protocol.activities)
        assert Annotation.objects.filter(item__project=project, completed_at__isnull=False).exists()
    assert "GOLDFINCH_DATA=" in large
    assert "alice" in large


def test_a_second_run_changes_nothing(large, db):
    before = counts()
    assert "alice" in filled()
    assert counts() == before


@pytest.mark.parametrize("protocol", with_demos(), ids=lambda protocol: protocol.key)
def test_a_large_file_is_always_the_same_and_all_of_it_can_be_imported(protocol, tmp_path):
    one, other = (protocol.bots.large(tmp_path / name, 900) for name in ("one", "other"))
    assert one.read_bytes() == other.read_bytes()
    read = list(protocol.read(FileSource(one)))
    assert [found for found in read if hasattr(found, "reason")] == []
    assert len(read) == 900
    shared = {document.source for found in read for document in found.documents}
    assert len(shared) <= 180
