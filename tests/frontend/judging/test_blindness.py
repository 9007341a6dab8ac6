"""Everything that a rater can request from the site, and what none of it may say before they have locked."""

from __future__ import annotations

import gzip
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache, partial

import pytest
from django.core.cache import caches
from django.db import transaction
from django.urls import reverse

from annotation import releases
from annotation.judging import rounds
from annotation.models import Annotation, Role, User
from tasks.judging import raters, working
from tasks.judging.meeting import agenda, agreeing, voters
from tasks.judging.meeting import room as meeting_room
from tasks.measuring import judging_rounds as measuring
from tests.builders import PAGE_LOAD
from tests.people import NOON, join
from tests.protocols.conftest import quiet, same_chance
from tests.protocols.crawling import Exchange, Recorder, addresses, occurs, place_of
from tests.tasks.judging.judged_rounds import RaterAtWork, draft

__all__ = ["quiet", "same_chance"]
pytestmark = pytest.mark.usefixtures("quiet")

PASSAGE = "first harbour light was lit in 1823 at Cordouan"
COMMENT = "quolvex"
"""In a comment of another rater."""
OTHER, ANNOTATOR = "vexadrin", "mulquath"
"""What another rater, and who gave the answers, are called."""


@pytest.fixture
def rated(sealed, lights, lead, experts):
    """The sealed round, with the lead as a third rater; Egon has judged it all and locked, Erin has marked one."""
    raters.name(sealed, lead, by=lead, now=NOON)
    releases.build(lights, format="nq", by=lead, now=NOON, partial=True)
    return sealed


def judged(row, person, marks, *, lock=True, comment=COMMENT):
    worker = RaterAtWork(person, row.project)
    lease = working.begin(row, by=person, now=NOON)
    for work, mark in zip(working.work_in(lease), marks, strict=False):
        worker.judge(work, mark, comment=comment)
    if lock:
        working.lock(row, by=person, now=NOON)


ONLY_POSTS: set[str] = set()
"""Routes that refuse to show a page to anybody, by their decorator; at any address, and so they are asked once."""


def everything(row, person, *, place: int = 0, only: Collection[str] = ()) -> Iterator[Exchange]:
    """All pages that a person can ask for in the project of the round, with every kind of name that there is.

    `only`: those of these routes, beside what an open page asks by itself.
    """
    client = Recorder()
    client.force_login(person)
    work = working.work_in(working.begin(row, by=person, now=NOON))[place] if _rates(row, person) else None
    names = {
        "slug": ["lights"],
        "activity": ["annotate"],
        "item_id": list(row.exhibits.order_by("place").values_list("item", flat=True)[:2]),
        "uuid": [row.uuid, *([work.uuid] if work else []), Annotation.objects.first().uuid],
        "step": ["judge"],
        "own_steps": ["judge"],
        "place": [0],
        "code": [lead.worker_code for lead in _people(row)],
        "version": [1],
        "name": [releases.manifest_of(row.project.releases.get())["files"][0]["name"]],
        "what": ["confirm"],
        "seat": ["one"],
        "day": [NOON.date()],
    }
    for route, path, _guessed in addresses(names, own=work.uuid if work else None):
        if (not only or route in only) and route not in ONLY_POSTS and client.get(path).status_code == 405:
            ONLY_POSTS.add(route)
    if work:
        poll(client, work)
    return (each for each in client.taken() if each.status != 405)


def poll(client, work) -> None:
    """What the page of an exhibit sends by itself while it is open."""
    client.post(reverse("renew", args=[work.uuid]), {"client": PAGE_LOAD, "idle": 0})
    seen = {"client": PAGE_LOAD, "trace": '[{"n": 1, "lines": [[1, "in_sight", {"ms": 1000, "active": 500}, ""]]}]'}
    client.post(reverse("draft", args=[work.uuid, "judge"]), seen)


def _rates(row, person) -> bool:
    return row.raters.filter(person=person).exists()


def _people(row):
    return [each.user for each in row.project.memberships.select_related("user")]


@lru_cache(maxsize=2048)
def plain(sent: bytes) -> bytes:
    """What is sent, unpacked: searched for several words."""
    head, _, body = sent.partition(b"\n\n")
    at = body.find(b"\x1f\x8b")
    return head + (gzip.decompress(body[at:]) if at >= 0 else body)


def showing(exchanges: Iterable[Exchange], said: str) -> set[str]:
    """The routes whose pages say something."""
    return {place_of(each)[0] for each in exchanges if occurs(said, plain(each.sent))}


