"""Four projects in which every operation of the API has something to be about."""

from __future__ import annotations

import zlib
from datetime import timedelta
from pathlib import Path
from typing import Any

import yaml

from annotation import clock, randomness, releases
from annotation.imports import uploads
from annotation.judging import rounds
from annotation.models import CaseKind, Project, Role, User
from frontend.leads.setup import from_file
from qualification import invitations
from qualification.models import TokenScope
from tasks import jobs
from tasks.background import long_jobs
from tasks.judging import raters, working
from tasks.models import Ticket
from tasks.pairs import lobby, matching
from tests.boards import measure_everything
from tests.builders import BAD, GOOD, Worker, open_papers, open_with, project, questions, spend
from tests.factories.record import CaseFactory, PaymentFactory
from tests.frontend.api.scripts import Script, by_script
from tests.people import NOON, join
from tests.proofs.api import led, worked
from tests.proofs.api.places import Sent, World
from tests.protocols.coqa.pairs import asked, talk_project
from tests.tasks.judging.judged_rounds import RaterAtWork, draft
from tests.tasks.judging.judged_rounds import answer as answer_in_full
from tests.uploading import asked as import_of
from tests.uploading import imported, json_lines, uploaded

OF_PROJECT = "/api/v1/projects/{slug}/"
ITEM = f"{OF_PROJECT}items/{{item_id}}/"
WORK = "/api/v1/work/{uuid}/"
WHY = {"reason": "copied from a friend"}


def furnished(folder: Path) -> World:
    """A world with work by script, pairs, searches, cases, imports, releases and rounds."""
    world = World()
    lights, lena = _lights(world, folder)
    _imports(world, lights, lena)
    _releases(world, lights, lena)
    _judged(world, folder)
    _papers(world)
    _talks(world, folder)
    led.furnish(world, folder)
    worked.furnish(world, folder)
    world.give("reads", lena, TokenScope.READ)
    world.give("leads", lena, TokenScope.LEAD, lights)
    world.add("", "reads")
    world.add("/api/v1/work/", "ada")
    measure_everything()
    return world


def _lights(world: World, folder: Path) -> tuple[Project, User]:
    # More places than people: whatever is drawn, a skip can be undone, as nobody has taken the place.
    config: dict[str, Any] = {"pay": "12.00 EUR an hour", "activities": {"annotate": {"overlap": {"dev": 20}}}}
    lights = by_script(project("lights", **config))
    lena, alice = join(lights, "lena", Role.LEAD), join(lights, "alice")
    open_with(lights, folder, questions(3, split="dev"))
    done = [_finished(Worker(person, lights)) for person in (alice, join(lights, "bob"))]
    first = done[0].annotation
    case = CaseFactory(
        kind=CaseKind.FLAG, annotation=first, response=first.responses.get(), author=lena, reason="rude", text="!"
    )
    [invited] = invitations.make(
        lights, [invitations.Guest("expert")], days=3, key=randomness.handle(), by=lena, now=clock.now()
    )
    paid = PaymentFactory(project=lights, annotator=alice, by=lena)
    world.add(OF_PROJECT, "leads", slug="lights")
    world.add(f"{OF_PROJECT}queues/{{activity}}/", "leads", slug="lights", activity="annotate")
    world.add(ITEM, "leads", slug="lights", item_id=first.item_id)
    world.add(f"{ITEM}cases/{{case}}/", "leads", slug="lights", item_id=first.item_id, case=case.pk)
    world.add(
        f"{ITEM}annotations/{{annotation}}/", "leads", slug="lights", item_id=first.item_id, annotation=first.uuid
    )
    world.add(f"{OF_PROJECT}people/{{code}}/", "leads", slug="lights", code=alice.worker_code)
    world.add(f"{OF_PROJECT}invitations/{{invite}}/", "leads", slug="lights", invite=invited.invite.pk)
    world.add(f"{OF_PROJECT}work/{{activity}}/", "ada", slug="lights", activity="annotate")
    _work_in_hand(world, lights)
    _calls_about_lights(world, lights, alice, settlement=paid.settlement)
    return lights, lena


