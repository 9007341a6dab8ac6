"""The qualifications of a project as its leads see them: forms, lists, people with their grants, and the history."""

from __future__ import annotations

import uuid as uuids
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.paginator import Page, Paginator
from django.db import transaction
from django.db.models import Count, Q
from django.utils.text import slugify
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation import events, randomness, registry
from annotation.errors import NotFound
from annotation.models import Event, Membership, Project, User
from frontend.leads.event_lines import EventLine, event_lines
from frontend.leads.setup import undoing
from qualification import granting
from qualification.models import Grant, GrantOrigin, GrantState, Qualification
from tasks.people import memberships

PER_PAGE = 50
LATEST = 50
"""Events that the history shows."""
NAMED = 5
"""How many unknown names are told."""
WORDS: dict[str, Any] = {
    "qualification.made": _("Made the qualification"),
    "qualification.described": _("Changed its words"),
    "qualification.grants_copied": _("Copied from an equal course"),
    "grant.given": _("Given"),
    "grant.active": _("Restored"),
    "grant.suspended": _("Suspended"),
    "grant.revoked": _("Revoked"),
}
DECISIONS = {"suspend": granting.suspend, "restore": granting.restore, "revoke": granting.revoke}
"""What a lead can decide about a grant, by its name in forms."""


def activity_choices(project: Project) -> list[tuple[str, str]]:
    """The activities that can need a qualification, by key and title; what is done alone instead of one follows it."""
    known = registry.get(project.protocol).activities
    alone = {each.alone for each in known}
    return [(each.key, gettext(each.title)) for each in known if each.key not in alone]


