"""The splits of a project as its leads see them: how many items each has, the form of a division, and what it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db.models import Count
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation import registry
from annotation.models import Project
from annotation.protocol import Protocol
from annotation.protocol_tools import Division
from annotation.releases import selection
from frontend.wording import noun_of_project
from tasks.engine import queues
from tasks.setup import splits

KEPT = {
    splits.WORKED: _("somebody holds them, has held them or has finished work on them"),
    splits.PUBLISHED: _("they came with published annotations"),
}


@dataclass(frozen=True)
class Way:
    """One way of drawing."""

    key: str
    title: Any
    says: Any


WAYS = (
    Way("root", _("Whole documents"), _("What belongs together goes into one split, with everything under it.")),
    Way("domain", _("Whole documents, as many from each domain"), _("The sizes count for each domain.")),
    Way("random", _("Item by item"), _("Every imported item by itself, whatever it belongs to.")),
)


class DivisionForm(forms.Form):
    """How to divide. Sizes and domains are written as `dev: 100, test: 10 %`."""

    by = forms.ChoiceField(choices=[(way.key, way.title) for way in WAYS])
    sizes = forms.CharField(
        label=_("Sizes"),
        help_text=_("A number or a share for each split, such as dev: 100, test: 10 %."),
        max_length=300,
        error_messages={"required": _("Say how large which split is to be.")},
    )
    rest = forms.CharField(label=_("All others go into"), max_length=40, initial="train")
    only = forms.CharField(
        label=_("Domains that go into one split as a whole"),
        help_text=_("Only where domains are drawn from, such as reddit: test, science: test."),
        max_length=1000,
        required=False,
    )
    seed = forms.CharField(
        label=_("Seed"),
        help_text=_("Any word. The same one divides the same items alike; empty: the project’s own."),
        max_length=80,
        required=False,
    )
    allow_repeated = forms.BooleanField(
        label=_("Also if items that ask the same are parted"),
        help_text=_("Otherwise a text that occurs in two splits is refused: what is trained on would be tested on."),
        required=False,
    )

    def clean_sizes(self) -> dict[str, str]:
        """By split."""
        return _pairs(self.cleaned_data["sizes"])

    def clean_only(self) -> dict[str, str]:
        """By domain."""
        return _pairs(self.cleaned_data["only"])

    def division(self) -> Division:
        """What a valid form says."""
        said = self.cleaned_data
        return Division(said["by"], said["sizes"], said["rest"], said["only"] if said["by"] == "domain" else {})

    def draw(self) -> dict[str, Any]:
        """The rest of it."""
        return {name: self.cleaned_data[name] for name in ("seed", "allow_repeated")}


def form_of(project: Project, sent: Mapping[str, Any] | None = None) -> DivisionForm:
    """As it was sent, or as the protocol's dataset was divided."""
    division = registry.get(project.protocol).division or Division("random", {"dev": "10 %", "test": "10 %"})
    fields = {
        "by": division.by,
        "sizes": _in_words(division.sizes),
        "rest": division.rest,
        "only": _in_words(division.only),
    }
    return DivisionForm(fields if sent is None else sent)


def ways(project: Project) -> list[Way]:
    """Those that mean something in the project's protocol."""
    protocol = registry.get(project.protocol)
    has_domains = type(protocol).domain_of is not Protocol.domain_of
    has_groups = type(protocol).group_of is not Protocol.group_of or len(protocol.kinds) > 1
    shown = {"domain": has_domains, "root": has_groups, "random": True}
    return [way for way in WAYS if shown[way.key]]


def sizes(project: Project) -> list[dict[str, Any]]:
    """Each split with its imported items, and whether it leaves in a release only when it is named."""
    rows = project.items.filter(queues.visible(), root=None).order_by().values("split").annotate(n=Count("pk"))
    ordered = sorted(rows, key=lambda row: row["split"])
    return [row | {"sequestered": selection.is_sequestered(project, row["split"])} for row in ordered]


def plan_as_table(project: Project, plan: splits.Plan) -> dict[str, Any]:
    """A plan as a table by domain, and in words."""
    names = sorted({split for counts in plan.after.values() for split in counts})
    return {
        "names": names,
        "rows": [(domain, [counts[name] for name in names]) for domain, counts in sorted(plan.after.items())],
        "short": [
            (f"{domain}: {split}" if domain else split, n, plan.after[domain][split])
            for (domain, split), n in sorted(plan.short.items())
        ],
        "moves": [(f"{before} → {after}", n) for (before, after), n in sorted(plan.moves.items())],
        "kept": [(n, gettext(str(KEPT[reason]))) for reason, n in plan.fixed.items()],
        "moved": plan.moved,
        "repeated": plan.repeated,
        "nouns": noun_of_project(project).many,
    }


def in_words(refused: splits.DivisionRefused) -> str:
    """Why it is refused, in the reader's language."""
    words = gettext(refused.message)
    return words % refused.numbers if refused.numbers else words


def _pairs(text: str) -> dict[str, str]:
    parts = [part.partition(":") for part in text.split(",") if part.strip()]
    if any(not value.strip() for _name, _sign, value in parts):
        raise forms.ValidationError(gettext("Write it as a name, a colon and a value, with commas between them."))
    return {name.strip(): value.strip() for name, _sign, value in parts}


def _in_words(pairs: Mapping[str, str]) -> str:
    return ", ".join(f"{name}: {value}" for name, value in pairs.items())
