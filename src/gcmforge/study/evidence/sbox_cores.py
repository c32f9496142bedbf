# SPDX-License-Identifier: Apache-2.0
"""Every S-box, gate by gate, inside a core against the NIST vectors.

    gcmforge-study run sbox-cores            a minute for each of three cores, nearly all compiling
    gcmforge-study run sbox-cores --core 3   that one only; the others as they were

A small core (one lane, one AES round in hardware, 128-bit keys, 96-bit IVs) has 20 S-boxes: 16 of
the round, 4 of the key schedule. Here they are 20 different ones, so that three cores run them all:
what a file of the library prints is compiled as it stands, under a name of its own, and put in the
place of one aes_sbox. One wrong byte of one of them spoils a packet as soon as it occurs; every
S-box sees some hundred thousand bytes. Vectors are those of gcmEncryptExtIV128.rsp and
gcmDecrypt128.rsp that have 96-bit IVs. Exit code 1 when a vector fails.
"""

import argparse
import hashlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from gcmforge.config import SBOXES, CoreConfig
from gcmforge.emit import build_core
from gcmforge.leaf import leaf_text, sbox
from gcmforge.sim import leaves
from gcmforge.sim.report import VerifyReport
from gcmforge.sim.verify import VerifyJob, nist_files, run_job
from gcmforge.study.kept import Found, Kept, Step

KEPT = Kept("sbox-cores")
FILES = ("gcmEncryptExtIV128.rsp", "gcmDecrypt128.rsp")
CORE = CoreConfig(aes="loop", ghash="serial", key_sizes=(128,), iv="96", contexts=1)
PLACES = {"aes_sub_shift.sv": "4 * row + column", "aes_key_expand.sv": "16 + b"}
"""Where the core has S-boxes, and which of the 20 stands there."""
COUNT = 20


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--core", type=int, help="only this one, from 1")
    only = parser.parse_args(arguments).core
    ok = True
    for number in [only] if only else range(1, len(groups()) + 1):
        found = played(number)
        print(found.text, flush=True)
        ok &= found.ok
    return 0 if ok else 1


def groups() -> list[tuple[str, ...]]:
    """The S-boxes of each core; the last is filled up with the first ones."""
    return [(SBOXES[first:] + SBOXES)[:COUNT] for first in range(0, len(SBOXES), COUNT)]


def steps() -> Iterator[Step]:
    for number, names in enumerate(groups(), 1):
        texts = "".join(map(sbox_text, names))
        yield Step(
            kind="sbox-cores", name=f"core {number}", call=played, arguments=(number,), rtl=CORE,
            digest=hashlib.sha256(texts.encode()).hexdigest()[:16],
            command=f"gcmforge-study run sbox-cores --core {number}",
        )  # fmt: skip


def played(number: int) -> Found:
    """The vectors on one of the cores."""
    names = groups()[number - 1]
    before = os.environ.get("GCMFORGE_CACHE")
    try:
        with tempfile.TemporaryDirectory() as folder:
            report = play(names, Path(folder))
    finally:
        os.environ.pop("GCMFORGE_CACHE", None)
        os.environ.update({} if before is None else {"GCMFORGE_CACHE": before})
    text = (
        f"{', '.join(names)}:\n  {report.passed} passed, {report.failed} failed, "
        f"{sum(report.skipped.values())} with other IVs; "
        f"compiled in {report.compile_seconds:.0f} s"
    )
    data = {
        "core": CORE.summary, "files": FILES, "sboxes": names, "passed": report.passed,
        "failed": report.failed,
    }  # fmt: skip
    return Found(ok=report.passed > 0 and not report.failed, text=text, data=data)


def play(names: Sequence[str], folder: Path) -> VerifyReport:
    """The vectors on a core with these 20 S-boxes."""
    os.environ["GCMFORGE_CACHE"] = str(folder / "cache")
    leaves._LEAVES.pop("aes_sbox", None)  # the file is compiled as it stands
    core = build_core(CORE, folder / "core", prove=False).path
    exchange(core, {name: sbox_text(name) for name in names})
    vectors = tuple(path for path in nist_files() if path.name in FILES)
    assert len(vectors) == len(FILES)
    report = run_job(VerifyJob(core=core, vectors=vectors, allow_changed=True))
    assert "aes_sbox" not in report.leaves
    return report


def sbox_text(name: str) -> str:
    return leaf_text(sbox(name), clocked=True, enable=True)


def exchange(core: Path, texts: dict[str, str]) -> None:
    """Put 20 S-boxes, by name, in the places of the core's."""
    assert len(texts) == COUNT
    chosen = [
        f"  if (Which == {which}) begin : gen_{name}\n"
        f"    aes_sbox_{name} u_{name} (.clk, .en_i, .x_i, .y_o);\n"
        "  end"
        for which, name in enumerate(texts)
    ]
    wrapper = (
        "module aes_sbox_of #(parameter int Which = 0) (\n"
        "  input logic clk, input logic en_i, input logic [7:0] x_i, output logic [7:0] y_o\n"
        ");\n" + "\n".join(chosen) + "\nendmodule\n"
    )
    modules = [
        text.replace("module aes_sbox ", f"module aes_sbox_{name} ") for name, text in texts.items()
    ]
    (core / "gen" / "aes_sbox.sv").write_text("\n".join([*modules, wrapper]))
    for file, which in PLACES.items():
        path = core / "rtl" / file
        text = path.read_text()
        assert text.count("aes_sbox u_sbox (") == 1
        path.write_text(
            text.replace("aes_sbox u_sbox (", f"aes_sbox_of #(.Which({which})) u_sbox (")
        )
