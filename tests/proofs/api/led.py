"""What leads call about courses, grants, disputes and judging rounds, in projects of their own."""

from __future__ import annotations

from pathlib import Path

from django.core.management import call_command

from annotation import randomness
from annotation.judging import drawing, rounds
from annotation.judging.rules import Rules
from annotation.models import Project, Role, User
from qualification.courses import editing
from tasks import jobs
from tasks.judging import raters, working
from tests.builders import Worker, open_with, project, questions, write_lines
from tests.disagreeing import BAD, answered, box
from tests.disagreeing import lights as disagreeing
from tests.factories.qualification import CourseVersionFactory, GrantFactory, QualificationFactory
from tests.frontend.api.callers import Caller, leading
from tests.people import NOON, join
from tests.proofs.api.places import Sent, World
from tests.qualification.courses.building import prepare, sit, three_blocks
from tests.tasks.judging.judged_rounds import RaterAtWork, answer, draft
from tests.uploading import json_lines, uploaded

OF_PROJECT = "/api/v1/projects/{slug}/"
ROUND = f"{OF_PROJECT}rounds/{{uuid}}/"
WHY = {"reason": "The site was down."}


def furnish(world: World, folder: Path) -> None:
    """Add projects that lena leads: with two courses, with disputes, and with rounds in every state."""
    _courses(world)
    _disputes(world, folder / "disputed")
    _rounds(world, folder)
    _metrics(world, folder)


def _script(world: World, led: Project) -> tuple[Caller, str, User]:
    """Calls of its lead, the name of the token, and the lead."""
    lena = join(led, "lena", Role.LEAD)
    script, name = leading(lena, led), f"leads {led.slug}"
    world.tokens[name] = script.secret
    return script, name, lena


def _courses(world: World) -> None:
    """Reading has a draft, an attempt, one that was voided and two grants; writing is closed."""
    led = project("courses")
    script, name, _lena = _script(world, led)
    reading, writing = (QualificationFactory(project=led, key=key, title=key) for key in ("reading", "writing"))
    for each in (reading, writing):
        CourseVersionFactory(qualification=each, course=three_blocks())
    amy, ben, cas = (join(led, person) for person in ("amy", "ben", "cas"))
    sat = []
    for person in (amy, ben):
        prepare(person, reading)
        sat.append(sit(person, reading, fail=("background",)))
    editing.save(editing.edit(reading, by=None, now=NOON), three_blocks(wait_hours=1), edits=0, by=None, now=NOON)
    script.post(f"projects/courses/courses/reading/attempts/{sat[1].uuid}/void/", WHY)
    script.post("projects/courses/courses/writing/close/")
    of_course, about = f"{OF_PROJECT}courses/{{qualification}}/", {"slug": "courses", "qualification": "reading"}
    time = {"person": amy.worker_code, "minutes": 15} | WHY
    calls = {"publish_course": [Sent()], "close_course": [Sent()], "give_exam_time": [Sent(time)]}
    world.add(of_course, name, calls, **about)
    world.add(of_course, name, {"reopen_course": [Sent()]}, **about | {"qualification": "writing"})
    of_attempt = f"{of_course}attempts/{{attempt}}/"
    world.add(of_attempt, name, {"void_attempt": [Sent(WHY)]}, **about, attempt=sat[0].uuid)
    world.add(of_attempt, name, {"count_attempt_again": [Sent()]}, **about, attempt=sat[1].uuid)
    given = str(randomness.handle())
    script.post("projects/courses/qualifications/reading/grants/", {"people": [cas.worker_code], "giving": given} | WHY)
    one, key = f"{OF_PROJECT}qualifications/{{qualification}}/", {"giving": str(randomness.handle())}
    world.add(
        one,
        name,
        {
            "change_qualification": [Sent({"title": "Else"}), Sent({"activities": ["annotate"]})],
            "give_qualification": [Sent({"people": [amy.worker_code]} | key | WHY)],
            "undo_giving": [Sent({"giving": given})],
        },
        **about,
    )
    world.add(one, name, {"admit_workers": [Sent(key | WHY)]}, **about)
    grant, held = (GrantFactory(qualification=reading, user=person) for person in (amy, ben))
    address = f"projects/courses/qualifications/reading/grants/{held.pk}/decide/"
    script.post(address, {"action": "suspend"} | WHY)
    of_grant = f"{one}grants/{{grant}}/"
    ending = [Sent({"action": action} | WHY) for action in ("suspend", "revoke")]
    world.add(of_grant, name, {"decide_grant": ending}, **about, grant=grant.pk)
    world.add(of_grant, name, {"decide_grant": [Sent({"action": "restore"} | WHY)]}, **about, grant=held.pk)
    new = {"title": "Judging", "about": "Ask us.", "activities": ["annotate"], "present": "finish"}
    world.calls["make_qualification"] = [Sent(new), Sent(new | {"activities": []})]


