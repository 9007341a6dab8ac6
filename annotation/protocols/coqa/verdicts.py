"""What players found when they compared: doubts about the original, and verdicts that the words speak against."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from annotation.protocols.coqa.schemas import Verdict
from annotation.protocols.coqa.scoring import token_f1
from annotation.protocols.coqa.talk import Exchange, guesses, released_text
from annotation.values.records import AnnotationRecord

DOUBTS = {"original_wrong": "the original answer wrong", "question_unclear": "the question unclear"}


def given_verdicts(turns: Sequence[Exchange], games: Sequence[AnnotationRecord]) -> Iterator[tuple[int, str, float]]:
    """(turn, verdict, token F1 of the guess and the original) of every comparison in complete games."""
    for game in games:
        guessed = guesses(game)
        for said in game.answers:
            if isinstance(said.payload, Verdict):
                original = turns[said.turn - 1].answer
                yield (
                    said.turn,
                    said.payload.verdict,
                    token_f1(released_text(guessed[said.turn]), released_text(original)),
                )


def speaks_against(verdict: str, f1: float) -> bool:
    """Whether the words speak against a verdict: a match without a common word, or none of equal answers."""
    return (verdict, f1) in (("match", 0), ("no_match", 1))


def worth_a_look(turns: Sequence[Exchange], games: Sequence[AnnotationRecord]) -> Iterator[str]:
    """Sentences about the turns in which somebody doubted the original, or gave a verdict that the words oppose."""
    every = list(given_verdicts(turns, games))
    for doubt, what in DOUBTS.items():
        for turn, people in sorted(Counter(turn for turn, verdict, _f1 in every if verdict == doubt).items()):
            yield f"{people} of {len(games)} players found {what} in turn {turn}"
    against = sorted({turn for turn, verdict, f1 in every if speaks_against(verdict, f1)})
    if against:
        named = f"turn{'s' * (len(against) > 1)} {', '.join(map(str, against))}"
        yield f"in {named} a player found a match of answers without a common word, or none of equal ones"
