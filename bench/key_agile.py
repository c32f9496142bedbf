# SPDX-License-Identifier: Apache-2.0
"""GHASH for one key against GHASH for any key on an FPGA: what each takes, what a new key costs.

python bench/key_agile.py [--target xcv5] [--lanes 1 4] [--engines PART ..] [--place]: maps each
engine, or those with one of these parts in their names, with Yosys and prints a table: the key
folded into logic (Crenne 2011, `gcmforge specialise`; the key 00 01 .. 0f), tables in LUT RAM and
in block RAM (ghash=window), tables of residues in LUT RAM (ghash=residues), and multipliers whose
lanes share one reduction (ghash=aggregated). One context. LUTs are LUT6, as Yosys maps the engine's
SystemVerilog for area, one for two functions of together five inputs; LUT RAM is counted in the
LUTs that it takes. No open tool places these devices: there is a clock with --place, on a target
that one places (ecp5). With --count: what tables of multiples take at least in so many lanes.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gcmforge.circuit.lut_text import black_boxes
from gcmforge.config import CoreConfig
from gcmforge.emit.core import core_files
from gcmforge.emit.ports import gcm_ghash_ports
from gcmforge.measure.result import Fpga
from gcmforge.place.fpga import Design, measure_fpga
from gcmforge.specialise import make_plan, specialise, subkey_of_key

TIME_LIMIT_S = 3600.0
KEY = bytes(range(16))
NEW_BITSTREAM = "a new bitstream"


@dataclass(frozen=True, kw_only=True, slots=True)
class Engine:
    """One GHASH, and what a new key costs it."""

    name: str
    lanes: int
    config: CoreConfig | None = None
    """None: the key is in the logic."""
    takes_blocks: bool = False
    """Whether blocks are taken while a key is loaded, but for a cycle of each power of H after the
    first, as its header says."""

    @property
    def usable_after(self) -> int | None:
        """Cycles from a subkey to its use, by the engine's descriptor."""
        return None if self.config is None else self.config.ghash_engine.load_cycles(self.config)

    @property
    def blocked(self) -> int | None:
        """Cycles of them in which no block is taken."""
        if self.usable_after is None:
            return None
        return self.lanes - 1 if self.takes_blocks else self.usable_after - 1


def engines(lanes: int) -> Iterator[Engine]:
    for bits, splits in ((4, 0), (5, 0), (5, 1), (5, 2), (8, 0), (8, 1)):
        parts = f", {3**splits} parts" if splits else ""
        yield Engine(
            name=f"tables of {bits} bits{parts}",
            lanes=lanes,
            config=CoreConfig(
                lanes=lanes, contexts=1, ghash="window", window_bits=bits, window_splits=splits
            ),
            takes_blocks=bits > 6,
        )
    yield Engine(
        name="tables of residues",
        lanes=lanes,
        config=CoreConfig(lanes=lanes, contexts=1, ghash="residues"),
    )
    yield Engine(
        name="one sum of products, ko6",
        lanes=lanes,
        config=CoreConfig(lanes=lanes, contexts=1, multiplier="ko6"),
        takes_blocks=True,
    )
    yield Engine(name="key in the logic", lanes=lanes)


def mapped(engine: Engine, target: str, place: bool) -> Fpga:
    with tempfile.TemporaryDirectory(prefix="gcmforge-key-agile-") as name:
        folder = Path(name)
        files, top = (
            fixed(engine, folder, target) if engine.config is None else agile(engine, folder)
        )
        config = engine.config or CoreConfig(lanes=engine.lanes)
        ports = tuple((p.name, p.direction, p.width) for p in gcm_ghash_ports(config))
        design = Design(files=files, top=top, ports=ports, clock="clk")
        return measure_fpga(design, target, place=place, time_limit_s=TIME_LIMIT_S)


def agile(engine: Engine, folder: Path) -> tuple[tuple[Path, ...], str]:
    """The core's GHASH with its leaves, out of all files of the core."""
    assert engine.config is not None
    texts, order, _ = core_files(engine.config, prove=False)
    for name in order:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(texts[name])
    return tuple(folder / name for name in order), "gcm_ghash"