def _finished(worker: Worker) -> Any:
    """Work of half an hour, a day ago."""
    at = clock.now() - timedelta(days=1)
    held = worker.claim(now=at)
    spend(held, now=at + timedelta(minutes=30), ms=30 * 60_000, active=30 * 60_000)
    worker.commit(held, "question", BAD, now=at + timedelta(minutes=30))
    return held


def _work_in_hand(world: World, lights: Project) -> None:
    """Of ada at the first step, of bea at the second, and of cleo, who has skipped it."""
    ada, bea, cleo = (_script(world, join(lights, name), lights) for name in ("ada", "bea", "cleo"))
    _add_work(world, ada, ada.claim("annotate"))
    second = bea.send(bea.claim("annotate"), GOOD).json()["work"]
    _add_work(world, bea, second)
    skipped = cleo.claim("annotate")
    cleo.post(f"work/{skipped['uuid']}/skip/", {"reason": "hard"})
    world.add(WORK, "cleo", {"unskip_work": [Sent()]}, uuid=skipped["uuid"])


def _script(world: World, person: User, into: Project) -> Script:
    script = Script(person, into)
    world.tokens[person.username] = script.caller.secret
    return script


def _add_work(world: World, script: Script, work: dict[str, Any], **calls: list[Sent]) -> None:
    """Work in hand, and the step to be answered."""
    name, shown = script.user.username, work["step"]
    world.add(WORK, name, {key: calls[key] for key in calls if key != "withdraw_step"}, uuid=work["uuid"])
    step = f"{WORK}steps/{{step}}/"
    if shown is None:
        world.add(step, name, calls, uuid=work["uuid"], step=work["steps"][0])
        return
    answer = {"payload": script.answer_to(shown), "version": shown["version"], "key": str(randomness.handle())}
    draft_of = {"data": {"verdict": "good", "text": "Who"}, "seq": 1, "version": shown["version"]}
    own = {"commit_step": [Sent(answer)], "save_draft": [Sent(draft_of)], "read_step": [Sent()]}
    own |= {"read_page": [Sent()]} if shown["page"] else {}
    world.add(step, name, own | calls, uuid=work["uuid"], step=shown["step"])


def _imports(world: World, lights: Project, lena: User) -> None:
    waiting = import_of(lights, lena, questions(1, start=10))
    failed = imported(lights, lena, [b'{"question_text": "cut off', *questions(1, start=20)])
    brought = imported(lights, lena, questions(2, start=30))
    one = f"{OF_PROJECT}imports/{{job}}/"
    world.add(one, "leads", {"cancel_import": [Sent()]}, slug="lights", job=waiting.pk)
    refused = {"list_refused_lines": [Sent()], "download_refused_lines": [Sent()]}
    world.add(one, "leads", refused, slug="lights", job=failed.pk)
    world.add(one, "leads", {"undo_import": [Sent()]}, slug="lights", job=brought.pk)
    whole = uploaded(lights, lena, "more.jsonl", json_lines(questions(1, start=40)))
    data = json_lines(questions(1, start=50))
    begun = uploads.begin(lights, name="part.jsonl", size=len(data), beginning=zlib.crc32(data), by=lena, now=NOON)
    place = {"Upload-Offset": "0", "Upload-Checksum": str(zlib.crc32(data))}
    world.add(f"{OF_PROJECT}uploads/{{upload}}/", "leads", slug="lights", upload=begun.uuid)
    world.calls["send_part"] = [Sent(data, headers=place)]
    file = {"file": str(whole.uuid)}
    world.calls["start_import"] = [Sent(file), Sent(file | {"mode": "check", "split": "test", "what": "release"})]
    world.calls["begin_upload"] = [Sent({"name": "a.jsonl", "size": 40, "beginning": 7})]


