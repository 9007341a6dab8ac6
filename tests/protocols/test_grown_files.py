"""A file that has been put in another order, or has grown at any place, brings in what is new and nothing twice."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from annotation.imports.run import Mode
from annotation.models import Annotation, Item, Role
from annotation.parsing.text_zips import TextFolder, TextZip
from tasks.engine.queues import visible
from tests import builders
from tests.annotation.exchange import exports
from tests.builders import load, project, write_lines
from tests.people import join
from tests.protocols.coqa import builders as coqa
from tests.protocols.dureader import builders as dureader
from tests.protocols.nq import builders as nq
from tests.protocols.qasper import builders as qasper
from tests.protocols.squad import builders as squad
from tests.uploading import imported

Records = list[Any]


@dataclass(frozen=True)
class Layout:
    """A layout of files: their records, more of them, and where a record has parts that can be shuffled or added.

    `export`: another tool has written it. `parts`: the lists in a record. `more_parts`: by the name of a list, what
    makes a new part of it.
    """

    protocol: str
    name: str
    records: Callable[[], Records]
    more: Callable[[], Any]
    write: Callable[[Path, Records], None]
    published: bool = False
    export: bool = False
    parts: tuple[str, ...] = ()
    more_parts: dict[str, Callable[[], Any]] | None = None


def json_file(around: Callable[[Records], Any]) -> Callable[[Path, Records], None]:
    return lambda path, records: path.write_text(json.dumps(around(records)))  # type: ignore[func-returns-value]


def lines_file(path: Path, records: Records) -> None:
    write_lines(path, records)


def articles(question: Callable[..., Any], **fields: Any) -> Records:
    """Three articles, two with the same title and first paragraph, one with a paragraph twice; six questions."""
    return [
        squad.article(
            squad.paragraph(question(1), question(2)),
            squad.paragraph(question(3), context=f"{squad.CONTEXT} It was painted white."),
            squad.paragraph(context="Nobody asks about this."),
            url="https://example.org/a",
        ),
        squad.article(squad.paragraph(question(4)), title="Same"),
        squad.article(
            squad.paragraph(question(5)),
            squad.paragraph(question(6)),
            squad.paragraph(),
            squad.paragraph(),
            title="Same",
        ),
    ]


def without_id(record: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name != key}


def squad_layout(name: str, question: Callable[..., Any], *, published: bool, around: Any = squad.file_v2) -> Layout:
    return Layout(
        "squad",
        name,
        lambda: articles(question),
        lambda: squad.article(squad.paragraph(question(90)), squad.paragraph(context="More."), title="New"),
        json_file(lambda records: around(*records)),
        published,
        ("paragraphs", "qas"),
        {
            "paragraphs": lambda: squad.paragraph(question(91), context=f"{squad.CONTEXT} This is new."),
            "qas": lambda: question(92),
        },
    )


def v1(*found: Any) -> Any:
    return {"data": list(found), "version": "1.1"}


def papers(*, ids: bool) -> Records:
    """(id, paper) with three questions each, one of which is asked twice where questions need no id."""

    def asked(number: int) -> Any:
        full = qasper.question(number, answers=[qasper.answer(number)] if ids else [])
        return full if ids else without_id(full, "question_id")

    twice = [] if ids else [asked(1)]
    return [
        [str(n), qasper.paper(title=f"Otters {n}", qas=[asked(10 * n), *twice, asked(10 * n + 1), *twice])]
        for n in range(3)
    ]


def qasper_layout(name: str, *, ids: bool, lines: bool = False) -> Layout:
    def new(number: int) -> Any:
        full = qasper.question(number)
        return full if ids else without_id(full, "question_id")

    def write(path: Path, records: Records) -> None:
        if lines:
            write_lines(path, [{"paper_id": key} | paper for key, paper in records])
        else:
            path.write_text(json.dumps(dict(records)))

    return Layout(
        "qasper",
        name,
        lambda: papers(ids=ids),
        lambda: ["90", qasper.paper(title="New", qas=[new(90)])],
        write,
        ids,
        ("qas",),
        {"qas": lambda: new(91)},
    )


def dialogues() -> Records:
    return [coqa.dialogue(id=f"talk-{n}", story=f"{coqa.STORY} {n}", games=n) for n in range(3)]


def passage(name: str, text: str) -> Any:
    return {"id": name, "domain": "tales", "text": text}


def pages() -> Records:
    """Raw questions without ids; one page has two of them."""
    return [{"question_text": f"when was it lit {n}", "document_html": nq.PAGE} for n in range(4)]


def labelled(number: int) -> Any:
    """A task of Label Studio; two have the same text and another question, and its number is only a place."""
    asked = f"{exports.ASKED[:-1]} in 18{number}?"
    return exports.task([exports.mark(*exports.HOLT, "Anna Holt")], number=number, question=asked)


def example(number: int) -> Any:
    """A line of doccano."""
    asked = f"{exports.ASKED[:-1]} in 18{number}?"
    return {"id": number, "text": exports.TEXT, "question": asked, "label": [[*exports.HOLT, "Answer"]]}


LAYOUTS = {
    "SQuAD 2.0, published": squad_layout("dev-v2.0.json", squad.question, published=True),
    "SQuAD 1.1, published": squad_layout("dev-v1.1.json", squad.question_v1, published=True, around=v1),
    "SQuAD, to be answered": squad_layout("articles.json", squad.question, published=False),
    "QASPER, published": qasper_layout("qasper-dev-v0.3.json", ids=True),
    "QASPER, questions without ids": qasper_layout("papers.json", ids=False),
    "QASPER, questions without ids, in lines": qasper_layout("papers.jsonl", ids=False, lines=True),
    "CoQA, published": Layout(
        "coqa",
        "coqa-dev-v1.0.json",
        dialogues,
        lambda: coqa.dialogue(id="talk-90", games=1),
        json_file(lambda records: coqa.file_of(*records)),
        published=True,
    ),
    "CoQA, passages": Layout(
        "coqa",
        "passages.jsonl",
        lambda: [passage(str(n), f"{coqa.STORY} {n % 2}") for n in range(4)],
        lambda: passage("90", coqa.STORY),
        lines_file,
    ),
    "NQ, published": Layout(
        "nq",
        "nq-dev-00.jsonl",
        lambda: [nq.original(example_id=n, question_text=f"when was it lit {n}") for n in range(4)],
        lambda: nq.original(example_id=90),
        lines_file,
        published=True,
    ),
    "NQ, questions without ids": Layout(
        "nq",
        "questions.jsonl",
        pages,
        lambda: {"question_text": "who lit it", "document_html": nq.PAGE},
        lines_file,
    ),
    "NQ, questions with ids": Layout(
        "nq", "questions.jsonl", lambda: builders.questions(4), lambda: builders.questions(1, start=90)[0], lines_file
    ),
    "DuReader, published": Layout(
        "dureader",
        "search.train.json",
        lambda: [dureader.answered_row(n) for n in range(4)],
        lambda: dureader.answered_row(90),
        lines_file,
        published=True,
    ),
    "DuReader, to be answered": Layout(
        "dureader", "questions.jsonl", lambda: [dureader.row(n) for n in range(4)], lambda: dureader.row(90), lines_file
    ),
    "Label Studio": Layout(
        "squad",
        "tasks.json",
        lambda: [labelled(n) for n in range(4)],
        lambda: labelled(90),
        json_file(lambda records: records),
        published=True,
        export=True,
    ),
    "doccano": Layout(
        "squad",
        "all.jsonl",
        lambda: [example(n) for n in range(4)],
        lambda: example(90),
        lines_file,
        published=True,
        export=True,
    ),
}


def lists_in(record: Any, layout: Layout) -> list[tuple[str, list[Any]]]:
    """Every list of parts in a record, with its name."""
    found, waiting = [], [record]
    while waiting:
        one = waiting.pop()
        for value in one.items() if isinstance(one, dict) else enumerate(one) if isinstance(one, list) else ():
            if value[0] in layout.parts:
                found.append(value)
            waiting.append(value[1])
    return found


def reordered(records: Records, layout: Layout, rng: Random) -> Records:
    found = deepcopy(records)
    rng.shuffle(found)
    for _name, parts in lists_in(found, layout):
        rng.shuffle(parts)
    return found


def grown(records: Records, layout: Layout, rng: Random) -> Records:
    """A record in front, and a part of each kind at the front of some list."""
    found = deepcopy(records)
    for name, make in (layout.more_parts or {}).items():
        lists = [parts for one, parts in lists_in(found, layout) if one == name]
        rng.choice(lists).insert(0, make())
    return [layout.more(), *found]


def both(records: Records, layout: Layout, rng: Random) -> Records:
    return reordered(grown(records, layout, rng), layout, rng)


def bring_in(into: Any, folder: Path, layout: Layout, records: Records) -> Any:
    folder.mkdir()
    layout.write(folder / layout.name, records)
    bring = exports.take_in_file if layout.export else load
    return bring(into, folder / layout.name, published=layout.published)


def counted(of: Any) -> tuple[int, int]:
    """The items that people see of a project, and the annotations that came with them."""
    return Item.objects.filter(visible(), project=of).count(), Annotation.objects.filter(item__project=of).count()


MORE = pytest.mark.in_test_all(shown_by="tests/protocols/test_grown_files.py::test_exactly_what_is_new_comes_in")
"""One change without the other, and more orders; for each merge, each file has grown and been put in another order."""
CHANGES = [
    pytest.param(reordered, range(3), id="reordered", marks=MORE),
    pytest.param(grown, range(3), id="grown", marks=MORE),
    pytest.param(both, range(1), id="both"),
    pytest.param(both, range(1, 3), id="both again", marks=MORE),
]


@pytest.mark.parametrize(("change", "seeds"), CHANGES)
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_exactly_what_is_new_comes_in(db, tmp_path, layout, change, seeds):
    for seed in seeds:
        folder, records = tmp_path / str(seed), layout.records()
        folder.mkdir()
        one, other = (project(f"{name}-{seed}", layout.protocol) for name in ("grows", "at-once"))
        first = bring_in(one, folder / "first", layout, records)
        changed = change(records, layout, Random(seed))
        bring_in(other, folder / "other", layout, changed)
        report = bring_in(one, folder / "changed", layout, changed)
        assert report.refused == []
        assert report.adopted == first.items
        assert counted(one) == counted(other)
        again = bring_in(one, folder / "again", layout, changed)
        assert (again.items, again.adopted) == (0, counted(one)[0])


CHECKED = ("SQuAD 2.0, published", "QASPER, questions without ids", "CoQA, passages", "Label Studio")
"""For each merge: published and raw, of parts without ids, one JSON value and lines, and another tool's."""
CHECKS = [pytest.param(layout, id=name, marks=() if name in CHECKED else MORE) for name, layout in LAYOUTS.items()]


