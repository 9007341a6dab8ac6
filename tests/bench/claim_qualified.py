"""A claim among 307,373 tasks where nothing is required and where three qualifications are, beside another checkout.

Time waiting for the database, of all statements of a claim in NQ's "annotate" together, in ms, and how many they are;
medians of newcomers who have finished 50 pieces of work and hold nothing, among 1,000 others who hold a task. The other
checkout furnishes a database (`claim_plan.furnish`), of which this one migrates a copy, on SQLite and then on
PostgreSQL; the rounds go to and fro between them, and within a round between the two kinds of project, so that all meet
the same hour of a shared machine. `ratio`: by another figure of the same run.

    python -m tests.bench.claim_qualified CHECKOUT [sqlite] [postgresql]

The other checkout has a copy of this module and a `.venv` of its own; without names, both databases are measured;
figures of a database that is not named stay as they were.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from shutil import copyfile
from typing import Any

from tests import servers
from tests.bench import claim_plan
from tests.site import CHECKOUT, Site

ROUNDS, PEOPLE = 4, 12
FILE, ID_KEY = "goldfinch.sqlite3", "id_key"
KEYS = ("reading", "boxes", "tables")
NOTHING, THREE = "nothing required", "three qualifications required"


@contextmanager
def _sites(other: Path, *, on_postgresql: bool) -> Iterator[dict[str, Site]]:
    """A site of the other checkout and one of this, each with the same rows in a database of its own."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as running:
        folder = Path(name)
        folder.chmod(0o755)
        places = {"before": folder / "before", "now": folder / "now", "postgresql": folder / "postgresql"}
        for place in places.values():
            place.mkdir()
        urls = {}
        if on_postgresql:
            server = servers.postgresql(places["postgresql"], durable=True)
            running.callback(server.stop)
            urls = {"before": {"DATABASE_URL": server.url}, "now": {"DATABASE_URL": f"{server.url}_now"}}
        before = Site(places["before"], checkout=other, **urls.get("before", {}))
        before.manage("migrate", "--verbosity", "0")
        before.python("tests.bench.claim_qualified", "furnish")
        if on_postgresql:
            before.python("tests.bench.claim_qualified", "copy")
        else:
            copyfile(places["before"] / FILE, places["now"] / FILE)
        copyfile(places["before"] / ID_KEY, places["now"] / ID_KEY)
        now = Site(places["now"], checkout=CHECKOUT, **urls.get("now", {}))
        now.manage("migrate", "--verbosity", "0")
        yield {"before": before, "now": now}


def compared(other: Path, *, on_postgresql: bool) -> dict[str, Any]:
    """The medians of each checkout and kind of project, and their ratios."""
    took: dict[str, dict[str, list[float]]] = {name: defaultdict(list) for name in ("before", "now")}
    statements: dict[str, dict[str, int]] = {"before": {}, "now": {}}
    with _sites(other, on_postgresql=on_postgresql) as sites:
        for number in range(ROUNDS):
            for name, site in sites.items():
                for kind, found in json.loads(site.python("tests.bench.claim_qualified", "claim", str(number))).items():
                    took[name][kind] += found["ms"]
                    statements[name][kind] = found["statements"]
    median = {name: {kind: round(statistics.median(ms), 3) for kind, ms in took[name].items()} for name in took}
    return {
        "claim_median_ms": median,
        "statements": statements,
        "n": ROUNDS * PEOPLE,
        "ratio": {
            "now by before, nothing required": round(median["now"][NOTHING] / median["before"][NOTHING], 3),
            "now by before, three required": round(median["now"][THREE] / median["before"][THREE], 3),
            "three by nothing required, now": round(median["now"][THREE] / median["now"][NOTHING], 3),
        },
    }


def furnish() -> None:
    """The project, with three qualifications that all who seek work have, and that nothing requires yet."""
    from django.db import connection

    from annotation import clock, randomness
    from qualification import granting
    from tests.factories.qualification import QualificationFactory

    claim_plan.SEEKERS, claim_plan.FINISHED_BY_VETERANS = 2 * ROUNDS * PEOPLE, claim_plan.FINISHED
    found, seekers = claim_plan.furnish("nq", "annotate", "example")
    for key in KEYS:
        made = QualificationFactory(project=found, key=key, title=key)
        granting.give(made, seekers, reason="Knows the work.", form=randomness.handle(), by=None, now=clock.now())
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def copy() -> None:
    """A copy of the database, of the name that the site of this checkout knows."""
    from django.db import connection

    name = connection.settings_dict["NAME"]
    connection.close()
    with connection._nodb_cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{name}_now" TEMPLATE "{name}"')


def claim(number: int) -> dict[str, Any]:
    """The claims of a round: of people one after another, in a project that requires nothing, and then three."""
    from annotation.models import Project, User

    found = Project.objects.get(slug="nq-plan")
    seekers = list(User.objects.filter(username__startswith="nq-").order_by("pk"))[claim_plan.HOLDERS :]
    first = 2 * number * PEOPLE
    parts = {NOTHING: seekers[first : first + PEOPLE], THREE: seekers[first + PEOPLE : first + 2 * PEOPLE]}
    told = {}
    for kind, people in parts.items():
        config = {"annotate": {"requires": list(KEYS) if kind == THREE else []}}
        found.config = found.config | {"activities": config}
        found.save(update_fields=["config"])
        counts, times = zip(*(_timed(found, user) for user in people), strict=True)
        told[kind] = {"ms": times, "statements": statistics.mode(counts)}
    return told


def _timed(found: Any, user: Any) -> tuple[int, float]:
    """How many statements a claim takes, and for how long it waits for them, in ms."""
    import time

    from django.db import connection

    from annotation import clock
    from tasks.engine import claiming, no_work

    spent: list[float] = []

    def timer(execute: Any, *rest: Any) -> Any:
        begun = time.perf_counter()
        try:
            return execute(*rest)
        finally:
            spent.append((time.perf_counter() - begun) * 1000)

    with connection.execute_wrapper(timer):
        claimed = claiming.claim(found, "annotate", by=user, now=clock.now())
    if isinstance(claimed, no_work.NoWork):
        raise AssertionError(f"{user.username} got nothing: {claimed}")
    return len(spent), sum(spent)


def main(words: list[str]) -> None:
    """A step of a site's own, or the comparison with the checkout that is named."""
    steps = {"furnish": furnish, "copy": copy}
    if words[0] in (*steps, "claim"):
        import django

        django.setup()
        if words[0] == "claim":
            print(json.dumps(claim(int(words[1]))))
        else:
            steps[words[0]]()
        return
    from tests.bench.__main__ import RESULTS, machine

    path, other = RESULTS / "claim_qualified.json", Path(words[0]).resolve()
    figures = json.loads(path.read_text())["figures"] if path.exists() else {}
    for name in words[1:] or ("sqlite", "postgresql"):
        about = machine()
        figures[name] = {"machine": about} | compared(other, on_postgresql=name == "postgresql")
    written = {"method": " ".join((__doc__ or "").split()), "figures": figures}
    path.write_text(json.dumps(written, indent=2) + "\n")
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main(sys.argv[1:])
