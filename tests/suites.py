"""Run the suites, each in a pytest process of its own, and repeat their closing lines at the end.

    python -m tests.suites [SUITE ...]

The browser needs a process to itself, as playwright's loop breaks the ORM and pytest-asyncio beside other tests; races
and proofs need both cores. What is left out is said.
"""

from __future__ import annotations

import subprocess
import sys
import time

CONTRACT = "tests/protocols/test_contract.py"
IN_CHROMIUM = "tests/proofs/browser"
APART = ["--ignore=tests/browser", "--ignore=tests/proofs", "--ignore=tests/races", f"--ignore={CONTRACT}"]
WITHOUT_A_DATABASE = [f"--ignore=tests/proofs/test_{name}.py" for name in ("hostile_imports", "spans")]
IN_PARALLEL = ["--numprocesses=logical", "--maxprocesses=4"]
IN_GROUPS = [*IN_PARALLEL, "--dist=loadgroup"]
POSTGRESQL = ["--database=postgresql"]
SUITES = {
    "sqlite": ["tests", *APART, *IN_PARALLEL],
    "postgresql": ["tests", *APART, *IN_PARALLEL, *POSTGRESQL, "-m", "database"],
    "contract": [CONTRACT, *IN_PARALLEL],
    "races-sqlite": ["tests/races"],
    "races-postgresql": ["tests/races", *POSTGRESQL],
    "proofs-sqlite": ["tests/proofs", f"--ignore={IN_CHROMIUM}", *IN_GROUPS],
    "proofs-postgresql": ["tests/proofs", f"--ignore={IN_CHROMIUM}", *WITHOUT_A_DATABASE, *IN_GROUPS, *POSTGRESQL],
    "proofs-browser": [IN_CHROMIUM],
    "browser": ["tests/browser", "--numprocesses=2", "--dist=loadfile"],
}
ONLY_TO_PROVE = {"slow-clients": ["tests/frontend/server/test_gateway_slow_clients.py"]}
"""Run when named, as `make prove` does; else they are in the other suites."""


def run(name: str) -> tuple[bool, str]:
    """Run one suite, showing its output; whether it passed, and pytest's closing line."""
    command = [sys.executable, "-m", "pytest", "--durations=5", *(SUITES | ONLY_TO_PROVE)[name]]
    print(f"\n--- {name}: {' '.join(command[1:])}", flush=True)
    closing = "no output"
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        for line in process.stdout or ():
            print(line, end="", flush=True)
            closing = line.rstrip() or closing
    return process.returncode == 0, closing


def main(names: list[str]) -> int:
    """Run them all, whatever fails; 1 when one did."""
    begun = time.monotonic()
    results = {name: run(name) for name in names or SUITES}
    left_out = [name for name in SUITES if name not in results]
    print(f"\n--- {time.monotonic() - begun:.0f} s in all")
    if left_out:
        print(f"--- left out: {', '.join(left_out)} (make test runs them)")
    for name, (passed, closing) in results.items():
        print(f"{closing} ({name}{'' if passed else ': FAILED'})")
    return 0 if all(passed for passed, _ in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
