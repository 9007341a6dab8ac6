"""An import of 10,000 small pages of about 1.4 KB, each with its own question, on both databases.

Seconds from the command's start to its end, its processor seconds, new files in the data folder, fsyncs of files and
folders (without the database's own), and the peak memory (MB) of all its processes, read ten times a second: PSS, which
divides shared memory among them, and RSS, which counts it for each.

    python -m tests.bench.small_pages FILE      (in a site's environment: the import; prints its fsyncs)
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from tests.bench.databases import on_both
from tests.site import CHECKOUT, Site

PAGES = 10_000


def measure_all() -> dict[str, object]:
    """The figures of each database."""
    return on_both(_figures)


def lines() -> Iterator[str]:
    """Questions with a page each."""
    for number in range(PAGES):
        letters = "".join(
            f'<p>The light of <a href="/wiki/Reef_{number}_{part}">Reef {number} {part}</a> was lit in '
            f"<b>{1700 + (number * 7 + part) % 300}</b> &amp; rebuilt; its keeper, <i>Anna Berg</i>, wrote {number} "
            f"letters about it.</p>"
            for part in range(7)
        )
        html = (
            f"<!DOCTYPE html><html lang=en><head><title>Light {number}</title></head><body><h1>Light {number}</h1>"
            f"{letters}<ul><li>Seen for {number} miles</li><li>Two keepers</li></ul><table><tr><th>Height</th>"
            f"<td>{number % 60} m</td></tr></table></body></html>"
        )
        line = {"question_text": f"who kept light {number}", "document_html": html, "example_id": number + 1}
        yield json.dumps(line) + "\n"


def _figures(site: Site) -> dict[str, object]:
    site.prepare()
    site.manage("create_project", "small", "--protocol", "nq")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "small.jsonl"
        file.write_text("".join(lines()))
        before, used, begun = _count_files(site.folder), _used(), time.perf_counter()
        command = [sys.executable, "-m", "tests.bench.small_pages", str(file)]
        child = subprocess.Popen(command, cwd=CHECKOUT, env=site.environment, stdout=subprocess.PIPE, text=True)
        pss, rss = _peaks(child)
        took = time.perf_counter() - begun
    return {
        "seconds": round(took, 1),
        "processor_seconds": round(_used() - used, 1),
        "processor_ms_per_page": round((_used() - used) * 1000 / PAGES, 2),
        "files": _count_files(site.folder) - before,
        "fsyncs": int(child.stdout.read().split()[-1]),
        "pss_mb": pss,
        "rss_mb": rss,
    }


def _count_files(folder: Path) -> int:
    return sum(path.is_file() for path in folder.rglob("*"))


def _used() -> float:
    """Processor seconds of all children that have ended, and theirs."""
    found = getrusage(RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


def _peaks(child: subprocess.Popen[str]) -> tuple[int, int]:
    """The peak PSS and RSS of a process and its children until it ends, in MB."""
    pss = rss = 0
    while child.poll() is None:
        rollups = [_rollup(pid) for pid in _family(child.pid)]
        pss = max(pss, sum(found.get("Pss:", 0) for found in rollups))
        rss = max(rss, sum(found.get("Rss:", 0) for found in rollups))
        time.sleep(0.1)
    assert child.returncode == 0
    return pss // 1024, rss // 1024


def _family(pid: int) -> list[int]:
    """A process and its descendants."""
    found = [pid]
    for each in found:
        for task in Path(f"/proc/{each}/task").glob("*/children"):
            try:
                found += map(int, task.read_text().split())
            except OSError:  # it has just ended
                continue
    return found


def _rollup(pid: int) -> dict[str, int]:
    """The sums of a process's memory map, in KB."""
    try:
        rows = [line.split() for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]]
    except OSError:  # it has just ended
        return {}
    return {name: int(value) for name, value, *_unit in rows}


def main(file: str) -> None:
    """Import a file, and print how often it synced a file or a folder."""
    import django

    django.setup()
    from django.core.management import call_command

    real, count = os.fsync, []
    os.fsync = lambda handle: count.append(real(handle))
    call_command("import_items", "small", file, stdout=sys.stderr)
    print(len(count))


if __name__ == "__main__":
    main(sys.argv[1])
