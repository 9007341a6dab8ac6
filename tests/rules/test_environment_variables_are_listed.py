""".env.example explains exactly the environment variables that the code reads."""

import re
from pathlib import Path

from tests.rules.development.client_files import is_of_client

CHECKOUT = Path(__file__).resolve().parents[2]
READ = re.compile(r"""os\.environ(?:\.get\(|\[)\s*["']([A-Z_]+)["']""")
LISTED = re.compile(r"^#?([A-Z_]+)=", re.MULTILINE)
NOT_SETTINGS = {"DJANGO_SETTINGS_MODULE", "PYTEST_XDIST_WORKER", "DJANGO_ALLOW_ASYNC_UNSAFE", "TMPDIR"}


def _read() -> set[str]:
    folders = [CHECKOUT / name for name in ("annotation", "qualification", "tasks", "frontend", "tests")]
    files = [file for folder in folders for file in folder.rglob("*.py") if not is_of_client(file)]
    return {name for file in files for name in READ.findall(file.read_text())} - NOT_SETTINGS


def _listed() -> set[str]:
    return set(LISTED.findall((CHECKOUT / ".env.example").read_text()))


def test_what_the_code_reads_is_listed():
    assert _read() - _listed() == set()


def test_what_is_listed_is_read():
    in_the_makefile = {name for name in _listed() if name in (CHECKOUT / "Makefile").read_text()}
    assert _listed() - _read() - in_the_makefile == set()