def _releases(world: World, lights: Project, lena: User) -> None:
    made = releases.build(lights, format="nq", splits=[], partial=True, by=lena, now=NOON, progress=lambda *seen: None)
    recipe = {"format": "nq", "splits": [], "partial": True, "until": None}
    build = long_jobs.ask(lights, "build_release", subject="All of it", asked=recipe, by=lena, now=NOON)
    counted = long_jobs.ask(lights, "preview_release", subject="All of it", asked=recipe, by=lena, now=NOON)
    long_jobs.run(counted.pk)
    one = f"{OF_PROJECT}releases/{{version}}/"
    world.add(one, "leads", slug="lights", version=made.version)
    for name in ("manifest.json", "dev.jsonl.gz"):
        world.add(f"{one}files/", "leads", slug="lights", version=made.version, name=name)
    world.add(f"{OF_PROJECT}releases/builds/{{build}}/", "leads", slug="lights", build=build.pk)
    world.add(f"{OF_PROJECT}releases/count/{{job}}/", "leads", slug="lights", job=counted.pk)
    world.calls["retract_release"] = [Sent(WHY)]
    choices = [{}, {"format": "squad", "split": ["dev"], "partial": True}, {"format": "provenance", "times": "day"}]
    for operation in ("make_release", "count_release"):
        world.calls[operation] = [Sent(each) for each in choices]


def _judged(world: World, folder: Path) -> None:
    """A round whose results are measured, and another that is sealed."""
    judged = project("judged")
    lena, expert = join(judged, "lena", Role.LEAD), join(judged, "erin", Role.EXPERT)
    open_with(judged, folder, questions(2))
    answer_in_full(Worker(join(judged, "amy"), judged))
    for measured in (True, False):
        row = draft(judged, lena)
        raters.name(row, expert, by=lena, now=NOON)
        rounds.seal(row, by=lena, now=NOON)
        one, known = f"{OF_PROJECT}rounds/{{uuid}}/", {"read_round_results": [Sent()]} if measured else {}
        world.add(one, "reads", known, slug="judged", uuid=row.uuid)
        if measured:
            RaterAtWork(expert, judged).judge_all(row, ["C"])
            working.lock(row, by=expert, now=NOON)
            jobs.measure_judging_rounds()


def _add_led(world: World, led: Project) -> None:
    """Another project of lena's, and its first item."""
    name = f"leads {led.slug}"
    world.give(name, join(led, "lena", Role.LEAD), TokenScope.LEAD, led)
    world.add(OF_PROJECT, name, slug=led.slug)
    world.add(ITEM, name, slug=led.slug, item_id=led.items.earliest("position").pk)


def _papers(world: World) -> None:
    """Questions are asked about what a search has found."""
    papers = by_script(open_papers())
    _add_led(world, papers)
    wendy = _script(world, join(papers, "wendy"), papers)
    address = f"projects/{papers.slug}/work/ask/search/"
    found = wendy.caller.get(address).json()["results"][0]["result"]
    _add_work(world, wendy, wendy.claim("ask", result=found))
    anew = _script(world, join(papers, "wilma"), papers)
    result = anew.caller.get(address).json()["results"][0]["result"]
    known = {"search_work": [Sent(), Sent(query={"q": "corpus"})], "claim_work": [Sent({"result": result})]}
    world.add(f"{OF_PROJECT}work/{{activity}}/", "wilma", known, slug=papers.slug, activity="ask")


def _talks(world: World, folder: Path) -> None:
    """Two conversations, one with somebody who was not heard of for five minutes, and people in the lobby."""
    talks = by_script(talk_project(folder, passages=6))
    _add_led(world, talks)
    for when, names in ((clock.now(), ("ann", "ben")), (clock.now() - timedelta(minutes=5), ("cara", "dan"))):
        people = [join(talks, name) for name in names]
        scripts = [_script(world, person, talks) for person in people]
        held = matching.seat(talks, "converse", people, now=when)
        one, other = (str(row.uuid) for row in held)
        Worker(people[0], talks, "converse").commit(held[0], "question-1", asked("Who built it?"), now=when)
        late = names[0] == "cara"
        _add_work(world, scripts[1], scripts[1].read(other), **({"ask_for_time": [Sent({})]} if late else {}))
        flag = {"flag_partner": [Sent({"step": "question-1", "reason": "vague"})]}
        world.add(WORK, names[1], {} if late else flag, uuid=other)
        waiting = {"end_work": [Sent({})]} if late else {"withdraw_step": [Sent({})]}
        _add_work(world, scripts[0], scripts[0].read(one), **waiting)
    _lobby(world, talks)


