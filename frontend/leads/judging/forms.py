"""The form of a judging round that a lead makes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from pydantic import ValidationError

from annotation import registry
from annotation.judging import drawing, rounds
from annotation.judging.rules import MOST, MOST_PRACTICE, MOST_REPEATS, Rules
from annotation.membership import roles_of
from annotation.models import JudgingRound, Membership, Project, Role, User
from annotation.values.exhibits import ExhibitKind
from frontend.leads.judging import counting
from frontend.leads.judging.predictions import offer, sets_of, split_choices
from tasks.judging import raters

OF_RULES = ("kind", "split", "sample", "of_an_item", "together", "meeting", "judged_by")
"""The fields of the form that are rules."""
STRATUM = "of_type_"
"""What fields begin with that say how many of a type are drawn."""
LONGEST_SEED = 40
"""Characters, as many as are kept."""
SAMPLE, RATERS = 100, 2
"""Of a kind of which it is not published how many were judged, or by how many people."""
NUMBER = _("Write a number.")


def _number(label: Any, least: int, most: int, too_many: Any, help_text: Any = "") -> forms.IntegerField:
    """A field that may be left empty; `too_many`: what is said of a number beyond `most`."""
    errors = {"invalid": NUMBER, "min_value": _("At least 1.") if least else NUMBER, "max_value": too_many}
    return forms.IntegerField(
        label=label, required=False, min_value=least, max_value=most, help_text=help_text, error_messages=errors
    )


class RoundForm(forms.Form):
    """What is judged, how many, and by whom."""

    title = forms.CharField(
        label=_("Name of the round"), max_length=JudgingRound.LONGEST, error_messages={"required": _("Give it a name.")}
    )
    kind = forms.ChoiceField(label=_("What is judged"), error_messages={"required": _("Choose what is judged.")})
    split = forms.ChoiceField(label=_("Split"), required=False)
    sample = _number(
        _("How many"),
        1,
        MOST,
        _("At most 10,000."),
        _("Drawn at random, by a seed that the round keeps. Leave it empty to judge all of them."),
    )
    of_an_item = forms.ChoiceField(
        label=_("Where several people have answered"),
        choices=(("one", _("One of the answers, at random")), ("all", _("All of the answers"))),
    )
    systems = forms.MultipleChoiceField(
        label=_("Answers of models"), required=False, widget=forms.CheckboxSelectMultiple
    )
    together = forms.BooleanField(
        label=_("All answers to an item on one screen"),
        required=False,
        help_text=_("Labelled A, B, C ... Numbers below are then of items, each with all of its answers."),
    )
    seed = forms.CharField(
        label=_("Seed"),
        required=False,
        max_length=LONGEST_SEED,
        help_text=_("Draw, order and letters come from it. Leave it empty for one at random."),
    )
    practice = _number(
        _("For practice first"),
        0,
        MOST_PRACTICE,
        _("At most 20."),
        _("Everybody judges as many before the others. Their marks are in no result."),
    )
    repeats = _number(
        _("Judged twice, of 100"),
        0,
        MOST_REPEATS,
        _("At most 50."),
        _("So many come again later to each rater: how far they agree with themselves is in the results."),
    )
    judged_by = forms.IntegerField(
        label=_("Raters of each exhibit"),
        required=False,
        min_value=1,
        help_text=_("Raters then take turns. Leave it empty if all of them judge all."),
        error_messages={"invalid": NUMBER, "min_value": _("At least 1.")},
    )
    raters = forms.ModelMultipleChoiceField(
        queryset=User.objects.none(),
        label=_("Raters"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Name at least one rater.")},
    )

    meeting = forms.BooleanField(
        label=_("With a meeting"),
        required=False,
        help_text=_("Once all have locked, the raters see what they marked differently and agree on marks."),
    )
    chair = forms.ModelChoiceField(
        queryset=User.objects.none(),
        label=_("In the chair"),
        required=False,
        empty_label=_("Chosen at the meeting"),
        widget=forms.Select(attrs={"class": "form-control"}),
        help_text=_("One of the raters, or a lead without a vote. They propose marks; only all together settle one."),
    )

    def __init__(self, project: Project, *args: Any, row: JudgingRound | None = None, **options: Any) -> None:
        """`row`: the draft whose choices are changed."""
        super().__init__(*args, **options)
        self.project, self.row = project, row
        kinds = [(kind.key, kind.title) for kind in registry.get(project.protocol).exhibits]
        self._types = registry.get(project.protocol).item_types
        for key, title in self._types.items():
            self.fields[f"{STRATUM}{key}"] = _number(title, 0, MOST, _("At most 10,000."))
        offer(self.fields["kind"], kinds)
        offer(self.fields["systems"], [(str(row.uuid), row.system) for row in sets_of(project)])
        offer(self.fields["split"], split_choices(project))
        named = self.fields["raters"]
        assert isinstance(named, forms.ModelMultipleChoiceField)
        chair = self.fields["chair"]
        assert isinstance(chair, forms.ModelChoiceField)
        named.queryset = chair.queryset = raters.candidates(project)

    @property
    def rules(self) -> Rules:
        """The rules of a valid form; of a draft, what the form does not have stays."""
        kept = rounds.rules_of(self.row).model_dump() if self.row else {}
        chosen = {name: self.cleaned_data[name] for name in OF_RULES}
        numbers = {name: self.cleaned_data[name] or 0 for name in ("practice", "repeats")}
        strata = {key: n for key in self._types if (n := self.cleaned_data.get(f"{STRATUM}{key}"))}
        systems = tuple(sorted(self.cleaned_data["systems"]))
        return Rules(**kept | chosen | numbers | {"strata": strata, "systems": systems})

    @property
    def strata(self) -> list[forms.BoundField]:
        """The fields for how many of each type are drawn; none where there are no types."""
        return [self[f"{STRATUM}{key}"] for key in self._types]

    @property
    def may_be_together(self) -> bool:
        """Whether any of the kinds can be seen with the other answers to its item."""
        return any(kind.on_one_screen != "never" for kind in registry.get(self.project.protocol).exhibits)

    @property
    def estimate(self) -> counting.RoundEstimate | None:
        """What the choices so far draw, and how long that takes; None if they can't be read yet."""
        wanted = {name: self._now(name) for name in (*OF_RULES, "practice", "repeats")}
        strata = {key: n for key in self._types if (n := self._now(f"{STRATUM}{key}"))}
        people = self["raters"].value() or ()
        try:
            chosen = {name: value for name, value in wanted.items() if value not in (None, "")}
            kept = rounds.rules_of(self.row).model_dump() if self.row else {}
            drawing.kind_of(self.project, str(chosen.get("kind")))
            systems = tuple(self._now("systems") or ())
            rules = Rules.model_validate(kept | chosen | {"strata": strata, "systems": systems}, strict=False)
        except (KeyError, ValidationError):
            return None
        return counting.estimate_of(self.project, rules, len(people))

    def _now(self, name: str) -> Any:
        """What a field holds now, sent or at first; None if it is not possible."""
        field = self.fields[name]
        try:
            return field.clean(self[name].value())
        except forms.ValidationError:
            return None

    def clean(self) -> dict[str, Any]:
        """What is drawn is at most as much as there is to judge, where that is known exactly."""
        cleaned = super().clean() or {}
        self._clean_chair(cleaned)
        people, turns = len(cleaned.get("raters", ())), cleaned.get("judged_by")
        if turns and people and turns > people:
            self.add_error("judged_by", gettext("There are only %(n)s raters.") % {"n": people})
        if not self.errors and (why := rounds.why_not_together(self.project, self.rules)):
            self.add_error("together", why)
        if not self.errors:
            self._clean_draw(self.rules, cleaned)
        return cleaned

    def _clean_draw(self, rules: Rules, cleaned: Mapping[str, Any]) -> None:
        there = counting.count_of(self.project, rules)
        if not there.n and rules.systems:
            self.add_error("systems", gettext(rounds.NOT_PREDICTED))
        elif not there.n:
            self.add_error("kind", _("No finished answer is of this kind."))
        if not there.n or not there.exact:
            return
        few = gettext("There are only %(n)s to judge.")
        for key, wanted in rules.strata.items():
            if wanted > there.types.get(key, 0):
                self.add_error(f"{STRATUM}{key}", few % {"n": there.types.get(key, 0)})
        wanted = sum(rules.strata.values()) or rules.sample or 0
        if not rules.strata and wanted > there.units:
            self.add_error("sample", few % {"n": there.units})
        elif not self.errors and max(wanted, 1) + rules.practice > there.units:
            self.add_error("practice", few % {"n": there.units})

    def _clean_chair(self, cleaned: dict[str, Any]) -> None:
        """Who is in the chair rates, or is a lead."""
        chair = cleaned.get("chair")
        if chair and chair not in cleaned.get("raters", ()) and Role.LEAD not in roles_of(chair, self.project):
            self.add_error("chair", _("Choose one of the raters, or a lead."))


