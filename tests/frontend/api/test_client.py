"""The Python client, installed into an empty environment, does a lead's and an annotator's work at a real site.

For each merge it does that in one process with the site (test_client_over_http.py).
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.forking import ForkedSite
from tests.frontend.api.schemas import committed_schema
from tests.site import Site

CLIENT = Path(__file__).parents[3] / "frontend" / "api" / "client"
EXAMPLES = CLIENT / "examples"
SHAPES = ("Project", "Response", "Annotation", "AnnotatedItem", "Dispute", "Attempt", "AttemptBlock", "Grant")
TEXT = "The light was lit in 1823 by two keepers who came from Bergen and Oslo."
SETUP = """
from annotation import clock, membership
from annotation.models import Project
from qualification import api_tokens
project = Project.objects.get(slug="lights")
for name, role in (("lena", "lead"), ("bot", "annotator"), ("other", "annotator")):
    user, _password = membership.add(project=project, username=name, role=role, by=None, now=clock.now())
    membership.accept_consent(user=user, project=project, now=clock.now())
    scope, of = ("lead", project) if role == "lead" else ("work", None)
    print(api_tokens.make(user, name=name, scope=scope, project=of, days=1, now=clock.now())[1])
"""
"""What people have done in the browser: a lead and two annotators have joined and made tokens."""

CORRECTED = """
import sys, uuid
from goldfinch_client import Goldfinch, HeldWork
site = Goldfinch(*sys.argv[1:])
def answers(): return [row["answers"][0]["payload"] for row in site.finished()]
first = next(site.finished())
work, before = HeldWork(site.calls, site.calls.get(f"work/{first['uuid']}/")), answers()[0]
as_read = {"step": first["answers"][0]["step"], "version": {"seen": 0, "client": str(uuid.uuid4())}}
print(work.replace(as_read, {"kind": "unanswerable"})["work"]["state"])
print(before["kind"], answers()[0]["kind"])
work.replace(as_read, before)
print(answers()[0]["kind"])
"""
"""A bot takes an answer back to what it was, after it was sent."""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment that has the client and nothing else."""
    folder = tmp_path_factory.mktemp("environment")
    source = shutil.copytree(CLIENT, folder / "client")
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", source], check=True)
    return python


def test_the_client_says_and_imports_that_it_needs_nothing_and_is_typed():
    described = tomllib.loads((CLIENT / "pyproject.toml").read_text(encoding="utf-8"))
    assert described["project"]["dependencies"] == []
    assert "py.typed" in described["tool"]["setuptools"]["package-data"]["goldfinch_client"]
    assert (CLIENT / "goldfinch_client" / "py.typed").is_file()
    imported = set[str]()
    for path in CLIENT.glob("goldfinch_client/**/*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                imported.add((node.module or "").partition(".")[0])
            elif isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
    assert imported <= sys.stdlib_module_names | {"goldfinch_client"}


@pytest.mark.in_test_all(
    shown_by="tests/frontend/api/test_client.py::test_the_client_says_and_imports_that_it_needs_nothing_and_is_typed"
)
def test_the_client_needs_nothing_and_is_typed(environment: Path):
    listed = subprocess.run(
        [environment, "-m", "pip", "list", "--format=json"], check=True, capture_output=True, text=True
    ).stdout
    assert {row["name"] for row in json.loads(listed)} - {"pip", "setuptools"} == {"goldfinch-client"}
    told = "from importlib.resources import files; print((files('goldfinch_client') / 'py.typed').is_file())"
    assert subprocess.run([environment, "-c", told], check=True, capture_output=True, text=True).stdout == "True\n"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, list[str]]]:
    """A site with a project for answering, and the tokens of its lead and of two annotators."""
    folder = tmp_path_factory.mktemp("site")
    site = ForkedSite(folder)
    site.prepare()
    config = folder / "config.json"
    config.write_text(json.dumps({"work_by_script": True}))
    site.manage("create_project", "lights", "--protocol", "squad", "--config", str(config))
    tokens = site.manage("shell", "--verbosity", "0", "-c", SETUP).split()
    site.start()
    yield site, tokens
    site.close()


def example(environment: Path, name: str, site: Site, token: str, *words: str) -> str:
    """Run an example in the client's environment, with what else it imports from that of the tests."""
    more = {"PYTHONPATH": site_packages(), "GOLDFINCH_SITE": site.url, "GOLDFINCH_TOKEN": token, "HF_HUB_OFFLINE": "1"}
    command = [environment, EXAMPLES / f"{name}.py", *words]
    done = subprocess.run(command, env=os.environ | more, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def site_packages() -> str:
    """Where pandas and datasets are, which the examples import and the client does not."""
    return sysconfig.get_path("purelib")


@pytest.mark.in_test_all(
    shown_by="tests/frontend/api/test_client_over_http.py"
    "::test_it_imports_a_file_answers_corrects_an_answer_and_downloads_a_release"
)
def test_the_examples_import_annotate_release_and_measure(
    environment: Path, served: tuple[Site, list[str]], tmp_path: Path
):
    site, (lead, *bots) = served
    rows = [{"id": f"q{n}", "title": "Light", "context": TEXT, "question": f"Who lit it in {n}?"} for n in range(3)]
    (tmp_path / "rows").mkdir()
    (tmp_path / "rows" / "test.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    imported = example(environment, "from_hugging_face", site, lead, str(tmp_path / "rows"), "test", "lights")
    assert imported == "4 items, 0 lines refused\n"
    opened = "import sys; from goldfinch_client import Goldfinch; "
    opened += "Goldfinch(*sys.argv[1:]).project('lights').send('POST', 'queues/answer/open/')"
    subprocess.run([environment, "-c", opened, site.url, lead], check=True)
    for bot in bots:
        assert example(environment, "bot_annotator", site, bot, "lights").startswith("3 answered; ")
    corrected = subprocess.run(
        [environment, "-c", CORRECTED, site.url, bots[0]], check=True, capture_output=True, text=True
    ).stdout
    assert corrected.splitlines() == ["submitted", "span unanswerable", "span"]
    site.manage("measure_agreement", "lights")
    assert "1.0" in example(environment, "agreement_in_pandas", site, lead, "lights")
    files = example(environment, "nightly_release", site, lead, "lights", str(tmp_path / "nightly")).splitlines()
    folder = tmp_path / "nightly" / "1"
    assert {Path(file).parent for file in files} == {folder}
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=folder, check=True)
    assert "The light was" in "".join(file.read_text() for file in folder.glob("*.json*"))


def test_the_types_of_the_client_are_those_of_the_schema():
    described = committed_schema()["components"]["schemas"]
    for name in SHAPES:
        assert set(typed_fields(name)) == set(described[name]["properties"]), name


def typed_fields(name: str) -> list[str]:
    """The fields of a type of the client, read from its source, as it is not installed here."""
    tree = ast.parse((CLIENT / "goldfinch_client" / "shapes.py").read_text(encoding="utf-8"))
    [found] = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name]
    return [node.target.id for node in found.body if isinstance(node, ast.AnnAssign)]