def fixed(engine: Engine, folder: Path, target: str) -> tuple[tuple[Path, ...], str]:
    plan = make_plan(lanes=engine.lanes if engine.lanes > 1 else 0, target=target)
    made = specialise(subkey_of_key(KEY), plan, folder / "out")
    cells = folder / "cells.sv"
    cells.write_text(black_boxes(plan.target.cells))
    files = (made.path / "ghash_key.f").read_text().split()
    return (cells, *(made.path / file for file in files)), "ghash_key"


HEADINGS = (
    "engine", "lanes", "LUTs", "LUT RAM", "block RAM", "flip-flops", "LUTs a lane",
    "bits a cycle", "new key, cycles", "without blocks", "MHz",
)  # fmt: skip


def row(engine: Engine, found: Fpga) -> tuple[str, ...]:
    luts = found.luts + found.lut_ram_luts
    return (
        engine.name,
        str(engine.lanes),
        f"{found.luts:,}",
        f"{found.lut_ram_luts:,}",
        f"{found.block_rams:g}",
        f"{found.flip_flops:,}",
        f"{luts / engine.lanes:,.0f}",
        str(128 * engine.lanes),
        NEW_BITSTREAM if engine.usable_after is None else f"{engine.usable_after:,}",
        "-" if engine.blocked is None else f"{engine.blocked:,}",
        "-" if found.fmax_mhz is None else f"{found.fmax_mhz:.0f}",
    )


COUNTED = (
    "splits", "tables", "their sums", "parts", "operands", "loader", "LUTs",
    "bits a cycle and 1,000 LUTs",
)  # fmt: skip


def counted(lanes: int, splits: int) -> tuple[str, ...]:
    """LUTs that tables of up to 5 bits in `lanes` lanes take at least, by what a LUT can take in.

    A LUT holds two bits of a word of 32. One of six inputs leaves one signal of six; one with two
    outputs has five inputs, so that two sums of parts may share it. Of the operand's bits, a lane's
    blocks, the running sum and two bits that choose fit one LUT for up to two blocks, two for up to
    seven. The loader has a LUT for a bit of a piece's entry and sums of them for the other parts.
    """
    pieces, parts, width = 2**splits, 3**splits, 128 >> splits
    window = next(w for w in (3, 4, 5) if -(-width // w) == -(-width // 5))
    entry = width + window - 1
    bits = lanes * parts * -(-width // window) * entry
    sizes = [
        bits / 2,
        (bits - 128) / 5,
        lanes * (parts - pieces) * width / 2,
        128 * sum(1 if lane < 2 else 2 for lane in range(lanes)),
        pieces * entry + (parts - pieces) * entry / 2,
    ]
    whole = sum(sizes)
    return (
        str(splits), *(f"{size:,.0f}" for size in sizes), f"{whole:,.0f}",
        f"{128_000 * lanes / whole:.1f}",
    )  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", default="xcv5")
    parser.add_argument("--lanes", type=int, nargs="+", default=(1, 4))
    parser.add_argument("--engines", nargs="+", default=("",))
    parser.add_argument("--place", action="store_true", help="place them, for their clock")
    parser.add_argument("--count", action="store_true", help="what tables take at least")
    asked = parser.parse_args()
    if asked.count:
        print(f"| {' | '.join(COUNTED)} |")
        print("| ---: " * len(COUNTED) + "|")
        for splits in range(5):
            print(f"| {' | '.join(counted(asked.lanes[-1], splits))} |")
        return 0
    print(f"| {' | '.join(HEADINGS)} |")
    print("| --- " + "| ---: " * (len(HEADINGS) - 1) + "|")
    for lanes in asked.lanes:
        for engine in engines(lanes):
            if any(part in engine.name for part in asked.engines):
                found = mapped(engine, asked.target, asked.place)
                print(f"| {' | '.join(row(engine, found))} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
