"""A file of predictions scored against a release, by the field's official metrics: nothing of it is kept."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson
from django import forms
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from annotation import registry, releases
from annotation.errors import NotFound
from annotation.models import Release
from annotation.processes import children
from annotation.protocol_tools import Scorer
from annotation.storage.files import alone_with
from frontend.leads.releases import listed
from frontend.packed_files import PackedFileField

LARGEST = 2 * 1024 * 1024
"""Bytes of an uploaded file, as for other forms; gzip makes ten times as many fit."""
UNPACKED = 64 * 1024 * 1024
SECONDS = 60
"""How long scoring may take; `manage.py score` has no limit."""
MANAGE = str(settings.BASE_DIR / "manage.py")


class ScoringForm(forms.Form):
    """The predictions, the files of the release that they are about, and the scorer's flags and options."""

    predictions = PackedFileField(
        label=_lazy("Predictions"),
        error_messages={"required": _lazy("Choose a file of predictions.")},
        largest=(
            LARGEST,
            _lazy("The file has more than 2 MB. Pack it with gzip (.gz), or score it by manage.py score."),
        ),
        largest_unpacked=(UNPACKED, _lazy("The unpacked file has more than 64 MB. Score it by manage.py score.")),
    )
    gold = forms.MultipleChoiceField(
        label=_lazy("Score against"), error_messages={"required": _lazy("Choose at least one file of the release.")}
    )

    def __init__(self, scorer: Scorer, files: list[str], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._scorer = scorer
        gold = self.fields["gold"]
        assert isinstance(gold, forms.MultipleChoiceField)
        gold.choices = [(name, name) for name in files]
        if len(files) == 1:
            gold.initial = files
        for name, what in scorer.flags.items():
            if name != "human":  # people are measured on a page of their own
                self.fields[f"flag-{name}"] = forms.BooleanField(label=what, required=False)
        for name, what in scorer.options.items():
            if name not in scorer.files:
                self.fields[f"option-{name}"] = forms.CharField(
                    label=name, help_text=what, required=False, max_length=200, strip=True
                )

    @property
    def flags(self) -> list[forms.BoundField]:
        """The fields of the scorer's flags."""
        return [self[name] for name in self.fields if name.startswith("flag-")]

    @property
    def options(self) -> list[forms.BoundField]:
        """The fields of the scorer's options."""
        return [self[name] for name in self.fields if name.startswith("option-")]

    def words(self) -> list[str]:
        """The flags and options as the command line writes them."""
        given = self.cleaned_data
        flags = [f"--{name}" for name in self._scorer.flags if given.get(f"flag-{name}")]
        return flags + [
            f"--{name}={given[f'option-{name}']}" for name in self._scorer.options if given.get(f"option-{name}")
        ]


def scorer_of(release: Release) -> Scorer:
    """What scores predictions against a release; NotFound if its layout is none that official metrics read."""
    protocol = registry.get(release.project.protocol)
    if protocol.scorer is None or release.recipe["format"] not in {one.key for one in protocol.formats}:
        raise NotFound
    return protocol.scorer


def form_of(release: Release, data: Any = None, files: Any = None) -> ScoringForm:
    """The form for a release; NotFound if nothing of it can be scored."""
    scorer, found = scorer_of(release), _gold_files(release)
    if not found:
        raise NotFound
    return ScoringForm(scorer, found, data, files)


def can_be_scored(release: Release) -> bool:
    """Whether predictions can be scored against a release."""
    try:
        scorer_of(release)
    except NotFound:
        return False
    return bool(_gold_files(release))


def _gold_files(release: Release) -> list[str]:
    folder = releases.folder_of(release)
    entries = listed.manifest_of(release).get("files", [])
    return [entry["name"] for entry in entries if "records" in entry and (folder / entry["name"]).is_file()]


def scored(release: Release, form: ScoringForm) -> dict[str, Any]:
    """`tables` of figures, and `notes`; or `problem`, why there are none, and whether it is `busy`.

    One file at a time on a machine: a lock of the system, which ends with the process that holds it.
    """
    lock = settings.GOLDFINCH_DATA / "scoring"
    lock.mkdir(parents=True, exist_ok=True)
    try:
        with alone_with(lock):
            return _scored_alone(release, form)
    except BlockingIOError:
        return {"busy": True, "problem": _("Another file is being scored. Choose yours again in a minute.")}


def _scored_alone(release: Release, form: ScoringForm) -> dict[str, Any]:
    folder = releases.folder_of(release)
    with tempfile.TemporaryDirectory() as place:
        predictions = Path(place) / "predictions.json"
        predictions.write_bytes(form.cleaned_data["predictions"])
        gold = [word for name in form.cleaned_data["gold"] for word in ("--gold", str(folder / name))]
        command = ["score", release.project.protocol, *gold, "--predictions", str(predictions), *form.words()]
        code, printed, said = _run(command)
    if code is None:
        return {"problem": _("This takes more than a minute. Score it by manage.py score, which has no limit.")}
    if code:
        return {"problem": _reason(said).replace(f"{place}/", "")}
    notes = [line.removeprefix("Note: ") for line in said.splitlines() if line.startswith("Note: ")]
    return {"tables": list(tables_of(orjson.loads(printed))), "notes": notes}


def _run(command: list[str]) -> tuple[int | None, str, str]:
    """The exit code (None: it took too long), what was printed, and what was said beside it."""
    child = children.start(
        [sys.executable, MANAGE, *command],
        cwd=settings.BASE_DIR,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    )
    try:
        printed, said = child.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        return None, "", ""
    return child.returncode, printed, said


def _reason(printed: str) -> str:
    lines = [line for line in printed.splitlines() if line.startswith("CommandError: ")]
    return lines[-1].removeprefix("CommandError: ") if lines else _("The file could not be scored.")


def tables_of(figures: Mapping[str, Any], title: str = "") -> Iterator[tuple[str, list[tuple[str, Any]]]]:
    """(title, rows of name and figure) for each group of figures; a group in a group has both names."""
    rows = [(str(name), value) for name, value in figures.items() if not isinstance(value, dict | list)]
    if rows:
        yield title, rows
    for name, value in figures.items():
        inside = f"{title}, {name}" if title else str(name)
        if isinstance(value, dict):
            yield from tables_of(value, inside)
        elif isinstance(value, list):
            yield from tables_of({_name_in_list(n, one): _figure(one) for n, one in enumerate(value, 1)}, inside)


def _name_in_list(number: int, entry: Any) -> str:
    """Some scripts print a list of {name, type, value}."""
    if isinstance(entry, dict) and {"name", "type"} <= entry.keys():
        return f"{entry['name']}, {entry['type']}"
    return str(number)


def _figure(entry: Any) -> Any:
    return entry["value"] if isinstance(entry, dict) and "value" in entry else entry
