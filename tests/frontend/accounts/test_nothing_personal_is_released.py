"""No name, address, invitation or participant id is in a file of a release, or in the history: they are planted."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

import pyarrow.parquet
import pytest
from django.test import Client
from django.urls import reverse

from annotation import clock, randomness, registry, releases
from annotation.models import Event, User
from qualification import invitations
from qualification.invitations import Guest
from tests.builders import Worker, open_with, questions
from tests.frontend.accounts.test_joining import ANNA
from tests.frontend.accounts.test_open_projects import PROLIFIC, opened
from tests.people import join

ADDRESS = "198.51.100.7"
ACCOUNT = ANNA | {"username": "planted-name", "email": "planted-mail@home.example"}
__all__ = ["opened"]


def text_of(path: Path) -> str:
    """All that a file says."""
    if path.suffix == ".parquet":
        return str(pyarrow.parquet.read_table(path).to_pylist())
    if path.suffix == ".zip":
        with TemporaryDirectory() as folder, ZipFile(path) as packed:
            packed.extractall(folder)
            return "".join(text_of(each) for each in Path(folder).rglob("*") if each.is_file())
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode()


@pytest.fixture
def planted(nq, lena, opened, tmp_path):
    """Somebody was invited, has joined, came from a recruitment site too, and has finished a piece of work."""
    open_with(nq, tmp_path, questions(2))
    guest = Guest(name="planted-note", email="planted-guest@home.example")
    [made] = invitations.make(nq, [guest], days=3, key=randomness.handle(), by=lena, now=clock.now())
    browser = Client(SERVER_NAME="127.0.0.1", REMOTE_ADDR=ADDRESS, headers={"User-Agent": "planted-browser"})
    browser.post(reverse("join", args=[made.token]), ACCOUNT)
    browser.post(f"/projects/lights/join/{PROLIFIC}")
    join(nq, "planted-name")
    Worker(User.objects.get(username="planted-name"), nq).finish_without_answer()
    return nq


def test_nothing_that_was_planted_comes_out(planted, lena, settings):
    for each in registry.get(planted.protocol).formats:
        releases.build(planted, format=each.key, splits=[], partial=True, by=lena, now=clock.now(), progress=print)
    files = [path for path in (Path(settings.GOLDFINCH_DATA) / "releases").rglob("*") if path.is_file()]
    released = "".join(map(text_of, files))
    history = json.dumps(list(Event.objects.values("kind", "subject", "data")))
    assert "who tended light number" in released
    assert "planted" not in released + history
    assert ADDRESS not in released + history


def test_the_control_what_was_planted_is_in_the_tables_for_it(planted):
    user = User.objects.get(username="planted-name")
    kept = [*user.sign_ins.values(), *user.participations.values(), *planted.invites.values(), user.email]
    words = (
        "planted-mail",
        "planted-guest",
        "planted-note",
        "planted-pid",
        "planted-study",
        "planted-browser",
        ADDRESS,
    )
    assert [word for word in words if word not in str(kept)] == []
