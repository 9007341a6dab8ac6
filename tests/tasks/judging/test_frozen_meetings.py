"""The database itself refuses rows of a meeting before it, after it, and a consensus that somebody did not confirm."""

from __future__ import annotations

import uuid

import pytest
from django.db import DatabaseError, transaction

from annotation.models import JudgingRound, RoundState
from tasks.judging import ending, working
from tasks.judging.meeting import agreeing
from tests.factories.judging import (
    AgendaStepFactory,
    ArgumentFactory,
    ConfirmationFactory,
    ConsensusFactory,
    MeetingMarkFactory,
    ProposalFactory,
    RemovalFactory,
)
from tests.factories.record import ResponseFactory
from tests.people import NOON
from tests.tasks.judging.judged_once import lead, meeting, met_once, voting
from tests.tasks.judging.judged_rounds import RaterAtWork
from tests.tasks.judging.meetings import exhibit_at, rater_of

__all__ = ["lead", "meeting", "met_once", "voting"]


def refused(factory, **columns):
    with pytest.raises(DatabaseError), transaction.atomic():
        factory.insert(**columns)


def rows_of(row, person, proposal):
    """A row for each table of a meeting."""
    exhibit, rater = exhibit_at(row, 1), rater_of(row, person)
    of_exhibit = {"exhibit": exhibit, "at": NOON}
    return [
        (AgendaStepFactory, of_exhibit | {"kind": "parked", "by": person}),
        (MeetingMarkFactory, of_exhibit | {"rater": rater, "mark": "C"}),
        (ArgumentFactory, of_exhibit | {"author": person, "text": "Late.", "key": uuid.uuid4()}),
        (ProposalFactory, of_exhibit | {"number": 9, "mark": "C", "by": person}),
        (ConfirmationFactory, {"proposal": proposal, "rater": rater, "holds": True, "at": NOON}),
        (ConsensusFactory, of_exhibit | {"proposal": proposal, "voters": 3}),
        (RemovalFactory, {"rater": rater, "reason": "Late.", "by": person, "at": NOON}),
    ]


def confirmed_by_all(row, voting):
    """A proposal that all have confirmed, without a consensus yet."""
    proposal = ProposalFactory.insert(exhibit=exhibit_at(row, 1), number=1, mark="C", by=voting[0])
    for person in voting:
        ConfirmationFactory.insert(proposal=proposal, rater=rater_of(row, person))
    return proposal


@pytest.mark.parametrize("number", range(7))
@pytest.mark.parametrize("ended", [False, True])
def test_a_table_of_the_meeting_takes_rows_until_it_ends(meeting, voting, number, ended):
    proposal = confirmed_by_all(meeting, voting)
    if ended:
        ending.end_meeting(meeting, by=voting[0], now=NOON)
    factory, columns = rows_of(meeting, voting[1], proposal)[number]
    if ended:
        refused(factory, **columns)
    else:
        factory.insert(**columns)


def test_before_the_meeting_nothing_of_it_is_written(sealed, experts):
    refused(MeetingMarkFactory, exhibit=exhibit_at(sealed, 0), rater=rater_of(sealed, experts[0]), mark="C", at=NOON)


def test_a_closed_round_never_changes(meeting, voting):
    ending.end_meeting(meeting, by=voting[0], now=NOON)
    for column, value in (("state", RoundState.MEETING), ("chair", None), ("stopped_why", "x"), ("ended_at", None)):
        with pytest.raises(DatabaseError), transaction.atomic():
            JudgingRound.objects.filter(pk=meeting.pk).update(**{column: value})


def test_a_consensus_without_somebodys_confirmation_is_refused(meeting, voting):
    proposal = agreeing.propose(exhibit_at(meeting, 1), mark="W", reason="", by=voting[0], now=NOON)
    agreeing.confirm(exhibit_at(meeting, 1), number=1, by=voting[1], now=NOON)
    refused(ConsensusFactory, exhibit=exhibit_at(meeting, 1), proposal=proposal, voters=3, at=NOON)


def test_a_consensus_after_a_withdrawal_is_refused(meeting, voting):
    proposal = confirmed_by_all(meeting, voting)
    ConfirmationFactory.insert(proposal=proposal, rater=rater_of(meeting, voting[2]), holds=False, at=NOON)
    refused(ConsensusFactory, exhibit=exhibit_at(meeting, 1), proposal=proposal, voters=3, at=NOON)


def test_no_judgement_comes_after_the_judging(sealed, experts, lead, lights):
    erin = RaterAtWork(experts[0], lights)
    held = list(working.work_in(working.begin(sealed, by=erin.user, now=NOON)))
    ending.stop(sealed, why="Enough.", by=lead, now=NOON)
    mark = {"mark": "C", "part": "", "comment": ""}
    refused(ResponseFactory, annotation=held[0].annotation, stage="judge", schema="judging.judgement/1", payload=mark)