def first_choices(project: Project, key: str = "") -> dict[str, Any]:
    """What the form starts with for a kind of exhibits; the protocol's first if there is none with this key.

    As many are drawn as were judged for the published figures, or all if there are fewer; by as many people, experts
    before leads.
    """
    kinds = {kind.key: kind for kind in registry.get(project.protocol).exhibits}
    kind = kinds.get(key) or next(iter(kinds.values()))
    together = kind.on_one_screen == "usual"
    rules = Rules(kind=kind.key, of_an_item=kind.of_an_item, together=together)
    people = raters.candidates(project).annotate(expert=_is_expert(project)).order_by("-expert", "username")
    return {
        "title": gettext(kind.title),
        "kind": kind.key,
        "of_an_item": kind.of_an_item,
        "together": together,
        "sample": _first_sample(project, rules, kind.n or SAMPLE),
        "raters": list(people.values_list("pk", flat=True)[: kind.raters or RATERS]),
    }


def choices_of(row: JudgingRound) -> dict[str, Any]:
    """What the form of a draft starts with: its choices."""
    rules = rounds.rules_of(row)
    people = row.raters.values_list("person", flat=True)
    kept = {name: getattr(rules, name) for name in (*OF_RULES, "practice", "repeats")}
    kept |= {f"{STRATUM}{key}": n for key, n in rules.strata.items()} | {"systems": list(rules.systems)}
    return kept | {"title": row.title, "seed": row.seed, "raters": list(people), "chair": row.chair_id}


