# SPDX-License-Identifier: Apache-2.0
"""Results stores, and the files of own points that `gcmforge explore --mine` marks."""

import json
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from gcmforge.config import ConfigError
from gcmforge.measure.job import Job, job_of
from gcmforge.measure.measure import history, measure
from gcmforge.measure.result import IDEAL_WIRES, Block, CriticalPath, Rate, Result, Throughput
from gcmforge.measure.store import SCHEMA_VERSION, Store, StoreError, project_version
from gcmforge.measure.table import history_text, results_text
from gcmforge.report.explorer import HEADS, own_marks
from gcmforge.study.fuzz.mutate import ODD_BYTES, Form
from gcmforge.study.fuzz.reader import Reader
from gcmforge.study.fuzz.trees import json_changed

_WHAT = "aes_sbox/table"
_AT = "2026-01-02T03:04:05+00:00"
_POINTS = (
    b"name,note,area_ge,gbit_per_s,fmax_mhz\nmine,a core,120000,40.5,320\n"
    b'"other, too",,90000,,250\n',
)
_SPACE = "lanes = [1, 2]\n"


def readers() -> tuple[Reader, ...]:
    return (
        Reader(
            name="store", file="results.sqlite", samples=(_sample(),),
            read=_read, refusals=(StoreError,), command=_history, whole=_history, stored=True,
            same=_same,
            form=Form(text=False, change=store_changed),
        ),
        Reader(
            name="own points", file="mine.csv", samples=_POINTS, read=_marks,
            refusals=(ConfigError,), prepare=_space, command=_explore, whole=_explore,
            form=Form(
                words=(*HEADS, "name", "note", ",,,,,,,,", '"'), nests=(('"', '"'), (",", "")),
            ),
        ),
    )  # fmt: skip


def _history(path: Path) -> list[str]:
    return ["measure", _WHAT, "--history", "--effort", "quick"]


def _explore(path: Path) -> list[str]:
    folder = path.parent
    return ["explore", str(folder / "space.toml"), "--mine", str(path), "-o", str(folder / "out")]


def _marks(path: Path) -> None:
    json.dumps(own_marks(path), allow_nan=False)  # the page takes no others


def _space(folder: Path) -> None:
    (folder / "space.toml").write_text(_SPACE)


@cache
def _job() -> Job:
    return job_of(_WHAT, "ge", (), None, "quick", None, False)


def _read(path: Path) -> None:
    """What measure, explore and datasheets ask of a store, and one result more in it."""
    job = _job()
    with Store(path) as store:
        store.count()
        if rows := history(_WHAT, "ge", store=store, effort="quick"):
            history_text(rows)
        for found in store.of_rtl(job.subject.rtl_sha256):
            results_text([store.read(found, Result)])
        text = store.get(job.key)
        if text is not None:
            results_text([store.read(text, Result)])
        try:  # what was written before this is refused stays, and is right
            if text is not None:
                results_text([measure(_WHAT, "ge", effort="quick", store=store)])
            store.put("another", "{}", at=_AT, line="other", project="1.0")
        except StoreError as error:
            if str(path) not in str(error):
                raise RuntimeError("no name of the file in it") from error


def _result() -> Result:
    job = _job()
    rate = Rate(key_bits=256, packet_bytes=1500, cycles_per_packet=95.0, bits_per_cycle=126.3)
    return Result(
        what=_WHAT, kind="leaf", summary="S-box", configuration=None,
        rtl_sha256=job.subject.rtl_sha256, target="ge", target_kind="asic", target_family="GE",
        target_version="1", tools={"yosys": "0.70"}, effort="quick", note=IDEAL_WIRES,
        command=job.command, area_ge=450.5, flip_flops=0,
        blocks=(Block(name="sbox", area_ge=450.5, area_um2=None, flip_flops=0),),
        timing=CriticalPath(
            delay_ns=None, delay_ta=20.5, fmax_mhz=None, start="a", end="b", cells=12,
            groups={"input to output": 20.5},
        ),
        throughput=Throughput(
            rates=(rate,), long_message_bytes=1500, first_text_latency_cycles=14,
            tag_latency_cycles=20, key_bits=256,
        ),
        project_version="1.0", measured_at=_AT, seconds=1.5,
    )  # fmt: skip


@cache
def _sample() -> bytes:
    """A store with a result of this project's version, and an older one."""
    job, result = _job(), _result()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.sqlite"
        with Store(path) as store:
            store.put("0" * 64, result.to_json(), at=_AT, line=job.line, project="0.9")
            store.put(job.key, result.to_json(), at=_AT, line=job.line, project=project_version())
            store.put("1" * 64, '{"rates":[]}', at=_AT, kind="throughput")
        return path.read_bytes()


def _plain(data: bytes) -> bytes:
    """The database without its write-ahead log, as it may be opened in memory."""
    return data[:18] + b"\x01\x01" + data[20:]


