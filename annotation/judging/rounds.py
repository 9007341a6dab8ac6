"""Judging rounds from the first draft to the seal, and what was sealed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import orjson
from django.db import transaction

from annotation import clock, events, randomness
from annotation.engine import state_machine
from annotation.errors import NotFound, WrongMove
from annotation.i18n import _
from annotation.judging import drawing
from annotation.judging.drawing import Draw
from annotation.judging.drawn import DrawnExhibit, Progress
from annotation.judging.rubrics import Rubric
from annotation.judging.rules import MOST, Rules
from annotation.models import Exhibit, ExhibitUse, Job, JudgingRound, Project, RoundState, User
from annotation.models.judging import ROUND_MOVES

EMPTY = _("There is nothing to judge: no finished answer is of this kind.")
NOT_PREDICTED = _("There is nothing of this kind that all of these systems answer.")


def rubric_of(row: JudgingRound) -> Rubric:
    """The rubric of a round."""
    return Rubric.model_validate(row.rubric, strict=False)


def rules_of(row: JudgingRound) -> Rules:
    """The rules of a round."""
    return Rules.model_validate(row.rules, strict=False)


def make(
    project: Project, *, title: str, rubric: Rubric, rules: Rules, by: User, now: datetime, seed: str = ""
) -> JudgingRound:
    """A draft of a round; a random seed if none is given."""
    row = JudgingRound.objects.create(
        project=project,
        title=title,
        rubric=rubric.model_dump(mode="json"),
        rules=rules.model_dump(mode="json"),
        seed=seed or randomness.seed(),
        made_by=by,
        made_at=now,
    )
    events.record("judging.made", row, by=by, now=now, title=title)
    return row


@transaction.atomic
def change(
    row: JudgingRound,
    *,
    by: User,
    now: datetime,
    title: str = "",
    rubric: Rubric | None = None,
    rules: Rules | None = None,
    seed: str = "",
) -> JudgingRound:
    """Choose otherwise in a draft: what is given replaces what was there; WrongMove for what has been sealed."""
    row = JudgingRound.objects.select_for_update().select_related("project").get(pk=row.pk)
    if row.state != RoundState.DRAFT:
        raise WrongMove(_("This round is sealed: nothing of it changes any more."))
    row.title = title or row.title
    row.rubric = rubric.model_dump(mode="json") if rubric else row.rubric
    row.rules = rules.model_dump(mode="json") if rules else row.rules
    row.seed = seed or row.seed
    row.save(update_fields=["title", "rubric", "rules", "seed"])
    events.record("judging.changed", row, by=by, now=now, title=row.title)
    return row


@transaction.atomic
def discard(row: JudgingRound, *, by: User, now: datetime) -> None:
    """Remove a draft; WrongMove for what has been sealed."""
    row = JudgingRound.objects.select_for_update().get(pk=row.pk)
    if row.state != RoundState.DRAFT:
        raise WrongMove(_("A sealed round can’t be removed."))
    events.record("judging.discarded", row, by=by, now=now, title=row.title)
    row.raters.all().delete()
    row.delete()


def seal(row: JudgingRound, *, by: User | None, now: datetime, progress: Progress | None = None) -> list[Exhibit]:
    """Draw the exhibits of a draft and seal them with their hash, and spares after them: from now on nothing of the
    round changes. Returns all but the spares.

    The draw reads all that there is to judge, before the transaction that stores it. WrongMove if there is nothing to
    judge, too much, less than the sample, or if the round has been changed or sealed meanwhile.
    """
    row = JudgingRound.objects.select_related("project").get(pk=row.pk)
    draw = drawing.draw_of(row.project, rules_of(row), seed=row.seed, progress=progress)
    return _seal_drawn(row, draw, by=by, now=now)


@transaction.atomic
def _seal_drawn(row: JudgingRound, draw: Draw, *, by: User | None, now: datetime) -> list[Exhibit]:
    drawn_by = row.rules
    row = JudgingRound.objects.select_for_update().get(pk=row.pk)
    if row.state != RoundState.DRAFT:
        raise WrongMove(_("This round is sealed already."))
    if row.rules != drawn_by:
        raise WrongMove(_("The choices were changed meanwhile. Seal it again."))
    rules = rules_of(row)
    found, population = draw.exhibits, draw.population
    if why := why_not_seal(rules, draw) or why_not_together(row.project, rules):
        raise WrongMove(why)
    stored = _stored([_exhibit(row, place, each) for place, each in enumerate(found)], rules)
    state_machine.move(
        row,
        RoundState.SEALED,
        moves=ROUND_MOVES,
        by=by,
        now=now,
        population=population,
        sha256=sealed_hash(row, population, [(each.name, one.sha256) for each, one in zip(found, stored, strict=True)]),
        sealed_at=now,
    )
    return [each for each in stored if each.use != ExhibitUse.SPARE]


def _stored(made: Sequence[Exhibit], rules: Rules) -> list[Exhibit]:
    """Store exhibits; those that look like an earlier one name it: raters judge only that one.

    On one screen, only what is there twice is a copy: the answers to another item stay with each other.
    """
    first: dict[Any, Exhibit] = {}
    copies = []
    for each in made:
        within = rules.together or each.shown["box"]  # a box looks otherwise in another document
        looks = (each.sha256, each.item_id if within else None)
        if each.use == ExhibitUse.DRAWN and first.setdefault(looks, each) is not each:
            copies.append((each, first[looks]))
    is_copy = {each.place for each, _earlier in copies}
    Exhibit.objects.bulk_create(each for each in made if each.place not in is_copy)
    for each, earlier in copies:
        each.same_as = earlier
    Exhibit.objects.bulk_create(each for each, _earlier in copies)
    return list(made)


def why_not_seal(rules: Rules, draw: Draw) -> str:
    """Why such a draw can't be sealed, in a sentence, or ""."""
    n, there = draw.drawn, draw.units
    if not there:
        return str(NOT_PREDICTED if rules.systems else EMPTY)
    if rules.sample and not rules.strata and rules.sample + rules.practice > there:
        return str(
            _("There are only %(n)s to judge, so %(sample)s can’t be drawn.")
            % {"n": there, "sample": rules.sample + rules.practice}
        )
    if n < sum(rules.strata.values()) + rules.practice or n == rules.practice:
        return str(_("There are only %(n)s to judge, too few for this draw.") % {"n": there})
    if sum(each.use != ExhibitUse.SPARE for each in draw.exhibits) > MOST:
        return str(_("A round has %(most)s exhibits at most. Draw a sample.") % {"most": MOST})
    return ""


