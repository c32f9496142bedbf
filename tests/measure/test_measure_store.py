# SPDX-License-Identifier: Apache-2.0
"""The results store: several processes at once, processes that are killed, other schemas."""

import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from gcmforge.measure import store
from gcmforge.measure.job import job_of
from gcmforge.measure.measure import history, measure
from gcmforge.measure.result import Result, Throughput
from gcmforge.measure.store import SCHEMA_VERSION, Store, StoreError, project_version, store_path

AT = "2026-01-02T03:04:05+00:00"


def start(program: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def intact(path: Path) -> bool:
    database = sqlite3.connect(path)
    try:
        return database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    finally:
        database.close()


def test_what_was_put_is_found_again_by_another_connection(tmp_path):
    path = tmp_path / "deep" / "results.sqlite"
    with Store(path) as store:
        assert store.get("k") is None
        store.put("k", "text", at=AT, line="l", project="1")
    with Store(path) as store:
        assert store.get("k") == "text"
        assert store.count() == 1


def test_a_stored_text_never_changes(tmp_path):
    with Store(tmp_path / "s") as store:
        store.put("k", "first", at=AT)
        store.put("k", "second", at=AT)
        assert store.get("k") == "first"


def test_history_is_in_order_and_knows_versions_with_an_unchanged_result(tmp_path):
    with Store(tmp_path / "s") as store:
        store.put("a", "old", at="2026-01-01", line="l", project="1.0")
        store.see("a", project="1.1", at="2026-01-03")
        store.see("a", project="1.1", at="2026-01-09")
        store.put("b", "new", at="2026-01-05", line="l", project="1.2")
        store.put("c", "other", at="2026-01-04", line="other", project="1.2")
        rows = [(row.project, row.at, row.text) for row in store.history("l")]
    assert rows == [
        ("1.0", "2026-01-01", "old"),
        ("1.1", "2026-01-03", "old"),
        ("1.2", "2026-01-05", "new"),
    ]


WRITER = """
import sys
from pathlib import Path
from gcmforge.measure.store import Store
with Store(Path(sys.argv[1])) as store:
    for number in range(int(sys.argv[3])):
        store.put(f"{sys.argv[2]}-{number}", "x" * 3000, at="now", line="l", project=sys.argv[2])
"""


@pytest.mark.slow
def test_eight_processes_that_open_and_write_at_once_lose_nothing(tmp_path):
    path = tmp_path / "s"
    writers = [start(WRITER, path, number, 25) for number in range(8)]
    assert [writer.wait(timeout=120) for writer in writers] == [0] * 8
    with Store(path) as store:
        assert store.count() == 200
        assert len(store.history("l")) == 200
    assert intact(path)


KILLED = """
import sys
from pathlib import Path
from gcmforge.measure.store import Store
store = Store(Path(sys.argv[1]))
store.put("whole", "text", at="now", line="l", project="p")
store._db.execute("BEGIN IMMEDIATE")
for number in range(2000):
    row = (f"half-{number}", "result", "l", "y" * 4000)
    store._db.execute("INSERT INTO result VALUES (?, ?, ?, ?)", row)
print("writing", flush=True)
import time
time.sleep(600)
"""


def test_a_process_killed_inside_a_write_leaves_what_was_whole_and_no_lock(tmp_path):
    path = tmp_path / "s"
    process = start(KILLED, path)
    assert process.stdout is not None
    assert process.stdout.readline() == "writing\n"
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=30)
    with Store(path) as store:
        assert store.get("whole") == "text"
        assert store.count() == 1
        store.put("later", "text", at=AT)
        assert store.count() == 2
    assert intact(path)


@pytest.mark.slow
def test_a_process_killed_at_any_moment_of_many_writes_leaves_an_intact_store(tmp_path):
    path = tmp_path / "s"
    Store(path).close()
    for number in range(4):
        process = start(WRITER, path, number, 100_000)
        with Store(path) as store:
            before, limit = store.count(), time.monotonic() + 60
            while store.count() < before + 3 and time.monotonic() < limit:
                time.sleep(0.01)
            assert store.count() > before
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=30)
        assert intact(path)


CLAIMER = """
import sys, time
from pathlib import Path
from gcmforge.measure.store import Store
with Store(Path(sys.argv[1])) as store:
    with store.claim("k"):
        made = store.get("k") is None
        if made:
            time.sleep(0.3)
            store.put("k", sys.argv[2], at="now")
    print("made" if made else "found")
"""


def test_of_several_processes_that_want_the_same_result_one_makes_it(tmp_path):
    path = tmp_path / "s"
    said = [process.communicate(timeout=120)[0].strip() for process in claimers(path)]
    assert sorted(said) == ["found"] * 4 + ["made"]
    assert not list((tmp_path / "s-locks").iterdir())


def claimers(path: Path) -> list[subprocess.Popen[str]]:
    return [start(CLAIMER, path, number) for number in range(5)]


def test_a_claim_ends_with_a_killed_process(tmp_path):
    path = tmp_path / "s"
    program = CLAIMER.replace("time.sleep(0.3)", "print('in', flush=True); time.sleep(600)")
    process = start(program, path, 0)
    assert process.stdout is not None
    assert process.stdout.readline() == "in\n"
    process.kill()
    process.wait(timeout=30)
    with Store(path) as store, store.claim("k"):
        assert store.get("k") is None


def test_a_file_that_is_no_store_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "s"
    path.write_text("this is no database, but notes of somebody\n" * 50)
    with pytest.raises(StoreError, match="not a results store"):
        Store(path)
    assert path.read_text().startswith("this is no database")


