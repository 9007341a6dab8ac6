"""Judging as an activity of items of any protocol: one exhibit, one mark; the engine treats it as all other work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import Field, SerializerFunctionWrapHandler, TypeAdapter, model_serializer

from annotation.errors import NotFound, Problem
from annotation.i18n import Noun, _, ngettext
from annotation.judging import checks
from annotation.judging.rubrics import MOST_CHECKS, CheckAnswer, Rubric
from annotation.protocol import Activity, Protocol, Stage
from annotation.values.exhibits import ShownExhibit
from annotation.values.records import Context, ItemRecord, Step, Waiting
from annotation.values.schemas import Payload
from annotation.values.sheets import PageFrame, Sheet

LONGEST_COMMENT = 2000
A_YEAR = 365 * 24 * 60
"""Minutes: a rater has a round until they lock it."""


class Judgement(Payload):
    """A rater's mark of an exhibit, with the finer kind if the mark has such, a comment, and what they said to checks.

    `checks`: by the keys of those that were answered; stored only if there are any, as judgements without are.
    """

    mark: str = Field(min_length=1, max_length=20)
    part: str = Field(default="", max_length=20)
    comment: str = Field(default="", max_length=LONGEST_COMMENT)
    checks: dict[str, CheckAnswer] = Field(default_factory=dict, max_length=MOST_CHECKS)

    @model_serializer(mode="wrap")
    def _stored(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        found: dict[str, Any] = handler(self)
        return {name: value for name, value in found.items() if name != "checks" or value}


JUDGE = Stage(
    key="judge", title=_("Judge"), schema_name="judging.judgement/1", schema=TypeAdapter(Judgement),
)  # fmt: skip
ASSESS = Activity(
    key="assess",
    title=_("Judge answers"),
    description=_("Judge answers alone, under the definitions of a round."),
    kind="exhibit",
    stages=(JUDGE,),
    minutes=A_YEAR,
    block=True,
    held_until_locked=True,
    noun=Noun(_("exhibit"), _("exhibits"), _("an exhibit")),
    whole=_("judging round"),
    counted=ngettext("%(n)s exhibit", "%(n)s exhibits"),
)


@dataclass(frozen=True, kw_only=True)
class ExhibitSheet(Sheet):
    """What a rater sees: the exhibit as it was sealed, and the rubric."""

    shown: ShownExhibit
    rubric: Rubric

    @property
    def passages(self) -> tuple[str, ...] | None:
        """The texts of the exhibit; None if a frame shows a page."""
        return None if self.frame else tuple(text.text for text in self.shown.texts)


class Judging(Protocol):
    """Judges exhibits. No project is made with it: its activity belongs to the items of every protocol."""

    key = "judging"
    title = _("Judging")
    kinds = ("exhibit",)
    activities = (ASSESS,)

    def sheet(self, context: Context, step: Step | Waiting) -> Sheet:
        """The exhibit and the rubric."""
        if isinstance(step, Waiting):
            raise NotFound
        shown, rubric = shown_of(context), rubric_of(context)
        box = shown.box
        frame = PageFrame(document=box.document, root=box.candidate, marked=box.words) if box else None
        return ExhibitSheet(
            stage=step.stage,
            prompt=shown.prompt,
            lang=shown.lang,
            dir=shown.dir,
            frame=frame,
            shown=shown,
            rubric=rubric,
        )

    def check(self, context: Context, step: Step, payload: Any) -> list[Problem]:
        """A mark that the rubric has, with one of its parts if it has any, and answers to checks of the rubric."""
        rubric = rubric_of(context)
        marks = {mark.key: mark for mark in rubric.marks}
        if payload.mark not in marks:
            return [Problem("mark", "unknown", _("Choose one of the marks."))]
        parts = {part.key for part in marks[payload.mark].parts}
        if bool(parts) != bool(payload.part) or (payload.part and payload.part not in parts):
            return [Problem("part", "unknown", _("Choose which of them."))]
        return checks.problems_of(rubric, payload.checks)

    def view(self, stage: str, payload: Any, item: ItemRecord) -> Any:
        """The titles of the mark and its part, the comment, and what was said to checks (`checks.SaidCheck`); the key
        of a mark that the rubric does not have."""
        rubric = Rubric.model_validate(item.payload["rubric"], strict=False)
        marks = {mark.key: mark for mark in rubric.marks}
        mark = marks.get(payload.mark)
        part = next((part.title for part in mark.parts if part.key == payload.part), "") if mark else ""
        return {
            "mark": mark.title if mark else payload.mark,
            "part": part,
            "comment": payload.comment,
            "checks": checks.said_to(rubric, payload.checks),
        }

    def caption(self, kind: str, payload: dict[str, Any]) -> str:
        """What is asked."""
        return str(payload["shown"]["prompt"])

    def guideline(self) -> str:
        """None of its own: a round has its rubric."""
        return ""


def shown_of(context: Context) -> ShownExhibit:
    """What raters see of the exhibit."""
    return ShownExhibit.model_validate(context.item.payload["shown"], strict=False)


def rubric_of(context: Context) -> Rubric:
    """The rubric of the exhibit's round."""
    return Rubric.model_validate(context.item.payload["rubric"], strict=False)


JUDGING = Judging()
