# SPDX-License-Identifier: Apache-2.0
"""Traces a second and processor in the test for leakage: one simulation for each lane, and wide.

python bench/leakage.py [--fast] [--lanes 1024] [--traces 4]: `masked_sbox` and the core `masked`,
with --fast `masked_fast`, on osu018. Both simulators run on one processor and are timed by its
time; the energies of the traces that both make have to agree to 1e-6. Exit code 1 where they do
not. A wide simulation of so many lanes makes --traces of each, about a minute for each of `masked`.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import numpy as np
from rich.console import Console
from rich.table import Table

from gcmforge.leaf.masked import gadget
from gcmforge.measure.leakage import event_design_of
from gcmforge.measure.leakage_traffic import Traffic
from gcmforge.measure.subject import find_subject
from gcmforge.netlist.targets import find_target, library_of
from gcmforge.power.power import event_design
from gcmforge.power.running import Running
from gcmforge.power.wide import MOST_LANES, Wide
from gcmforge.synth.synthesis import synthesise

CORE = """core = "{core}"
key_sizes = [128]
contexts = 1
iv = "96"
max_text_bytes = 65536
max_aad_bytes = 65536
"""
TARGET = "osu018"
SCALAR_TRACES = 8
T = TypeVar("T")


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """What it gives, and its seconds of a processor."""
    start = time.process_time()
    return work(), time.process_time() - start


def core(name: str, lanes: int, traces: int) -> tuple[float, float, float]:
    """(traces a second one by one, wide, largest difference) of a masked core."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "core.toml")
        file.write_text(CORE.format(core=name))
        design = event_design_of(find_subject(file), find_target(TARGET), lambda step: None)
    traffic = Traffic(design, 1, "fresh")
    wide, wide_s = timed(lambda: traffic.batches(0, [traces] * lanes))
    batch = traffic.batch(0, traces)
    some = min(SCALAR_TRACES, traces)
    with closing(Running(design)) as running:
        running.run(traffic.reset(batch.draw))
        (energy, _), scalar_s = timed(lambda: running.run(traffic.patterns(batch, 0, some)))
    mine = wide[0][0][:some].reshape(-1)
    return some / scalar_s, lanes * traces / wide_s, float(abs(mine / energy - 1).max())


def sbox(lanes: int) -> tuple[float, float, float]:
    """The same of the gadget, a trace a cycle."""
    target, made = find_target(TARGET), gadget("masked_sbox")
    netlist = synthesise(made.text(), target, top=made.module).netlist
    design = event_design(
        netlist, library_of(target), driving_cell=target.driving_cell, load_ff=target.load_ff
    )
    steps = 500
    rows = np.random.default_rng(1).integers(
        2, size=(steps, design.input_count, lanes), dtype=np.uint8
    )
    with closing(Running(design)) as running:
        (energy, _), scalar_s = timed(lambda: running.run(rows[:, :, 0]))
    with closing(Wide(design, lanes)) as wide:
        patterns = wide.patterns(steps)
        bits = np.packbits(rows, axis=2, bitorder="little")
        patterns[:, :, : bits.shape[2]] = bits
        wide_energy, wide_s = timed(lambda: wide.run(patterns))
    worst = float(abs(wide_energy[:, 0] / energy - 1).max())
    return steps / scalar_s, lanes * steps / wide_s, worst


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fast", action="store_true", help="masked_fast, too")
    parser.add_argument("--lanes", type=int, default=MOST_LANES)
    parser.add_argument("--traces", type=int, default=4)
    arguments = parser.parse_args()
    headings = ("one by one", "wide", "gain", "largest difference")
    table = Table("what", *headings, title=f"traces a second, {arguments.lanes} lanes")
    sbox(1)  # the kernels are compiled
    rows = {"masked_sbox": sbox(arguments.lanes)}
    for name in ("masked", *(["masked_fast"] if arguments.fast else [])):
        rows[name] = core(name, arguments.lanes, arguments.traces)
    for name, (scalar, wide, worst) in rows.items():
        gain = f"{wide / scalar:.1f}"
        table.add_row(name, f"{scalar:,.1f}", f"{wide:,.1f}", gain, f"{worst:.0e}")
    Console().print(table)
    return 1 if any(worst > 1e-6 for _, _, worst in rows.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