@pytest.mark.parametrize("version", [0, SCHEMA_VERSION, 7])
def test_the_database_of_another_program_is_refused_and_left_alone(tmp_path, version):
    path = tmp_path / "s"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(f"CREATE TABLE notes (a); PRAGMA user_version = {version}")
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"/s: .*set GCMFORGE_STORE"):
        Store(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "[" * 50_000, '{"rates": 1}'])
def test_a_text_that_is_no_result_is_refused_with_the_file(tmp_path, text):
    with Store(tmp_path / "s") as store:
        for kind in (Result, Throughput):
            with pytest.raises(StoreError, match=r"/s: not a results store .*no " + kind.__name__):
                store.read(text, kind)


def test_what_measure_and_history_find_that_is_no_result_is_refused(tmp_path):
    job = job_of("aes_sbox/table", "ge", (), None, "quick", None, False)
    with Store(tmp_path / "s") as store:
        store.put(job.key, "{}", at=AT, line=job.line, project="1")
        for ask in (measure, history):
            with pytest.raises(StoreError, match=r"/s: not a results store \(a text in it is no"):
                ask("aes_sbox/table", "ge", effort="quick", store=store)


def test_rows_that_are_no_texts_are_refused(tmp_path):
    path = tmp_path / "s"
    with Store(path) as store:
        store.put("k", "text", at=AT, line="l", project="1")
    with closing(sqlite3.connect(path)) as database:
        database.executescript("UPDATE seen SET at = x'ff'; UPDATE result SET text = x'00'")
    with Store(path) as store:
        for ask in (lambda: store.get("k"), lambda: store.history("l")):
            with pytest.raises(StoreError, match=r"/s: not a results store \(its rows are no"):
                ask()


def test_a_full_disk_is_called_a_full_disk_and_what_was_there_stays(tmp_path):
    """SQLite is held to the pages that the file has: it says then what it says of a full disk."""
    with Store(tmp_path / "s") as store:
        store.put("small", "text", at="now")
        (pages,) = store._db.execute("PRAGMA page_count").fetchone()
        store._db.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError, match=r"/s: the disk is full .*free some space"):
            store.put("large", "x" * 1_000_000, at="now")
        assert (store.get("small"), store.get("large")) == ("text", None)
        store._db.execute("PRAGMA max_page_count = 1000000")
        store.put("large", "x" * 1_000_000, at="now")
        assert store.count() == 2


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (sqlite3.SQLITE_FULL, "the disk is full"),
        (sqlite3.SQLITE_IOERR_WRITE, "its disk fails, or is full"),
        (sqlite3.SQLITE_READONLY_DIRECTORY, "it may not be written"),
        (sqlite3.SQLITE_CANTOPEN, "it cannot be opened"),
        (sqlite3.SQLITE_BUSY, "another process keeps it"),
        (sqlite3.SQLITE_NOTADB, "not a results store"),
    ],
)
def test_a_store_that_cannot_be_prepared_says_what_is_the_matter(
    tmp_path, monkeypatch, code, words
):
    def fails(self):
        error = sqlite3.OperationalError("as SQLite says it")
        error.sqlite_errorcode = code
        raise error

    monkeypatch.setattr(Store, "_prepare", fails)
    with pytest.raises(StoreError, match=rf"/s: {words} \(as SQLite says it\); .*GCMFORGE_STORE"):
        Store(tmp_path / "s")


def test_a_store_of_a_later_schema_is_refused(tmp_path):
    path = tmp_path / "s"
    Store(path).close()
    database = sqlite3.connect(path)
    database.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    database.close()
    with pytest.raises(StoreError, match=f"schema is version {SCHEMA_VERSION + 1}"):
        Store(path)


def test_the_environment_says_where_the_store_is(tmp_path, monkeypatch):
    monkeypatch.setenv("GCMFORGE_STORE", str(tmp_path / "mine"))
    assert store_path() == tmp_path / "mine"
    monkeypatch.delenv("GCMFORGE_STORE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert store_path() == tmp_path / "data" / "gcmforge" / "results.sqlite"


def test_the_store_is_data_and_not_in_a_cache(tmp_path, monkeypatch):
    """Emptying a cache is always safe; the history cannot be made again."""
    for name in ("GCMFORGE_STORE", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GCMFORGE_CACHE", str(tmp_path / "cache"))
    assert store_path() == tmp_path / ".local" / "share" / "gcmforge" / "results.sqlite"


def test_the_project_has_a_version():
    assert project_version()


def test_a_version_is_dirty_when_a_figure_may_depend_on_what_was_changed(tmp_path, monkeypatch):
    kept, page, code = (
        tmp_path / name
        for name in ("src/gcmforge/study/evidence/data/soak.json", "docs/a.md", "src/gcmforge/a.sv")
    )

    def git(*arguments: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@b")
        subprocess.run(["git", "-C", str(tmp_path), *who, *arguments], check=True)

    for file in (kept, page, code):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("one")
    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "-m", "first")
    monkeypatch.setattr(store, "__file__", str(tmp_path / "src/gcmforge/measure/store.py"))
    clean = project_version.__wrapped__()
    assert "+" in clean and "dirty" not in clean
    kept.write_text("two")
    page.write_text("two")
    assert project_version.__wrapped__() == clean
    code.write_text("two")
    assert project_version.__wrapped__() == f"{clean}-dirty"
