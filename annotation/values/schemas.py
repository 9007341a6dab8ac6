"""The base of every stored JSON value, and the config of a project."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from annotation.i18n import _


class Payload(BaseModel):
    """Base of every stored JSON value: strict types, no extra keys, immutable."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    @classmethod
    def from_stored(cls, value: Mapping[str, Any]) -> Self:
        """A stored value by its type; it was validated strictly before, and JSON has lists for its tuples."""
        return cls.model_validate(value, strict=False)


class Mix(Payload):
    """A seeded mix of overlaps: `more` for a random `share` (0..1) of the items, `base` for the others."""

    base: int = Field(ge=0, le=1000)
    more: int = Field(ge=1, le=1000)
    share: float = Field(ge=0, le=1)


Overlap = Annotated[int, Field(ge=0, le=1000)]
"""How many people annotate each item."""


class ActivityConfig(Payload):
    """How one activity of a project is handed out: overlap by split, draw (None: see `projects.draw_of`), lease.

    `least_agreement`: below it, finished items are disputed; None for never. It and the lease are what a queue starts
    with: from then on the queue's own count.
    `same_partner_a_day`: how often the same two people are seated together within 24 hours, if they talk.
    `alone_at_most`: the share of annotations made alone from which on nobody may go on alone any more.
    `kept_minutes`: how long work that several people share is kept for them while everybody is away.
    `requires`: the keys of the project's qualifications, all of which a person needs to be given this work.
    """

    overlap: dict[str, Overlap | Mix] = {}
    draw: Literal["in_order", "random"] | None = None
    lease_minutes: int | None = Field(default=None, ge=1)
    least_agreement: float | None = Field(default=None, ge=0, le=1)
    same_partner_a_day: int = Field(
        default=2,
        ge=1,
        title=_("The same two people together in a day, at most"),
        description=_("With 2, two who have met twice within 24 hours each get somebody else, or wait."),
    )
    alone_at_most: float = Field(
        default=0.15,
        ge=0,
        le=1,
        title=_("Share made alone from which on nobody may"),
        description=_(
            "From 0 to 1. Who waits in vain may go on alone: with 0.15, until 15 of 100 were made that way. 0: never."
        ),
    )
    kept_minutes: int = Field(
        default=10,
        ge=10,
        title=_("Minutes for which shared work is kept while all are away"),
        description=_(
            "With 10, two who both close the page at 9:00 find their work until 9:10; then it ends as it is."
        ),
    )
    requires: tuple[str, ...] = Field(default=(), title=_("Qualifications that it needs"))


class Recruiting(Payload):
    """How people come to a project by themselves, as from a recruitment site.

    `open`: whoever has the address of the project may join as an annotator. `parameters`: what such a site appends to
    the address about the person; the first that is there names them. `completion_code`: shown to people who came with
    one, once they have finished `completion_after` pieces of work.
    """

    open: bool = False
    parameters: tuple[str, ...] = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID", "workerId", "assignmentId", "hitId")
    completion_code: str = Field(default="", max_length=80)
    completion_after: int = Field(default=1, ge=1, le=100_000)


class CardTexts(Payload):
    """What the leads write on the data card of releases, each "" if they say nothing; texts are Markdown.

    `authors`: one on each line. `language`: codes such as en or pt-BR, with commas between them. `citation`: BibTeX, or
    a sentence.
    """

    description: str = Field(
        default="",
        max_length=5000,
        title=_("Description"),
        description=_("What the data is and what it was made for, in a few sentences."),
    )
    authors: str = Field(
        default="",
        max_length=5000,
        title=_("Authors"),
        description=_("One on each line, as they are to be cited. Annotators are named only if you name them here."),
    )
    licence: str = Field(
        default="",
        max_length=100,
        title=_("Licence"),
        description=_("Of the annotations, such as CC BY 4.0. Those of the sources are listed beside it."),
    )
    language: str = Field(
        default="",
        max_length=100,
        pattern=r"^([A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*(, *|$))*$",
        title=_("Language"),
        description=_("Codes, with commas between them: en, pt-BR."),
    )
    citation: str = Field(
        default="",
        max_length=5000,
        title=_("Citation"),
        description=_("BibTeX or a sentence. If it is empty, one is made from title, authors, year and version."),
    )
    intended_use: str = Field(
        default="",
        max_length=5000,
        title=_("Intended use"),
        description=_("What the data is for, and what it should not be used for."),
    )
    limits: str = Field(
        default="",
        max_length=5000,
        title=_("Limits"),
        description=_("What is known to be missing, biased or uncertain."),
    )


class ProjectConfig(Payload):
    """The config of a project; a protocol adds its own fields, each with a title and a description for its leads.

    `separate_pools`: nobody in the project works in two activities that exclude each other, not even on different
    items. `pay`: the rate as people read it ("12.60 EUR an hour"); if empty, pay is not mentioned. `fast_share`: the
    floor for fast answers that the guidelines declare (annotation/worktime/taken.py), 0 for none.
    `disputes_in_evaluation`: low agreement on the splits dev and test is disputed too. `tells_decisions`: annotators
    read how a dispute about their work was decided, once it is. `sequestered`: splits that leave in a release only when
    they are named. `one_split`: an import refuses what is in another split already. `work_by_script`: annotators may
    work through the API. `recruiting`, `card`: see there.
    """

    activities: dict[str, ActivityConfig] = {}
    seed: str = ""
    separate_pools: bool = Field(
        default=False,
        title=_("Keep people apart who do different kinds of work"),
        description=_("Whoever has begun one of two kinds that exclude each other never does the other, on any item."),
    )
    pay: str = Field(
        default="",
        max_length=80,
        title=_("Pay"),
        description=_("As people read it: 12.60 EUR an hour. If it is empty, pay is not mentioned."),
    )
    fast_share: float = Field(default=0.2, ge=0, le=0.5)
    disputes_in_evaluation: bool = Field(
        default=False,
        title=_("Dispute low agreement on dev and test too"),
        description=_("Otherwise the answers there stay independent, as evaluation wants them."),
    )
    tells_decisions: bool = Field(
        default=False,
        title=_("Tell people how disputes about their work were decided"),
        description=_("They never read who decided, nor who else answered what."),
    )
    sequestered: tuple[str, ...] = Field(
        default=(),
        title=_("Sequestered splits"),
        description=_("Splits that leave in a release only when they are named: test, for example."),
    )
    one_split: bool = Field(
        default=False,
        title=_("Refuse to import what another split has"),
        description=_(
            "The same text, or an item that asks the same. Otherwise the import’s notes tell how many they are."
        ),
    )
    work_by_script: bool = Field(
        default=False,
        title=_("Let annotators work by script"),
        description=_(
            "Through the API, so that a team can bring its own interface or a bot. Such work is marked as done by "
            "script wherever it is shown or released. Consent, courses and judging stay in the browser."
        ),
    )
    recruiting: Recruiting = Recruiting()
    card: CardTexts = CardTexts()
