"""Shared fixtures and hooks: test databases and data folders, the real data.

In CI (CI=true) a skipped test is a failure. A test that makes sense on one database only is marked `postgresql_only` or
`sqlite_only`.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import hypothesis
import pytest
import pytest_django
from django.core.cache import caches
from django.db import connections, transaction
from django.test import TransactionTestCase, override_settings

from tests import marks, prepared
from tests.databases import emptying
from tests.forking import ForkServer
from tests.prepared import CHECKOUT

pytest_plugins = ["tests.people", "tests.proving", "tests.clippings", "tests.failures"]
PLAIN = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
"""Static files that need no collecting."""
DATABASE_FIXTURES = {"db", "transactional_db", "django_db_reset_sequences", "live_server"}

# No example is timed, since several suites run side by side; all else is as Hypothesis chooses, which differs in CI.
hypothesis.settings.register_profile("untimed", hypothesis.settings(), deadline=None)
hypothesis.settings.load_profile("untimed")
TransactionTestCase._fixture_teardown = emptying.undo


def uses_the_database(item: pytest.Item) -> bool:
    """Whether a test has the django_db mark or a fixture that implies it."""
    return item.get_closest_marker("django_db") is not None or bool(
        DATABASE_FIXTURES & set(getattr(item, "fixturenames", ()))
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register our markers."""
    config.addinivalue_line("markers", "postgresql_only: there is nothing to see of this on SQLite")
    config.addinivalue_line("markers", "sqlite_only: there is nothing to see of this on PostgreSQL")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no file of which a merge runs nothing on this database."""
    for_a_merge = f"not {marks.IN_TEST_ALL}" in config.option.markexpr
    database = config.getoption("database")
    if for_a_merge and marks.is_left_to_test_all(collection_path, database=database, checkout=CHECKOUT):
        return True
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests that need a database, so that `-m database` runs just those on PostgreSQL, and allow both aliases."""
    for item in items:
        if uses_the_database(item):
            item.add_marker("database")
            asked = item.get_closest_marker("django_db") or pytest.mark.django_db.mark
            both = {"databases": ["default", "snapshot"]} | asked.kwargs
            item.add_marker(pytest.mark.django_db(*asked.args, **both), append=False)
    elsewhere = marks.choose(items, database=config.getoption("database"), checkout=CHECKOUT)
    items[:] = [item for item in items if item not in elsewhere]
    config.hook.pytest_deselected(items=elsewhere)
    browser = [item for item in items if "browser" in item.path.relative_to(CHECKOUT).parts]
    if browser and len(browser) < len(items):
        raise pytest.UsageError(
            "browser tests need a pytest process of their own: pytest tests/browser, tests/proofs/browser, or make test"
        )


def skipped(config: pytest.Config) -> list[pytest.TestReport]:
    """The skipped tests, in the process that reports (with pytest-xdist the controller, not its workers)."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") != "true" or hasattr(config, "workerinput") or reporter is None:
        return []
    return reporter.stats.get("skipped", [])


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the run in CI if a test was skipped."""
    if skipped(session.config) and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """List the skipped tests that made the run fail."""
    reports = skipped(config)
    if reports:
        terminalreporter.section("skipped, which is a failure in CI", red=True)
        for report in reports:
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
            terminalreporter.line(f"{report.nodeid}: {reason}")


@pytest.fixture(scope="session", autouse=True)
def _quick_passwords():
    """Hash passwords with MD5: most tests create people, few sign in by password, and a safe hash takes 0.3 s."""
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(scope="session", autouse=True)
def _nothing_beside_a_test_s_transaction():
    """Fork no process that renews a lease taken in a test's own transaction, which that process could not see.

    A fork of a process that has imported everything takes more of a processor than the import of a small file.
    """
    from annotation.processes import forked_pool

    real = forked_pool.beside
    forked_pool.beside = lambda work: nullcontext() if connections["default"].in_atomic_block else real(work)
    yield
    forked_pool.beside = real


