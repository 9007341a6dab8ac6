"""Edit conflicts: what a page sent, beside the version from another tab or device that counts now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation import clock, randomness
from annotation.engine import committing, loading
from annotation.engine.work import Work
from annotation.errors import AlreadyClosed, KeyReused, PayloadInvalid, Refused, StageLocked, StalePage, TakenOver
from annotation.values.records import GivenAnswer, Step
from frontend.errors import RefusalPage, row_of
from frontend.middleware.session_expired import is_by_script
from frontend.requests import AuthedRequest
from frontend.work import differences
from frontend.work.differences import differences_in_words
from frontend.work.holds.any_hold import AnyHold

CONFLICTS = (TakenOver, StalePage, StageLocked, AlreadyClosed, KeyReused)
"""Refusals of a stale page: another tab or device got there first. Each keeps and shows what the page sent."""
TWICE = RefusalPage(
    409,
    _("You answered this twice"),
    _("The first answer came from elsewhere, and it counts. The second was not sent; it is here for you to copy."),
)
ELSEWHERE = RefusalPage(
    409,
    _("This was sent from another tab or device"),
    _("What was sent there counts. What you wrote here was not sent; it is here for you to copy."),
)
"""For a draft that comes after the answer: nobody has answered twice."""
CHOOSE = RefusalPage(
    409,
    _("You answered this twice"),
    _("The first answer came from elsewhere, and it counts unless you replace it. The other stays in your record."),
)
AGAIN = RefusalPage(
    422,
    _("You answered this twice"),
    _("The first answer was sent from this page, and it counts unless you replace it. The other stays in your record."),
)
PRIVATE = (
    "csrfmiddlewaretoken",
    "submission_key",
    "client",
    "after",
    "base",
    "seen",
    "_view",
    "trace",
    "sent",
    "stage",
)
"""Form fields that mean nothing to a person."""


@dataclass(frozen=True)
class Version:
    """One answer as a person reads it: in the protocol's template if it is valid, else field by field.

    `given` are its form fields; `marked` is what is shown instead if it is compared with another one.
    """

    at: datetime | None
    seq: int | None = None
    template: str = ""
    view: Any = None
    fields: tuple[tuple[str, tuple[str, ...]], ...] = ()
    given: MultiValueDict[str, Any] = field(default_factory=MultiValueDict)
    marked: str = ""


@dataclass(frozen=True)
class Both:
    """What was sent, the version from elsewhere, and which parts of the form `differ` between them or are the `same`.

    If there are two, each has as `marked` what it shows, with the words that differ marked.
    """

    mine: Version | None
    theirs: Version | None
    differ: tuple[str, ...] = ()
    same: tuple[str, ...] = ()

    @property
    def is_same(self) -> bool:
        """Whether nothing differs: there is nothing to choose but the place to go on."""
        if self.mine is None or self.theirs is None or not self.mine.marked:
            return False
        return not self.differ and "<ins>" not in self.mine.marked + self.theirs.marked


@dataclass(frozen=True)
class Second:
    """The form that replaces the first version with the second, and where to continue if the first is kept."""

    url: str
    fields: tuple[tuple[str, str], ...]
    key: str
    seen: int
    keep_url: str
    keep_by: str


def conflict(
    request: AuthedRequest, refused: Refused, held: AnyHold, work: Work, step: str, *, sent: Mapping[str, Any]
) -> HttpResponse:
    """Both versions, with 409 (422 for a reused submission key): a page, or a dialog for a script to show over its own.

    NotFound for a stage that was never reached: showing what was sent would reveal the text that it refers to. A stage
    that another page has removed is shown as it was, beside the answer that removed it. For revoked or withdrawn work,
    only the raw fields are shown, and none of the text that they refer to.
    """
    away = held.away(request, refused)
    if held.hides:
        context: dict[str, Any] = {
            "row": row_of(refused),
            "mine": as_sent(work, step, sent, at=None),
            "uuid": held.uuid,
            "away": away,
        }
        return _answer(request, refused, context)
    then = work if work.reached(step) else work.when_reached(step)
    both = both_versions(work, step, sent, drafted=isinstance(refused, TakenOver))
    done = isinstance(refused, AlreadyClosed) and held.is_sent
    second = _second(held, work, step, sent)
    is_draft = not isinstance(sent, MultiValueDict)
    choose, counts = AGAIN if isinstance(refused, KeyReused) else CHOOSE, ELSEWHERE if is_draft else TWICE
    was_sent = both.theirs is not None and (done or (is_draft and both.theirs.seq is None))
    row = choose if second else counts if was_sent else row_of(refused)
    back = isinstance(refused, TakenOver) and str(work.seen_at(step)) == str(sent.get("seen"))
    asked = then.sheet(step).prompt
    context = {
        "row": row,
        "asked": asked,
        "before": _answers_before(then, step),
        "both": both,
        "mine": both.mine,
        "theirs": both.theirs,
        "back": back,
        "uuid": held.uuid,
        "done": done,
        "second": second,
        "is_draft": is_draft,
    }
    return _answer(request, refused, context)


def counts_already(work: Work, step: str, payload: dict[str, Any]) -> bool:
    """Whether the answer that counts at this step says the same, wherever it was sent from: nothing is to be chosen."""
    return all(_last_said(part, step) == [committing.body_hash(step, said)] for part, said in work.shares(payload))


def _last_said(work: Work, step: str) -> list[str]:
    """The hash of the answer that counts at a step; [] if there is none."""
    at = Step.at(step)
    counting = loading.effective_responses(work.activity, work.responses)
    said = [row.body_sha256 for row in counting if (row.stage, row.turn) == (at.stage, at.turn)]
    return said[-1:]


def _answers_before(work: Work, step: str) -> list[tuple[str, Version]]:
    """(title of the stage, answer) of the stages before the one with two versions: both versions build on these."""
    stages = [stage.key for stage in work.activity.stages]
    at = stages.index(Step.at(step).stage)
    return [
        (gettext(work.stage(entry.address).title), answered_version(work, entry))
        for entry in work.own
        if stages.index(entry.stage) < at
    ]


def _answer(request: AuthedRequest, refused: Refused, context: dict[str, Any]) -> HttpResponse:
    """A page, or a dialog that a script shows over the current page."""
    over = is_by_script(request) or (request.htmx and isinstance(refused, TakenOver))
    template = "work/_overtaken.html" if over else "work/refused.html"
    response = render(request, template, context, status=context["row"].status)
    if over:
        response["X-Refused"] = refused.reason
    return response


def _second(held: AnyHold, work: Work, step: str, sent: Mapping[str, Any]) -> Second | None:
    """The form that replaces the first answer; None unless this was sent as an answer and may replace it."""
    if not isinstance(sent, MultiValueDict) or not held.may_replace(work, step, now=clock.now()):
        return None
    keep_url, keep_by = held.way_on()
    return Second(
        url=reverse("replace", args=[held.uuid, step]),
        fields=tuple((name, value) for name, values in sent.lists() if name not in PRIVATE for value in values),
        key=str(randomness.handle()),
        seen=work.seen_at(step),
        keep_url=keep_url,
        keep_by=keep_by,
    )


def refusal(refused: Refused) -> HttpResponse:
    """The bare status (409) and reason, for a script that sent no answer."""
    response = HttpResponse(status=row_of(refused).status)
    response["X-Refused"] = refused.reason
    return response


def both_versions(work: Work, step: str, sent: Mapping[str, Any], *, drafted: bool) -> Both:
    """What was sent, and the draft or answer from elsewhere, at a stage that the work has reached at some time.

    If another answer of theirs has removed the stage since, what was sent is shown as of then, beside that answer; if
    a partner has, there is nothing to show beside it. NotFound for a stage that was never reached.
    """
    then = work if work.reached(step) else work.when_reached(step)
    since = [] if then is work else [entry.address for entry in work.own if entry not in then.own]
    counts = step if then is work else since[-1] if since else None
    mine = _form_version(then, step, sent, at=None)
    theirs = None if counts is None else _other_version(work, counts, drafted=drafted)
    if mine is None or theirs is None or counts != step:
        return Both(mine, theirs)
    form = work.form_of(step)
    differ, same = differences.parts_that_differ(form, mine.given, theirs.given)
    if bool(mine.template) != bool(theirs.template):
        # An answer beside something half-finished: both in the same form, so that only what differs is marked.
        mine, theirs = (_by_field(form, each) for each in (mine, theirs))
    one, other = (render_to_string("work/_version.html", {"version": each}) for each in (mine, theirs))
    one, other = differences.marked(one, other)
    return Both(replace(mine, marked=one), replace(theirs, marked=other), differ, same)


def answered_version(work: Work, entry: GivenAnswer) -> Version:
    """A committed answer, as a lead would read it."""
    view = work.protocol.view(entry.stage, entry.payload, work.record)
    return Version(at=None, template=f"{work.protocol.key}/{entry.stage}_read.html", view=view)


def drafted_version(work: Work, step: str) -> Version | None:
    """The draft of a stage; None if there is none or it is empty."""
    draft = work.draft(step)
    found = _form_version(work, step, draft.data, at=draft.saved_at) if draft else None
    return replace(found, seq=draft.seq) if found and draft else None


def _other_version(work: Work, step: str, *, drafted: bool) -> Version | None:
    """The draft (if `drafted`) or else the last answer that another page has stored at the stage."""
    draft = drafted_version(work, step) if drafted else None
    if draft is not None:
        return draft
    at = Step.at(step)
    counting = loading.effective_responses(work.activity, work.responses)
    said = [response for response in counting if (response.stage, response.turn) == (at.stage, at.turn)]
    if said and work.shares({}) != [(work, {})]:
        return as_sent(work, step, work.answered_fields(step) or {}, at=said[-1].created_at)
    return _payload_version(work, step, said[-1].payload, at=said[-1].created_at) if said else None


def _form_version(work: Work, step: str, data: Mapping[str, Any], *, at: datetime | None) -> Version | None:
    """Form fields as an answer if they are valid, else as they are; None if nothing is filled in."""
    given = as_posted(data)
    form = work.form_of(step)(given)
    if form.is_valid():
        whole = _payload_version(work, step, form.payload(), at=at)
        if whole is not None:
            return whole
    return as_sent(work, step, data, at=at)


def as_sent(work: Work, step: str, data: Mapping[str, Any], *, at: datetime | None) -> Version | None:
    """The fields by their labels, whether or not they make an answer; None if nothing is filled in."""
    given = as_posted(data)
    filled = differences_in_words(work.form_of(step), given)
    return Version(at=at, fields=filled, given=given) if filled else None


def _by_field(form: Any, version: Version) -> Version:
    return replace(version, template="", view=None, fields=differences_in_words(form, version.given))


def as_posted(data: Mapping[str, Any]) -> MultiValueDict[str, Any]:
    """Posted fields, or {name: value or list} from a script, as a MultiValueDict without the PRIVATE ones."""
    lists = data.lists() if isinstance(data, MultiValueDict) else [(name, _listed(data[name])) for name in data]
    return MultiValueDict({name: values for name, values in lists if name not in PRIVATE})


def _payload_version(work: Work, step: str, payload: dict[str, Any], *, at: datetime | None) -> Version | None:
    """A valid payload, as a lead would read it; None for an invalid one, and for several answers on one page."""
    if work.shares(payload) != [(work, payload)]:
        return None
    try:
        answer = committing.checked(work, Step.at(step), payload)
    except PayloadInvalid:
        return None
    stage = Step.at(step).stage
    view = work.protocol.view(stage, answer, work.record)
    fields = work.form_of(step).fields_of(answer.model_dump(mode="json"))
    return Version(at=at, template=f"{work.protocol.key}/{stage}_read.html", view=view, given=as_posted(fields))


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
