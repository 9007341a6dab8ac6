"""What each person sees at a step of CoQA. Nobody gets somebody else's rationale, nor what was not sent yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotation.documents.words import language_by_script, opening
from annotation.errors import NotFound
from annotation.i18n import _
from annotation.protocols.coqa.overlap import content_words
from annotation.protocols.coqa.schemas import FEWEST_TURNS, Answered, Asked, Config, Conversation, Ended, Verdict
from annotation.protocols.coqa.talk import TALK, may_end
from annotation.protocols.coqa.talk import released_text as answer_text
from annotation.talks import TalkSheet
from annotation.values.records import Context, Step, Waiting
from annotation.values.sheets import PassageSheet, Sheet

OPENING = 8
"""Words of a passage by which people recognise it."""


@dataclass(frozen=True, kw_only=True)
class AskSheet(PassageSheet, TalkSheet):
    """For the questioner; never a rationale.

    `ends`: why they may end now (`talk.may_end`); `proposed`: the answerer would end here; `continues`: the answerer
    has just wished for more questions; `advice`: words of the question that stand in the passage are pointed out.
    """

    ends: str
    proposed: bool
    continues: bool
    advice: bool

    @property
    def advised(self) -> tuple[str, ...]:
        """The content words of the passage, of which a question is advised to have none."""
        return content_words(self.text) if self.advice else ()


@dataclass(frozen=True, kw_only=True)
class ReplySheet(PassageSheet, TalkSheet):
    """For the answerer, with the question as `prompt`; never the rationale of an earlier turn.

    `turn`: that of the question's response; `may_propose`: they may propose to end the conversation with this answer.
    """

    turn: int
    may_propose: bool

    @property
    def about(self) -> str:
        """The beginning of the passage: a question by itself would not say which conversation it is."""
        return opening(self.text, OPENING)


@dataclass(frozen=True, kw_only=True)
class ClosingSheet(PassageSheet, TalkSheet):
    """For the answerer: the questioner would end here."""


@dataclass(frozen=True, kw_only=True)
class WaitingSheet(PassageSheet, TalkSheet):
    """For whoever waits. `question`: the questioner's own, which is being answered; `seat`: who waits."""

    seat: str
    question: str


@dataclass(frozen=True, kw_only=True)
class Played:
    """A finished turn of the game: the player's answer beside the original."""

    number: int
    question: str
    guess: str
    original: str
    verdict: str


@dataclass(frozen=True, kw_only=True)
class GuessSheet(PassageSheet):
    """The question of turn `number` of `of` as `prompt`, and the finished turns; nothing of its original answer."""

    number: int
    of: int
    rows: tuple[Played, ...]
    alone: bool = True

    @property
    def about(self) -> str:
        """The beginning of the passage."""
        return opening(self.text, OPENING)

    @property
    def parts(self) -> tuple[tuple[str, str], ...]:
        """The parts of the turn, for its step bar: the title, and whether it is done, now or next."""
        states = ("now", "next", "next") if self.stage == "guess" else ("done", "done", "now")
        return tuple(zip((_("Guess"), _("Reveal"), _("Verify")), states, strict=True))

    @property
    def matched(self) -> int:
        """How many guesses matched so far."""
        return sum(row.verdict == "match" for row in self.rows)


@dataclass(frozen=True, kw_only=True)
class VerdictSheet(GuessSheet):
    """The player's locked answer with its rationale (`marked`: code points), and the original answer."""

    guess: str
    marked: tuple[int, int]
    original: str

    @property
    def pieces(self) -> tuple[str, str, str]:
        """The passage before the player's own rationale, the rationale, and the passage after it."""
        start, end = self.marked
        return self.text[:start], self.text[start:end], self.text[end:]


def sheet(context: Context, step: Step | Waiting) -> Sheet:
    """What the person in `context.seat` sees at a step, or while the other one is at it."""
    at = step.step if isinstance(step, Waiting) else step
    if context.activity == "guess":
        return _of_game(context, at)
    if isinstance(step, Waiting):
        return _while_waiting(context, at)
    if at.seat != context.seat:
        raise NotFound
    return {"question": _asking, "answer": _replying, "closing": _closing}[at.stage](context, at)


def _talk(context: Context) -> dict[str, Any]:
    text = context.item.text
    alone = context.activity == "converse_alone"
    return {
        "text": text,
        "turns": TALK.turns(context.answers),
        "alone": alone,
        "flags": "" if alone else {"questioner": "answer", "answerer": "question"}[context.seat],
        "prompt": opening(text, OPENING),
        "lang": language_by_script(text),
    }


def _asking(context: Context, at: Step) -> AskSheet:
    talk = _talk(context)
    last = context.answer_to("answer")
    config = context.config if isinstance(context.config, Config) else Config()
    return AskSheet(
        stage=at.stage,
        ends=may_end(len(talk["turns"])),
        proposed=bool(last and last.may_end),
        continues=context.answer_to("closing", at.turn - 1) is not None,
        advice=config.overlap_advice,
        **talk,
    )


def _replying(context: Context, at: Step) -> ReplySheet:
    asked = context.answer_to("question", at.turn)
    if not isinstance(asked, Asked):
        raise NotFound
    talk = _talk(context) | {"prompt": asked.text}
    may = len(talk["turns"]) + 1 >= FEWEST_TURNS and not talk["alone"]
    return ReplySheet(stage=at.stage, turn=at.turn, may_propose=may, **talk)


def _closing(context: Context, at: Step) -> ClosingSheet:
    if not isinstance(context.answer_to("question", at.turn), Ended):
        raise NotFound
    return ClosingSheet(stage=at.stage, **_talk(context))


def _while_waiting(context: Context, at: Step) -> WaitingSheet:
    asked = context.answer_to("question", at.turn)
    question = asked.text if isinstance(asked, Asked) else ""
    return WaitingSheet(stage=at.stage, seat=context.seat, question=question, **_talk(context))


def _of_game(context: Context, at: Step) -> GuessSheet:
    item = context.item
    if item.kind != "conversation" or item.root is None:
        raise NotFound
    turns = Conversation.from_stored(item.payload).turns
    if not 1 <= at.turn <= len(turns):
        raise NotFound
    common: dict[str, Any] = {
        "lang": language_by_script(item.text),
        "stage": at.stage,
        "prompt": turns[at.turn - 1].question,
        "text": item.text,
        "number": at.turn,
        "of": len(turns),
        "rows": tuple(_played(context, number, turns[number - 1]) for number in range(1, at.turn)),
    }
    if at.stage == "guess":
        return GuessSheet(**common)
    guess = context.answer_to("guess", at.turn)
    if guess is None:
        raise NotFound
    span = guess.rationale if isinstance(guess, Answered) else None
    return VerdictSheet(
        guess=answer_text(guess),
        marked=(span.start, span.end) if span else (0, 0),
        original=turns[at.turn - 1].answer,
        **common,
    )


def _played(context: Context, number: int, turn: Any) -> Played:
    guess, verdict = context.answer_to("guess", number), context.answer_to("verdict", number)
    if guess is None or not isinstance(verdict, Verdict):
        raise NotFound
    return Played(
        number=number,
        question=turn.question,
        guess=answer_text(guess),
        original=turn.answer,
        verdict=verdict.verdict,
    )
