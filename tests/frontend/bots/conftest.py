"""The demo, made once for all tests here."""

from __future__ import annotations

import json
import os
import shutil
from itertools import takewhile, tee
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connections

from frontend import settings as shipped
from tests import line_coverage, prepared
from tests.forking import ForkedSite
from tests.frontend.bots.demo_releases import Made
from tests.site import Site

SAID = "said.txt"
"""The file where what the command printed is kept beside the demo, with PLACE for its folder."""
PLACE = "(folder)"
BUILD = """
import json
from contextlib import nullcontext
from annotation import clock, pseudonyms, releases
from annotation.models import Annotation, Project
from annotation.processes import forked_pool
forked_pool.beside = lambda work: nullcontext()  # a fork takes longer than one of these builds
made = []
def build(which, project, format, **options):
    release = releases.build(project, format=format, by=None, now=clock.now(), partial=True, **options)
    made.append([which, project.protocol, format, str(releases.folder_of(release))])

for project in Project.objects.order_by("slug"):
    own = project.releases.get()
    made.append(["own", project.protocol, own.recipe["format"], str(releases.folder_of(own))])
    for found in releases.formats_of(project):
        for which in ("first", "second"):
            build(which, project, found.key)
    build("until", project, "huggingface", until=own.at)
    for _ in range(2):
        build("named", project, own.recipe["format"], name_writers=True)
inside = {one.uuid.hex: pseudonyms.id_hex(str(one.uuid)) for one in Annotation.objects.all()}
print(json.dumps([made, inside]))
"""


class NewSite(Site):
    """A site in a folder that has static files only; `said` is what its server printed before it was listening."""

    program = (*line_coverage.counting("run"), "manage.py")

    def _arrived(self, said, *, errors):
        lines, kept = tee(said)
        super()._arrived(lines, errors=errors)
        self.said = "".join(takewhile(lambda line: "http://" not in line, kept))


@pytest.fixture(scope="session")
def site(django_db_setup, tmp_path_factory):
    """What `make run` makes in an empty folder, for all tests of this folder: it takes half a minute.

    Processes of pytest-xdist share what the first of them made, and each has a copy.
    """
    if connections["default"].vendor == "postgresql":
        folder = tmp_path_factory.mktemp("demo")
        prepared.postgresql_database(settings.DATABASE_URL, folder.name)
        url = prepared.database_url(settings.DATABASE_URL, folder.name)
        make_demo(folder, DATABASE_URL=url)
        made = NewSite(folder, DATABASE_URL=url)
    else:
        base = tmp_path_factory.getbasetemp()
        shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
        folder = base / "demo"
        shutil.copytree(prepared.made_once(shared / "demo-of-all", make_demo), folder)
        made = NewSite(folder)
    made.first_said = (folder / SAID).read_text().replace(PLACE, str(folder))
    yield made
    made.kill()
    if made.environment["DATABASE_URL"].startswith("postgresql"):
        prepared.drop_postgresql_database(settings.DATABASE_URL, folder.name)


def make_demo(folder, **environment):
    """Let the server make the demo in this folder, and stop it."""
    prepared.static(folder / "static")
    made = NewSite(folder, **environment)
    made.start(command="run")
    (folder / SAID).write_text(made.said.replace(str(folder), PLACE))
    assert made.stop() == 0


@pytest.fixture(scope="module")
def its_database(site, django_db_blocker):
    """Let this process work on the site's database."""
    ours = {alias: connections[alias].settings_dict["NAME"] for alias in connections}
    theirs = site.folder.name if "postgresql" in site.environment["DATABASE_URL"] else site.folder / "goldfinch.sqlite3"
    with django_db_blocker.unblock():
        use(dict.fromkeys(ours, str(theirs)))
        yield
        use(ours)


def use(names):
    """Let each alias connect to the database of this name."""
    connections.close_all()
    for alias, name in names.items():
        connections[alias].settings_dict["NAME"] = name


@pytest.fixture
def said(site, its_database, settings):
    """What the command printed; the test's own changes are rolled back."""
    settings.GOLDFINCH_DATA = site.folder
    settings.PASSWORD_HASHERS = shipped.PASSWORD_HASHERS
    return site.first_said


@pytest.fixture(scope="session")
def demo_releases(site, tmp_path_factory, fork_server_of_all):
    """The demo's own releases, which have an unfinished split, and others made in a copy of it; SQLite only."""
    folder = tmp_path_factory.mktemp("copy") / "demo"
    shutil.copytree(site.folder, folder, ignore=shutil.ignore_patterns("static"))
    building = ForkedSite(folder)
    building.forked_by = fork_server_of_all
    made, inside = json.loads(building.manage("shell", "--no-imports", "-c", BUILD).splitlines()[-1])
    database = folder / "goldfinch.sqlite3"
    return [Made(*names, folder=Path(place), database=database, inside=inside) for *names, place in made]
