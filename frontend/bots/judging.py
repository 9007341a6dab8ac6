"""Plays the judging rounds of a demo through the services, from the draft to the end of the meeting."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from annotation import randomness
from annotation.judging import drawing, predictions, rounds
from annotation.judging.rules import Rules
from annotation.models import Exhibit, JudgingRound, PredictionSet, RoundState, User
from annotation.protocol_tools import DemoRound, MeetingTalk
from annotation.values.exhibits import ShownExhibit
from annotation.worktime import spans
from frontend.bots.history import LEAD, History
from tasks.engine import assignments, submitting
from tasks.judging import ending, raters, together, working
from tasks.judging.meeting import agenda, agreeing, room, voters
from tasks.models import Assignment
from tasks.models.states import AssignmentState

BETWEEN = timedelta(minutes=2)
"""Between the parts of a meeting."""


class PlayedRound:
    """One round of a demo; LookupError if its meeting talks about what nobody drew."""

    def __init__(self, history: History, told: DemoRound) -> None:
        self.history, self.told = history, told
        self.people = [history.person(name) for name in told.raters]
        self.comments = dict(told.comments)

    @transaction.atomic
    def play(self, *, at: datetime) -> JudgingRound:
        """Seal the round at this time, and have it judged by one after another; in one transaction, as a scene is."""
        row = self._seal(at=at)
        done = len(self.people) if self.told.locked is None else self.told.locked
        for number, person in enumerate(self.people[: done + bool(self.told.judged)], start=1):
            at = self._judge(row, person, number, most=None if number <= done else self.told.judged, at=at)
            if number <= done:
                working.lock(row, by=person, now=at)
        row.refresh_from_db()
        if row.state == RoundState.MEETING:
            self._meet(row, at=at + BETWEEN)
        return row

    def _seal(self, *, at: datetime) -> JudgingRound:
        told, project, lead = self.told, self.history.project, self.history.person(LEAD)
        rules = Rules(
            kind=told.kind,
            sample=told.sample,
            of_an_item=told.of_an_item,
            together=told.together,
            meeting=bool(told.talks),
            systems=tuple(self._predicted(name, at=at) for name in told.systems),
        )
        rubric = drawing.kind_of(project, told.kind).rubric()
        seed = f"{project.slug} {told.kind}"
        row = rounds.make(project, title=str(told.title), rubric=rubric, rules=rules, by=lead, now=at, seed=seed)
        for person in self.people:
            raters.name(row, person, by=lead, now=at)
        if told.talks:
            voters.choose_chair(row, self.people[-1], by=lead, now=at)
        rounds.seal(row, by=lead, now=at)
        row.refresh_from_db()
        return row

    def _predicted(self, system: str, *, at: datetime) -> str:
        """The set of a system's predictions, which the lead brings first."""
        project, path = self.history.project, self.history.demo.predictions[system]
        found = PredictionSet.objects.filter(project=project, system=system).first()
        if found is None:
            layout, lead = self.history.protocol.predictions[0], self.history.person(LEAD)
            found = predictions.add(project, path, layout, system=system, split="", by=lead, now=at).row
        return str(found.uuid)

    def _judge(self, row: JudgingRound, person: User, number: int, *, most: int | None, at: datetime) -> datetime:
        """The first `most` exhibits in the person's order, or all; returns when the last one was marked."""
        lease = working.begin(row, by=person, now=at)
        pace = randomness.rng(row.seed, person.username)
        for held in map(self.history.reload, list(working.work_in(lease)[:most])):
            if held.state != AssignmentState.LEASED:
                continue  # marked with the others of its screen
            parts = together.on_screen_of(held) or [held]
            seconds = sum(pace.randint(self.told.seconds // 2, 2 * self.told.seconds) for _ in parts)
            at += timedelta(seconds=seconds)
            self._mark(parts, number, seconds=seconds, now=at)
        return at

    def _mark(self, parts: Sequence[Assignment], number: int, *, seconds: int, now: datetime) -> None:
        """Mark what is on one screen."""
        held, marks = parts[0], [self._answer(each, number) for each in parts]
        work = assignments.work_of(held)
        step = work.current or work.own[-1].address
        self.history.spend(held, seconds, work=work, now=now)
        key, by = randomness.handle(), held.annotator
        if len(parts) == 1 and not self.told.together:
            submitting.commit(held, step, marks[0], by=by, key=key, seen=work.seen_at(step), now=now)
            return
        whole = together.work_of(parts)
        answer = dict(zip(whole.prefixes, marks, strict=True))
        together.commit(parts, step, answer, by=by, key=key, seen=whole.seen_at(step), now=now)

    def _answer(self, held: Assignment, number: int) -> dict[str, Any]:
        exhibit = held.annotation.exhibit
        assert exhibit is not None
        shown = ShownExhibit.model_validate(exhibit.shown, strict=False)
        mark, _, part = self.told.marks(shown, number).partition("/")
        answer: dict[str, Any] = {"mark": mark, "part": part, "comment": self.comments.pop((shown.prompt, number), "")}
        return answer | ({"checks": checks} if (checks := self.told.checks(shown, number)) else {})

    def _meet(self, row: JudgingRound, *, at: datetime) -> None:
        exhibits = list(row.exhibits.select_related("round__project").order_by("place"))
        for talk in self.told.talks:
            about = [each for each in exhibits if each.shown["prompt"] == talk.prompt]
            if not about:
                raise LookupError(f"Nobody drew {talk.prompt!r}.")
            for exhibit in filter(agenda.is_on_agenda, about):
                at += BETWEEN
                for person in self.people:
                    room.enter(row, by=person, now=at)
                    _sit(row, person, now=at)
                self._talk(exhibit, talk, now=at)
        if self.told.ended:
            ending.end_meeting(row, by=self.people[-1], now=at + BETWEEN)

    def _talk(self, exhibit: Exhibit, talk: MeetingTalk, *, now: datetime) -> None:
        *others, chair = self.people
        agenda.take_up(exhibit, by=chair, now=now)
        for name, text in talk.says:
            agreeing.argue(exhibit, text=text, key=randomness.handle(), by=self.history.person(name), now=now)
        if not talk.mark:
            agenda.park(exhibit, by=chair, now=now)
            return
        made = agreeing.propose(exhibit, mark=talk.mark, reason=talk.reason, by=chair, now=now)
        voting = {rater.person_id for rater in voters.voters_on(exhibit)}
        for person in others:
            if person.pk in voting:
                agreeing.confirm(exhibit, number=made.number, by=person, now=now)


def _sit(row: JudgingRound, person: User, *, now: datetime) -> None:
    """Book the time since the part of the meeting before."""
    place = spans.BookedWork(row.project_id, None, spans.MEETING, now - BETWEEN, lambda: 0, row.pk)
    seconds = BETWEEN.total_seconds()
    spans.lock_and_write(place, seconds, seconds, by=person, now=now)