@pytest.fixture(scope="session")
def django_db_setup(test_folder: Path, django_db_blocker: pytest_django.DjangoDbBlocker):
    """Give each process a copy of the migrated database; SQLite's is a file, since races need several connections."""
    from django.conf import settings

    process = os.environ.get("PYTEST_XDIST_WORKER", "alone")
    on_sqlite = settings.DATABASES["default"]["ENGINE"].endswith("sqlite")
    name = str(test_folder / f"{process}.sqlite3") if on_sqlite else f"test_goldfinch_{process}_{os.getpid()}"
    if on_sqlite:
        prepared.sqlite(Path(name))
    else:
        prepared.postgresql_database(settings.DATABASE_URL, name)
    for alias in ("default", "snapshot"):
        settings.DATABASES[alias]["NAME"] = connections[alias].settings_dict["NAME"] = name
    with django_db_blocker.unblock():
        emptying.remember(
            connections["default"], prepared.sqlite(test_folder / f"{process}-clean.sqlite3") if on_sqlite else None
        )
    yield
    with django_db_blocker.unblock():
        connections.close_all()
    if not on_sqlite:
        prepared.drop_postgresql_database(settings.DATABASE_URL, name)


@pytest.fixture(autouse=True)
def _snapshot_is_default(request: pytest.FixtureRequest):
    """Alias `snapshot` to `default`, so that it sees a test's uncommitted rows; `real_snapshot` undoes this."""
    if not uses_the_database(request.node):
        yield
        return
    request.getfixturevalue("_django_db_helper")
    real = connections["snapshot"]
    connections["snapshot"] = connections["default"]
    yield
    connections["snapshot"] = real


@pytest.fixture
def real_snapshot(_snapshot_is_default: None, transactional_db: None):
    """The real `snapshot` connection, for tests of an export during writes; it sees committed rows only."""
    aside = connections["snapshot"]
    connections["snapshot"] = connections.create_connection("snapshot")
    yield connections["snapshot"]
    connections["snapshot"].close()
    connections["snapshot"] = aside


@pytest.fixture(scope="session")
def fork_server_of_all() -> Iterator[ForkServer]:
    """One for all tests, since it imports everything; its children are told their databases and folders."""
    with ForkServer(os.environ | {"DJANGO_SETTINGS_MODULE": "frontend.settings", "PYTHONUNBUFFERED": "1"}) as made:
        yield made


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data beside the checkout (GOLDFINCH_SHARED); without it tests are skipped, or fail in CI."""
    place = Path(os.environ.get("GOLDFINCH_SHARED", CHECKOUT.parent / "shared")) / "data"
    if place.is_dir():
        return place
    reason = f"no real data at {place}: set GOLDFINCH_SHARED"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(autouse=True)
def _measuring_takes_no_time(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch):
    """On a busy machine a measurement takes so long that the next one waits, or runs in a process of its own."""
    if uses_the_database(request.node):
        from tasks.measuring import agreement, figures

        for module in (agreement, figures):
            monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: 0.0))


@pytest.fixture(autouse=True)
def _own_data_folder(request: pytest.FixtureRequest, test_folder: Path):
    """Give each test its own folder for pages and releases, and static files that need no collecting."""
    if not uses_the_database(request.node):
        yield
        return
    settings = request.getfixturevalue("settings")
    # tmp_path_factory would scan the folders of all tests before for each new one.
    own = Path(tempfile.mkdtemp(prefix="data-", dir=test_folder))
    if "shared_rows" in request.fixturenames:
        shutil.copytree(request.getfixturevalue("shared_rows"), own, dirs_exist_ok=True)
        # Rows of the same keys, which another test changed before they were rolled back, may be kept in memory.
        for cache in caches.all(initialized_only=True):
            cache.clear()
    settings.GOLDFINCH_DATA = own
    settings.STORAGES = settings.STORAGES | PLAIN
    yield
    shutil.rmtree(own, ignore_errors=True)


@pytest.fixture(scope="module")
def shared_rows(
    django_db_setup: None, django_db_blocker: pytest_django.DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
):
    """For fixtures of a module whose rows all its tests see: a transaction around them, and their data folder.

    What a test itself writes is rolled back to a savepoint, and each has a copy of the folder. Not for tests with
    `transaction=True`.
    """
    from django.conf import settings

    folder, real = tmp_path_factory.mktemp("data"), connections["snapshot"]
    storages = settings.STORAGES | PLAIN
    with django_db_blocker.unblock(), override_settings(GOLDFINCH_DATA=folder, STORAGES=storages):
        connections["snapshot"] = connections["default"]
        with transaction.atomic():
            yield folder
            transaction.set_rollback(True)
        connections["snapshot"] = real


@pytest.fixture
def nq(db: None):
    """An NQ project without items."""
    from tests.builders import project

    return project()
