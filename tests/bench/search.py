"""18,000 papers: how long one search takes in the database and in Python, on both databases (ms).

A search does what a page does: rank all matches, and excerpt the first ten. Texts are drawn from 40,000 words by Zipf's
law, with words of the field about as often as in real ones; a query is one to three content words of a title, or one of
the words people type that half of all papers contain.
"""

from __future__ import annotations

import json

from tests.bench.databases import on_both
from tests.site import Site

PAPERS, QUERIES = 18_000, 300
CODE = f"""
import json, statistics, time
from itertools import accumulate, product
from random import Random
from annotation import clock, search
from tests.factories.corpus import ItemFactory, ProjectFactory
rng = Random("papers")
parts = [a + b for a, b in product("bdfgklmnprst", "aeiou")]
words = ["".join(three) for three in product(parts, parts, parts)]
rng.shuffle(words)
words = words[:40_000]
weights = list(accumulate(1 / (rank + 2.7) for rank in range(len(words))))
FIELD = {{"model": .6, "language": .5, "data": .4, "corpus": .2, "translation": .15, "question": .12, "dialogue": .08,
         "answering": .08, "bert": .1, "parsing": .06, "medical": .03}}
common = set(words[:100])
def text(low, high, share):
    found = rng.choices(words, cum_weights=weights, k=rng.randint(low, high))
    found += [word for word, often in FIELD.items() if rng.random() < often * share]
    rng.shuffle(found)
    return " ".join(found)
found = ProjectFactory(slug="bench", protocol="qasper", created_at=clock.now())
titles = []
for start in range(0, {PAPERS}, 1000):
    items = ItemFactory.insert_many(
        dict(project=found, kind="paper", position=n) for n in range(start, start + 1000))
    texts = [(text(5, 12, .2), text(90, 220, 1)) for _ in items]
    titles += [title for title, _ in texts]
    search.index((item, *both) for item, both in zip(items, texts))
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("ANALYZE")
queries = ["question answering", "bert", "medical", "dialogue corpus", "translation of medical questions",
           "language model", "model", "language", "data", "corpus"]
while len(queries) < {QUERIES}:
    telling = [word for word in rng.choice(titles).split() if word not in common]
    if telling:
        queries.append(" ".join(rng.sample(telling, min(len(telling), rng.randint(1, 3)))))
def once(query):
    ids = search.find(found.pk, query)
    return len(ids), search.hits(ids[:10], query)
for query in queries[:20]:
    once(query)
times, sizes, slowest = [], [], {{}}
for query in queries:
    begun = time.perf_counter()
    size, _ = once(query)
    times.append((time.perf_counter() - begun) * 1000)
    sizes.append(size)
    slowest[query] = times[-1]
named = {{query: round(slowest[query], 1) for query in queries[:10]}}
times.sort()
middle = round(statistics.median(times), 1)
print("FIGURES", json.dumps({{"papers": {PAPERS}, "queries": len(times), "median_ms": middle,
    "p95_ms": round(times[int(len(times) * .95)], 1), "worst_ms": round(times[-1], 1),
    "mean_found_of_200": round(statistics.mean(sizes), 1), "named_ms": named}}))
"""


def measure_all() -> dict[str, object]:
    """The figures of each database."""
    return on_both(_figures)


def _figures(site: Site) -> dict[str, object]:
    site.manage("migrate", "--verbosity", "0")
    return json.loads(site.manage("shell", "-c", CODE).split("FIGURES", 1)[1])