def _disputes(world: World, folder: Path) -> None:
    """One that is open, one that is decided, and one of which more annotations are wanted."""
    folder.mkdir()
    led = disagreeing(folder, of=3, slug="disputed")
    script, name, _lena = _script(world, led)
    items = [answered(led, box(1), box(2), BAD, names=[f"{each}{n}" for each in "xyz"]) for n in range(3)]
    chosen = [str(each.annotations.earliest("pk").uuid) for each in items]
    addresses = [f"projects/disputed/disputes/annotate/{each.pk}/" for each in items]
    script.post(f"{addresses[1]}decide/", {"annotation": chosen[1]} | WHY)
    script.post(f"{addresses[2]}ask/", WHY)
    possible = (
        {"decide_dispute": [Sent({"annotation": chosen[0]} | WHY)], "ask_for_more": [Sent({}), Sent(WHY)]},
        {"take_decision_back": [Sent(WHY)]},
        {"ask_for_no_more": [Sent()]},
    )
    world.add(OF_PROJECT, name, {"list_disputes": [Sent(), Sent(query={"state": "decided"})]}, slug="disputed")
    for item, calls in zip(items, possible, strict=True):
        of_one = f"{OF_PROJECT}disputes/{{activity}}/{{item_id}}/"
        world.add(of_one, name, calls, slug="disputed", activity="annotate", item_id=item.pk)


def _rounds(world: World, folder: Path) -> None:
    """A draft, a sealed one, and a meeting of three experts."""
    led = project("rounds")
    _caller, name, lena = _script(world, led)
    open_with(led, folder, questions(3))
    amy = Worker(join(led, "amy"), led)
    for _ in range(3):
        answer(amy)
    experts = [join(led, person, Role.EXPERT) for person in ("erin", "egon", "edda")]
    codes = [each.worker_code for each in experts]
    rows = {kind: draft(led, lena, meeting=kind == "meeting") for kind in ("draft", "sealed", "meeting")}
    for row in rows.values():
        for person in experts:
            raters.name(row, person, by=lena, now=NOON)
    for kind in ("sealed", "meeting"):
        rounds.seal(rows[kind], by=lena, now=NOON)
    for person in experts:
        RaterAtWork(person, led).judge_all(rows["meeting"], ["C", "W", "C"])
        working.lock(rows["meeting"], by=person, now=NOON)
    new = {"kind": "long", "raters": codes, "seed": "7"}
    upload = uploaded(led, lena, "rows.jsonl", json_lines([{"question_id": 1, "answers": ["Anna."]}]))
    system = {"system": "Alpha", "layout": "dureader", "file": str(upload.uuid)}
    making = {"make_round": [Sent(new), Sent(new | {"sample": 2})], "add_predictions": [Sent(system)]}
    world.add(OF_PROJECT, name, making, slug="rounds")
    possible = {
        "draft": {"change_round": [Sent({"sample": 2})], "discard_round": [Sent()], "seal_round": [Sent()]},
        "sealed": {"stop_round": [Sent(WHY)]},
        "meeting": {"choose_chair": [Sent({"person": codes[0]})], "end_meeting": [Sent()]},
    }
    for kind, calls in possible.items():
        world.add(ROUND, name, calls, slug="rounds", uuid=rows[kind].uuid)
    about = {"slug": "rounds", "uuid": rows["sealed"].uuid}
    replaced = {"replace_rater": [Sent(WHY), Sent({"person": join(led, "eli", Role.EXPERT).worker_code} | WHY)]}
    world.add(f"{ROUND}exhibits/", name, {"flag_exhibit": [Sent(WHY)]}, **about, place=1)
    world.add(f"{ROUND}raters/", name, replaced, **about, number=2)
    meeting = about | {"uuid": rows["meeting"].uuid}
    world.add(f"{ROUND}raters/", name, {"remove_voter": [Sent(WHY)]}, **meeting, number=2)


def _metrics(world: World, folder: Path) -> None:
    """A round about answers in people's own words, whose figures are measured."""
    led = project("lamps", "dureader")
    _caller, name, lena = _script(world, led)
    rows = [
        {
            "question_id": number,
            "question": f"which oil did lamp {number} burn",
            "question_type": "DESCRIPTION",
            "fact_or_opinion": "FACT",
            "documents": [{"title": "Lamps", "paragraphs": ["Lamps burned rape oil."], "is_selected": True}],
            "answers": ["It burned rape oil.", "Nobody knows."],
        }
        for number in range(2)
    ]
    call_command("import_release", led.slug, str(write_lines(folder / "search.dev.json", rows)), verbosity=0)
    rules = Rules(kind="answers", of_an_item="all")
    rubric = drawing.kind_of(led, "answers").rubric()
    row = rounds.make(led, title="Lamps", rubric=rubric, rules=rules, by=lena, now=NOON, seed="3")
    expert = join(led, "erin", Role.EXPERT)
    raters.name(row, expert, by=lena, now=NOON)
    rounds.seal(row, by=lena, now=NOON)
    RaterAtWork(expert, led).judge_all(row, ["5", "1", "4", "1"])
    working.lock(row, by=expert, now=NOON)
    jobs.measure_judging_rounds()
    calls = {"read_round_metrics": [Sent()], "read_round_results": [Sent()]}
    world.add(ROUND, name, calls, slug="lamps", uuid=row.uuid)
