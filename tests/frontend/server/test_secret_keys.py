"""Secrets are generated once, whoever starts first, and ids keep the key they were first derived with."""

import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from django.core.exceptions import ImproperlyConfigured

from frontend.server.secret_key import kept_id_key, kept_secret

CHECKOUT = Path(__file__).resolve().parents[3]


def keys(folder: Path, **environment: str) -> list[str]:
    """SECRET_KEY and the id key, as a process with these variables has them."""
    says = "from django.conf import settings; print(settings.SECRET_KEY, settings.GOLDFINCH_ID_KEY, sep='\\n')"
    kept = {name: value for name, value in os.environ.items() if name not in ("SECRET_KEY", "GOLDFINCH_ID_KEY")}
    return subprocess.run(
        [sys.executable, "-c", says],
        cwd=CHECKOUT,
        env=kept | {"DJANGO_SETTINGS_MODULE": "frontend.settings", "GOLDFINCH_DATA": str(folder)} | environment,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()


def test_a_secret_is_generated_once_and_readable_by_its_owner_only(tmp_path):
    first = kept_secret(tmp_path / "data")
    assert kept_secret(tmp_path / "data") == first
    assert len(first) == 64
    assert stat.S_IMODE((tmp_path / "data" / "secret_key").stat().st_mode) == 0o600
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["secret_key"]


def test_all_processes_that_start_at_once_have_the_same_secret(tmp_path):
    barrier = Barrier(8)

    def start(_number):
        barrier.wait()
        return kept_secret(tmp_path)

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(start, range(8)))) == 1


def test_an_empty_secret_is_refused(tmp_path):
    (tmp_path / "id_key").write_text("\n")
    with pytest.raises(ImproperlyConfigured, match="id_key is empty"):
        kept_id_key(tmp_path, secret_key="secret")


def test_a_new_site_has_an_id_key_that_its_secret_key_does_not_reveal(tmp_path):
    assert kept_id_key(tmp_path / "data", secret_key="secret") != "secret"


@pytest.mark.parametrize("data", ["objects", "goldfinch.sqlite3"])
def test_a_site_that_has_data_keeps_the_key_its_ids_were_derived_with(tmp_path, data):
    (tmp_path / data).mkdir()
    assert kept_id_key(tmp_path, secret_key="secret") == "secret"
    assert kept_id_key(tmp_path, secret_key="another") == "secret"


def test_an_old_site_with_a_generated_secret_keeps_its_ids_when_that_is_generated_again(tmp_path):
    (tmp_path / "objects").mkdir()
    (tmp_path / "secret_key").write_text("made long ago")
    assert keys(tmp_path) == ["made long ago", "made long ago"]
    (tmp_path / "secret_key").unlink()
    secret, ids = keys(tmp_path)
    assert (secret == "made long ago", ids) == (False, "made long ago")


def test_an_old_site_with_a_secret_in_its_environment_keeps_its_ids_when_that_changes(tmp_path):
    (tmp_path / "objects").mkdir()
    assert keys(tmp_path, SECRET_KEY="old") == ["old", "old"]
    assert keys(tmp_path, SECRET_KEY="new") == ["new", "old"]


def test_a_new_site_keeps_its_ids_when_its_secret_key_changes(tmp_path):
    _secret, ids = keys(tmp_path, SECRET_KEY="old")
    (tmp_path / "objects").mkdir()
    assert keys(tmp_path, SECRET_KEY="new") == ["new", ids]


def test_the_environment_may_set_the_id_key(tmp_path):
    assert keys(tmp_path, GOLDFINCH_ID_KEY="ours")[1] == "ours"
    assert not (tmp_path / "id_key").exists()