def _lobby(world: World, talks: Project) -> None:
    """Two people who have found each other, one who waits for so long that they may go on alone, and a newcomer."""
    lobby_of, now = f"{OF_PROJECT}lobbies/{{activity}}/", clock.now()
    about = {"slug": talks.slug, "activity": "converse"}
    for name in ("fay", "gus", "hal", "ida"):
        person = join(talks, name)
        _script(world, person, talks)
        if name != "ida":
            lobby.enter(talks, "converse", by=person, now=now)
        known = {"fay": "say_here", "gus": "leave_lobby", "hal": "go_alone", "ida": "enter_lobby"}[name]
        sent = {"enter_lobby": [Sent({}), Sent({"part": "answerer"})], "leave_lobby": [Sent()]}.get(known, [Sent({})])
        world.add(lobby_of, name, {known: sent, "read_lobby": [Sent(), Sent(query={"idle": 3})]}, **about)
    earlier = now - timedelta(minutes=2)
    Ticket.objects.filter(annotator__username="hal").update(entered_at=earlier, in_line_since=earlier)


def _calls_about_lights(world: World, lights: Project, alice: User, *, settlement: Any) -> None:
    code, day = alice.worker_code, str(clock.now().date())
    setup = yaml.safe_load(from_file.text_of(lights))
    owed = {"until": day, "paid_on": day, "people": [{"person": code, "seconds": 60}]}
    on_items = [{"action": each} for each in ("exclude", "reopen", "more", "withdraw", "set_aside")]
    part = [Sent(), Sent(query={"split": "dev", "since": "2026-01-01"}), Sent(query={"person": code})]
    world.calls |= {
        "change_setup": [Sent(setup), Sent(setup | {"title": "Lights of the coast"})],
        "check_setup": [Sent(setup | {"guidelines": "# Look\n"}, query={"guidelines": "semantic"})],
        "change_queue": [Sent({"lease_minutes": 30}), Sent({"least_agreement": 0.5})],
        "open_queue": [Sent({}), Sent({"lease_minutes": 45})],
        "decide_case": [Sent({"to": to} | WHY) for to in ("upheld", "dismissed")],
        "decide_item": [Sent(each | {"count": 2} | WHY) for each in on_items]
        + [Sent({"action": "exclude", "person": code} | WHY)],
        "decide_annotation": [Sent({"action": action} | WHY) for action in ("exclude", "reopen", "replace")],
        "end_membership": [Sent({"role": "annotator", "finish": False} | WHY), Sent({"role": "annotator"} | WHY)],
        "mark_paid": [Sent(owed | {"settlement": str(randomness.handle())})],
        "undo_payment": [Sent({"settlement": str(settlement)}), Sent({"settlement": str(settlement), "person": code})],
        "claim_work": [Sent({})],
        "renew_work": [Sent({}), Sent({"idle": 3})],
        "report_work": [Sent({"reason": "broken", "text": "Nothing is shown."})],
        "skip_work": [Sent({}), Sent({"reason": "hard", "text": "long"})],
        "return_work": [Sent({}), Sent({"reason": "topic"})],
        "report_time": [Sent({"seconds": 3, "active": 2})],
        "read_board": part,
        "read_agreement": [*part, Sent(query={"activity": "annotate", "measure": "question"})],
        "list_items": [*part, Sent(query={"q": "light", "state": "open", "limit": 2})],
        "list_cases": [Sent(), Sent(query={"state": "upheld", "kind": "flag"})],
        "read_pay": [Sent(), Sent(query={"since": "2026-01-01", "until": day})],
        "list_projects": [Sent(), Sent(query={"limit": 1})],
    }
