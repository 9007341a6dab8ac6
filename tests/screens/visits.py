"""The visitors of a furnished site, and the pictures they take (or whatever else is to be done at each)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from itertools import chain

from tests.protocols.parts import parts
from tests.screens import (
    accounts,
    courses,
    deciding,
    demo,
    disputes,
    error_pages,
    exams,
    imports,
    judging,
    lobby,
    prolific,
    releases,
    setup,
    site,
    states,
    times,
)
from tests.screens.camera import Visit
from tests.site import Site

AT_STAGES = ("quinn", "anna", "pia", "wren", "abel", "ada", "ben", "dina")
"""Those who come to each stage of a protocol; others of its visitors come to the same screens in rarer states."""


def furnish_states(site: Site, which: str = "everything") -> tuple[dict[str, str], dict[str, str]]:
    """Create the projects and people of the rarer states; return passwords by name, and error pages by template.

    `which`: a function of tests/screens/furnish.py.
    """
    said = site.manage("shell", "-c", f"from tests.screens import furnish; furnish.{which}()")
    made = json.loads(said.split("FURNISHED", 1)[1])
    return made["passwords"], made["pages"]


GROUPS = ("annotators", "leads", *parts("visits"))
"""The groups of visitors, which do not depend on each other: two of all protocols, and one of each protocol's own."""


def visits(group: str, size: str, rendered: dict[str, str], *, annotator: str, lead: str) -> Iterator[Visit]:
    """The visitors of a group; `annotator` has not accepted a consent text yet, `lead` has a project with answers."""
    if group == "annotators":
        yield from _of_annotators(size, rendered, annotator)
    elif group == "leads":
        yield lead, (demo.lead_pages,)
        yield "lotte", (accounts.lead, states.lead, states.deciding, times.lead, imports.lead, imports.other_tools)
        yield "lotte", (releases.lead, setup.lead, setup.maker, deciding.lead, judging.lead, prolific.lead)
        yield "tilda", (courses.trials,)
        yield "grace", (site.admin,)
    else:
        yield from parts("visits")[group].visits(size)


def _of_annotators(size: str, rendered: dict[str, str], annotator: str) -> Iterator[Visit]:
    """Strangers, annotators and an expert."""
    yield None, (demo.strangers, accounts.strangers, partial(error_pages.pages_of_errors, rendered=rendered))
    yield annotator, demo.ANNOTATOR
    yield f"otto-{size}", (states.newcomer, times.empty)
    yield f"tim-{size}", (times.mine,)
    yield f"nora-{size}", states.WORKER
    yield f"cora-{size}", (exams.candidate,)
    yield f"rhea-{size}", (states.reopened,)
    yield f"tara-{size}", (states.taken_away,)
    yield f"uma-{size}", (states.page_not_shown,)
    yield f"lia-{size}", (lobby.waiting,)
    yield f"erik-{size}", (disputes.expert,)
    yield f"rita-{size}", (judging.rater,)
    yield "edda", (courses.references,)
    for who, name in (("ada", "course-passed"), ("amir", "course-again"), ("nils", "course-not-passed")):
        yield who, (partial(exams.outcome, name=name),)


def visits_of_a_few_kinds(size: str, *, annotator: str) -> Iterator[Visit]:
    """A visitor of each kind of page that differs most from the others: in a frame, live, side by side, a long text."""
    yield None, (demo.pages_for_everybody,)
    yield annotator, (demo.home_pages, demo.question, demo.long_answer, demo.short_answer)
    yield f"lia-{size}", (lobby.waiting,)
    yield f"erik-{size}", (disputes.expert,)
    of_papers = parts("visits")["qasper"].visits(size)
    yield from ((who, steps) for who, steps in of_papers if who == f"abel-{size}")


def visits_of_each_kind(group: str, size: str, *, annotator: str, lead: str) -> Iterator[Visit]:
    """A visitor of each kind of page of a group.

    Of the annotators: pages for everybody, of an annotator, of an expert, and the screen of each stage.
    """
    if group == "leads":
        yield lead, (demo.lead_pages, releases.lead, setup.each_kind)
        return
    yield None, (demo.pages_for_everybody,)
    yield annotator, (demo.home_pages, demo.question, demo.long_answer, demo.short_answer)
    yield f"tim-{size}", (times.mine,)
    yield f"lia-{size}", (lobby.waiting,)
    yield f"cora-{size}", (exams.candidate,)
    yield f"erik-{size}", (disputes.expert,)
    of_protocols = chain.from_iterable(part.visits(size) for part in parts("visits").values())
    yield from ((who, steps) for who, steps in of_protocols if who in {f"{name}-{size}" for name in AT_STAGES})
