"""What goes over sockets in a judging round: nothing while raters judge alone, in the meeting that something changed.

Handshakes and frames are searched as bytes, as pages are in `test_blindness.py`.
"""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field

import pytest
from django.urls import reverse

from annotation.judging import rounds
from annotation.models import Annotation, Role, User
from frontend.sockets import application
from tasks.engine import pokes
from tasks.judging import ending, raters, working
from tasks.judging.meeting import agenda, agreeing, room, voters
from tests.frontend.sockets.conftest import server
from tests.frontend.sockets.socket_rig import Listener
from tests.people import NOON, join
from tests.protocols.crawling import occurs
from tests.tasks.judging.judged_rounds import RaterAtWork, draft, lead, lights
from tests.tasks.judging.meetings import exhibit_at

__all__ = ["lead", "lights", "server"]
pytestmark = pytest.mark.django_db(transaction=True)

COMMENT, ARGUMENT, REASON, WHY = "quolvex", "brimtasel", "yonderplim", "hastigrew"
"""Said with a mark, in the meeting, with a proposal, and when a voter is removed."""
OTHER, THIRD, ANNOTATOR = "vexadrin", "talquine", "mulquath"
"""What the other raters, and who gave the answers, are called."""
PROMPT, PASSAGE = "tended light number", "harbour light was lit in 1823"
MARKS = ("debatable", "Wrong", '"W"', '"Cd"')
HIDDEN = (COMMENT, ARGUMENT, REASON, WHY, OTHER, THIRD, ANNOTATOR, PROMPT, PASSAGE, *MARKS)
ROOM, SOCKETS = {"poke": "room"}, "frontend.sockets.admission"


def found(sent: bytes) -> list[str]:
    """Which of the hidden words occur in it, in any guise."""
    return [word for word in HIDDEN if occurs(word, sent)]


@dataclass
class HeardSocket:
    """An open socket, and every byte of what came over it: the answer to its handshake, and its frames."""

    listener: Listener
    frames: list[object] = field(default_factory=list)

    def next(self) -> object:
        self.frames.append(self.listener.next())
        return self.frames[-1]

    def rest(self) -> list[object]:
        """What else the server has sent up to now."""
        self.frames += (found := self.listener.frames())
        return found

    @property
    def sent(self) -> bytes:
        response = self.listener.connection.response
        head = f"{response.status_code} {response.reason_phrase}\n{response.headers}"
        return head.encode() + bytes(response.body or b"") + json.dumps(self.frames).encode()


@pytest.fixture
def people(lights):
    found = [join(lights, name, Role.EXPERT) for name in ("erin", "egon", "emma")]
    for old, new in (("egon", OTHER), ("emma", THIRD), ("ada", ANNOTATOR)):
        User.objects.filter(username=old).update(username=new)
    return found


@pytest.fixture
def sealed(lights, lead, people):
    """Sealed, with a meeting; Erin will be in the chair."""
    row = draft(lights, lead, meeting=True)
    for person in people:
        raters.name(row, person, by=lead, now=NOON)
    rounds.seal(row, by=lead, now=NOON)
    voters.choose_chair(row, people[0], by=lead, now=NOON)
    row.refresh_from_db()
    return row


def judge(row, person, mark, *, lock=True):
    """Give all exhibits this mark, with a comment."""
    worker = RaterAtWork(person, row.project)
    lease = working.begin(row, by=person, now=NOON)
    for work in working.work_in(lease):
        worker.judge(work, mark, comment=COMMENT, now=NOON)
    if lock:
        working.lock(row, by=person, now=NOON)


@pytest.fixture
def poked():
    """The pokes of this process since the test began."""
    heard: list[pokes.Poke] = []
    pokes.subscribe(heard.append)
    yield heard
    pokes.unsubscribe(heard.append)


def address(row) -> str:
    """That of the room."""
    return reverse("socket_of_room", SOCKETS, args=[row.uuid])


def addresses(row, person) -> list[str]:
    """The address of every kind of socket, with every name that there is in the round."""
    own = [work.uuid for work in working.work_in(working.begin(row, by=person, now=NOON))]
    works = [*own, *Annotation.objects.values_list("uuid", flat=True)]
    return [
        address(row),
        *(reverse("socket_of_work", SOCKETS, args=[each]) for each in works),
        *(reverse("socket_of_lobby", SOCKETS, args=[row.project.slug, each]) for each in ("annotate", "assess")),
    ]