def routes_of(exchanges: Iterable[Exchange]) -> set[str]:
    """The routes at which there was something."""
    return {place_of(each)[0] for each in exchanges if each.status != 404}


def test_control_a_lead_who_does_not_rate_sees_answers_at_many_places(rated, lights):
    places = {"item", "item_history", "compare"}
    assert showing(everything(rated, join(lights, "olga", Role.LEAD), only=places), PASSAGE) == places


def test_control_what_the_page_of_an_exhibit_asks_by_itself_is_answered(rated, experts):
    found = {(place_of(each)[0], each.method, each.status) for each in everything(rated, experts[0], only={"judge"})}
    assert {("renew", "POST", 200), ("draft", "POST", 200)} <= found


MORE_PEOPLE = pytest.mark.in_test_all(
    shown_by="tests/frontend/judging/test_blindness.py::test_nobody_who_only_annotates_ever_finds_what_raters_said"
)
"""Somebody who has answered nothing."""


@pytest.mark.parametrize("name", ["ada", pytest.param("oskar", marks=MORE_PEOPLE)])
def test_nobody_who_only_annotates_ever_finds_what_raters_said(rated, lead, experts, lights, name):
    for expert in experts:
        judged(rated, expert, ["C", "Cd", "W"])
    judged(rated, lead, ["C", "C", "C"])
    measuring.measure_due(now=NOON)
    assert showing(everything(rated, join(lights, name)), COMMENT) == set()
    found = list(everything(rated, experts[0], only={"judging_round"}))
    assert "judging_round" in {place_of(each)[0] for each in found}
    assert "judging_round" not in showing(found, COMMENT)


def test_control_what_raters_said_is_found_by_a_lead_who_does_not_rate(rated, experts, lights):
    judged(rated, experts[1], ["C", "Cd", "W"])
    measuring.measure_due(now=NOON)
    olga = join(lights, "olga", Role.LEAD)
    assert "judging_round" in showing(everything(rated, olga, only={"judging_round"}), COMMENT)


def afresh(same_chance) -> None:
    """The same chance as before, and nobody signed in."""
    same_chance(1)
    for each in caches.all(initialized_only=True):
        each.clear()


@pytest.fixture
def world(rated, same_chance):
    """What a person is sent in a world in which others have done something first."""

    def sent(
        person, others: Callable[[], None], look: Callable[..., Iterator[Exchange]] = everything
    ) -> list[Exchange]:
        afresh(same_chance)
        with transaction.atomic():
            judged(rated, person, ["C"], lock=False, comment="")
            others()
            same_chance(2)
            found = list(look(rated, person))
            transaction.set_rollback(True)
        return found

    return sent


def nothing() -> None:
    """Nobody else has begun."""


@pytest.fixture
def called_otherwise(rated):
    """Another rater and who gave the answers have names that would be found."""
    for name, word in (("egon", OTHER), ("ada", ANNOTATOR)):
        User.objects.filter(username=name).update(username=word)


@pytest.mark.usefixtures("called_otherwise")
def test_a_rater_finds_nothing_that_another_has_said_and_is_sent_the_same_bytes_whatever_it_is(rated, experts, world):
    erin, egon = experts
    sent = world(erin, lambda: judged(rated, egon, ["C", "Cd", "W"]))
    hidden = (COMMENT, OTHER, ANNOTATOR)
    assert {word: showing(sent, word) for word in hidden} == {word: set() for word in hidden}
    assert {"judge", "work"} <= showing(sent, "1 of 3 raters")

    def looked(others: Callable[[], None]) -> list[Exchange]:
        """What she is sent wherever there is something for her."""
        return world(erin, others, look=partial(everything, only=routes_of(sent)))

    alone = looked(nothing)
    assert alone == looked(lambda: judged(rated, egon, ["W", "Cd", "W"], lock=False, comment=""))
    locked = looked(lambda: judged(rated, egon, ["C", "C", "C"]))
    assert locked == looked(lambda: judged(rated, egon, ["W", "Cd", "W"], comment="No."))
    assert locked != alone  # that somebody is done is all there is to see


@pytest.mark.usefixtures("called_otherwise")
def test_nor_does_a_lead_who_rates_nor_any_answer_but_in_their_exhibits(rated, lead, experts, world):
    one = world(lead, lambda: judged(rated, experts[1], ["C", "C", "C"]))
    assert showing(one, PASSAGE) <= {"frame"}
    assert showing(one, COMMENT) == set()
    assert {"judge", "work"} <= showing(one, "1 of 3 raters")
    assert one == world(lead, lambda: judged(rated, experts[1], ["W", "Cd", "W"]))


