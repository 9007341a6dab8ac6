"""The checker of the kills distinguishes lost, doubled, unexpected and recovered answers."""

from __future__ import annotations

import pytest

from tests.proofs.rigs.ledger import FAIL, INFO, INVOKE, OK, Ledger, judged


def row(key, work, payload="good"):
    return {"key": key, "work": work, "works": [work], "payload": payload}


HISTORIES = {
    "acknowledged and there": ([INVOKE, OK], [row("k", "w")], {}),
    "acknowledged at the second try": ([INVOKE, INFO, OK], [row("k", "w")], {"recovered": 1}),
    "never answered and there": ([INVOKE, INFO], [row("k", "w")], {"recovered": 1}),
    "never answered and not there": ([INVOKE, INFO], [], {}),
    "acknowledged and not there": ([INVOKE, OK], [], {"lost": 1}),
    "there otherwise": ([INVOKE, OK], [row("k", "w", "bad")], {"lost": 1, "unexpected": 1}),
    "there for other work": ([INVOKE, OK], [row("k", "v")], {"lost": 1, "unexpected": 1}),
    "there twice": ([INVOKE, OK], [row("k", "w"), row("k", "w")], {"doubled": 1}),
    "there under two keys": ([INVOKE, OK], [row("k", "w"), row("old", "w")], {"doubled": 1}),
    "refused and not there": ([INVOKE, FAIL], [], {"refused": 1}),
    "refused and there": ([INVOKE, FAIL], [row("k", "w")], {"refused": 1, "unexpected": 1}),
    "never sent": ([], [row("k", "w")], {"unexpected": 1}),
    "sent by an earlier load": ([], [row("old", "w")], {}),
}


@pytest.mark.parametrize(("history", "stored", "wanted"), HISTORIES.values(), ids=HISTORIES)
def test_the_fate_of_an_answer_is_told_from_the_ledger_and_the_rows(tmp_path, history, stored, wanted):
    ledger = Ledger(tmp_path / "ledger.jsonl")
    for what in history:
        ledger.say(what, "k", "w", "good")
    found = vars(judged(ledger.lines(), stored, known=frozenset({"old"})))
    assert {name: len(said) for name, said in found.items() if said} == wanted
    assert ledger.count == (OK in history)
