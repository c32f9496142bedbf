# SPDX-License-Identifier: Apache-2.0
"""Cores as netlists of library cells: NIST vectors, random packets, a reset in every cycle.

gcmforge-study run mapped [--core NAME] [--target osu018]: each core is synthesised as `gcmforge
measure` does, and its netlist simulated cell by cell, with a random value in every flip-flop at the
start: a sample of the NIST vectors, random packets under every stall pattern, and a reset in every
cycle of two packets; these resets on the core's SystemVerilog, too. Exit code 1 when anything was
wrong.
"""

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gcmforge.config import CoreConfig
from gcmforge.config.presets import preset
from gcmforge.mapped import MappedCore
from gcmforge.mapped.four_states import run_four_states
from gcmforge.netlist.targets import TargetError, find_target
from gcmforge.sim.aead import built
from gcmforge.sim.core import Core
from gcmforge.sim.report import format_failures, format_line
from gcmforge.sim.resets import reset_in_every_cycle
from gcmforge.sim.stalls import PRESSURE
from gcmforge.sim.verify import VerifyJob, nist_files, run_job
from gcmforge.study.checkout import REFERENCE, write_page
from gcmforge.study.kept import Found, Kept, Step

KEPT = Kept("mapped")
TARGET = "osu018"
UNKNOWN = ("small", "compact")
"""Cores that begin as X, too; for larger ones Icarus Verilog takes long."""
SEED = 7
SAMPLE, PACKETS = 1_000, 1_000
CORES = {
    "small": preset("small"),
    "compact": preset("compact"),
    "default": preset("default"),
    "small, verified release": preset("small").with_settings(
        ["release=verified", "max_text_bytes=1024"]
    ),
    "AES-128, one context, 96-bit IVs": preset("small").with_settings(
        ["key_sizes=128", "contexts=1", "iv=96"]
    ),
    "four lanes, AES-128": CoreConfig(
        lanes=4, aes="loop", key_schedule="travelling", ghash="aggregated", multiplier="ko5_small",
        sbox="small", key_sizes=(128,), contexts=1,
    ),
}  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--core", choices=CORES, help="only this one")
    parser.add_argument("--target", default=TARGET)
    parser.add_argument("--unknown", action="store_true", help="only that: all begins as X")
    asked = parser.parse_args(arguments)
    ok = True
    for name in [asked.core] if asked.core else CORES:
        found = unknown(name, asked.target) if asked.unknown else played(name, asked.target)
        print(f"{name}: {found.text}", flush=True)
        ok &= found.ok
    return 0 if ok else 1


def steps() -> Iterator[Step]:
    """Every core."""
    for name, config in CORES.items():
        yield Step(
            kind="mapped", name=name, seed=SEED, call=played, arguments=(name,), rtl=config,
            digest=_version(),
            command=f"gcmforge-study run mapped --core '{name}' --target {TARGET}",
        )  # fmt: skip
    for name in UNKNOWN:
        yield Step(
            kind="mapped", name=f"{name}, X", call=unknown, arguments=(name,), rtl=CORES[name],
            digest=_version(),
            command=f"gcmforge-study run mapped --core {name} --target {TARGET} --unknown",
        )  # fmt: skip


def _version() -> str:
    """Of the target's files; none where it is not installed."""
    try:
        return find_target(TARGET).version
    except TargetError:
        return ""


def unknown(name: str, target: str = TARGET) -> Found:
    """A packet in Icarus Verilog, with four states."""
    found = run_four_states(MappedCore(built(CORES[name]), find_target(target)))
    return Found(ok=found.ok, text=found.said, data={"said": found.said})


