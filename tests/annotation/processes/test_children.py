"""Children end with their parent: asked, killed if they take too long, and also when it is killed itself."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from annotation.processes import children
from tests.site import CHECKOUT

CHILD = "import os, signal, sys; from annotation.processes import children; children.end_with_parent()\n"
UNTIL_KILLED = "print('ready', flush=True); signal.pause()\n"
STUBBORN = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
PARENT = f"""
import os, signal, sys
from annotation.processes import children
CHILD, UNTIL_KILLED, STUBBORN = {CHILD!r}, {UNTIL_KILLED!r}, {STUBBORN!r}
def started(code):
    child = children.start([sys.executable, "-c", CHILD + code], stdout=-1, text=True)
    assert child.stdout.readline() == "ready\\n"
    return child
"""
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="the kernel kills children on Linux only")


def parent(code: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a parent; this returns once all that hold its output have ended, so its children, too."""
    command = [sys.executable, "-c", PARENT + code, *words]
    return subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True)


def test_children_are_asked_to_end_and_killed_if_they_take_too_long():
    done = parent("""
polite, stubborn = started(UNTIL_KILLED), started(STUBBORN + UNTIL_KILLED)
children.GRACE = 0.5
children.end_all()
print(polite.returncode, stubborn.returncode)
""")
    assert done.stdout.split() == ["-15", "-9"], done.stderr


def test_a_child_that_is_killed_takes_its_own_children_with_it():
    code = """
children.GRACE = 0
started(sys.argv[1] + STUBBORN + "started(STUBBORN + UNTIL_KILLED)" + chr(10) + UNTIL_KILLED)
children.end_all()
"""
    assert parent(code, PARENT).returncode == 0


def test_no_child_is_started_any_more():
    done = parent("""
children.end_all()
for way in (children.start, children.run):
    try: way(["true"])
    except children.Ending: print("ending")
""")
    assert done.stdout.split() == ["ending", "ending"], done.stderr


def test_who_waits_for_a_child_is_told_that_this_process_ends(tmp_path):
    os.mkfifo(tmp_path / "begun")
    done = parent(
        """
import threading
def wait():
    try: children.run([sys.executable, "-c", CHILD + f"open({name!r}, 'w').close(); signal.pause()"])
    except children.Ending: print("ending")
name = sys.argv[1]
waiting = threading.Thread(target=wait); waiting.start()
open(name).close()
children.end_all()
waiting.join()
""",
        str(tmp_path / "begun"),
    )
    assert done.stdout.split() == ["ending"], done.stderr


def test_a_child_that_fails_is_an_error():
    with pytest.raises(subprocess.CalledProcessError):
        children.run(["false"])
    children.run(["true"])


@linux_only
def test_children_end_with_a_parent_that_is_killed():
    done = parent("started(STUBBORN + UNTIL_KILLED); os.kill(os.getpid(), signal.SIGKILL)")
    assert done.returncode == -9


@linux_only
def test_so_do_the_children_of_children():
    code = """
started(sys.argv[1] + "started(STUBBORN + UNTIL_KILLED)" + chr(10) + UNTIL_KILLED)
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert parent(code, PARENT).returncode == -9


@pytest.mark.parametrize("gone", ["0", str(2**22)])
def test_a_child_whose_parent_has_ended_meanwhile_ends_at_once(gone):
    code = CHILD + "print('it goes on')"
    known = {**os.environ, children.PARENT: gone}
    done = subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, env=known, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")


def test_a_command_that_nobody_of_ours_has_started_goes_on():
    known = {name: value for name, value in os.environ.items() if name != children.PARENT}
    done = subprocess.run([sys.executable, "-c", CHILD + "print('on')"], cwd=CHECKOUT, env=known, capture_output=True)
    assert done.stdout == b"on\n"
