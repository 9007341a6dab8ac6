"""Every page template in each of its states has a screenshot, and `make screens` fails if one is not taken."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from frontend import errors
from tests.protocols.examples import with_demos
from tests.protocols.parts import parts
from tests.screens import catalogue

CHECKOUT = Path(__file__).resolve().parents[2]
TEMPLATES = CHECKOUT / "frontend" / "templates"
OF_COMMANDS = {"ImportRefused", "ReleaseRefused"}
"""Refusals that only commands raise."""
OF_NONE_LEFT = {"NotEligible", "NotQualified"}
"""Shown on the page that says why there is no work: its states `not_eligible` and `not_qualified`."""
OF_SCRIPTS = {"PartElsewhere"}
"""Refusals that only scripts meet."""
OF_RACES = {"WrongMove", "AccountNameTaken", "MembershipEnded"}
"""Refusals that no page leads to: they come from two simultaneous requests, and look like the others. Somebody whose
membership has ended reads so on their home page.
"""
OF_RECRUITMENT = {"ParticipantKnown"}
"""Met by people who come from a recruitment site again, with another account; they look like the others."""
OF_PROLIFIC = {"ProlificFailed"}
"""Told on the page from which it was asked."""
REFILLED = {"PayloadInvalid"}
"""The stage itself is shown again with errors: its state `refused`."""


def bases() -> set[str]:
    """Templates that others extend; they are never a page by themselves."""
    ours = [*TEMPLATES.rglob("*.html"), *(CHECKOUT / "annotation" / "protocols").rglob("*.html")]
    sources = "".join(path.read_text(encoding="utf-8") for path in ours)
    tags = re.findall(r"{% extends (.*?) %}", sources)
    return {name for tag in tags for name in re.findall(r"[\w/]+\.html", tag)}


def pages() -> list[str]:
    names = [path.relative_to(TEMPLATES).as_posix() for path in sorted(TEMPLATES.rglob("*.html"))]
    parts = [name for name in names if any(piece.startswith("_") for piece in name.split("/"))]
    extended = bases()
    return [name for name in names if name not in parts and name not in extended]


def stages() -> list[str]:
    """The views of each stage of each protocol: open, read-only, sent with errors, restored, revisited."""
    wanted = []
    for protocol in with_demos():
        for activity in protocol.activities:
            for stage in activity.stages:
                template = f"{protocol.key}/{stage.key}.html"
                wanted += [template, f"{protocol.key}/{stage.key}_read.html"]
                wanted += [f"{template} refused", f"{template} restored"]
                if stage.sealed:
                    wanted.append(f"{template} sealed")
                elif stage is not activity.stages[-1]:
                    wanted.append(f"{template} revised")
    return wanted


def reasons() -> set[str]:
    """The reasons for there being no work: the arguments with which tasks/engine/ creates a `NoWork`."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in (CHECKOUT / "tasks" / "engine").glob("*.py")]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {call.args[0].value for call in calls if getattr(call.func, "id", "") == "NoWork"}


def without_picture(wanted: list[str]) -> list[str]:
    shown = catalogue.shown()
    return [entry for entry in wanted if entry not in shown]


def test_every_page_has_a_picture():
    assert "work/refused.html" in pages()
    assert "work/base.html" not in pages()
    assert without_picture(pages()) == []


def test_every_stage_of_every_protocol_has_a_picture_in_each_state():
    assert without_picture(stages()) == [], "tests/protocols/<key>/screens/pictures.py names them, `visits` takes them"


def test_no_two_parts_of_the_catalogue_use_the_same_picture_name():
    of_protocols = [part.PICTURES | part.NARROW for part in parts("pictures").values()]
    names = [name for pictures in (catalogue.SHARED, *of_protocols) for name in pictures]
    assert sorted(names) == sorted(catalogue.PICTURES | catalogue.NARROW)


def test_every_reason_why_no_work_is_left_has_a_picture():
    assert len(reasons()) == 5
    wanted = sorted(reasons() | {"not_eligible", "not_qualified"})
    assert without_picture([f"work/none_left.html {reason}" for reason in wanted]) == []


def test_every_refusal_that_a_page_can_meet_has_a_picture():
    elsewhere = OF_COMMANDS | OF_SCRIPTS | OF_RACES | OF_RECRUITMENT | OF_NONE_LEFT | OF_PROLIFIC | REFILLED
    met = {refusal.__name__ for refusal in errors.TABLE} - elsewhere
    assert without_picture([f"work/refused.html {name}" for name in sorted(met)]) == []


def test_the_catalogue_names_only_templates_that_exist():
    from django.template.loader import get_template

    for entry in catalogue.shown():
        get_template(entry.split()[0])


def test_the_control_a_template_without_a_picture_is_found(monkeypatch: pytest.MonkeyPatch):
    kept = {name: shows for name, shows in catalogue.PICTURES.items() if name != "none-left-others"}
    monkeypatch.setattr(catalogue, "PICTURES", kept)
    assert without_picture(["work/none_left.html", "work/none_left.html others_hold"]) == [
        "work/none_left.html others_hold"
    ]


def test_make_screens_says_which_pictures_are_missing_or_unknown():
    taken = [name for name in catalogue.PICTURES if name != "busy"]
    assert catalogue.missing([*taken, "surprise"], size="wide") == [
        "surprise: not in the catalogue",
        "busy: not taken (wide)",
    ]
    assert catalogue.missing(list(catalogue.PICTURES), size="narrow") != []
