"""Large imports and exports in one process: MB of text a second, and its peak memory (MB).

Import: raw questions with a page each of about 110 KB of HTML, 300 different pages, from a JSON Lines file; time of the
whole import, with its two passes, per MB of HTML. Export: 5,000 published records of about 6 KB, each with its own
page, as `nq` (gzip included); median time of five whole builds, including the first of the process, per MB of JSON. On
both databases.

    python -m tests.bench.files FOLDER      (in a site's environment: import, export, and measure)
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench.databases import on_both
from tests.site import Site

PAGES, SECTIONS, RECORDS, BUILDS = 300, 85, 5000, 5
PLACE = "10000"
"""A word of the first published record, replaced by a number in each other one."""


def measure_all() -> dict[str, object]:
    """The figures of each database."""
    return on_both(_figures)


def _figures(site: Site) -> dict[str, object]:
    site.prepare()
    return json.loads(site.python("tests.bench.files", str(site.folder)))


def raw_lines() -> Iterator[bytes]:
    """Questions with a page each, made of sections, tables and lists with links and bold words."""
    import orjson

    for number in range(PAGES):
        html = page(number)
        line = {"question_text": f"who kept light {number}", "document_html": html, "example_id": number + 1}
        yield orjson.dumps(line) + b"\n"


def page(number: int) -> str:
    """About 110 KB and 37 bytes a token, like an encyclopedia's pages (the published NQ page has 40)."""
    parts = [f"<!DOCTYPE html><html lang=en><head><title>Light {number}</title></head><body><h1>Light {number}</h1>"]
    for section in range(SECTIONS):
        year, name = 1700 + (number * 7 + section * 13) % 300, f"Reef_{number}_{section}"
        cite = f'<sup id="ref-{name}-{section}" class="reference"><a href="#note-{name}">[{section}]</a></sup>'
        parts.append(
            f'<h2><span class="mw-headline" id="Section_{name}">Section {section}</span><span class="mw-editsection">'
            f'<a href="/w/index.php?title=Light_{number}&amp;action=edit&amp;section={section}" title="Edit section:'
            f' Section {section}">edit</a></span></h2>\n<p>The light of <a href="/wiki/{name}" title="{name}" class='
            f'"mw-redirect">{name}</a> was lit in <b>{year}</b> &amp; rebuilt; its keeper, <i>Anna Berg</i>, wrote'
            f' {number} letters about it.{cite}</p>\n<div class="thumb tright"><div class="thumbinner" style='
            f'"width:222px;"><a href="/wiki/File:{name}.jpg" class="image"><img alt="" src="//upload.example.org/thumb/'
            f'{name}.jpg/220px-{name}.jpg" width="220" height="165" class="thumbimage" srcset="//upload.example.org/'
            f'{name}.jpg/330px-{name}.jpg 1.5x, //upload.example.org/{name}.jpg/440px-{name}.jpg 2x"></a></div></div>\n'
            f'<table class="wikitable" style="width:22em;text-align:left;border:1px solid var(--border,#a2a9b1);'
            f'margin:0.5em 0 0.5em 1em;padding:0.2em;background-color:var(--background-color-neutral-subtle,#f8f9fa)" '
            f'data-mw="{{&quot;parts&quot;:[{{&quot;template&quot;:{{&quot;target&quot;:{{&quot;wt&quot;:&quot;Infobox'
            f' light&quot;,&quot;href&quot;:&quot;./Template:Infobox_light&quot;}},&quot;i&quot;:{section}}}}}]}}" '
            f'typeof="mw:Transclusion" about="#m{section}" id="{name}"><tr><th scope="row">Height</th><td>{year % 60}'
            f" m</td></tr></table>\n<ul><li>Seen for {section} miles</li></ul>\n"
        )
    return "".join([*parts, "</body></html>"])


def main(folder: Path) -> None:
    """Import, export and measure, in a process of the site."""
    import os

    import django

    from tests.bench.loops import memory

    django.setup()
    figures = {"import": import_raw(folder), "export": export(folder)}
    print(json.dumps(figures | {"peak_mb": memory(os.getpid())}))


def import_raw(folder: Path) -> dict[str, float]:
    """How fast the raw questions are imported."""
    from annotation import clock
    from tests.builders import load
    from tests.factories.corpus import ProjectFactory

    found = ProjectFactory(slug="raw", created_at=clock.now())
    file, size = folder / "raw.jsonl", 0
    with file.open("wb") as out:
        for line in raw_lines():
            out.write(line)
            size += len(line)
    begun = time.perf_counter()
    load(found, file, clock=clock.now)
    took = time.perf_counter() - begun
    return {"html_mb": round(size / 1e6, 1), "seconds": round(took, 2), "mb_per_s": round(size / 1e6 / took, 2)}


def export(folder: Path) -> dict[str, float]:
    """How fast published records are exported; first they are generated and imported."""
    from annotation import clock, releases
    from tests.builders import load
    from tests.factories.corpus import ProjectFactory

    now = clock.now()
    found = ProjectFactory(slug="records", created_at=now)
    file = folder / "nq-dev-00.jsonl"
    first = _record(folder)
    with file.open("wb") as out:
        for number in range(RECORDS):
            out.write(first.replace(PLACE.encode(), str(int(PLACE) + number).encode()))
    load(found, file, published=True, clock=clock.now)
    times = []
    for _ in range(BUILDS):
        begun = time.perf_counter()
        release = releases.build(found, format="nq", by=None, now=now)
        times.append(time.perf_counter() - begun)
    took = statistics.median(times)
    written = sum(each.get("unpacked_bytes", each["bytes"]) for each in releases.manifest_of(release)["files"])
    return {
        "records": RECORDS,
        "bytes_per_record": round(written / RECORDS),
        "seconds": round(took, 2),
        "seconds_of_each": [round(each, 2) for each in times],
        "mb_per_s": round(written / 1e6 / took, 1),
    }


def _record(folder: Path) -> bytes:
    """The line of one finished question about a page with the number in it, in the original layout."""
    from random import Random

    from annotation import clock, releases
    from frontend.bots.bot import Bot
    from tests.builders import PAGE, open_with
    from tests.factories.corpus import ProjectFactory
    from tests.people import join

    found = ProjectFactory(slug="one", created_at=clock.now())
    line: dict[str, Any] = {
        "question_text": f"who kept light {PLACE}",
        "document_html": f"<p>Light {PLACE} stood on a reef.</p>" + PAGE[PAGE.index("<h2>") :],
        "example_id": int(PLACE),
    }
    open_with(found, folder, [line])
    Bot(join(found, "one-bot"), Random(3)).finish_one(found, "annotate")
    release = releases.build(found, format="nq", by=None, now=clock.now(), partial=True)
    return _unpacked(releases.folder_of(release) / releases.manifest_of(release)["files"][0]["name"])


def _unpacked(path: Path) -> bytes:
    import gzip

    return gzip.decompress(path.read_bytes())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