def usual_choices(project: Project, form: RoundForm) -> dict[str, Any]:
    """What is usual for the kind that is chosen in a form; a name that somebody has written stays."""
    usual = first_choices(project, form.data.get("kind", ""))
    written, titles = form.data.get("title", "").strip(), {gettext(card.kind.title) for card in kind_cards(project, "")}
    return usual | {"title": written} if written and written not in titles else usual


def _is_expert(project: Project) -> Exists:
    mine = Membership.objects.filter(user=OuterRef("pk"), project=project, ended_at=None)
    return Exists(mine.filter(role=Role.EXPERT))


def _first_sample(project: Project, rules: Rules, wanted: int) -> int | None:
    """As many exhibits, by the screens on which they are; None if there are no more than that to judge."""
    there = counting.count_of(project, rules)
    return round(wanted * there.units / there.n) if there.n > wanted else None


@dataclass(frozen=True)
class KindCard:
    """A kind of exhibits to choose, with its published figures in words: (mark, share), of how many, by whom."""

    kind: ExhibitKind
    chosen: bool
    figures: tuple[tuple[str, str], ...]


def kind_cards(project: Project, chosen: str) -> list[KindCard]:
    """The kinds that the protocol has, in its order."""
    return [KindCard(kind, kind.key == chosen, _figures(kind)) for kind in registry.get(project.protocol).exhibits]


def _figures(kind: ExhibitKind) -> tuple[tuple[str, str], ...]:
    return tuple(
        (gettext(mark.title), f"{100 * kind.published[mark.key]:.3g} %")
        for mark in kind.rubric().marks
        if mark.key in kind.published
    )