def played(name: str, target: str = TARGET) -> Found:
    """All of it on one core."""
    folder = built(CORES[name])
    core = MappedCore(folder, find_target(target))
    made = core.netlist
    compiled = time.perf_counter()
    core.library()
    compiled = time.perf_counter() - compiled
    nist = run_job(
        VerifyJob(core=folder, vectors=nist_files(), sample=SAMPLE, seed=SEED, edges=False),
        core=core,
    )
    random = run_job(
        VerifyJob(core=folder, packets=PACKETS, seed=SEED, stalls=PRESSURE, edges=False), core=core
    )
    began = time.perf_counter()
    resets = reset_in_every_cycle(core, seed=SEED)
    took = time.perf_counter() - began
    before = reset_in_every_cycle(Core(folder), seed=SEED)
    wrong = [*resets.failures, *before.failures]
    cycles = nist.cycles + random.cycles + resets.cycles
    seconds = nist.seconds + random.seconds + took
    failed = nist.failures_total + random.failures_total + len(wrong)
    data = {
        "core": core.config.summary, "target": target, "cells": made["cells"],
        "flip_flops": made["flip_flops"], "nist": nist.passed + nist.failed,
        "random": random.passed + random.failed, "resets": resets.resets,
        "after_resets": resets.packets, "resets_rtl": before.resets,
        "after_resets_rtl": before.packets, "failures": failed, "cycles": cycles,
        "synthesis_seconds": made["seconds"], "compile_seconds": round(compiled, 1),
        "run_seconds": round(seconds, 1),
    }  # fmt: skip
    lines = [
        format_line(nist), *format_failures(nist), format_line(random), *format_failures(random),
        f"{resets.resets} resets of the netlist and {resets.packets:,} packets after them, "
        f"{before.resets} of the SystemVerilog and {before.packets:,} packets",
        *map(str, wrong[:20]),
    ]  # fmt: skip
    ok = nist.ok and random.ok and not wrong and resets.resets > 0
    return Found(ok=ok, text="\n    ".join(lines), data=data)


INTRODUCTION = f"""\
Each core is synthesised as `gcmforge measure` does (effort normal, goal balanced), and its netlist
on {TARGET} is simulated by Verilator cell by cell: one statement for each cell, with the function
that the Liberty file states, and one register for each flip-flop. Every register begins with a
random value. What is played on it:

- {SAMPLE:,} NIST vectors, evenly spread over those that the core can take;
- {PACKETS:,} random packets, as many under each stall pattern: with pauses of senders and of
  readers, and with each stream alone slow;
- a reset in every cycle of two packets and their key. After it nothing may come until something is
  sent; a packet without a key must be refused, and packets of a new key must be right, a forged one
  among them. The same on the core's SystemVerilog.

Two of the cores also play a packet in Icarus Verilog, which knows four states: there every
flip-flop begins as X.

Every answer is compared with NIST's or OpenSSL's, and the rules of the streams are checked in every
cycle. The assertions and coverage points of the SystemVerilog are not in a netlist. Cells have no
delays here: timing is what `gcmforge measure` says.
"""
_COLUMNS: tuple[tuple[str, str], ...] = (
    ("cells", "cells"), ("of them flip-flops", "flip_flops"), ("NIST vectors", "nist"),
    ("random packets", "random"), ("resets", "resets"), ("packets after them", "after_resets"),
    ("wrong", "failures"), ("cycles", "cycles"), ("resets in SystemVerilog", "resets_rtl"),
    ("packets after them", "after_resets_rtl"), ("run in s", "run_seconds"),
)  # fmt: skip


def page(records: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Lines of the page."""
    versions = ", ".join(sorted({one["version"] for one in records.values()}))
    yield "# Cores as netlists\n"
    yield "Written by `gcmforge-study pages mapped` from what `gcmforge-study evidence mapped`"
    yield f"found, version {versions} of the project, seed {SEED}.\n"
    yield INTRODUCTION
    yield f"| core | {' | '.join(heading for heading, _ in _COLUMNS)} |"
    yield "| --- |" + " ---: |" * len(_COLUMNS)
    cores = {name: one for name, one in records.items() if "cells" in one["found"]}
    for name, one in cores.items():
        found = one["found"]
        cells = (
            f"{found[key]:,.0f}" if key.endswith("seconds") else f"{found[key]:,}"
            for _, key in _COLUMNS
        )
        yield f"| {name} | {' | '.join(cells)} |"
    yield ""
    yield from (f"- {name}: {one['found']['core']}" for name, one in cores.items())
    yield "\nWith flip-flops that begin as X, in Icarus Verilog, no `tvalid` or `tready` is X after"
    yield "the reset, and the bench of the core's folder says:\n"
    others = {name: one for name, one in records.items() if name not in cores}
    yield from (f"- {name}: {one['found']['said']}" for name, one in others.items())
    yield "\nSeconds are those of the clock on two busy processors, without compiling."


def write() -> None:
    """The page, from what is kept."""
    KEPT.records()  # or an error
    write_page(REFERENCE / "mapped.md", page(KEPT.read()), "gcmforge-study pages mapped")