class QualificationForm(forms.Form):
    """What it is called, what it says, and which activities need it."""

    title = forms.CharField(
        label=_("Title"), max_length=120, error_messages={"required": _("Give it a title that people understand.")}
    )
    about = forms.CharField(
        label=_("What it is, and how one gets it"),
        help_text=_("In Markdown. Whoever lacks it reads this on their home page."),
        max_length=Qualification.LONGEST_ABOUT,
        required=False,
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.choices = activity_choices(project)
        self.fields["activities"] = forms.MultipleChoiceField(required=False, choices=self.choices)
        self.project = project

    def ticked(self) -> list[tuple[str, str, bool, int]]:
        """The activities: key, title, whether it is chosen, and how many people work in it."""
        chosen = self["activities"].value() or ()
        return [
            (key, title, key in chosen, memberships.workers_in(self.project, [key]).count())
            for key, title in self.choices
        ]


class NewQualificationForm(QualificationForm):
    """The same with what becomes of those who work there already, and `key`, which makes it idempotent."""

    present = forms.ChoiceField(
        choices=[
            ("admit", _("They are admitted: they have it from the beginning")),
            ("finish", _("They finish what they hold, and get nothing new until they have it")),
        ],
        initial="admit",
    )
    reason = forms.CharField(max_length=200, required=False)
    key = forms.UUIDField(initial=randomness.handle)

    def clean(self) -> dict[str, Any]:
        """A reason is needed for admitting somebody."""
        cleaned = super().clean() or {}
        admits = cleaned.get("present") == "admit" and not cleaned.get("reason")
        if admits and memberships.workers_in(self.project, cleaned.get("activities", ())).exists():
            raise ValidationError({"reason": _("Say why those who work there now are admitted.")})
        return cleaned


class GivingForm(forms.Form):
    """Whom to give it to: by name or worker code, one on each line, or all who have worked in an activity.

    `key` makes it idempotent.
    """

    people = forms.CharField(max_length=100_000, required=False)
    reason = forms.CharField(max_length=200, error_messages={"required": _("Give a reason.")})
    key = forms.UUIDField(initial=randomness.handle)

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.project = project
        self.fields["worked_in"] = forms.ChoiceField(required=False, choices=[("", "–"), *activity_choices(project)])

    def clean(self) -> dict[str, Any]:
        """Somebody has to be named."""
        cleaned = super().clean() or {}
        if not self.errors and not cleaned.get("people") and not cleaned.get("worked_in"):
            raise ValidationError({"people": _("Name at least one person, or choose an activity.")})
        return cleaned

    def whom(self) -> list[User]:
        """All whom a valid form names."""
        named, activity = self.cleaned_data["people"], self.cleaned_data["worked_in"]
        worked = memberships.workers_in(self.project, [activity]) if activity else []
        return [*named, *worked]

    def origin(self) -> GrantOrigin:
        """By what they come to it."""
        return GrantOrigin.HAND if self.cleaned_data["people"] else GrantOrigin.WORKED_HERE

    def clean_people(self) -> list[User]:
        """The members with these names or codes; names those that no member has."""
        named = {word.strip() for word in self.cleaned_data["people"].replace(",", "\n").splitlines() if word.strip()}
        live = Membership.objects.filter(project=self.project, ended_at__isnull=True)
        found = list(User.objects.filter(memberships__in=live).distinct())
        by_name = {each.username: each for each in found} | {each.worker_code: each for each in found}
        unknown = sorted(named - by_name.keys())
        if unknown:
            names = ", ".join(unknown[:NAMED]) + (" …" if len(unknown) > NAMED else "")
            raise ValidationError(
                _("Nobody was given it. No member has this name or code: %(names)s"), params={"names": names}
            )
        return list({by_name[name].pk: by_name[name] for name in named}.values())


@dataclass(frozen=True)
class ListedQualification:
    """One in the list: the activities that need it, its grants by state, and how many who work there lack it."""

    row: Qualification
    activities: list[str]
    active: int
    suspended: int
    lacking: int


def listed(project: Project) -> list[ListedQualification]:
    """The project's qualifications, by title."""
    counted = project.qualifications.select_related("project").annotate(
        active=Count("grants", filter=Q(grants__state=GrantState.ACTIVE)),
        suspended=Count("grants", filter=Q(grants__state=GrantState.SUSPENDED)),
    )
    return [
        ListedQualification(row, activity_titles(row), row.active, row.suspended, lacking_people(row).count())
        for row in counted.order_by("title", "pk")
    ]


def activity_titles(qualification: Qualification) -> list[str]:
    """The activities that need it, as people read them."""
    known = registry.get(qualification.project.protocol)
    return [gettext(known.activity(key).title) for key in granting.required_by(qualification)]


def lacking_people(qualification: Qualification) -> Any:
    """Those who work in the activities that need it and never had it."""
    return memberships.workers_without(qualification, granting.required_by(qualification))


def free_key(project: Project, title: str) -> str:
    """A key for a qualification with this title that the project does not have yet."""
    stem = slugify(title)[:50] or "qualification"
    taken = {"new", *project.qualifications.values_list("key", flat=True)}
    return next(key for n in range(1, len(taken) + 3) if (key := stem if n == 1 else f"{stem}-{n}") not in taken)


def grants_page(qualification: Qualification, page: str) -> Page[Any]:
    """Its grants, the latest first, those that are not revoked before the others."""
    rows = Grant.objects.filter(qualification=qualification).select_related("user", "by", "decided_by")
    ordered = rows.annotate(over=Q(state=GrantState.REVOKED)).order_by("over", "user__username", "-pk")
    return Paginator(ordered, PER_PAGE).get_page(page)


def grants_of(person: User, project: Project | None = None) -> list[Grant]:
    """The person's grants, in one project or in all, without those that a later one has replaced."""
    rows = Grant.objects.filter(user=person).select_related("qualification__project", "by", "decided_by")
    if project is not None:
        rows = rows.filter(qualification__project=project)
    latest = {grant.qualification_id: grant for grant in rows.order_by("pk")}
    return sorted(latest.values(), key=lambda grant: (grant.qualification.project_id, grant.qualification.title))


def history(qualification: Qualification) -> list[EventLine]:
    """What was decided about it and its grants, newest first."""
    grants = {events.name(row): row for row in qualification.grants.select_related("user").order_by("-pk")[:1000]}
    rows = Event.objects.filter(subject__in=[events.name(qualification), *grants], kind__in=WORDS)
    return event_lines(
        rows.order_by("-pk")[:LATEST],
        what=_in_words,
        whom=lambda row: grants[row.subject].user.username if row.subject in grants else "",
    )


def _in_words(event: Event) -> str:
    if event.kind == "grant.given" and "undoes" in event.data:
        return gettext("Given again, as the revocation was undone")
    return str(WORDS[event.kind])


DECIDED = {
    "suspend": _("%(name)s gets no new work that needs this until you restore it. What they hold, they can finish."),
    "restore": _("%(name)s has it again."),
    "revoke": _("%(name)s no longer has it. What they hold, they can finish."),
}
"""What is said after a decision about a grant."""


def make(form: NewQualificationForm, *, by: User, now: Any) -> Qualification:
    """Make it as the form says: require it, and admit who works there, in one transaction."""
    sent, project = form.cleaned_data, form.project
    if (again := Qualification.objects.filter(project=project, submission_key=sent["key"]).first()) is not None:
        return again
    with transaction.atomic():
        key = free_key(project, sent["title"])
        said = {"title": sent["title"], "about": sent["about"], "by": by, "now": now}
        made = granting.make_qualification(project, key=key, form=sent["key"], **said)
        granting.require(made, sent["activities"], by=by, now=now)
        if sent["present"] == "admit" and sent["reason"] and sent["activities"]:
            people = lacking_people(made)
            origin = GrantOrigin.WORKED_HERE
            granting.give(made, people, origin=origin, reason=sent["reason"], form=sent["key"], by=by, now=now)
    return made


def form_of(qualification: Qualification) -> QualificationForm:
    """The form as it is now."""
    now = {"title": qualification.title, "about": qualification.about}
    return QualificationForm(qualification.project, now | {"activities": granting.required_by(qualification)})


def change(qualification: Qualification, form: QualificationForm, *, by: User, now: Any) -> str | None:
    """Change what is different; None if nothing was, else the tag of a message, with an undo if activities changed."""
    sent = form.cleaned_data
    with transaction.atomic(), events.recorded() as made:
        described = granting.describe(qualification, title=sent["title"], about=sent["about"], by=by, now=now)
        changed = granting.require(qualification, sent["activities"], by=by, now=now)
    return (undoing.tag_of(qualification.project, made) or "described") if described or changed else None


def undo_decision(grant: Grant, after: int, *, by: User, now: Any) -> None:
    """Undo the last decision about a grant, of which there had been `after` then; NotFound for none."""
    if not after:
        raise NotFound
    reason = gettext("undone")
    if grant.state == GrantState.REVOKED and grant.decisions == after:
        form = uuids.uuid5(uuids.NAMESPACE_OID, f"undo of the revocation of grant {grant.pk}")
        granting.undo_revocation(grant, reason=reason, form=form, by=by, now=now)
    elif grant.state == GrantState.SUSPENDED:
        granting.restore(grant, reason=reason, after=after, by=by, now=now)
    else:
        granting.suspend(grant, reason=reason, after=after, by=by, now=now)
