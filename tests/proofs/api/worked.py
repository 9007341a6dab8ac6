"""What annotators can do by script besides answering: correct, ask, read what concerns them, prefer a part."""

from __future__ import annotations

from pathlib import Path

from annotation import clock, randomness
from annotation.models import Annotation, Project, Role, User
from frontend.work import chat
from tasks.disputes import deciding, who
from tasks.engine import assignments
from tasks.models import Assignment
from tasks.people import messages
from tests import disagreeing
from tests.builders import GOOD, NO_ANSWER
from tests.frontend.api.scripts import Script, by_script
from tests.people import NOON, join
from tests.proofs.api.places import Sent, World

V1 = "/api/v1/"
OF_PROJECT, WORK = f"{V1}projects/{{slug}}/", f"{V1}work/{{uuid}}/"
STEP = f"{WORK}steps/{{step}}/"
SPREAD = {"kind": "none", "reason": "spread"}
WORDS = "All are about ships."


def furnish(world: World, folder: Path) -> None:
    """Add to the projects `lights` and `talks`, where people work already, what these operations are about."""
    lights, talks = (Project.objects.get(slug=slug) for slug in ("lights", "talks"))
    _corrections(world, lights)
    _quotes(world, lights)
    _own_record(world, lights)
    _decided(world, folder)
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


def _quotes(world: World, lights: Project) -> None:
    """Sue is to mark words of a box, and ben words of a passage."""
    sue = Script(join(lights, "sue"), lights)
    world.tokens["sue"] = sue.caller.secret
    work = sue.send(sue.claim("annotate"), GOOD).json()["work"]
    box = next(each for each in work["step"]["sheet"]["boxes"] if each["excerpt"].startswith("Two keepers"))
    chosen = {"kind": "box", "candidate": box["index"], "quote": box["excerpt"]}
    work = sue.send(work, chosen).json()["work"]
    marks = {"find_quote": [Sent(query={"text": text}) for text in ("Anna", "Anna Berg")]}
    world.add(f"{STEP}quote/", "sue", marks, uuid=work["uuid"], step=work["step"]["step"])
    ben = _work_of("ben")
    step = assignments.work_of(ben).current
    world.add(f"{STEP}quote/", "ben", marks, uuid=ben.uuid, step=step)


def _own_record(world: World, lights: Project) -> None:
    """Of alice, whose work of yesterday is paid."""
    world.tokens["alice"] = Script(User.objects.get(username="alice"), lights).caller.secret
    day = str(clock.now().date())
    finished = {"list_finished_work": [Sent(), Sent(query={"limit": 1})]}
    for own in ("finished", "pay", "time", "offers"):
        world.add(f"{V1}work/{own}/", "alice", finished if own == "finished" else {})
    world.add(f"{OF_PROJECT}guidelines/", "alice", slug=lights.slug)
    world.calls |= {
        "read_own_time": [Sent(), Sent(query={"since": day, "until": day})],
        "read_guidelines": [Sent(), Sent(query={"of": str(_work_of("alice").uuid)})],
    }


def _decided(world: World, folder: Path) -> None:
    """Of dana, in a project that tells what an expert has decided about her work: that ed was right."""
    decided = by_script(disagreeing.lights(folder, slug="decided", of=1, tells_decisions=True))
    said = (disagreeing.NOTHING, disagreeing.box(1), disagreeing.BAD)
    item, erin = disagreeing.answered(decided, *said, names=("dana", "ed", "flo")), join(decided, "erin", Role.EXPERT)
    who.begin(erin, decided, now=NOON)
    chosen = Annotation.objects.get(item=item, author__username="ed")
    about = deciding.task_of(item, "annotate")
    deciding.decide(about, chosen.uuid, by=erin, reason="The tower.", now=NOON)
    world.tokens["dana"] = Script(User.objects.get(username="dana"), decided).caller.secret
    known = {"list_finished_work": [Sent(), Sent(query={"decided": "true"})]}
    world.add(f"{V1}work/finished/", "dana", known)


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
