"""Questions with several published answers each, which raters see on one screen."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from annotation import randomness
from annotation.judging import drawing, rounds
from annotation.judging.rules import Rules
from annotation.models import JudgingRound, Role
from frontend import access
from tasks.judging import raters, together, working
from tests.builders import project, write_lines
from tests.people import NOON, join

ITEMS, ANSWERS = 4, 3
TYPES = ("YES_NO", "DESCRIPTION")


def row_of(number: int) -> dict:
    """A published row."""
    kind = TYPES[number % len(TYPES)]
    return {
        "question_id": number,
        "question": f"which oil did lamp {number} burn",
        "question_type": kind,
        "fact_or_opinion": "FACT",
        "documents": [{"title": "Lamps", "paragraphs": ["Lamps burned rape oil."], "is_selected": True}],
        "answers": [f"Lamp {number} burned gas, says source {source}." for source in range(ANSWERS)],
        **({"yesno_answers": ["Yes"] * ANSWERS} if kind == "YES_NO" else {}),
    }


def take_in(folder, rows, *, slug: str = "lamps") -> object:
    """A project with these published rows."""
    made = project(slug, "dureader")
    call_command("import_release", made.slug, str(write_lines(folder / "search.dev.json", rows)), verbosity=0)
    return made


@pytest.fixture
def lamps(db, tmp_path):
    """Four questions with three answers each, two questions of each type."""
    return take_in(tmp_path, map(row_of, range(ITEMS)))


@pytest.fixture
def lena(lamps):
    return join(lamps, "lena", Role.LEAD)


@pytest.fixture
def judges(lamps):
    return [join(lamps, name, Role.EXPERT) for name in ("erin", "egon", "edda")]


def seal_together(lamps, lead, people, **rules) -> JudgingRound:
    """A sealed round over answers, those to a question together."""
    wanted = Rules(**{"kind": "answers", "of_an_item": "all", "together": True, **rules})
    rubric = drawing.kind_of(lamps, "answers").rubric()
    row = rounds.make(lamps, title="Lamps", rubric=rubric, rules=wanted, by=lead, now=NOON, seed="7")
    for person in people:
        raters.name(row, person, by=lead, now=NOON)
    rounds.seal(row, by=lead, now=NOON)
    row.refresh_from_db()
    return row


def screens_of_rater(row, person) -> list[list]:
    """What is on each screen of a rater, in their order; they begin if they have not."""
    found: list[list] = []
    for held in working.work_in(working.begin(row, by=person, now=NOON)):
        if not any(held.pk == each.pk for screen in found for each in screen):
            found.append(list(together.on_screen_of(access.own_assignment(person, held.uuid))))
    return found


def mark(parts, *marks: str, key=None, seen=None, tab=None):
    """Send these marks for what is on one screen."""
    work = together.work_of(parts)
    payload = {
        prefix: {"mark": each, "part": "", "comment": ""} for prefix, each in zip(work.prefixes, marks, strict=True)
    }
    return together.commit(
        parts,
        "judge",
        payload,
        by=parts[0].annotator,
        key=key or randomness.handle(),
        seen=work.seen_at("judge") if seen is None else seen,
        tab=tab,
        now=NOON,
    )
