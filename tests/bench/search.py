"""18,000 papers: how long one search takes in the database and in Python, on both databases (ms)."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from tests import servers
from tests.site import Site

PAPERS, QUERIES = 18_000, 300
CODE = f"""
import json, statistics, time
from random import Random
from annotation import clock, projects, search
from annotation.models import Item
rng = Random("papers")
words = [f"{{a}}{{b}}{{c}}" for a in ("ba", "ke", "li", "mo", "nu", "ra", "se", "ti") for b in ("dan", "fer", "gol",
         "hin", "jar", "kel", "lom", "mer", "nis") for c in ("", "ing", "er", "al", "ist", "ment", "ous")]
words += ["question", "answering", "bert", "medical", "parsing", "dialogue", "translation", "corpus"] * 4
text = lambda low, high: " ".join(rng.choice(words) for _ in range(rng.randint(low, high)))
found = projects.create(slug="bench", title="b", protocol="qasper", config={{}}, by=None, now=clock.now())
for start in range(0, {PAPERS}, 1000):
    items = Item.objects.bulk_create(Item(project=found, kind="paper", external_id=str(n), split="train", payload={{}},
        content_sha256="", position=n) for n in range(start, start + 1000))
    search.index((item, text(5, 14), text(90, 220)) for item in items)
queries = ["question answering", "bert", "medical", "dialogue corpus", "translation of medical questions"]
queries += [text(1, 3) for _ in range({QUERIES} - len(queries))]
search.find(found.pk, "corpus")
times, hits = [], []
for query in queries:
    begun = time.perf_counter()
    hits.append(len(search.find(found.pk, query)))
    times.append((time.perf_counter() - begun) * 1000)
times.sort()
middle = round(statistics.median(times), 1)
print("FIGURES", json.dumps({{"papers": {PAPERS}, "queries": len(times), "median_ms": middle,
    "p95_ms": round(times[int(len(times) * .95)], 1), "worst_ms": round(times[-1], 1),
    "mean_hits": round(statistics.mean(hits), 1)}}))
"""


def measure_all() -> dict[str, object]:
    """The figures of each database."""
    figures: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder:
        figures["sqlite"] = _figures(Site(Path(folder)))
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        place = Path(folder) / "postgresql"
        place.mkdir()
        server = servers.postgresql(place)
        try:
            figures["postgresql"] = _figures(Site(Path(folder), DATABASE_URL=server.url))
        finally:
            server.stop()
    return figures


def _figures(site: Site) -> dict[str, object]:
    site.manage("migrate", "--verbosity", "0")
    return json.loads(site.manage("shell", "-c", CODE).split("FIGURES", 1)[1])
