"""The pair at the end of docs/protocols.md, made from the skeleton as printed: two people talk, and one guesses."""

from __future__ import annotations

import re
import subprocess
from random import Random

import orjson
import pytest
from django.core.management import call_command

from annotation import clock, randomness, releases
from annotation.checking.findings import ProtocolCheck
from tasks.engine import assignments, claiming, queues, submitting
from tests import builders
from tests.people import NOON
from tests.protocols.examples import Example
from tests.protocols.installing import forget, installed
from tests.protocols.peers import begun, member
from tests.protocols.playing import player_of
from tests.protocols.sentinels import judged
from tests.site import CHECKOUT

KEY = "guess_it"
PAGE = (CHECKOUT / "docs" / "protocols.md").read_text(encoding="utf-8").partition("\n## 17. ")[2]
BLOCKS = dict(re.findall(r"^#### `([^`]+)`\n\n```\w+\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))

SAMPLES = "guess_it/samples/topics.jsonl"


def secret_in_each_line(path, secret) -> None:
    lines = [orjson.loads(line) | {"secret": secret} for line in path.read_bytes().splitlines()]
    path.write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))


@pytest.fixture
def protocol(tmp_path, settings, monkeypatch):
    """The protocol, made as the page says."""
    call_command("new_protocol", KEY, "--pair", "--title", "Guess it", "--into", str(tmp_path), verbosity=0)
    diff = BLOCKS["guess_it.diff"]
    subprocess.run(["git", "apply", "-p0", "-"], cwd=tmp_path, input=diff, text=True, check=True)
    (tmp_path / SAMPLES).write_text(BLOCKS[SAMPLES], encoding="utf-8")
    found = installed(KEY, tmp_path, settings, monkeypatch)
    secret_in_each_line(Example(found).path("items.jsonl"), "Zq6secret wheel")
    secret_in_each_line(Example(found).path("other.jsonl"), "something else altogether")
    yield found
    forget(KEY)


def said(held, payload) -> None:
    """Let the holder say this now."""
    row = builders.reload(held)
    work = assignments.work_of(row)
    key = randomness.handle()
    submitting.commit(row, work.current, payload, by=row.annotator, key=key, seen=work.seen, now=clock.now())


def told(words: str, text: str) -> dict:
    start = text.index(words)
    span = {"passage": 0, "start": start, "end": start + len(words), "quote": words}
    return {"kind": "told", "text": "It did.", "span": span}


@pytest.fixture
def talked(db, protocol):
    """A project in which two people have talked about the first topic, and the asker has guessed it in turn 2."""
    made = builders.project("river", KEY)
    builders.load(made, Example(protocol).path("items.jsonl"))
    for activity in protocol.activities:
        queues.open_queue(made, activity.key, by=None, now=NOON)
    asker, teller = begun(made, protocol.activities[0], [member(made, name) for name in ("ann", "tom")])
    text = assignments.work_of(teller).sheet_while_waiting().text
    said(asker, {"kind": "asked", "text": "What did it do?"})
    said(teller, told("ground oats", text))
    said(asker, {"kind": "asked", "text": "Is it a wheel?"})
    said(teller, {"kind": "guessed"})
    return made, asker, teller


def test_check_protocol_finds_nothing(protocol):
    example = Example(protocol)
    items, other = example.path("items.jsonl"), example.path("other.jsonl")
    assert ProtocolCheck(protocol, items, example.sentinels, other).findings() == []
    assert ProtocolCheck(protocol, protocol.demo.items).findings() == []


@pytest.mark.parametrize(("key", "sees"), [("talk", "tell"), ("again", "again")])
def test_on_the_real_pages_the_asker_never_sees_the_secret(db, protocol, key, sees):
    """They look around in each state; whoever tells or answers again sees it."""
    example, activity = Example(protocol), protocol.activity(key)
    project, met, looked = example.opened(of=activity), set(), set()
    for seed, _seat in enumerate(activity.seats):
        player = player_of(member(project, f"player-{seed}"), project, activity, Random(seed), [], seed)
        for state in player.states():
            sent = player.client.taken()
            kind = (player.mine.seat, state[-1].partition("-")[0])
            if kind not in looked and (player.mine.seat == "asker" or kind[1] == "> tell"):
                sent += player.look(list(example.sentinels), guesses=False, pages=False, posts=False)
                looked.add(kind)
            for word, stage, exchange, may in judged(player, example.sentinels, sent):
                assert may, f"{word} at {stage} after {state}: {exchange}"
                met.add((word, stage))
    assert ("Zq6secret", sees) in met
    assert ("Zq6secret", "ask") not in met


def test_the_guess_ends_the_talk_for_both(talked):
    _project, *held = talked
    assert [builders.reload(row).state for row in held] == ["submitted", "submitted"]


def test_others_answer_what_was_asked_and_a_release_has_it_all(talked, tmp_path):
    project, asker, teller = talked
    [made] = project.items.filter(kind="talked")
    assert [each["asked"] for each in made.payload["exchanges"]] == ["What did it do?", "Is it a wheel?"]
    for row in (asker, teller):
        assert begun_again(project, row.annotator) is None
    for name in ("uma", "vic"):
        held = begun_again(project, member(project, name))
        said(held, {"kind": "not_said"})
        said(held, {"kind": "guessed"})
    release = releases.build(project, format=KEY, by=None, now=NOON)
    [line] = map(orjson.loads, (releases.folder_of(release) / "train.jsonl").read_bytes().splitlines())
    assert line["secret"] == "Zq6secret wheel"
    assert [step["said"]["kind"] for step in line["talks"][0]["steps"]] == ["asked", "told", "asked", "guessed"]
    for answer in line["again"][0]["answers"]:
        assert [step["said"]["kind"] for step in answer["steps"]] == ["not_said", "guessed"]
    assert len(line["again"][0]["answers"]) == 2


def begun_again(project, person):
    """The talk that somebody is given to answer again, None if there is none for them."""
    found = claiming.claim(project, "again", by=person, now=clock.now())
    return found if hasattr(found, "annotator_id") else None