def why_not_together(project: Project, rules: Rules) -> str:
    """Why raters can't see the answers to an item on one screen, in a sentence, or ""."""
    if not rules.together:
        return ""
    if drawing.kind_of(project, rules.kind).on_one_screen == "never":
        return str(_("Each of these fills a screen of its own, so they can’t be seen together."))
    if rules.of_an_item == "one" and not rules.systems:
        return str(_("One of the answers is alone on its screen. Judge all of the answers to see them together."))
    return ""


def _exhibit(row: JudgingRound, place: int, each: DrawnExhibit) -> Exhibit:
    shown = each.shown.model_dump(mode="json")
    return Exhibit(
        round=row,
        place=place,
        item=each.item,
        annotation=each.annotation,
        prediction=each.prediction,
        turn=each.turn,
        responses=each.responses,
        use=each.use,
        shown=shown,
        sha256=hash_of(shown),
    )


def hash_of(value: Any) -> str:
    """The SHA-256 of a JSON value, whatever the order of its keys."""
    return hashlib.sha256(orjson.dumps(value, option=orjson.OPT_SORT_KEYS)).hexdigest()


def sealed_hash(row: JudgingRound, population: int, exhibits: Sequence[tuple[str, str]]) -> str:
    """The hash of a round: over its rubric, rules, seed, population, and (name, hash) of each exhibit in order."""
    return hash_of([row.rubric, row.rules, row.seed, population, [list(each) for each in exhibits]])


def sealed(row: JudgingRound) -> dict[str, Any]:
    """What was sealed, for files about the round: all but the exhibits, with the hash over them."""
    return {
        "title": row.title,
        "rubric": row.rubric,
        "rules": row.rules,
        "seed": row.seed,
        "population": row.population,
        "sha256": row.sha256,
        "sealed_at": row.sealed_at.isoformat() if row.sealed_at else None,
    }


def seal_of_job(job: Job, *, by: User | None, progress: Progress) -> dict[str, Any]:
    """Seal the round that a job asks for, as its draw reads every answer that could be judged; returns its hash."""
    row = JudgingRound.objects.filter(project=job.project, uuid=job.report["asked"]["round"]).first()
    if row is None:
        raise NotFound
    seal(row, by=by, now=clock.now(), progress=progress)
    row.refresh_from_db()
    return {"sha256": row.sha256}
