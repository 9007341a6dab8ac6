"""Who lacks a qualification is given nothing new at any door, and finishes what they hold."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation import projects
from annotation.errors import AlreadyClosed, NotEligible, NotQualified
from annotation.models import Item
from qualification import granting
from tasks.engine import claiming, eligibility, leases, skip_and_return
from tasks.models import Assignment
from tasks.models.states import AssignmentState
from tasks.pairs import matching, waiting
from tests.builders import BAD, GOOD, NO_ANSWER, Worker, open_papers, open_with, questions, reload
from tests.factories.qualification import GrantFactory, QualificationFactory
from tests.people import NOON, join
from tests.protocols.toy.building import toy_project
from tests.tasks.pairs import visiting
from tests.tasks.pairs.visiting import Lobby, at

LATE = NOON + timedelta(hours=1)


@pytest.fixture
def lobby(db):
    """The lobby of a project of the toy protocol."""
    return Lobby(toy_project())


@pytest.fixture
def with_alone(db, monkeypatch):
    """The lobby of one in which one may play both parts, on training topics only."""
    return visiting.with_alone(monkeypatch)


@pytest.fixture
def lights(nq, tmp_path):
    open_with(nq, tmp_path, questions(3))
    return nq


@pytest.fixture
def reading(lights):
    return QualificationFactory(project=lights, needed_for=["annotate"])


@pytest.fixture
def worker(reading, lights, alice):
    """Alice, who has it."""
    GrantFactory(qualification=reading, user=alice)
    return Worker(alice, lights)


def lose(person, how=granting.suspend):
    grant = person.grants.latest("pk")
    how(grant, reason="Seen in the work.", after=grant.decisions, by=None, now=NOON)


def refused(worker, **when):
    with pytest.raises(NotQualified) as why:
        worker.claim(**when)
    return why.value.reason


def test_who_lacks_it_is_refused_and_who_has_it_is_not(worker, lights, bob):
    assert refused(Worker(bob, lights)) == "not_qualified"
    assert worker.claim().state == AssignmentState.LEASED


def test_two_qualifications_are_both_needed(worker, lights):
    other = QualificationFactory(project=lights, key="other", needed_for=["annotate"])
    assert refused(worker) == "not_qualified"
    GrantFactory(qualification=other, user=worker.user)
    assert isinstance(worker.claim(), Assignment)


@pytest.mark.parametrize("how", [granting.suspend, granting.revoke])
def test_who_loses_it_finishes_what_they_hold_and_is_given_nothing_new(worker, how):
    mine = worker.claim()
    lose(worker.user, how)
    assert worker.claim(now=NOON + timedelta(minutes=5)) == mine
    worker.commit(mine, "question", GOOD)
    worker.commit(mine, "long_answer", NO_ANSWER)
    assert reload(mine).state == AssignmentState.SUBMITTED
    assert refused(worker) == "not_qualified"


def test_who_has_lost_it_opens_no_other_item_and_keeps_what_they_hold(worker, lights):
    mine = worker.claim()
    lose(worker.user)
    other = Item.objects.exclude(pk=mine.task.item_id).first()
    assert claiming.claim(lights, "annotate", by=worker.user, now=NOON, item=other) == mine
    assert reload(mine).state == AssignmentState.LEASED


def test_who_gets_it_back_is_given_work_again(worker):
    lose(worker.user)
    assert refused(worker) == "not_qualified"
    lose(worker.user, granting.restore)
    assert isinstance(worker.claim(), Assignment)


def test_who_has_lost_it_keeps_their_answers_but_does_not_take_expired_work_up_again(worker):
    mine = worker.claim()
    leases.expire_overdue(now=LATE)
    lose(worker.user)
    worker.commit(mine, "question", GOOD, now=LATE)
    assert reload(mine).state == AssignmentState.EXPIRED
    assert reload(mine).annotation.responses.count() == 1
    assert refused(worker, now=LATE) == "not_qualified"


@pytest.mark.parametrize("keeps", [True, False])
def test_idle_work_is_taken_away_for_late_work_only_of_somebody_who_still_has_it(worker, lights, bob, reading, keeps):
    mine = worker.claim()
    leases.expire_overdue(now=LATE)
    GrantFactory(qualification=reading, user=bob)
    his = claiming.claim(lights, "annotate", by=bob, now=LATE, item=mine.task.item)
    assert his.task == mine.task
    if not keeps:
        lose(worker.user)
    worker.commit(mine, "question", GOOD, now=LATE)
    assert reload(his).state == (AssignmentState.REVOKED if keeps else AssignmentState.LEASED)


def test_late_work_that_is_finished_counts_as_it_would_have(worker):
    mine = worker.claim()
    leases.expire_overdue(now=LATE)
    lose(worker.user)
    assert worker.commit(mine, "question", BAD, now=LATE).adopted


def test_a_lease_whose_time_is_over_and_has_not_been_expired_is_still_held(worker):
    mine = worker.claim()
    lose(worker.user)
    assert worker.claim(now=NOON + timedelta(minutes=20)) == mine


def test_who_has_lost_it_does_not_undo_a_skip(worker):
    mine = worker.claim()
    skip_and_return.skip(reload(mine), by=worker.user, now=NOON, reason="other", text="")
    lose(worker.user)
    with pytest.raises(AlreadyClosed):
        skip_and_return.undo_skip(reload(mine), by=worker.user, now=NOON)


def statements(worker, django_assert_max_num_queries):
    with django_assert_max_num_queries(100) as asked:
        assert isinstance(worker.claim(), Assignment)
    return [query["sql"] for query in asked.captured_queries]


def test_a_claim_costs_one_statement_more_with_three_qualifications_and_none_more_without(
    lights, alice, bob, carol, django_assert_max_num_queries
):
    statements(Worker(alice, lights), django_assert_max_num_queries)  # fills the queue
    for key in ("a", "b", "c"):
        made = QualificationFactory(project=lights, key=key)
        GrantFactory(qualification=made, user=carol)
    before = statements(Worker(bob, lights), django_assert_max_num_queries)
    assert "grant" not in " ".join(before)
    for made in lights.qualifications.select_related("project"):
        granting.require(made, ["annotate"], by=None, now=NOON)
    lights.refresh_from_db()
    after = statements(Worker(carol, lights), django_assert_max_num_queries)
    assert len(without_searches(after)) == len(without_searches(before)) + 1
    assert sum('"qualification_grant"' in sql for sql in after) == 1


def without_searches(asked):
    """Without the search for a task, which begins at a random point and may ask twice."""
    return [sql for sql in asked if 'ORDER BY "tasks_task"."order"' not in sql]


def talking(lobby):
    return QualificationFactory(project=lobby.project, key="talking", needed_for=["talk"])


def test_nobody_enters_a_lobby_or_is_seated_without_it(lobby):
    made = talking(lobby)
    with pytest.raises(NotEligible) as why:
        lobby.enters("ann")
    assert why.value.reason == "not_qualified"
    people = [join(lobby.project, name) for name in ("ann", "tom")]
    GrantFactory(qualification=made, user=people[0])
    with pytest.raises(NotEligible) as why:
        matching.seat(lobby.project, "talk", people, now=NOON)
    assert why.value.reason == "not_qualified"
    GrantFactory(qualification=made, user=people[1])
    assert len(matching.seat(lobby.project, "talk", people, now=NOON)) == 2


def test_who_loses_it_while_waiting_is_matched_with_nobody_and_leaves_at_their_next_poll(lobby):
    made = talking(lobby)
    for name in ("ann", "tom", "uma"):
        GrantFactory(qualification=made, user=join(lobby.project, name))
    lobby.enters("ann")
    lose(join(lobby.project, "ann"))
    assert lobby.enters("tom", 1).state == "waiting"
    assert (lobby.ticket("ann").state, lobby.ticket("ann").reason) == ("left", "not_eligible")
    lose(join(lobby.project, "tom"))
    gone = lobby.polls("tom", 7)
    assert (gone.state, gone.reason) == ("left", "not_eligible")


def test_who_loses_it_in_the_ready_check_is_not_seated_and_the_other_waits_on(lobby):
    made = talking(lobby)
    for name in ("ann", "tom"):
        GrantFactory(qualification=made, user=join(lobby.project, name))
        lobby.enters(name)
    lobby.is_here("ann", 1)
    lose(join(lobby.project, "ann"))
    lobby.is_here("tom", 2)
    assert (lobby.ticket("ann").reason, lobby.ticket("tom").state) == ("not_eligible", "waiting")
    assert not Assignment.objects.exists()


def test_what_is_done_alone_needs_what_the_shared_work_needs(with_alone):
    made = talking(with_alone)
    ann = join(with_alone.project, "ann")
    assert projects.requirements_of(with_alone.project, "talk_alone") == ("talking",)
    assert refused(Worker(ann, with_alone.project, "talk_alone")) == "not_qualified"
    GrantFactory(qualification=made, user=ann)
    ticket = with_alone.enters("ann")
    assert waiting.why_not_alone(ticket, now=at(61)) is None
    lose(ann)
    assert waiting.why_not_alone(ticket, now=at(61)) == "not_qualified"


def test_another_activity_stays_open(papers, wendy):
    assert eligibility.why_not_claim(wendy, papers, "answer") == "not_qualified"
    assert eligibility.why_not_claim(wendy, papers, "ask") is None


@pytest.fixture
def papers(db):
    made = open_papers()
    QualificationFactory(project=made, needed_for=["answer"])
    return made


@pytest.fixture
def wendy(papers):
    return join(papers, "wendy")
