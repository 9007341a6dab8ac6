"""Run every benchmark and write its figures, with the machine, to results/<name>.json."""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from tests.bench import claim_plan, files, first_page, long_page, long_paper, loops, search, slow_clients, turns

BENCHES = {
    "claim_plan": claim_plan,
    "files": files,
    "first_page": first_page,
    "long_page": long_page,
    "long_paper": long_paper,
    "loops": loops,
    "search": search,
    "slow_clients": slow_clients,
    "turns": turns,
}
ADDITIONS = 10_000_000
RESULTS = Path(__file__).parent / "results"


def machine() -> dict[str, object]:
    """A description of the machine."""
    return {
        "cores": os.cpu_count(),
        "load_before": os.getloadavg()[0],
        "additions_per_s": additions_per_s(),
        "python": platform.python_version(),
        "system": platform.platform(),
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def additions_per_s() -> int:
    """How fast one core adds small numbers in Python right now: shared machines vary by half from hour to hour."""
    begun, total = time.perf_counter(), 0
    for number in range(ADDITIONS):
        total += number
    return round(ADDITIONS / (time.perf_counter() - begun))


def main(names: list[str]) -> None:
    """Run the named benchmarks, or all."""
    RESULTS.mkdir(exist_ok=True)
    for name in names or BENCHES:
        about = machine()
        bench = BENCHES[name]
        figures = bench.measure_all()
        written = {"machine": about, "method": " ".join(bench.__doc__.split()), "figures": figures}
        (RESULTS / f"{name}.json").write_text(json.dumps(written, indent=2) + "\n")
        print(f"--- {name}\n{json.dumps(figures, indent=2)}")


if __name__ == "__main__":
    main(sys.argv[1:])
