"""An export that is killed leaves nothing that can be seen, and the next one clears away what it left."""

from __future__ import annotations

import shutil
import signal

import pytest

from annotation import releases
from annotation.errors import ReleaseRefused
from annotation.models import Release
from tests.builders import Worker, open_with, project, questions
from tests.people import NOON, join
from tests.proofs.rows import completed, taken

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_killed_export_leaves_no_partial_file_visible(forge, tmp_path):
    made = project("killed")
    open_with(made, tmp_path, questions(12))
    worker = Worker(join(made, "alice"), made)
    for _ in range(12):
        worker.finish_bad()
    for point in ("begun", "members", "data", "manifest", "before-rename", "after-rename"):
        child = forge.start("tests.proofs.killing_exports", point, made.slug, out=tmp_path / "said.txt")
        child.ended(code=-signal.SIGKILL)
        release = made.releases.latest("version")
        folder = releases.folder_of(release)
        seen = [path.name for path in folder.parent.iterdir() if not path.name.startswith(".")]
        assert seen == ([str(release.version)] if point == "after-rename" else []), point
        assert release.state == Release.State.BUILDING, point
        again = releases.build(made, format="nq", by=None, now=NOON)
        assert taken(again) == completed()
        assert sorted(path.name for path in folder.parent.iterdir()) == [".lock", str(again.version)], point
        release.refresh_from_db()
        assert release.state == Release.State.FAILED
        shutil.rmtree(releases.folder_of(again))


def test_two_releases_of_a_project_are_not_built_at_once(transactional_db):
    made = project("one-at-a-time")
    with releases._alone(made), pytest.raises(ReleaseRefused, match="Another release"):
        releases.build(made, format="nq", by=None, now=NOON)
