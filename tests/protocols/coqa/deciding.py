"""A lead's decisions about conversations, and what a release then holds."""

from __future__ import annotations

import json
from typing import Any

from annotation import clock, releases
from annotation.models import Case, CaseState, Project, Role
from tasks.engine import claiming
from tasks.items import reports
from tasks.models import Assignment
from tasks.pairs import flag_rates
from tests.people import join
from tests.protocols.coqa.pairs import Seated, answered, ended, talk


def flag(person: Seated, step: str, reason: str = "copying", *, text: str = "", ends: bool = False) -> Case:
    return flag_rates.flag(person.row(), step, by=person.user, reason=reason, text=text, ends=ends, now=clock.now())


def decide(case: Case, to: str, *, project: Project, reason: str = "as I read it") -> None:
    """As the lead lena, who has just loaded the case."""
    lead = join(project, "lena", Role.LEAD)
    reports.decide(Case.objects.get(pk=case.pk), CaseState(to), by=lead, reason=reason, now=clock.now())


def run_out(questioner: Seated, answerer: Seated, turns: int = 6) -> Case:
    """Talk for so many turns, until nothing is left to ask; returns the case."""
    talk(questioner, answerer, turns)
    questioner.say(ended("exhausted", "it is a short text"))
    return Case.objects.get(annotation=questioner.held.annotation)


def play(project: Project, *names: str) -> list[Seated]:
    """Each of these people plays the only conversation to its end."""
    players = []
    for name in names:
        person = join(project, name)
        held = claiming.claim(project, "guess", by=person, now=clock.now())
        assert isinstance(held, Assignment)
        player = Seated.at(held, person)
        while (step := player.work().current) is not None:
            player.say(answered("Anna Holt") if step.startswith("guess") else {"verdict": "no_match", "mistyped": ""})
        players.append(player)
    return players


def released(project: Project) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The dialogues of a partial release, and its manifest."""
    made = releases.build(project, format="coqa", by=None, now=clock.now(), partial=True)
    manifest = releases.manifest_of(made)
    files = [json.loads((releases.folder_of(made) / one["name"]).read_bytes()) for one in manifest["files"]]
    return [dialogue for file in files for dialogue in file["data"]], manifest