@pytest.mark.parametrize("layout", CHECKS)
def test_the_check_of_an_uploaded_file_says_how_much_is_new_and_how_much_is_there(db, tmp_path, layout):
    into, records = project("grows", layout.protocol), layout.records()
    lead = join(into, "lena", Role.LEAD)
    first = bring_in(into, tmp_path / "first", layout, records)
    changed = both(records, layout, Random(1))
    layout.write(tmp_path / layout.name, changed)
    how = {"name": layout.name, "published": layout.published}
    lines = (tmp_path / layout.name).read_bytes().splitlines()
    job = imported(into, lead, lines, mode=Mode.CHECK, **how)
    said = job.report["result"]
    assert (said["adopted"], job.report["refused"]) == (first.items, 0)
    assert counted(into)[0] == first.items
    done = imported(into, lead, lines, **how).report["result"]
    assert (done["items"], done["adopted"]) == (said["items"], said["adopted"])
    assert counted(into)[0] == first.items + said["items"]


@pytest.mark.parametrize("kind", [TextFolder, TextZip])
def test_of_texts_in_files_exactly_the_new_ones_come_in(db, tmp_path, kind):
    into, home = project("grows", "coqa"), tmp_path / "texts"
    home.mkdir()

    def bring(*names: str) -> Any:
        for name in names:
            (home / name).write_text(f"The tale of {name}.")
        source = kind(packed(home, names) if kind is TextZip else home, fields={"domain": "tales"})
        return builders.run.run(
            into, source, sha256=source.sha256(), by=None, clock=lambda: builders.NOON, progress=lambda *seen: None
        )

    bring("b.txt", "d.txt")
    report = bring("d.txt", "a.txt", "c.txt", "b.txt")
    assert (report.items, report.adopted, report.refused) == (2, 2, [])


def packed(folder: Path, names: tuple[str, ...]) -> Path:
    """A zip of these files, in this order."""
    path = folder.parent / f"{len(names)}.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.write(folder / name, name)
    return path
