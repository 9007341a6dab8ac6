"""Two machines with a data folder each share PostgreSQL, Redis and one folder of files, and are one site."""

from __future__ import annotations

import json
from contextlib import ExitStack
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from tests import signed_in
from tests.bench.annotators import PLACE, Annotator, Ledger
from tests.bench.databases import production_servers
from tests.bench.turns import Person
from tests.builders import GOOD, questions, write_lines
from tests.forking import ForkedSite, ForkServer
from tests.prepared import static
from tests.protocols.nq.builders import annotation, original
from tests.waiting import polling

KEYS = {"SECRET_KEY": "a key for tests only", "GOLDFINCH_ID_KEY": "an id key for tests only"}
LOOK = """
from annotation.engine import loading
from annotation.models import Item
print(loading.item_record(Item.objects.order_by("pk").first()).documents[0].rendering().text)
"""
ASK = """
from annotation import clock
from annotation.models import Project, User
from tasks.background import long_jobs
lights, lena = Project.objects.get(slug="lights"), User.objects.get(username="lena")
asked = {"format": "nq"}
print(long_jobs.ask(lights, "build_release", subject="lights", asked=asked, by=lena, now=clock.now()).pk)
"""
HANG = """
from annotation.releases import contents
from tasks.background import long_jobs
from tests.waiting.polling import until
def hang(*args, progress, **kwargs):
    print("BEGUN", flush=True)
    until(lambda: progress(0, 0), seconds=3600)
contents.write = hang
long_jobs.run(%s)
"""
"""Does the job, and never ends."""
START = "from tasks.background import long_jobs; print(long_jobs.start_due())"
TAKE_OVER = """
from annotation.models import Job
from tasks.background import long_jobs
from tests.waiting.polling import until
started = []
def ended():
    started.append(long_jobs.start_due())
    return not Job.objects.filter(pk=%s, state__in=("queued", "running")).exists()
until(ended)
print(sum(started))
"""
"""As the background job does it, until the job has ended; prints how often it was started."""
STATE = "from annotation.models import Job; job = Job.objects.get(pk=%s); print(job.state, job.attempts, job.error)"
SESSION = """
from annotation.models import Release, User
from tests import signed_in
print(signed_in.session_of(User.objects.get(username="lena")), Release.objects.get(state="ready").version)
"""
HARBOUR = """
from annotation.models import Item, Project, User
from tests import signed_in
harbour = Project.objects.get(slug="harbour")
signed_in.member(harbour, "anna")
lena = signed_in.member(harbour, "lena", role="lead")
sessions = [signed_in.session_of(User.objects.get(username=name)) for name in ("anna", "lena")]
print(*sessions, Item.objects.get(project=harbour).pk)
"""
"""Signs an annotator and a lead in; prints their sessions and the key of the question."""
QUOTE = "The first harbour light was lit in 1823"
ANSWERS = [
    ("question", GOOD),
    ("long_answer", {"kind": "box", "candidate": 0, "quote": QUOTE}),
    ("short_answer", {"kind": "none"}),
]


def printed(site, code):
    """What this code prints in a process of the site."""
    return site.manage("shell", "--no-imports", "-c", code).strip()


@pytest.fixture(scope="module")
def machines():
    """Two machines that serve one site: what runs at either is forked from the same imports, but has its folder."""
    with production_servers(migrated=True) as (folder, environment), ExitStack() as running:
        environment |= KEYS | {
            "GOLDFINCH_STORAGE": str(folder / "shared"),
            "GOLDFINCH_PROTOCOLS": "tests.protocols.toy",
        }
        for name in ("shared", "one", "two"):
            (folder / name).mkdir()
        sites = [ForkedSite(folder / name, **environment) for name in ("one", "two")]
        fork_server = running.enter_context(ForkServer(sites[0].environment))
        for site in sites:
            site.forked_by = fork_server
            static(site.folder / "static")
            running.callback(site.close)
            site.start()
        yield sites


@pytest.fixture(scope="module")
def lights(machines, tmp_path_factory):
    """A project that was imported at the first machine, with a lead."""
    one, _two = machines
    file = tmp_path_factory.mktemp("files") / "nq-dev-00.jsonl"
    record = original()
    write_lines(file, [record | {"example_id": n, "annotations": [annotation(n)]} for n in range(10)])
    one.manage("create_project", "lights", "--protocol", "nq")
    one.manage("import_release", "lights", str(file))
    signed_in.join(one, "lights", "lena", role="lead")
    return "lights"


def test_what_one_has_imported_is_shown_by_the_other(machines, lights):
    shown = [printed(site, LOOK) for site in machines]
    assert shown[0] == shown[1] != ""


def test_what_one_has_imported_is_worked_on_at_the_other_and_one_shows_the_answer(machines, tmp_path):
    one, two = machines
    write_lines(tmp_path / "questions.jsonl", questions(1))
    one.manage("create_project", "harbour", "--protocol", "nq")
    one.manage("import_items", "harbour", str(tmp_path / "questions.jsonl"))
    one.manage("open_queue", "harbour")
    anna, lena, item = printed(one, HARBOUR).split()
    address = f"/projects/harbour/items/{item}/"
    assert QUOTE.encode() not in downloaded(one, address, lena)
    annotator = Annotator(urlsplit(two.url), anna, Ledger(), ANSWERS)
    after = annotator.loop(annotator.claim("harbour"))
    assert PLACE.search(after) is None
    shown = downloaded(one, address, lena)
    assert QUOTE.encode() in shown
    assert b"1 of 1 annotations are in." in shown


def test_a_conversation_goes_on_across_both(machines):
    one, two = machines
    [seats] = json.loads(one.python("tests.bench.turns", "1"))
    asker, teller = (Person(site.url, *seat) for site, seat in zip((one, two), seats, strict=True))
    asker.commit("ask-1", "Who kept the light?", 0)
    teller.commit("tell-1", "Anna", 1)
    asker.commit("ask-2", "Until when?", 2)


def test_a_job_that_was_killed_at_one_is_taken_over_by_the_other_once_and_either_gives_the_release_out(
    machines, lights
):
    one, two = machines
    job = printed(one, ASK)
    doing = one.forked("manage", "shell", "--no-imports", "-c", HANG % job, out=one.folder / "hanging")
    polling.until(lambda: doing.out.read_text() == "BEGUN\n", not_yet=FileNotFoundError)
    assert printed(two, START) == "0"
    assert printed(two, STATE % job) == "running 1"
    doing.kill()
    assert printed(two, TAKE_OVER % job) == "1"
    assert printed(one, STATE % job) == "done 2"
    session, version = printed(one, SESSION).split()
    address = f"/projects/lights/releases/{version}/manifest.json"
    assert len({downloaded(site, address, session) for site in machines}) == 1


def downloaded(site, address, session):
    """What this machine sends the lead from this address."""
    asked = Request(f"{site.url}{address}")
    asked.add_header("Cookie", f"goldfinch_session={session}")
    with urlopen(asked) as answer:
        return answer.read()