def _same(before: bytes, after: bytes) -> bool:
    """Nothing but what SQLite notes of itself differs, and that in a store only: how it is written,
    and how often it was."""
    if before == after or len(before) != len(after) or len(before) < 100:
        return before == after
    own = before[60:64] == SCHEMA_VERSION.to_bytes(4, "big") and b"TABLE result" in before
    noted = (*range(18, 20), *range(24, 28), *range(92, 100))
    plain = [bytes(0 if at in noted else one[at] for at in range(100)) for one in (before, after)]
    return own and plain[0] == plain[1] and before[100:] == after[100:]


# Changes ------------------------------------------------------------------------------------------


def store_changed(rng: Random, data: bytes, form: Form) -> bytes:
    """A change that SQL makes; ValueError where the file is no database any more."""
    if len(data) < 100:
        raise ValueError("no database")
    try:
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
            db.deserialize(_plain(data))
            db.execute("PRAGMA max_page_count = 1000")
            change = rng.choice(_CHANGES)
            with suppress(sqlite3.Error):
                change(rng, db)
            changed = db.serialize()
    except (sqlite3.Error, SystemError, MemoryError) as error:
        raise ValueError(str(error)) from None
    own = change not in (_version, _foreign)
    return changed[:18] + b"\x02\x02" + changed[20:] if own or rng.random() < 0.5 else changed


def _text(rng: Random, db: sqlite3.Connection) -> None:
    """Another value in the JSON of a result."""
    for key, text in db.execute("SELECT key, text FROM result ORDER BY key").fetchall():
        if isinstance(text, str) and rng.random() < 0.6:
            changed = json_changed(rng, text.encode(), _RESULT).decode(errors="surrogatepass")
            changed = changed.encode(errors="replace").decode()
            db.execute("UPDATE result SET text = ? WHERE key = ?", (changed, key))


def _odd_text(rng: Random, db: sqlite3.Connection) -> None:
    """Something else than JSON."""
    odd = rng.choice((b"", b"{", b"null", b"[" * 50_000, b"\xff\xfe", b"\0", *ODD_BYTES))
    value: Any = odd if rng.random() < 0.3 else odd.decode(errors="replace")
    if rng.random() < 0.2:
        value = rng.choice((0, 1.5, 2**62))
    cast = rng.choice(("?", "CAST(? AS TEXT)"))
    db.execute(f"UPDATE result SET text = {cast}", (value,))


def _column(rng: Random, db: sqlite3.Connection) -> None:
    table, column = rng.choice(
        [("result", name) for name in ("kind", "line", "key")]
        + [("seen", name) for name in ("project", "at", "key")]
    )
    value = rng.choice(("''", "0", "x'ff'", "CAST(x'ff' AS TEXT)", "'\x1b[2J'", "'a' || char(10)"))
    db.execute(f"UPDATE {table} SET {column} = {value}")


def _schema(rng: Random, db: sqlite3.Connection) -> None:
    table = rng.choice(("result", "seen"))
    statements = (
        f"DROP TABLE {table}",
        f"ALTER TABLE {table} RENAME TO other",
        f"ALTER TABLE {table} ADD COLUMN more TEXT",
        "ALTER TABLE result RENAME COLUMN text TO words",
        "ALTER TABLE seen RENAME COLUMN at TO since",
        "DROP INDEX result_by_line",
        f"DELETE FROM {table}",
        "DROP TABLE seen; CREATE TABLE seen (key, project, at); "
        "INSERT INTO seen SELECT key, NULL, NULL FROM result",
        "DROP TABLE seen; CREATE VIEW seen AS SELECT key, 'p' AS project, 'a' AS at FROM result",
        "DROP TABLE result; CREATE TABLE result (key INT, kind BLOB, line BLOB, text BLOB)",
        "CREATE TRIGGER t AFTER INSERT ON result BEGIN DELETE FROM result; END",
        "CREATE TABLE somebodys (a, b)",
    )
    db.executescript(rng.choice(statements))


def _version(rng: Random, db: sqlite3.Connection) -> None:
    db.execute(f"PRAGMA user_version = {rng.choice((0, 2, 5, -1, 2**31 - 1))}")


def _foreign(rng: Random, db: sqlite3.Connection) -> None:
    """A database of another program."""
    db.executescript("DROP TABLE seen; DROP TABLE result; CREATE TABLE notes (a, b)")
    db.execute(f"PRAGMA user_version = {rng.choice((0, 0, 1, 7))}")


_CHANGES: tuple[Callable[[Random, sqlite3.Connection], None], ...] = (
    _text, _text, _text, _odd_text, _column, _schema, _version, _foreign,
)  # fmt: skip
_RESULT = Form(
    words=("area_ge", "timing", "throughput", "rates", "what", "kind", "core", "fpga", "power")
)
