"""What annotators can do by script besides answering: correct, ask, read what concerns them, prefer a part."""

from __future__ import annotations

from annotation import clock, randomness
from annotation.models import Project, Role, User
from frontend.work import chat
from tasks.models import Assignment
from tasks.people import messages
from tests.builders import GOOD, NO_ANSWER
from tests.frontend.api.scripts import Script
from tests.people import join
from tests.proofs.api.places import Sent, World

V1 = "/api/v1/"
OF_PROJECT, WORK = f"{V1}projects/{{slug}}/", f"{V1}work/{{uuid}}/"
STEP = f"{WORK}steps/{{step}}/"
SPREAD = {"kind": "none", "reason": "spread"}
WORDS = "All are about ships."


def furnish(world: World) -> None:
    """Add to the projects `lights` and `talks`, where people work already, what these operations are about."""
    lights, talks = (Project.objects.get(slug=slug) for slug in ("lights", "talks"))
    _corrections(world, lights)
    _own_record(world, lights)
    _letters(world, lights)
    _chats(world)
    part = [Sent({"part": seat}) for seat in ("answerer", "questioner", "")]
    world.add(f"{OF_PROJECT}lobbies/{{activity}}/part/", "hal", slug=talks.slug, activity="converse")
    world.calls["prefer_part"] = part


def _work_of(name: str) -> Assignment:
    return Assignment.objects.select_related("annotator").get(annotator__username=name)


def _corrections(world: World, lights: Project) -> None:
    """Of rosa, who has sent all of her work; of bea, who has sent a step of it; of cleo, who has skipped hers."""
    rosa = Script(join(lights, "rosa"), lights)
    world.tokens["rosa"] = rosa.caller.secret
    last = rosa.send(rosa.claim("annotate"), GOOD).json()["work"]
    rosa.send(last, NO_ANSWER)
    version = rosa.send(last, SPREAD).json()["now"]["replace"]
    second = {"payload": SPREAD, "version": version, "key": str(randomness.handle())}
    world.add(f"{STEP}replace/", "rosa", uuid=last["uuid"], step=last["step"]["step"])
    world.add(f"{STEP}reconsider/", "bea", uuid=_work_of("bea").uuid, step="question")
    world.add(f"{WORK}explain/", "cleo", uuid=_work_of("cleo").uuid)
    world.calls |= {
        "replace_answer": [Sent(second)],
        "reconsider_step": [Sent({"text": WORDS})],
        "explain_skips": [Sent({"text": WORDS})],
    }


def _own_record(world: World, lights: Project) -> None:
    """Of alice, whose work of yesterday is paid."""
    world.tokens["alice"] = Script(User.objects.get(username="alice"), lights).caller.secret
    day = str(clock.now().date())
    for own in ("finished", "pay", "time", "offers"):
        world.add(f"{V1}work/{own}/", "alice")
    world.add(f"{OF_PROJECT}guidelines/", "alice", slug=lights.slug)
    world.calls |= {
        "list_finished_work": [Sent(), Sent(query={"limit": 1}), Sent(query={"decided": "true"})],
        "read_own_time": [Sent(), Sent(query={"since": day, "until": day})],
        "read_guidelines": [Sent(), Sent(query={"of": str(_work_of("alice").uuid)})],
    }


def _letters(world: World, lights: Project) -> None:
    """A lead has written to alice."""
    alice, lena = User.objects.get(username="alice"), join(lights, "lena", Role.LEAD)
    key = randomness.handle()
    messages.write(lights, alice, side=messages.LEAD, text="Sent back.", key=key, by=lena, now=clock.now())
    world.add(f"{OF_PROJECT}messages/", "alice", slug=lights.slug)
    said = {"text": "My answer is wrong.\nSorry.", "key": str(randomness.handle())}
    world.calls |= {
        "write_letter": [Sent(said), Sent(said | {"about": str(_work_of("alice").uuid)})],
        "mark_letters_read": [Sent({"upto": 1})],
    }


def _chats(world: World) -> None:
    """Ann has written to ben, and cara's partner is lost."""
    ann = _work_of("ann")
    line = {"text": "May I?", "to_lead": False, "key": randomness.handle()}
    chat.keep(ann, line, by=ann.annotator, now=clock.now())
    world.add(f"{WORK}chat/", "ben", uuid=_work_of("ben").uuid)
    world.add(f"{WORK}another/", "cara", uuid=_work_of("cara").uuid)
    said = {"text": "You may.", "key": str(randomness.handle())}
    world.calls |= {
        "read_chat": [Sent(), Sent(query={"after": 1})],
        "write_in_chat": [Sent(said), Sent(said | {"to_lead": True, "after": 1})],
        "find_another": [Sent({})],
    }
