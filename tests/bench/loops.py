"""The loop of an annotator ("bad", and the next question) over HTTP: how many a second, on both databases.

10,000 questions, one annotation each; 20 and 100 annotators without a pause, then 100 who think for 3 s on average.
Server, database and annotators share the machine's cores.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from tests import servers
from tests.site import CHECKOUT, Site

QUESTIONS, PEOPLE, SECONDS = 10_000, 100, 20
SETUP = f"""
import json
from importlib import import_module
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from annotation import clock, membership, projects
from annotation.models import Item, Membership, Project, Role, User
from tasks import queues
now = clock.now()
found = projects.create(slug="loops", title="Loops", protocol="nq", by=None, now=now,
    config={{"activities": {{"annotate": {{"overlap": {{"train": 1}}}}}}}})
Item.objects.bulk_create([Item(project=found, kind="example", external_id=str(n), split="train", content_sha256="",
    payload={{"question_text": f"who tended light number {{n}}"}}, position=n) for n in range({QUESTIONS})])
queues.open_queue(found, "annotate", by=None, now=now)
store = import_module(settings.SESSION_ENGINE).SessionStore
for number in range({PEOPLE}):
    user = User.objects.create(username=f"annotator-{{number}}", password="!")
    Membership.objects.create(project=found, user=user, role=Role.ANNOTATOR, since=now)
    membership.accept_consent(user=user, project=found, now=now)
    session = store()
    session[SESSION_KEY], session[HASH_SESSION_KEY] = str(user.pk), user.get_session_auth_hash()
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session.create()
    print("SESSION", session.session_key)
"""


def annotators(
    urls: list[str], sessions: list[str], *, seconds: float = SECONDS, think: float = 0
) -> dict[str, object]:
    """Let these people work for a while."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.annotators", ",".join(urls), "loops", str(seconds), str(think)],
        cwd=CHECKOUT,
        input="\n".join(sessions),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def memory(pid: int) -> int:
    """The most that a process has held, in MB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) // 1024


def measure(sites: list[Site]) -> dict[str, object]:
    """The three loads on a fresh database, served by as many processes as there are sites."""
    sites[0].prepare()
    said = sites[0].manage("shell", "-c", SETUP)
    sessions = [line.split()[1] for line in said.splitlines() if line.startswith("SESSION")]
    with ExitStack() as running:
        for site in sites:
            running.callback(site.start().stop)
        urls = [site.url for site in sites]
        return {
            "web_processes": len(sites),
            "20 annotators": annotators(urls, sessions[:20]),
            "100 annotators": annotators(urls, sessions),
            "100 annotators who think": annotators(urls, sessions, think=3),
            "server_peak_mb": [memory(site.server.pid) for site in sites],
        }


def measure_all() -> dict[str, object]:
    """SQLite as it is embedded, in one process; PostgreSQL with Redis, by one process and by two."""
    figures: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder:
        figures["sqlite"] = measure([Site(Path(folder))])
    for processes in (1, 2):
        with tempfile.TemporaryDirectory() as folder, ExitStack() as running:
            Path(folder).chmod(0o755)
            places = [Path(folder) / name for name in ("postgresql", "redis")]
            for place in places:
                place.mkdir()
            database, broker = servers.postgresql(places[0], durable=True), servers.redis_server(places[1])
            running.callback(database.stop)
            running.callback(broker.stop)
            sites = [Site(Path(folder), DATABASE_URL=database.url, REDIS_URL=broker.url) for _ in range(processes)]
            figures[f"postgresql, {processes} web process{'es' if processes > 1 else ''}"] = measure(sites)
    return figures
