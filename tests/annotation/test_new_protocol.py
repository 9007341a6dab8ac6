"""`manage.py new_protocol` begins a protocol that runs: its checks, its contract and its own tests hold at once."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from random import Random

import pytest
from django.core.management import CommandError, call_command

from annotation.checking.findings import ProtocolCheck
from annotation.skeletons.copies import NewProtocol
from annotation.values.records import Step
from frontend.bots.bot import Bot
from tasks.engine import assignments
from tests.builders import reload
from tests.people import join
from tests.protocols.examples import Example
from tests.protocols.installing import forget, installed
from tests.protocols.peers import member
from tests.protocols.playing import player_of
from tests.protocols.sentinels import judged
from tests.screens.stages import reaching
from tests.screens.stages.by_bots import seen_again, stages_of
from tests.site import CHECKOUT

KINDS = [pytest.param(("riddles", ["--pair"]), id="pair"), pytest.param(("cloze", []), id="one")]


@pytest.fixture
def made(request, tmp_path):
    """The key and the folder of a protocol that the command has begun there."""
    key, flags = request.param
    call_command("new_protocol", key, *flags, "--title", "Riddles & co", "--into", str(tmp_path), verbosity=0)
    yield key, tmp_path
    forget(key)


@pytest.fixture
def protocol(made, settings, monkeypatch):
    return installed(*made, settings, monkeypatch)


def texts_of(folder) -> dict:
    return {path: path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("made", KINDS, indirect=True)
def test_nothing_in_it_is_called_by_the_skeletons_name(made):
    key, folder = made
    files = texts_of(folder)
    named = [path for path, text in files.items() if re.search("skeleton", f"{path.relative_to(folder)} {text}", re.I)]
    assert (named, folder / key / "protocol.py" in files) == ([], True)
    assert any("Riddles & co" in text for text in files.values())
    assert (folder / "tests" / "protocols" / key / f"test_{key}.py") in files


@pytest.mark.parametrize("made", KINDS, indirect=True)
def test_check_protocol_finds_nothing(protocol):
    example = Example(protocol)
    items, other = example.path("items.jsonl"), example.path("other.jsonl")
    assert ProtocolCheck(protocol, items, example.sentinels, other).findings() == []
    assert ProtocolCheck(protocol, protocol.demo.items).findings() == []


SECOND = pytest.mark.in_test_all(
    shown_by="tests/annotation/test_new_protocol.py"
    "::test_it_is_done_to_its_end_on_the_real_pages_which_show_only_what_they_may"
)
"""The second activity of a pair; that of the tutorial is done on the same pages."""


@pytest.mark.parametrize(
    ("made", "key"),
    [
        (("riddles", ["--pair"]), "talk"),
        pytest.param(("riddles", ["--pair"]), "again", marks=SECOND),
        (("cloze", []), "mark"),
    ],
    indirect=["made"],
)
def test_it_is_done_to_its_end_on_the_real_pages_which_show_only_what_they_may(db, protocol, key):
    example, activity = Example(protocol), protocol.activity(key)
    project = example.opened(of=activity)
    player = player_of(member(project, "player"), project, activity, Random(1), [])
    looked = set()
    for state in player.states():
        sent = player.client.taken()
        if (kind := state[-1].partition("-")[0]) not in looked:
            sent += player.look(list(example.sentinels), guesses=False, pages=False, posts=False)
        looked.add(kind)
        assert [word for word, _at, _sent, may in judged(player, example.sentinels, sent) if not may] == [], state
    assert state[-1] == "> None"


PAIR = pytest.mark.in_test_all(
    shown_by="tests/annotation/test_new_protocol.py::test_bots_lead_people_to_each_stage_and_past_it_for_its_pictures"
)
"""Each stage of a pair; those of the pairs that we have are reached in the same way for their pictures."""
FOR_PICTURES = [pytest.param(*KINDS[0].values, id="pair", marks=PAIR), KINDS[1]]


@pytest.mark.parametrize("made", FOR_PICTURES, indirect=True)
def test_bots_lead_people_to_each_stage_and_past_it_for_its_pictures(db, protocol):
    for activity, stage in stages_of(protocol):
        project = reaching.project_for(protocol, f"{protocol.key}-{stage.key}")
        for past in (False, True) if seen_again(activity, stage) else (False,):
            people = [member(project, f"{stage.key}-{past}-{seat}") for seat in activity.seats]
            work = assignments.work_of(reload(reaching.reach(project, activity, stage, people, past=past)))
            if past:
                assert stage.key in {entry.stage for entry in work.own}
                assert work.following is not None
            else:
                assert Step.at(work.current).stage == stage.key


@pytest.mark.parametrize("made", KINDS[1:], indirect=True)
def test_bots_answer_all_there_is_for_one_person(db, protocol):
    project = Example(protocol).opened()
    bot = Bot(join(project, "ann"), Random(1))
    assert [bot.finish_one(project, "mark") for _ in range(2)] == [True, False]


@pytest.mark.parametrize(
    ("key", "title", "reason"),
    [
        ("Riddles", "", "is no key"),
        ("1riddle", "", "is no key"),
        ("r", "", "is no key"),
        ("r" * 32, "", "is no key"),
        ("nq", "", "is taken"),
        ("toy", "", "is taken"),
        ("json", "", "is taken"),
        ("riddles", 'The "best"', "neither quotation marks"),
        ("riddles", "Two\nlines", "neither quotation marks"),
    ],
)
def test_a_name_that_cannot_be_one_is_refused_with_the_reason(tmp_path, key, title, reason):
    with pytest.raises(CommandError, match=reason):
        call_command("new_protocol", key, "--title", title, "--into", str(tmp_path), verbosity=0)
    assert list(tmp_path.iterdir()) == []


def test_the_longest_key_is_one(tmp_path):
    call_command("new_protocol", "r" * 31, "--into", str(tmp_path), verbosity=0)
    assert (tmp_path / ("r" * 31) / "apps.py").is_file()


def test_a_folder_that_is_there_is_left_as_it_is(tmp_path):
    (tmp_path / "riddles").mkdir()
    with pytest.raises(CommandError, match="is there already"):
        call_command("new_protocol", "riddles", "--into", str(tmp_path), verbosity=0)
    assert list(tmp_path.rglob("*")) == [tmp_path / "riddles"]
    with pytest.raises(CommandError, match="There is no folder"):
        call_command("new_protocol", "riddles", "--into", str(tmp_path / "nowhere"), verbosity=0)


def test_in_a_checkout_it_is_a_protocol_like_the_others():
    ours = NewProtocol("riddles", "Riddles", "pair", CHECKOUT / "annotation" / "protocols")
    assert (ours.module, ours.tests) == ("annotation.protocols.riddles", CHECKOUT / "tests" / "protocols" / "riddles")


@pytest.mark.in_test_all(
    shown_by="tests/annotation/test_new_protocol.py"
    "::test_it_is_done_to_its_end_on_the_real_pages_which_show_only_what_they_may"
)
@pytest.mark.parametrize(("key", "flags"), [("riddles", ["--pair"]), ("cloze", [])])
def test_in_a_copy_of_the_checkout_the_contract_and_its_own_tests_are_green(tmp_path, key, flags):
    listed = subprocess.run(["git", "ls-files"], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    for name in listed.stdout.splitlines():
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CHECKOUT / name, target)
    run = {"cwd": tmp_path, "check": True, "capture_output": True, "text": True}
    subprocess.run([sys.executable, "manage.py", "new_protocol", key, *flags], **run)
    assert f'"annotation.protocols.{key}",' in (tmp_path / "frontend" / "settings.py").read_text(encoding="utf-8")
    contract = ["contract", "two_worlds", "tables", "measures"]
    paths = [*(f"tests/protocols/test_{name}.py" for name in contract), "tests/rules/test_protocols.py"]
    subprocess.run([sys.executable, "-m", "pytest", "-q", f"tests/protocols/{key}"], **run)
    subprocess.run([sys.executable, "-m", "pytest", "-q", "-k", key, *paths, "tests/rules/test_screens.py"], **run)
