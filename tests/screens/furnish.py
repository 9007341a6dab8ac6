"""Projects and people for the states that the demo does not show; runs inside the site, through `manage.py shell`."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
from django.template.loader import render_to_string

from annotation import clock, membership, randomness, registry, releases
from annotation.models import Project, Role, User
from annotation.models.case import FlagReason
from frontend.management.commands.demo import NEWCOMER
from qualification import accounts, invitations
from qualification.models import MailOutcome
from tasks import corrections
from tasks.engine import claiming, leases, queues, similarity, submitting
from tasks.items import reports
from tasks.models import Assignment
from tests.builders import BAD, GOOD, NO_ANSWER, Worker, load, questions, reload, write_lines
from tests.factories.corpus import ProjectFactory
from tests.factories.people import UserFactory
from tests.protocols.parts import parts
from tests.screens import lobby
from tests.screens.camera import SIZES
from tests.screens.deciding import decided
from tests.screens.error_pages import ERROR_PAGES, SHOWN_WITH
from tests.screens.furnishing import bound, courses, judging, prolific, webhooks
from tests.screens.furnishing.times import a_week
from tests.screens.releases import not_frozen
from tests.screens.setup import rehearsed
from tests.screens.states import AWAY, EXPIRED, NOT_SHOWN

PAID = {"pay": "12.60 EUR an hour"}


def everything() -> None:
    """Create everything, and print what the pictures need as JSON after the word FURNISHED."""
    _furnish(rare=True)


def each_kind() -> None:
    """The same for one picture of each kind of page (`visits_of_each_kind`), in half the time."""
    _furnish(rare=False)


def a_few_kinds() -> None:
    """The same for those kinds of page that differ most (`visits_of_a_few_kinds`)."""
    now = clock.now()
    person = _joining({}, now=now)
    small = _project("harbours", "Harbour questions", questions(25), now=now)
    person(small, "ada-wide", consents=False)
    person(small, "lotte", Role.LEAD)
    _disputed(person, now=now)
    lobby.furnish(person)
    parts("furnish")["qasper"].furnish(person, now=now)
    person(Project.objects.get(slug="bells"), "ada-wide")
    print("FURNISHED", json.dumps({"passwords": {}, "pages": {}}))


def _joining(passwords: dict[str, str], *, now: datetime) -> Callable[..., User]:
    """A function that makes somebody a member; new passwords are added to these."""

    def person(project: Project, name: str, role: str = Role.ANNOTATOR, consents: bool = True) -> User:
        user, password = membership.add(project=project, username=name, role=role, by=None, now=now)
        if password:
            passwords[name] = password
        if consents:
            membership.accept_consent(user=user, project=project, now=now)
        return user

    return person


def _furnish(*, rare: bool) -> None:
    now = clock.now()
    passwords: dict[str, str] = {}
    person = _joining(passwords, now=now)
    for demo in Project.objects.filter(memberships__user__username=NEWCOMER):
        person(demo, "noor", consents=False)
        releases.build(demo, format=registry.get(demo.protocol).formats[0].key, by=None, now=now, partial=True)
    _work(person, now=now)
    courses.furnish(person, _project, now=now)
    _decided(person, now=now)
    _disputed(person, now=now)
    lobby.furnish(person)
    for of_protocol in parts("furnish").values():
        of_protocol.furnish(person, now=now)
    tides = _project("tide-tables", "Tide tables", questions(120, start=300), now=now, **PAID)
    a_week(person, tides, now=now)
    if rare:
        _rarer_states(person, tides, passwords, now=now)
    pages = {
        template: render_to_string(template, SHOWN_WITH.get(template)) for _status, template in ERROR_PAGES.values()
    }
    print("FURNISHED", json.dumps({"passwords": passwords, "pages": pages}))


def _rarer_states(person: Callable[..., User], tides: Project, passwords: dict[str, str], *, now: datetime) -> None:
    """States in which people seldom are. New passwords are added."""
    _nothing_left(person, now=now)
    _time_over(person, now=now)
    _taken_away(person, now=now)
    _not_shown(person, now=now)
    _reopened(person, now=now)
    prolific.furnish(tides, User.objects.get(username="lotte"), now=now)
    lights = questions(8, split="dev", start=600) + questions(4, split="test", start=700)
    evening = _project("evening-lights", "Evening lights", lights, now=now, activities=bound.OVERLAP)
    bound.all_answered(person, evening, now=now)
    judging.furnish(person, evening, now=now)
    birds = _project("winter-birds", "Winter birds", [], now=now)
    _not_mailed(birds, by=person(birds, "lotte", Role.LEAD), now=now)
    passwords["grace"] = randomness.password()
    UserFactory(username="grace", password=passwords["grace"], email="grace@ships.example", is_staff=True)
    closed = UserFactory(username="eve", email="eve@home.example")
    accounts.close(closed, by=User.objects.get(username="grace"), reason="She left the institute.", now=now)
    for size in SIZES:
        passwords[f"otto-{size}"] = randomness.password()
        UserFactory(username=f"otto-{size}", password=passwords[f"otto-{size}"])


def _not_mailed(project: Project, *, by: User, now: datetime) -> None:
    """An invitation whose mail could not be sent."""
    guest = invitations.Guest(name="Mary Somerville", email="mary@stars.example")
    [made] = invitations.make(project, [guest], days=14, key=randomness.handle(), by=by, now=now)
    invitations.note_mail(MailOutcome.ADDRESS, now=now, invite_id=made.invite.pk)


def _work(person: Callable[..., User], *, now: datetime) -> None:
    """A small page, a right-to-left one and a very long one, for those who work on them in each size.

    Ada has to accept the consent text first. The small one has a release, for the table of its files.
    """
    small = _project("harbours", "Harbour questions", questions(25), now=now)
    arabic = _project("date-palms", "أسئلة عن النخيل", _sample("date-palm-ar"), now=now)
    long = _project("skerrow", "Skerrow lighthouses", _sample("list-of-lighthouses"), now=now)
    lenses = _with_images(now=now)
    for size in SIZES:
        for project in (small, arabic, long, lenses):
            person(project, f"nora-{size}")
        person(small, f"ada-{size}", consents=False)
    lead = person(small, "lotte", Role.LEAD)
    for name, reason, text in (("ivo", "broken", "The table has no numbers."), ("ola", "personal", "")):
        mine = claiming.claim(small, "annotate", by=person(small, name), now=now, item=small.items.first())
        reports.report(reload(mine), by=mine.annotator, reason=FlagReason(reason), text=text, now=now)
    _finish(Worker(person(small, "ivo"), small), now=now)
    for format in ("nq", "huggingface"):
        releases.build(small, format=format, by=None, now=now, partial=True)
    not_frozen(small, by=lead, now=now)
    decided(small, by=lead, now=now)
    rehearsed(small, by=lead, now=now)
    webhooks.furnish(small, by=lead, now=now)


def _nothing_left(person: Callable[..., User], *, now: datetime) -> None:
    """One project for each reason why there is no work."""
    done = _project("wells", "Village wells", questions(1), now=now)
    shared = _project("ferries", "Ferries of the north", questions(1, split="dev", start=20), now=now)
    held = _project("bridges", "Stone bridges", questions(1, start=40), now=now)
    again = [line | {"question_text": "who tended the locks"} for line in questions(4, start=70)]
    alike = _project("canals", "Canals and locks", again, now=now)
    closed = _project("mills", "Water mills", questions(1, start=60), now=now, opened=False)
    _finish(Worker(person(done, "ivo"), done), now=now)
    Worker(person(held, "ivo"), held).claim(now=now)
    for size in SIZES:
        for project in (done, held, closed):
            person(project, f"nora-{size}")
        for project in (shared, alike):
            _finish(Worker(person(project, f"nora-{size}"), project), now=now)


def _time_over(person: Callable[..., User], *, now: datetime) -> None:
    """Two stages sent and a box chosen, then the lease expired."""
    lamps = _project("lamps", "Street lamps", questions(2, start=80), now=now)
    began = now - timedelta(hours=1)
    chosen = {"kind": "box", "candidate": 3, "quote": "Anna Berg came from Bergen."}
    for size in SIZES:
        worker = Worker(person(lamps, f"nora-{size}"), lamps)
        mine = worker.claim(now=began)
        worker.commit(mine, "question", GOOD, now=began)
        tab = submitting.PageLoad(client=randomness.handle())
        submitting.save_draft(reload(mine), "long_answer", chosen, by=worker.user, tab=tab, seq=1, seen=1, now=began)
        Assignment.objects.filter(pk=mine.pk).update(uuid=EXPIRED[size])
    leases.expire_overdue(now=now)


def _taken_away(person: Callable[..., User], *, now: datetime) -> None:
    """For each person a question that a lead withdrew, and one whose slot late work took; nobody has told them yet."""
    foghorns = _project("foghorns", "Fog horns", questions(12, start=400), now=now, **PAID)
    lead = person(foghorns, "lotte", Role.LEAD)
    for size in SIZES:
        tara, ivo = (Worker(person(foghorns, name), foghorns) for name in (f"tara-{size}", "ivo"))
        out = _named(tara.claim(now=now), AWAY[size, "taken-out"])
        reports.cancel(out.task.item, by=lead, reason="The page is about another horn.", now=now)
        late = ivo.claim(now=now - timedelta(hours=1))
        leases.expire_overdue(now=now)
        place = claiming.claim(foghorns, "annotate", by=tara.user, now=now, item=late.task.item)
        _named(place, AWAY[size, "place-taken"])
        ivo.commit(late, "question", BAD, now=now)


def _not_shown(person: Callable[..., User], *, now: datetime) -> None:
    """For each person an item at its second stage, whose published page is a word too long to be shown."""
    records = _project("long-records", "Long records", [], now=now)
    line = {"question_text": "who lit the lamp", "document_text": "word " * 60_001, "long_answer_candidates": []}
    lines = [line | {"example_id": number, "document_url": "", "annotations": []} for number in range(len(SIZES))]
    with tempfile.TemporaryDirectory() as folder:
        load(records, write_lines(Path(folder) / "nq-dev-00.jsonl", lines), published=True, clock=clock.now)
    queues.open_queue(records, "annotate", by=None, now=now)
    for size in SIZES:
        uma = Worker(person(records, f"uma-{size}"), records)
        uma.commit(_named(uma.claim(now=now), NOT_SHOWN[size]), "question", GOOD, now=now)


def _named(held: Assignment, uuid: str) -> Assignment:
    """Give the work the URL that the pictures know, before anything was written about it."""
    Assignment.objects.filter(pk=held.pk).update(uuid=uuid)
    return reload(held)


def _reopened(person: Callable[..., User], *, now: datetime) -> None:
    """Finished work that a lead has re-opened."""
    buoys = _project("buoys", "Bell buoys", questions(4, start=90), now=now)
    lead = person(buoys, "lotte", Role.LEAD)
    for size in SIZES:
        worker = Worker(person(buoys, f"rhea-{size}"), buoys)
        mine = worker.claim(now=now)
        worker.commit(mine, "question", GOOD, now=now)
        worker.commit(mine, "long_answer", NO_ANSWER, now=now)
        reason = "The list of keepers says where each of them came from. Please look at it once more."
        corrections.reopen(buoys, mine.annotation.uuid, by=lead, reason=reason, now=now)


def _decided(person: Callable[..., User], *, now: datetime) -> None:
    """For each size a question that three have answered, for a lead to decide on."""
    keepers = _project(
        "lighthouse-keepers", "Lighthouse keepers", questions(len(SIZES), split="dev", start=200), now=now
    )
    person(keepers, "lotte", Role.LEAD)
    for name in ("ivo", "ola", "uma"):
        worker = Worker(person(keepers, name), keepers)
        for _ in SIZES:
            mine = worker.claim(now=now)
            worker.commit(mine, "question", GOOD, now=now)
            worker.commit(mine, "long_answer", {"kind": "none", "reason": "page"}, now=now)


def _disputed(person: Callable[..., User], *, now: datetime) -> None:
    """A question whose answers agree less than its queue requires."""
    config = {"disputes_in_evaluation": True}
    piers = _project("piers", "Piers", questions(1, split="dev", start=300), now=now, opened=False, **config)
    queues.open_queue(piers, "annotate", by=None, now=now, least_agreement=0.8)
    person(piers, "lotte", Role.LEAD)
    box = {"kind": "box", "candidate": 3, "quote": "Anna Berg came from Bergen."}
    for name in ("ivo", "ola", "uma"):
        _finish(Worker(person(piers, name), piers), now=now)
    for name in ("ada", "eli"):
        worker = Worker(person(piers, name), piers)
        mine = worker.claim(now=now)
        for stage, payload in (("question", GOOD), ("long_answer", box), ("short_answer", {"kind": "yes"})):
            worker.commit(mine, stage, payload, now=now)
    for size in SIZES:
        person(piers, f"erik-{size}", Role.EXPERT)
    similarity.measure_due()


def _finish(worker: Worker, *, now: datetime) -> None:
    worker.commit(worker.claim(now=now), "question", BAD, now=now)


def _project(
    slug: str, title: str, lines: list[dict[str, Any]], *, now: datetime, opened: bool = True, **config: Any
) -> Project:
    project = ProjectFactory(slug=slug, title=title, config=config, created_at=now)
    if lines:
        with tempfile.TemporaryDirectory() as folder:
            load(project, write_lines(Path(folder) / "items.jsonl", lines), clock=clock.now)
        if opened:
            queues.open_queue(project, "annotate", by=None, now=now)
    return project


def _with_images(*, now: datetime) -> Project:
    """The sample page about lenses, with one image beside it and another on another host."""
    project = ProjectFactory(slug="lenses", title="Lighthouse lenses", config={"seed": "1"}, created_at=now)
    samples = registry.get("nq").demo.items.parent
    lines = [line | {"document_file": "pages/fresnel-lens.html"} for line in _sample("fresnel-lens")]
    for line in lines:
        del line["document_html"]
    with tempfile.TemporaryDirectory() as folder:
        load(project, write_lines(Path(folder) / "items.jsonl", lines), clock=clock.now, beside=samples)
    queues.open_queue(project, "annotate", by=None, now=now)
    return project


def _sample(page: str, copies: int = 4) -> list[dict[str, Any]]:
    """The demo's question about that page, several times, so that there is one for each worker."""
    items = registry.get("nq").demo.items
    lines = [line for line in map(orjson.loads, items.read_bytes().splitlines()) if page in line["document_file"]]
    line = lines[0]
    html = (items.parent / line.pop("document_file")).read_text(encoding="utf-8")
    return [line | {"example_id": 100 + copy, "split": "train", "document_html": html} for copy in range(copies)]