def test_while_raters_judge_alone_no_socket_opens_and_a_refusal_says_nothing(server, sealed, people):
    erin, egon, _emma = people
    nowhere = server.refusal("/ws/nowhere/", erin)
    paths = addresses(sealed, erin)
    assert len(paths) > 4
    for others in (lambda: judge(sealed, egon, "W", lock=False), lambda: working.lock(sealed, by=egon, now=NOON)):
        others()
        for path in paths:
            refusal = server.refusal(path, erin)
            assert refusal == nowhere
            assert found(repr(refusal).encode()) == []


def test_while_raters_judge_alone_nobody_is_poked(sealed, people, poked):
    for person, mark in zip(people, ("C", "W", "Cd"), strict=True):
        judge(sealed, person, mark, lock=False)
    for person in people[:2]:
        working.lock(sealed, by=person, now=NOON)
    assert poked == []


@pytest.fixture
def meeting(sealed, people):
    """At its meeting, with everybody in the room: Egon and Emma see each exhibit otherwise than Erin."""
    for person, mark in zip(people, ("C", "W", "Cd"), strict=True):
        judge(sealed, person, mark)
    sealed.refresh_from_db()
    for person in people:
        room.enter(sealed, by=person, now=NOON)
    return sealed


def acts(row, people, lead):
    """All that can be done in a room, each by somebody: who did it, and how."""
    erin, egon, emma = people

    def at():
        """A fresh row each time, as each request has."""
        return exhibit_at(row, 0)

    yield egon, lambda: agreeing.argue(at(), text=ARGUMENT, key=uuid.uuid4(), by=egon, now=NOON)
    yield egon, lambda: agreeing.mark_anew(at(), mark="Cd", by=egon, now=NOON)
    yield erin, lambda: agreeing.propose(at(), mark="W", reason=REASON, by=erin, now=NOON)
    yield egon, lambda: agreeing.confirm(at(), number=1, by=egon, now=NOON)
    yield egon, lambda: agreeing.withdraw(at(), number=1, by=egon, now=NOON)
    yield erin, lambda: agenda.reveal(at(), by=erin, now=NOON)
    yield erin, lambda: agenda.take_up(exhibit_at(row, 1), by=erin, now=NOON)
    yield emma, lambda: room.leave(row, by=emma, now=NOON)
    yield emma, lambda: room.enter(row, by=emma, now=NOON)
    yield lead, lambda: voters.choose_chair(row, lead, by=lead, now=NOON)


def test_in_the_meeting_a_frame_says_that_something_has_changed_and_nothing_else(server, meeting, people, lead):
    sockets = {person: HeardSocket(server.open(address(meeting), person)) for person in (*people, lead)}
    for who, act in acts(meeting, people, lead):
        act()
        for person, socket in sockets.items():
            if person != who:
                assert socket.next() == ROOM
    assert [len(socket.frames) for socket in sockets.values()] == [7, 6, 8, 9]
    for socket in sockets.values():
        assert socket.rest() == []
        assert found(socket.sent) == []
        assert socket.sent.startswith(b"101 ")


def test_a_socket_that_closes_with_the_meeting_says_nothing_more(server, meeting, people):
    his = server.open(address(meeting), people[1])
    agreeing.argue(exhibit_at(meeting, 0), text=ARGUMENT, key=uuid.uuid4(), by=people[0], now=NOON)
    ending.end_meeting(meeting, by=people[0], now=NOON)
    last = his.last_frames()
    assert last
    assert found(" ".join(map(str, last)).encode()) == []
    assert not his.connection.close_reason


def test_control_a_word_in_a_frame_would_be_found(server, meeting, people, monkeypatch):
    said = {"poke": "room", "by": OTHER[::-1], "text": ARGUMENT.upper()}
    monkeypatch.setitem(application.FRAMES, "room", json.dumps(said))
    socket = HeardSocket(server.open(address(meeting), people[0]))
    agreeing.argue(exhibit_at(meeting, 0), text=ARGUMENT, key=uuid.uuid4(), by=people[1], now=NOON)
    assert socket.next() == said
    assert found(socket.sent) == [ARGUMENT, OTHER]


def test_control_pokes_are_heard_where_there_are_some(meeting, people, poked):
    agreeing.argue(exhibit_at(meeting, 0), text=ARGUMENT, key=uuid.uuid4(), by=people[1], now=NOON)
    assert poked == [pokes.Poke(pokes.topic_of_room(meeting.pk), but=people[1].pk)]
    assert found(repr(poked).encode()) == []
