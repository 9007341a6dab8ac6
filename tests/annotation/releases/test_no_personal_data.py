"""Nothing that identifies a person is in a release of any format, and two releases can't be joined on a person."""

from __future__ import annotations

import gzip
import zipfile

import pyarrow.parquet as pq
import pytest

from annotation import releases
from annotation.engine import recording
from annotation.models import Project, Role, User
from annotation.models.people import PERSONAL
from annotation.releases import recipes
from annotation.releases.redacting import IDENTIFYING
from tasks.disputes import deciding, who
from tests.disagreeing import BAD, answered, box, lights
from tests.factories.people import ParticipantFactory, SignInFactory
from tests.people import NOON, join

FORMATS = ("nq", "nq-simplified", recipes.PROVENANCE, recipes.HUGGING_FACE)
PLANTED = {
    "username": "zq7username",
    "first_name": "Zq7first",
    "last_name": "Zq7last",
    "email": "zq7@planted.example",
    "worker_code": "zq7workercode",
}


def plant(project: Project, user: User, number: int) -> list[str]:
    """Give somebody names and traces that occur nowhere else; returns those outside their account."""
    User.objects.filter(pk=user.pk).update(
        **{key: f"{number}.{value}" if key == "email" else f"{value}{number}" for key, value in PLANTED.items()}
    )
    address, browser = f"2001:db8::zq7{number}", f"Zq7browser/{number}.0"
    SignInFactory(user=user, session_key=f"zq7{number}", address=address, browser=browser)
    known = {"external_id": f"zq7participant{number}", "parameters": {"study": "zq7study"}}
    ParticipantFactory(project=project, user=user, **known)
    return [address, known["external_id"]]


@pytest.fixture
def project(db, tmp_path):
    """Three disagree about a question, one is excluded; a lead and an expert write everybody's names into reasons."""
    made = lights(tmp_path)
    item = answered(made, box(1), box(2), BAD)
    lena, erin = join(made, "lena", Role.LEAD), join(made, "erin", Role.EXPERT)
    more = [plant(made, user, number) for number, user in enumerate(User.objects.order_by("pk"), start=1)]
    one, other = ("; ".join(row) for row in User.objects.order_by("pk").values_list(*PLANTED)[1:3])
    who.begin(User.objects.get(pk=erin.pk), made, now=NOON)
    task = deciding.task_of(item, "annotate")
    deciding.decide(task, item.annotations.first().uuid, by=erin, reason=f"({one}, {more[0][1]})", now=NOON)
    recording.exclude(
        item.annotations.order_by("pk").last(), by=lena, reason=f"{other.upper()}! {more[1][0]}", now=NOON
    )
    return made


def words_of(folder) -> bytes:
    """Everything in a release, uncompressed."""
    parts = []
    for path in sorted(folder.iterdir()):
        data = path.read_bytes()
        parts.append(gzip.decompress(data) if path.suffix == ".gz" else data)
        if path.suffix == ".parquet":
            parts.append(repr(pq.read_table(path).to_pylist()).encode())
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                parts += [archive.read(name) for name in archive.namelist()]
    return b"\n".join(parts)


def build(project, format):
    return words_of(releases.folder_of(releases.build(project, format=format, by=None, now=NOON, partial=True)))


def test_every_table_with_personal_data_says_which_columns_identify_somebody():
    assert set(IDENTIFYING) == set(PERSONAL)


@pytest.mark.parametrize("format", FORMATS)
def test_no_name_address_or_code_is_in_a_release(project, format):
    assert b"zq7" not in build(project, format).lower()


def test_no_pseudonym_of_one_release_is_anywhere_in_another(project):
    for format in FORMATS:
        first, second = two(project, format)
        mine, others = (releases.manifest_of(release)["annotations_by_person"] for release in (first, second))
        assert mine
        assert others
        text = words_of(releases.folder_of(second))
        assert not [name for name in mine if name.encode() in text]


def two(project, format):
    return [releases.build(project, format=format, by=None, now=NOON, partial=True) for _ in range(2)]
