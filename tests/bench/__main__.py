"""Run every benchmark and write its figures, with the machine, to results/<name>.json."""

from __future__ import annotations

import json
import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path

from tests.bench import (
    agreement,
    board,
    claim_plan,
    disputes,
    exam_answers,
    files,
    first_page,
    human_bound,
    log_ins,
    loops,
    pokes,
    search,
    slow_clients,
    small_pages,
    turns,
    uploads,
)
from tests.bench.judging_rounds import rounds
from tests.bench.lists import api_items, by_script, deciding, item_list, lead_pages
from tests.bench.long import page, paper, paragraph
from tests.bench.yardstick import yardstick

BENCHES = {
    "agreement": agreement,
    "api_items": api_items,
    "board": board,
    "by_script": by_script,
    "claim_plan": claim_plan,
    "deciding": deciding,
    "disputes": disputes,
    "exam_answers": exam_answers,
    "files": files,
    "first_page": first_page,
    "human_bound": human_bound,
    "item_list": item_list,
    "judging": rounds,
    "lead_pages": lead_pages,
    "log_ins": log_ins,
    "long_page": page,
    "long_paper": paper,
    "long_paragraph": paragraph,
    "loops": loops,
    "pokes": pokes,
    "search": search,
    "slow_clients": slow_clients,
    "small_pages": small_pages,
    "turns": turns,
    "uploads": uploads,
}
RESULTS = Path(__file__).parent / "results"


def machine() -> dict[str, object]:
    """A description of the machine."""
    return {
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "system": platform.platform(),
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        **yardstick(),
    }


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
