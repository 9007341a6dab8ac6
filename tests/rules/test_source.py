"""Forbidden in the source: writing to the record past recording.py, unescaped HTML, unnamed migrations."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rules.development.client_files import is_of_client
from tests.rules.development.syntax import calls_of, nodes_of

CHECKOUT = Path(__file__).resolve().parents[2]
PACKAGES = ("annotation", "qualification", "tasks", "frontend")
MODULES = sorted(
    path
    for package in PACKAGES
    for path in (CHECKOUT / package).rglob("*.py")
    if "migrations" not in path.relative_to(CHECKOUT).parts and not is_of_client(path)
)
TEMPLATES = sorted(path for package in PACKAGES for path in (CHECKOUT / package).rglob("templates/**/*.html"))
DOOR = "annotation/engine/recording.py"
UNESCAPED_HERE = {
    "frontend/work/csp.py",  # our own script and style
    "frontend/work/differences.py",  # what templates have escaped, with <ins> around words
    "frontend/markdown.py",  # markdown-it escapes
    "frontend/work/frames.py",  # sanitised pages, in a sandbox
}

CREATING = r"\.(bulk_create|get_or_create|update_or_create|create|acreate)$"
WAYS = (
    r"^((.*\.)?models\.)?(Annotation|Response)$",
    rf"\b(Annotation|Response)\.(_default_manager|_base_manager|objects)\b.*{CREATING}",
    rf"\b(annotations|responses){CREATING}",
)


def name(path: Path) -> str:
    return str(path.relative_to(CHECKOUT))


def written(source: str) -> Iterator[int]:
    """Lines that create an Annotation or a Response, by its class, its manager or a related manager."""
    for line, called in calls_of(source):
        if any(re.search(way, called) for way in WAYS):
            yield line


def test_only_recording_creates_annotations_and_responses():
    found = {name(path): list(written(path.read_text())) for path in MODULES if name(path) != DOOR}
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "line",
    [
        "Response.objects.create(stage='x')",
        "Annotation(item=item)",
        "models.Response(stage='x')",
        "Response.objects.using('default').bulk_create([])",
        "Response._base_manager.create(stage='x')",
        "annotation.responses.create(stage='x')",
    ],
)
def test_the_control_creating_one_elsewhere_is_found(line):
    assert list(written(line)) == [1]


def test_recording_itself_does_create_them():
    assert list(written((CHECKOUT / DOOR).read_text()))


def test_html_is_marked_safe_in_four_places_only():
    unescaped = re.compile(r"mark_safe\(|SafeString\(|SafeText\(|html_safe")
    assert {name(path) for path in MODULES if unescaped.search(path.read_text())} == UNESCAPED_HERE


UNESCAPED = re.compile(r"\|\s*safe(seq)?\b|autoescape\s+off")


def test_no_template_switches_escaping_off():
    assert [name(path) for path in TEMPLATES if UNESCAPED.search(path.read_text())] == []


@pytest.mark.parametrize("text", ["{{ text|safe }}", "{{ lines | safeseq }}", "{% autoescape off %}"])
def test_the_control_escaping_switched_off_is_found(text):
    assert UNESCAPED.search(text)


def test_migrations_have_descriptive_names():
    for package in PACKAGES:
        for path in (CHECKOUT / package).rglob("migrations/0*.py"):
            assert re.fullmatch(r"\d{4}_[a-z0-9_]+", path.stem), name(path)
            assert not re.search(r"_(auto|initial|alter|merge)(_|$)", path.stem), name(path)


CSV_DOOR = "annotation/parsing/csv_cells.py"
CSV_WRITER = re.compile(r"^csv\.(writer|DictWriter)$|\.(to_csv|write_csv)$")


def csv_written(source: str) -> Iterator[int]:
    """Lines that write CSV, by the module of that name (from which nothing is imported) or another, or send it."""
    yield from (line for line, called in calls_of(source) if CSV_WRITER.search(called))
    for node in nodes_of(source):
        if isinstance(node, ast.ImportFrom) and node.module == "csv":
            yield node.lineno
        if isinstance(node, ast.Constant) and str(node.value).startswith("text/csv"):
            yield node.lineno


def test_csv_is_written_in_one_module_only():
    assert [name(path) for path in MODULES if list(csv_written(path.read_text()))] == [CSV_DOOR]


@pytest.mark.parametrize(
    "line",
    [
        "import csv; csv.writer(out)",
        "from csv import writer",
        "frame.to_csv(path)",
        "HttpResponse(content_type='text/csv; charset=utf-8')",
    ],
)
def test_the_control_csv_written_elsewhere_is_found(line):
    assert set(csv_written(line)) == {1}
    assert list(csv_written("import csv; csv.reader(lines)")) == []


OF_A_DICTIONARY = re.compile(r"{%-?\s*for\s[^%]*\sin\s+[\w.]+\.(items|keys|values)\b")


def test_no_template_asks_a_dictionary_for_its_items():
    """A template looks for a key of that name first: what somebody sent as `items` would be shown, or fail."""
    assert [name(path) for path in TEMPLATES if OF_A_DICTIONARY.search(path.read_text())] == []


@pytest.mark.parametrize(
    "text",
    [
        "{% for name, values in sent.items %}",
        "{% for one in side.answers.values %}",
        "{%for key in a.keys|dictsort:0 %}",
        "{% for k,\n v in x.items reversed %}",
    ],
)
def test_the_control_a_loop_over_a_dictionary_is_found(text):
    assert OF_A_DICTIONARY.search(text)
    assert not OF_A_DICTIONARY.search("{% for one in row.itemised %}{{ row.items }}")


PROCESSES = "annotation/processes/"
STARTS = re.compile(
    r"\b(subprocess\.(Popen|run|call|check_call|check_output|getoutput)|os\.(fork\w*|spawn\w+|posix_spawn\w*|popen|system)"
    r"|multiprocessing\.\w+|ProcessPoolExecutor|create_subprocess_\w+)$"
)


def processes_started(source: str) -> Iterator[int]:
    """Lines that start a process by something else than annotation.processes."""
    return (line for line, called in calls_of(source) if STARTS.search(called))


def test_processes_are_started_where_they_end_with_their_parent():
    found = {name(path) for path in MODULES if list(processes_started(path.read_text()))}
    assert {path for path in found if not path.startswith(PROCESSES)} == set()
    assert f"{PROCESSES}children.py" in found


@pytest.mark.parametrize(
    "line",
    ["subprocess.Popen(['true'])", "subprocess.run(['true'])", "os.fork()", "multiprocessing.get_context('fork')"],
)
def test_the_control_a_process_started_elsewhere_is_found(line):
    assert list(processes_started(line)) == [1]
    assert list(processes_started("children.run(['true'])")) == []
