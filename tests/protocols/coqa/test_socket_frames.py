"""What sockets carry while people converse: the same in two worlds where they write and mark something else (P22)."""

from __future__ import annotations

import json

import pytest
from django.core.cache import caches
from django.urls import resolve, reverse

from annotation import clock, randomness
from frontend.sockets import application
from tasks.models import Assignment
from tasks.pairs import side_chat, taking_back
from tests.frontend.sockets.socket_rig import SocketServer
from tests.people import join
from tests.protocols.coqa.deciding import flag
from tests.protocols.coqa.pairs import HIDDEN_FIELD, Seated, answered, asked, ended, seated, talk, talk_project

POKES = {application.FRAMES[kind] for kind in ("work", "partner")}
WORLDS = (
    {"half": "Zq8who", "question": "Zq8who was it?", "words": "Anna Holt", "answer": "Zq8 Anna", "chat": "Zq8 may I?"},
    {"half": "Zq8" * 30, "question": "Why?", "words": "Her brother Emil kept", "answer": "Emil", "chat": "Zq8" * 90},
)


@pytest.fixture
def server(transactional_db, monkeypatch):
    """A server to which a listener may send as many frames as it likes."""
    monkeypatch.setattr(application, "AT_ONCE", 1000)
    made = SocketServer()
    yield made
    made.stop()
    caches["default"].clear()


@pytest.fixture
def project(transactional_db, tmp_path):
    return talk_project(tmp_path, passages=3)


def save_draft(person: Seated, step: str, **fields: str) -> None:
    hidden = dict(HIDDEN_FIELD.findall(person.get()))
    draft = hidden | {"seq": 1, "data": json.dumps(fields)}
    assert person.client.post(person.address(step, "draft"), draft).status_code == 200


def moves(questioner: Seated, answerer: Seated, world: dict[str, str]):
    """What the two do, one after another."""
    reply = answered(world["answer"], world["words"])
    yield lambda: save_draft(questioner, "question-1", text=world["half"])
    yield lambda: questioner.say(asked(world["question"]))
    yield lambda: taking_back.take_back(questioner.row(), "question-1", by=questioner.user, now=clock.now())
    yield lambda: questioner.say(asked(world["question"]))
    yield lambda: save_draft(answerer, "answer-1", text=world["half"], rationale=json.dumps([reply["rationale"]]))
    yield lambda: answerer.say(reply)
    yield lambda: flag(questioner, "answer-1", text=world["half"])
    yield lambda: side_chat.write(
        answerer.row(), by=answerer.user, text=world["chat"], to_lead=False, key=randomness.handle(), now=clock.now()
    )


def frames_in(server: SocketServer, pair: tuple[Seated, ...], world: dict[str, str]) -> list[list[str]]:
    """After each move, what each of the two was sent."""
    listeners = [server.open(f"/ws/work/{each.held.uuid}/", each.user) for each in pair]
    found = []
    for move in moves(*pair, world):
        move()
        # Twice: a poke may come in one turn of the loop with the answer to the first frame of ours, and after it.
        found.append([json.dumps(frame) for each in listeners for _twice in range(2) for frame in each.frames()])
    return found


def test_frames_are_the_same_whatever_is_said_marked_drafted_flagged_or_chatted(server, project):
    pairs = seated(project, "quinn", "anna"), seated(project, "uma", "vic")
    one, other = (frames_in(server, pair, world) for pair, world in zip(pairs, WORLDS, strict=True))
    assert one == other
    told = {frame for sent in one for frame in sent}
    assert told == POKES
    drafts_and_flag = [one[place] for place in (0, 6)]
    assert drafts_and_flag == [[], []]


def test_a_game_has_no_socket_that_could_tell_of_the_original(server, project):
    pair = seated(project)
    talk(*pair, 10)
    pair[0].say(ended())
    pair[1].say({"agreed": True})
    player = Seated.at(None, join(project, "petra"))
    claimed = player.client.post(reverse("claim", args=[project.slug, "guess"]))
    held = Assignment.objects.get(uuid=resolve(claimed["Location"]).kwargs["uuid"])
    assert server.refusal(f"/ws/work/{held.uuid}/", player.user) == server.refusal("/ws/nowhere/")
