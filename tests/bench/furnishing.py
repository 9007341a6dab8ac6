"""In a process of the site: create questions to work on, and people who are signed in.

`python -m tests.bench.furnishing QUESTIONS PEOPLE FOLDER` prints JSON: `sessions`, the session keys of the people, and
`example`, how a question of the project "examples" is answered with a box and a span ([stage, fields], ...). The
project "loops" has questions without a page, the project "examples" has as many about one page of about 110 KB.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import django

from tests import signed_in

ONE_EACH = {"activities": {"annotate": {"overlap": {"train": 1}}}}
WANTED = {"question": ("verdict", "good"), "long_answer": ("kind", "box"), "short_answer": ("kind", "spans")}


def main(questions: int, people: int, folder: Path) -> None:
    """Furnish the site given by the environment."""
    django.setup()
    from annotation.models import Project

    furnish_loops(questions)
    furnish_examples(questions, folder)
    projects = list(Project.objects.order_by("pk"))
    answers = example(projects[-1])
    print(json.dumps({"sessions": [sign_in(f"annotator-{n}", projects) for n in range(people)], "example": answers}))


def furnish_loops(questions: int) -> None:
    """Questions without a page."""
    from annotation import clock
    from tests.factories.corpus import ItemFactory, ProjectFactory
    from tests.factories.work import QueueFactory

    now = clock.now()
    found = ProjectFactory(slug="loops", config=ONE_EACH, created_at=now)
    ItemFactory.insert_many(
        {"project": found, "payload": {"question_text": f"who tended light number {number}"}, "position": number}
        for number in range(questions)
    )
    QueueFactory(project=found, filled_at=now)


def furnish_examples(questions: int, folder: Path) -> None:
    """Questions about one page."""
    from annotation import clock
    from tests.bench.files import page
    from tests.builders import load, write_lines
    from tests.factories.corpus import ProjectFactory
    from tests.factories.work import QueueFactory

    found = ProjectFactory(slug="examples", config=ONE_EACH, created_at=clock.now())
    (folder / "page.html").write_text(page(1), encoding="utf-8")
    lines = [
        {"question_text": f"who kept light {number}", "document_file": "page.html", "example_id": number + 1}
        for number in range(questions)
    ]
    load(found, write_lines(folder / "examples.jsonl", lines), clock=clock.now)
    QueueFactory(project=found, filled_at=clock.now())


def example(project: Any) -> list[tuple[str, dict[str, Any]]]:
    """Answer one question, and return how that was done."""
    from random import Random

    from annotation import registry
    from frontend.bots.bot import Bot
    from tests.people import join

    protocol, said = registry.get(project.protocol), []

    def think(sheet: Any, external_id: str, rng: Random) -> dict[str, Any]:
        name, value = WANTED[protocol.activity("annotate").stages[len(said)].key]
        while (payload := protocol.bots.pretend(sheet, rng)).get(name) != value:
            pass
        said.append(payload)
        return payload

    Bot(join(project, "example-bot"), Random(1), think).finish_one(project, "annotate")
    stages = protocol.activity("annotate").stages
    return [
        (stage.key, registry.form_of("nq", stage.key).fields_of(payload))
        for stage, payload in zip(stages, said, strict=True)
    ]


def sign_in(name: str, projects: list[Any]) -> str:
    """The session of a new member of these projects who has accepted the consent text."""
    for project in projects:
        user = signed_in.member(project, name)
    return signed_in.session_of(user)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