@pytest.mark.in_test_all(
    shown_by="tests/frontend/judging/test_blindness.py"
    "::test_a_rater_finds_nothing_that_another_has_said_and_is_sent_the_same_bytes_whatever_it_is"
)
def test_nor_does_it_matter_how_many_exhibits_another_has_marked(rated, experts, world):
    erin, egon = experts
    assert world(erin, nothing) == world(erin, lambda: judged(rated, egon, ["C", "W"], lock=False))


def room(row, person) -> Iterator[Exchange]:
    """The room and each of its exhibits, as a page and as its script asks for it."""
    client = Recorder()
    client.force_login(person)
    for address in (
        reverse("meeting", args=[row.uuid]),
        *(reverse("meeting_exhibit", args=[row.uuid, place]) for place in range(3)),
    ):
        client.get(address)
        client.get(address, headers={"X-Part": "1"})
    return iter(client.taken())


def talked(row, people, marks: tuple[str, str]) -> Iterator[Exchange]:
    """What Erin's page is sent as it polls after each act of others, of whom the one who marked W speaks."""
    client, exhibit = Recorder(), row.exhibits.get(place=0)
    client.force_login(people[0])
    for person in people:
        meeting_room.enter(row, by=person, now=NOON)
    client.get(reverse("meeting", args=[row.uuid]))
    one = people[1 + marks.index("W")]
    key = uuid.UUID(int=7)
    for act in (
        lambda: agreeing.argue(exhibit, text="It never says so.", key=key, by=one, now=NOON),
        lambda: agreeing.propose(exhibit, mark="Cd", reason="Half of it.", by=people[0], now=NOON),
        lambda: agreeing.mark_anew(exhibit, mark="C", by=one, now=NOON),
        lambda: agreeing.confirm(exhibit, number=1, by=people[1], now=NOON),
    ):
        act()
        client.get(reverse("meeting", args=[row.uuid]), headers={"X-Part": "1"})
        client.get(reverse("meeting_exhibit", args=[row.uuid, 0]), headers={"X-Part": "1"})
    return iter(client.taken())


def met(
    lights, lead, same_chance, *, marks: tuple[str, str], reveal: bool = False, talk: bool = False
) -> list[Exchange]:
    """What Erin is sent at a meeting about exhibits of which Egon and Emma gave one of these marks each."""
    afresh(same_chance)
    with transaction.atomic():
        people = [join(lights, name, Role.EXPERT) for name in ("erin", "egon", "emma")]
        row = draft(lights, lead, meeting=True)
        for person in people:
            raters.name(row, person, by=lead, now=NOON)
        rounds.seal(row, by=lead, now=NOON)
        voters.choose_chair(row, people[0], by=lead, now=NOON)
        for person, mark in zip(people, ("C", *marks), strict=True):
            judged(row, person, [mark] * 3, comment=f"said with {mark}")
        row.refresh_from_db()
        if reveal:
            meeting_room.enter(row, by=people[0], now=NOON)
            for exhibit in row.exhibits.all():
                agenda.reveal(exhibit, by=people[0], now=NOON)
        same_chance(2)
        found = list(talked(row, people, marks) if talk else room(row, people[0]))
        transaction.set_rollback(True)
    return found


def test_in_the_meeting_nobody_can_tell_whose_a_mark_is_until_names_are_revealed(lights, lead, same_chance):
    one, other = (met(lights, lead, same_chance, marks=each) for each in (("W", "Cd"), ("Cd", "W")))
    assert one == other


def test_polls_do_not_tell_whose_a_mark_is_either_while_the_others_speak(lights, lead, same_chance):
    one, other = (met(lights, lead, same_chance, marks=each, talk=True) for each in (("W", "Cd"), ("Cd", "W")))
    assert len(one) == 9
    assert showing(one, "marked W, now C") == {"meeting", "meeting_exhibit"}
    assert [plain(each.sent) for each in one] == [plain(each.sent) for each in other]


IN_POLLS = pytest.mark.in_test_all(
    shown_by="tests/frontend/judging/test_blindness.py::test_control_revealed_names_make_a_difference"
)
TALKS = [False, pytest.param(True, marks=IN_POLLS)]


@pytest.mark.parametrize("talk", TALKS)
def test_control_revealed_names_make_a_difference(lights, lead, same_chance, talk):
    one, other = (
        met(lights, lead, same_chance, marks=each, reveal=True, talk=talk) for each in (("W", "Cd"), ("Cd", "W"))
    )
    assert one != other
