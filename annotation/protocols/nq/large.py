"""Generate a large file for tests: pages about invented lighthouses, each shared by 400 questions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import orjson

LIGHTS = 20
"""Lighthouses on a page; each has a paragraph, a table row and a list item."""
ASKED = (
    ("when was {} first lit", "what year was the lamp of {} lit"),
    ("how tall is {}", "what is the height of {}"),
    ("who designed {}", "name of the architect of {}"),
    ("who was the first keeper of {}", "first person to keep the light at {}"),
    ("how far can {} be seen", "range of {} in nautical miles"),
    ("what stone is {} built of", "building material of {}"),
    ("what colour is {}", "colours on the tower of {}"),
    ("when did the last keeper leave {}", "year {} became automatic"),
    ("how many steps are there in {}", "number of stairs up {}"),
    ("where is {}", "which shore does {} stand on"),
)
"""The questions about a lighthouse, in two wordings each."""
QUESTIONS = LIGHTS * len(ASKED) * 2
_STARTS = ["Skar", "Nor", "Hal", "Brim", "Od", "Vest", "Ryn", "Tor", "Kel", "Mar"]
_ENDS = ["holm", "vik", "ness", "ey", "garth", "wick", "strand", "fell", "mouth", "by"]
_GIVEN = ["Anna", "Olaf", "Ingrid", "Peder", "Marit", "Jens", "Solveig", "Emil", "Ragna", "Tobias"]
_FAMILY = ["Berg", "Lund", "Dahl", "Holt", "Moen", "Strand", "Vik", "Lie", "Aas", "Rud"]


def write_large(folder: Path, count: int) -> Path:
    """Write `count` raw questions and their pages into a folder, and return their file; deterministic."""
    (folder / "pages").mkdir(parents=True, exist_ok=True)
    file = folder / "questions.jsonl"
    with file.open("wb") as lines:
        for page in range(-(-count // QUESTIONS)):
            county, lights = _county(page), list(_lights(page))
            name = f"pages/{page:03}.html"
            (folder / name).write_text(_page(county, lights), encoding="utf-8")
            for place, question in enumerate(_questions(lights)):
                number = page * QUESTIONS + place
                if number < count:
                    lines.write(orjson.dumps(_line(number, question, county, name)) + b"\n")
    return file


def _line(number: int, question: str, county: str, page: str) -> dict[str, Any]:
    title = f"Lighthouses of {county}"
    return {
        "example_id": number + 1,
        "split": {18: "dev", 19: "test"}.get(number % 20, "train"),
        "question_text": question,
        "document_title": title,
        "document_url": f"https://example.org/wiki/{title.replace(' ', '_')}",
        "document_file": page,
    }


def _county(page: int) -> str:
    return f"{_STARTS[page % 10]}{_ENDS[page // 10 % 10]} County" + (f" {page // 100 + 1}" if page >= 100 else "")


def _lights(page: int) -> Iterator[dict[str, Any]]:
    rng = Random(page)
    names = [f"{start}{end} Light" for start in _STARTS for end in _ENDS]
    for name in rng.sample(names, LIGHTS):
        lit = rng.randint(1740, 1910)
        yield {
            "name": name,
            "lit": lit,
            "height": rng.randint(9, 58),
            "architect": f"{rng.choice(_GIVEN)} {rng.choice(_FAMILY)}",
            "keeper": f"{rng.choice(_GIVEN)} {rng.choice(_FAMILY)}",
            "range": rng.randint(8, 26),
            "stone": rng.choice(("granite", "sandstone", "brick", "slate", "cast iron")),
            "colour": rng.choice(("white", "red and white", "grey", "black and yellow")),
            "left": lit + rng.randint(60, 100),
            "steps": rng.randint(40, 260),
            "shore": rng.choice(("the northern shore", "the outer reef", "the harbour mouth", "the western cape")),
        }


def _questions(lights: list[dict[str, Any]]) -> Iterator[str]:
    for wording in (0, 1):
        for light in lights:
            for wordings in ASKED:
                yield wordings[wording].format(light["name"].lower())


def _page(county: str, lights: list[dict[str, Any]]) -> str:
    paragraphs = "\n".join(
        "<h3>{name}</h3>\n<p><b>{name}</b> stands on {shore}. It was first lit in {lit} after plans of {architect}, is"
        " built of {stone} and {height} metres tall, and its {colour} tower has {steps} steps.</p>\n<p>{keeper} was its"
        " first keeper; the last one left in {left}. The light can be seen for {range} nautical miles.</p>".format(
            **light
        )
        for light in lights
    )
    rows = "\n".join(
        "<tr><td>{name}</td><td>{lit}</td><td>{height} m</td><td>{range}</td><td>{architect}</td></tr>".format(**light)
        for light in lights
    )
    items = "\n".join("<li>{name}, {colour}, lit in {lit}</li>".format(**light) for light in lights)
    return f"""<!DOCTYPE html>
<html lang="en" dir="ltr"><head><meta charset="utf-8"><title>Lighthouses of {county}</title></head><body>
<h1>Lighthouses of {county}</h1>
<p>The coast of <b>{county}</b> is marked by {len(lights)} lighthouses, the oldest lit in \
{min(light["lit"] for light in lights)}.</p>
<h2>The lights</h2>
{paragraphs}
<h2>In figures</h2>
<table class="wikitable"><tr><th>Light</th><th>First lit</th><th>Height</th><th>Range</th><th>Architect</th></tr>
{rows}
</table>
<h2>By colour</h2>
<ul>
{items}
</ul>
</body></html>
"""
