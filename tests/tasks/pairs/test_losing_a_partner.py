"""A partner whose page stops polling is lost after 90 s: wait, end, or find somebody else from one's place in line."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation.errors import NotEligible
from annotation.models import Annotation, Event, Project, Response
from tasks.engine import skip_and_return
from tasks.pairs import leaving, presence
from tests.builders import reload
from tests.protocols.toy.building import Pair
from tests.tasks.pairs.visiting import Lobby, at


@pytest.fixture(scope="module")
def talk_once(shared_rows, toys_once):
    lobby = Lobby(Project.objects.get(pk=toys_once))
    for name in ("ann", "tom"):
        lobby.enters(name)
    for name in ("ann", "tom"):
        lobby.is_here(name)


@pytest.fixture
def talk(lobby, talk_once):
    """Ann and tom, seated at noon from the lobby."""
    return lobby


def work(lobby: Lobby, name: str):
    return reload(lobby.ticket(name).assignment)


def asks(lobby: Lobby, seconds: float = 0) -> Pair:
    """Whoever asks in the only talk asks something."""
    held = {row.seat: row for row in Annotation.objects.get().assignments.all()}
    pair = Pair(held["asker"].annotator, held["teller"].annotator, held)
    pair.say("asker", "ask-1", now=at(seconds))
    return pair


def state(lobby: Lobby, name: str, seconds: float) -> str:
    found = presence.of_partners(work(lobby, name), now=at(seconds))
    return found.state if found else ""


def test_a_partner_who_polls_is_here_and_one_who_stops_is_lost_after_ninety_seconds(talk):
    presence.note(work(talk, "tom"), now=at(100))
    assert [state(talk, "ann", seconds) for seconds in (100, 114, 115, 189, 190)] == [
        "here",
        "here",
        "unsure",
        "unsure",
        "lost",
    ]
    presence.note(work(talk, "tom"), now=at(200))
    assert state(talk, "ann", 201) == "here"


def test_who_never_opens_their_page_is_lost_too(talk):
    assert [state(talk, "ann", seconds) for seconds in (14, 90)] == ["here", "lost"]


def test_who_answers_is_here_without_a_poll(talk):
    pair = asks(talk, seconds=100)
    listener, speaker = pair.teller.username, pair.asker.username
    assert (state(talk, listener, 114), state(talk, listener, 190)) == ("here", "lost")
    assert state(talk, speaker, 119) == "lost"


def test_polls_are_written_every_few_seconds_only(talk, django_assert_num_queries):
    held = work(talk, "ann")
    presence.note(held, now=at(10))
    with django_assert_num_queries(0):
        presence.note(held, now=at(14.4))
    presence.note(held, now=at(15))
    assert work(talk, "ann").seen_at == at(15)


def test_a_page_that_polls_every_five_seconds_is_written_each_time_even_if_it_is_a_little_early(talk):
    for seconds in (5, 9.9, 14.8, 19.7):
        presence.note(work(talk, "tom"), now=at(seconds))
        assert work(talk, "tom").seen_at == at(seconds)
    assert [state(talk, "ann", seconds) for seconds in (34, 35)] == ["here", "unsure"]


def test_only_a_lost_partner_can_be_left_behind(talk):
    presence.note(work(talk, "tom"), now=at(100))
    ann = work(talk, "ann")
    for choose in (leaving.end, leaving.find_another):
        with pytest.raises(NotEligible) as refused:
            choose(ann, by=ann.annotator, now=at(150))
        assert refused.value.reason == "partner_is_here"
    assert work(talk, "ann").state == "leased"


def test_ending_keeps_what_was_said_and_frees_both_seats_and_says_why(talk):
    asks(talk)
    ann = work(talk, "ann")
    for _twice in range(2):
        leaving.end(ann, by=ann.annotator, now=at(100))
    assert {work(talk, name).state for name in ("ann", "tom")} == {"returned"}
    assert Response.objects.count() == 1
    event = Event.objects.get(subject=f"assignment:{ann.uuid}", kind="assignment.returned")
    assert event.data["reason"] == "partner_lost"


def test_who_finds_somebody_else_is_before_those_who_came_later_and_gets_another_topic(talk):
    asks(talk)
    first = work(talk, "ann").task.item_id
    talk.enters("tam", 5)
    for seconds in (25, 45, 65, 85):
        talk.polls("tam", seconds)
    ann = work(talk, "ann")
    ticket = leaving.find_another(ann, by=ann.annotator, now=at(100))
    assert (ticket.state, ticket.entered_at, ticket.in_line_since) == ("offered", at(100), at(0))
    assert talk.line() == ["ann offered", "tam offered"]
    for name in ("ann", "tam"):
        talk.is_here(name, 101)
    assert work(talk, "ann").task.item_id != first


def test_whose_partner_has_left_is_told_so_and_may_find_somebody_else_for_an_hour(talk):
    tom = work(talk, "tom")
    skip_and_return.give_back(tom, by=tom.annotator, now=at(30))
    assert (state(talk, "ann", 31), state(talk, "tom", 31)) == ("gone", "")
    ann = work(talk, "ann")
    assert leaving.why_not_find_another(ann, now=at(30) + timedelta(minutes=61)) == "too_late"
    assert leaving.why_not_find_another(work(talk, "tom"), now=at(31)) == "too_late"
    assert leaving.find_another(ann, by=ann.annotator, now=at(31)).state == "waiting"


def test_many_are_watched_at_once_and_each_is_shown_what_a_look_at_their_own_partner_shows(talk):
    asks(talk, seconds=30)
    presence.note_all([work(talk, "tom").pk], now=at(100))
    held = {name: work(talk, name).pk for name in ("ann", "tom")}
    for seconds in (14, 15, 89, 90, 114, 115, 190):
        found = presence.of_all([*held.values(), 0], now=at(seconds))
        assert found == {pk: state(talk, name, seconds) for name, pk in held.items()}


def test_work_that_is_over_is_not_watched(talk, django_assert_max_num_queries):
    held = [work(talk, name).pk for name in ("ann", "tom")]
    tom = work(talk, "tom")
    skip_and_return.give_back(tom, by=tom.annotator, now=at(30))
    with django_assert_max_num_queries(2):
        assert presence.of_all(held, now=at(31)) == {}
    presence.note_all(held, now=at(40))
    assert work(talk, "ann").seen_at is None
