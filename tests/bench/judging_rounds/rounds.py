"""A judging round of 2,500 exhibits and two raters: its results, on both databases; and a meeting room with 8 people.

`job_s`: seconds of the job that measures all of the results. `page_ms`: the lead's page of these (median, 95 %, longest
of 40 requests); its targets are 5 s and 300 ms.

`room`: on SQLite in one process, eight people with an open socket settle 20 exhibits. `seen_ms`: from the beginning of
the POST of a confirmation until all seven others, poked over their sockets, have fetched the room that shows it
(median, 95 %, longest of 140); the target is 200 ms for 95 %. Server and clients share the machine's cores.

    python -m tests.bench.judging_rounds.rounds results | room      (in a site's environment: makes the round)
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode, urlsplit

from websockets.asyncio.client import ClientConnection, connect

from tests.bench.databases import on_both
from tests.bench.turns import CSRF
from tests.bench.yardstick import beside_yardstick
from tests.site import Site

ITEMS, ANSWERS, RATERS = 500, 5, 2
SCORES = ("2", "3", "3", "4", "4", "4", "5", "5")
PEOPLE, SETTLED = 8, 20
REQUESTS = 40
TYPES = ("YES_NO", "ENTITY", "DESCRIPTION")
HERE, POKE = '{"here": true}', '{"poke": "room"}'
LATE = 60.0
KNOWN = {"X-Shape": r'data-shape="(\w+)"', "X-Agenda": r'data-agenda="(\w+)"'}
"""What a page says that it shows, and where it read that."""


def measure_all() -> dict[str, Any]:
    """All of it."""
    return {"results": on_both(_results), "room": beside_yardstick(_room)}


def _results(site: Site) -> dict[str, Any]:
    site.prepare()
    made = json.loads(site.python("tests.bench.judging_rounds.rounds", "results").splitlines()[-1])
    site.start()
    try:
        seat = Seat(site, made["session"], f"/projects/bench/judging/{made['round']}/")
        seat.ask("GET", seat.path)
        took = [_timed(lambda: seat.ask("GET", seat.path)) for _ in range(REQUESTS)]
    finally:
        site.stop()
    return {"exhibits": made["exhibits"], "job_s": made["job_s"], "page_ms": _spread(took)}


def _timed(what: Any) -> float:
    begun = time.perf_counter()
    what()
    return 1000 * (time.perf_counter() - begun)


def _spread(figures: list[float]) -> list[float]:
    ordered = sorted(figures)
    return [round(each, 1) for each in (ordered[len(ordered) // 2], ordered[int(0.95 * len(ordered))], ordered[-1])]


class Seat:
    """One signed-in person with a connection of their own; in a room, with a socket that counts its pokes."""

    def __init__(self, site: Site, session: str, path: str) -> None:
        place = urlsplit(site.url)
        self.path, self.origin, self.poked = path, site.url, asyncio.Event()
        self.known: dict[str, str] = {}
        self.headers = {
            "Host": place.netloc,
            "Cookie": f"goldfinch_session={session}; csrftoken={CSRF}",
            "X-CSRFToken": CSRF,
            "Content-Type": "application/x-www-form-urlencoded",
        }
        self.connection = HTTPConnection(place.hostname or "", place.port, timeout=60)

    def ask(self, method: str, path: str, fields: dict[str, Any] | None = None, **headers: str) -> str:
        """The body of the response; RuntimeError for an error."""
        self.connection.request(method, path, urlencode(fields or {}), self.headers | headers)
        response = self.connection.getresponse()
        content = response.read().decode()
        if response.status >= 400:
            raise RuntimeError(f"{method} {path} answered {response.status}: {content[:300]}")
        return content

    async def listen(self) -> ClientConnection:
        """Open the socket of the room; pokes set `poked` from now on."""
        address = self.origin.replace("http", "ws", 1) + self.path.replace("/judging/", "/ws/judging/")
        cookie = {"Cookie": self.headers["Cookie"]}
        address = address.removesuffix("meeting/")
        socket = await connect(address, origin=self.origin, additional_headers=cookie, proxy=None)
        self.tasks = [asyncio.create_task(each(socket)) for each in (self._hear, self._stay)]
        return socket

    async def until(self, words: str) -> None:
        """Fetch the room whenever it is poked, until these words are there."""
        while True:
            await self.poked.wait()
            self.poked.clear()
            if words in " ".join((await asyncio.to_thread(self.room)).split()):
                return

    def room(self) -> str:
        """The room as its page fetches it: what is shown already is not sent again."""
        answer = self.ask("GET", self.path, **{"X-Part": "1"}, **self.known)
        self.known |= {header: found[1] for header, what in KNOWN.items() if (found := re.search(what, answer))}
        return answer

    async def _hear(self, socket: ClientConnection) -> None:
        async for frame in socket:
            if "room" in str(frame):
                self.poked.set()

    async def _stay(self, socket: ClientConnection) -> None:
        while True:
            await socket.send(HERE)
            await asyncio.sleep(5)


def _room() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder)).prepare()
        made = json.loads(site.python("tests.bench.judging_rounds.rounds", "room").splitlines()[-1])
        site.start()
        try:
            seats = [Seat(site, session, f"/judging/{made['round']}/meeting/") for session in made["sessions"]]
            took = asyncio.run(_settle(seats))
        finally:
            site.stop()
    return {"people": PEOPLE, "confirmations": len(took), "seen_ms": _spread(took)}


async def _settle(seats: list[Seat]) -> list[float]:
    """The chair proposes a mark for one exhibit after another, and the others confirm in turn."""
    loop, took = asyncio.get_running_loop(), []
    sys.setswitchinterval(0.0005)
    loop.set_default_executor(ThreadPoolExecutor(24))
    for seat in seats:
        seat.ask("GET", seat.path)
        seat.room()
    sockets = [await seat.listen() for seat in seats]
    chair, *others = seats
    for place in range(SETTLED):
        at = f"{chair.path}{place}/"
        await asyncio.to_thread(chair.ask, "POST", f"{at}take-up/")
        await asyncio.to_thread(chair.ask, "POST", f"{at}propose/", {"mark": "W", "reason": "So."})
        for number, voter in enumerate(others, start=2):
            words = f"W, {number} of {PEOPLE} confirm" if number < PEOPLE else "Settled: Wrong"
            await asyncio.sleep(0.3)  # until everybody has seen what was before; people are slower
            for seat in seats:
                seat.poked.clear()
            seen = asyncio.gather(*(seat.until(words) for seat in seats if seat is not voter))
            begun = loop.time()
            sending = asyncio.create_task(asyncio.to_thread(voter.ask, "POST", f"{at}confirm/", {"number": 1}))
            await asyncio.wait_for(seen, LATE)
            took.append(1000 * (loop.time() - begun))
            await sending
    for seat in seats:
        for task in seat.tasks:
            task.cancel()
    await asyncio.gather(*(socket.close() for socket in sockets))
    return took


def _row(number: int) -> dict[str, Any]:
    kind = TYPES[number % len(TYPES)]
    more = {"YES_NO": {"yesno_answers": ["Yes"] * ANSWERS}, "ENTITY": {"entity_answers": [["gas"]] * ANSWERS}}
    return {
        "question_id": number,
        "question": f"which oil did lamp {number} burn",
        "question_type": kind,
        "fact_or_opinion": "FACT",
        "documents": [{"title": "Lamps", "paragraphs": ["Lamps burned rape oil."], "is_selected": True}],
        "answers": [f"Lamp {number} burned gas, says source {source}." for source in range(ANSWERS)],
        **more.get(kind, {}),
    }


def _make_results() -> dict[str, Any]:
    """2,500 published answers, judged from 1 to 5 by two raters; and the job."""
    from django.core.management import call_command

    from annotation import clock
    from annotation.models import Role
    from tasks.measuring import judging_rounds
    from tests.builders import project, write_lines
    from tests.signed_in import member, session_of

    made, now = project("bench", "dureader"), clock.now()
    with tempfile.TemporaryDirectory() as folder:
        file = write_lines(Path(folder) / "search.dev.json", map(_row, range(ITEMS)))
        call_command("import_release", made.slug, str(file), verbosity=0)
    lead = member(made, "lead", role=Role.LEAD)
    row = _sealed(made, "answers", [member(made, f"judge-{n}", role=Role.EXPERT) for n in range(RATERS)], lead)
    rng = Random("judges")
    for rater in row.raters.select_related("person"):
        _judge(row, rater.person, lambda _place: rng.choice(SCORES))
    begun = time.perf_counter()
    judging_rounds.keep(row, now=now)
    return {
        "round": str(row.uuid),
        "session": session_of(lead),
        "exhibits": row.exhibits.count(),
        "job_s": round(time.perf_counter() - begun, 2),
    }


def _sealed(made: Any, kind: str, people: list[Any], lead: Any, **rules: Any) -> Any:
    from annotation import clock
    from annotation.judging import drawing, rounds
    from annotation.judging.rules import Rules
    from tasks.judging import raters
    from tasks.judging.meeting import voters

    now, wanted = clock.now(), Rules(kind=kind, of_an_item="all", **rules)
    rubric = drawing.kind_of(made, kind).rubric()
    row = rounds.make(made, title="Bench", rubric=rubric, rules=wanted, by=lead, now=now, seed="7")
    for person in people:
        raters.name(row, person, by=lead, now=now)
    if wanted.meeting:
        voters.choose_chair(row, people[0], by=lead, now=now)
    rounds.seal(row, by=lead, now=now)
    row.refresh_from_db()
    return row


def _judge(row: Any, person: Any, mark: Any) -> None:
    from annotation import clock
    from tasks.judging import working
    from tests.tasks.judging.judged_rounds import RaterAtWork

    worker, now = RaterAtWork(person, row.project), clock.now()
    lease = working.begin(row, by=person, now=now)
    for held in working.work_in(lease).select_related("annotation__exhibit", "lease", "task"):
        worker.judge(held, mark(held.annotation.exhibit.place), now=now)
    working.lock(row, by=person, now=now)


def _make_room() -> dict[str, Any]:
    """A round whose raters all see each exhibit otherwise than the chair."""
    from annotation import clock
    from annotation.models import Role
    from tests.builders import GOOD, Worker, open_with, project, questions
    from tests.signed_in import member, session_of
    from tests.tasks.judging.judged_rounds import CHOSEN, NO_SHORT

    made, now = project("bench"), clock.now()
    with tempfile.TemporaryDirectory() as folder:
        open_with(made, Path(folder), questions(SETTLED))
    annotator = Worker(member(made, "annotator"), made)
    for _ in range(SETTLED):
        work = annotator.claim(now=now)
        for stage, answer in (("question", GOOD), ("long_answer", CHOSEN), ("short_answer", NO_SHORT)):
            annotator.commit(work, stage, answer, now=now)
    people = [member(made, f"rater-{number}", role=Role.EXPERT) for number in range(PEOPLE)]
    row = _sealed(made, "long", people, member(made, "lead", role=Role.LEAD), meeting=True)
    for number, person in enumerate(people):
        _judge(row, person, lambda _place, number=number: "C" if number else "W")
    return {"round": str(row.uuid), "sessions": [session_of(person) for person in people]}


if __name__ == "__main__":
    import django

    django.setup()
    print(json.dumps({"results": _make_results, "room": _make_room}[sys.argv[1]]()))
