# SPDX-License-Identifier: Apache-2.0
"""What the AES engines take: cycles a block, S-boxes, flip-flops, GE; what sharing counters saves.

python bench/aes.py engines|schedules|sharing [--synthesised 8] [--effort quick] [--sbox NAME]: each
row is the module gcm_aes of a core, mapped to `ge`, and gcm_keys, which expands keys.

    engines    every engine with stored and travelling keys, one lane, all key sizes, 4 contexts
    schedules  the pipeline with either, one lane, all key sizes, 1, 4 and 16 contexts
    sharing    AES-128, 1 context, 2 to 16 lanes: GE of a lane with and without counter sharing,
               counted from circuits and, up to --synthesised lanes, after synthesis, with the
               slowest path in T_A; exit code 1 unless 8 lanes, or the most that were synthesised,
               are at least 12 % smaller and no slower
"""

import argparse
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from gcmforge.circuit import cost
from gcmforge.circuit.cost import GE, GE_DFF
from gcmforge.circuit.ir import Op
from gcmforge.config import CoreConfig
from gcmforge.emit.core import core_files
from gcmforge.emit.rtl import gather
from gcmforge.leaf import mix_columns, sbox
from gcmforge.netlist.targets import find_target, library_of
from gcmforge.sta.timing import analyse
from gcmforge.synth.scripts import Effort
from gcmforge.synth.synthesis import synthesise

ENGINES = {
    "pipelined": ["aes=pipelined"],
    "pipelined, 2 stages a round": ["aes=pipelined", "aes_substages=2"],
    "loop of 1 round": ["aes=loop"],
    "loop of 2 rounds": ["aes=loop", "aes_rounds=2"],
    "loop of 4 rounds": ["aes=loop", "aes_rounds=4"],
    "4 loops in parallel": ["aes=loop_parallel", "aes_loops=4"],
    "loop of 5 rounds": ["aes=loop", "aes_rounds=5"],
    "loop of 7 rounds": ["aes=loop", "aes_rounds=7"],
}
LANES = (2, 4, 8, 16)
GOAL_PERCENT = 12.0


# After synthesis ----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Area:
    """A module and what is below it, mapped to `ge`; its slowest path between registers."""

    ge: float
    flip_flops: int
    sboxes: int
    slowest_ta: float


def synthesised(config: CoreConfig, top: str, effort: Effort) -> Area:
    """The module `top` of that core."""
    files, rtl, _ = core_files(config, prove=False)
    texts = gather(top, {}, {Path(name).stem: files[name] for name in rtl})
    if top == "gcm_keys":  # hand-written, so its parameters are still to be set
        texts[top] = with_parameters(texts[top], Contexts=config.contexts)
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, f"{name}.sv") for name in texts]
        for path, text in zip(paths, texts.values(), strict=True):
            path.write_text(text)
        found = synthesise(paths, find_target("ge"), top=top, effort=effort)
    boxes = found.modules.get("aes_sbox")
    paths = analyse(found.netlist, library_of(found.target)).groups
    return Area(
        ge=found.area_ge,
        flip_flops=found.flip_flops,
        sboxes=boxes.instances if boxes else 0,
        slowest_ta=paths.get("register to register", 0.0),
    )


def with_parameters(text: str, **values: int) -> str:
    """The module with other defaults for these parameters."""
    for name, value in values.items():
        text, changed = re.subn(rf"(parameter \w+ {name} = )[\w']+", rf"\g<1>{value}", text)
        assert changed == 1, name
    return text


def engines(effort: Effort, box: str) -> Table:
    headings = ("cycles a block: AES-128", "AES-192", "AES-256", "S-boxes", "flip-flops", "GE")
    table = Table(
        "engine",
        "keys",
        *headings,
        title="gcm_aes and gcm_keys, one lane, all key sizes, 4 contexts",
    )
    for name, settings in ENGINES.items():
        for schedule in ("stored", "travelling"):
            config = CoreConfig(ghash="serial", key_schedule=schedule, sbox=box)
            config = config.with_settings(settings)
            areas = [synthesised(config, top, effort) for top in ("gcm_aes", "gcm_keys")]
            cycles = [f"{cycles_a_block(config, bits):g}" for bits in (128, 192, 256)]
            flip_flops, ge = sum(a.flip_flops for a in areas), sum(a.ge for a in areas)
            sboxes = sum(a.sboxes for a in areas)
            table.add_row(name, schedule, *cycles, str(sboxes), f"{flip_flops:,}", f"{ge:,.0f}")
    return table


def cycles_a_block(config: CoreConfig, key_bits: int) -> float:
    """With one lane, for keys of one size only (law of the engine)."""
    beats, cycles = config.with_settings([f"key_sizes={key_bits}"]).aes_turn
    return cycles / beats


def schedules(effort: Effort, box: str) -> Table:
    headings = ("GE, stored", "GE, travelling", "flip-flops, stored", "flip-flops, travelling")
    table = Table("contexts", *headings, title="gcm_aes and gcm_keys, one lane, all key sizes")
    for contexts in (1, 4, 16):
        areas = []
        for schedule in ("stored", "travelling"):
            config = CoreConfig(ghash="serial", contexts=contexts, key_schedule=schedule, sbox=box)
            areas.append([synthesised(config, top, effort) for top in ("gcm_aes", "gcm_keys")])
        ge = [f"{sum(area.ge for area in both):,.0f}" for both in areas]
        flip_flops = [f"{sum(area.flip_flops for area in both):,}" for both in areas]
        table.add_row(str(contexts), *ge, *flip_flops)
    return table


# Counted from circuits ----------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Parts:
    """What an engine is made of, control left out: S-boxes, columns of MixColumns, and bits.
    Every flip-flop has an enable, which is a multiplexer of its own."""

    sbox: str
    sboxes: int
    columns: int
    xors: int
    ors: int
    muxes: int
    flip_flops: int

    @property
    def ge(self) -> float:
        leaves = self.sboxes * cost(sbox(self.sbox).circuit).ge
        leaves += self.columns * cost(mix_columns(CoreConfig().mix_columns).circuit).ge
        gates = self.xors * GE[Op.XOR] + self.ors * GE[Op.OR] + self.muxes * GE[Op.MUX]
        return leaves + gates + self.flip_flops * (GE_DFF + GE[Op.MUX])


ROUNDS = 10
KEYS = 128 * (ROUNDS + 1)
OWN_XORS = 3 + 8 + 32
"""A byte times 02 and 03, and added to a column (aes_mix_byte)."""
REST_XORS = 16 + 12 + 88
"""The other three bytes and the key: sums of neighbours, twice them, the rest (aes_mix_rest)."""


def counted(lanes: int, sharing: bool, box: str) -> Parts:
    """aes_pipelined for AES-128 and one context, a stage a round; two words of output buffer."""
    first = 3 if sharing else 1  # round that every lane has for itself
    rest = ROUNDS - first + 1
    blocks = Parts(
        sbox=box,
        sboxes=16 * lanes * rest,
        columns=4 * lanes * (rest - 1),
        xors=128 * lanes * rest,
        ors=0,
        muxes=128 * lanes,
        flip_flops=128 * lanes * (rest + 2) + KEYS,
    )
    front = shared_front(lanes, box) if sharing else whitening(lanes, box)
    return Parts(
        sbox=box,
        sboxes=blocks.sboxes + front.sboxes,
        columns=blocks.columns + front.columns,
        xors=blocks.xors + front.xors,
        ors=front.ors,
        muxes=blocks.muxes + front.muxes,
        flip_flops=blocks.flip_flops + front.flip_flops,
    )


def whitening(lanes: int, box: str) -> Parts:
    bits = 128 * lanes
    return Parts(sbox=box, sboxes=0, columns=0, xors=bits, ors=0, muxes=0, flip_flops=bits)


def shared_front(lanes: int, box: str) -> Parts:
    """aes_front_shared: 96 common bits, 24 in two values, 8 a lane; then 96 in two, 32 a lane."""
    choosing = lanes - 2  # the first lane and the last always have their own value
    entrance = 96 + 2 * 24 + 8 * lanes
    return Parts(
        sbox=box,
        sboxes=18 + lanes + 24 + 4 * lanes,
        columns=6,
        xors=entrance + 6 * 32 + 9 * REST_XORS + 5 * OWN_XORS * lanes + 24 * choosing,
        ors=23 * choosing,
        muxes=128 * choosing,
        flip_flops=2 * entrance + 2 * 96 + 32 * lanes + 3 * choosing,
    )


def sharing(effort: Effort, most: int, box: str) -> tuple[Table, float]:
    """The table, and how many percent smaller 8 lanes are, or the most that were synthesised (0
    where sharing made any of them slower)."""
    headings = ("S-boxes a block", "shared", "GE counted", "shared", "smaller")
    more = ("GE synthesised", "shared", "smaller", "slowest T_A", "shared")
    table = Table("lanes", *headings, *more, title="gcm_aes, AES-128, 1 context: GE of a lane")
    reached, slower = 0.0, False
    for lanes in LANES:
        parts = [counted(lanes, shared, box) for shared in (False, True)]
        row = [f"{part.sboxes / lanes:.1f}" for part in parts]
        row += compared([part.ge / lanes for part in parts])
        if lanes <= most:
            made = []
            for shared in ("off", "on"):
                config = CoreConfig(
                    lanes=lanes, key_sizes=(128,), contexts=1, counter_sharing=shared, sbox=box
                )
                made.append(synthesised(config, "gcm_aes", effort))
            areas, paths = [m.ge / lanes for m in made], [m.slowest_ta for m in made]
            row += [*compared(areas), *(f"{path:.2f}" for path in paths)]
            slower = slower or paths[1] > paths[0] + 0.005
            if lanes <= 8:
                reached = 100 * (1 - areas[1] / areas[0])
        table.add_row(str(lanes), *row)
    return table, 0.0 if slower else reached


def compared(areas: list[float]) -> list[str]:
    return [f"{areas[0]:,.0f}", f"{areas[1]:,.0f}", f"{100 * (1 - areas[1] / areas[0]):.1f} %"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("engines", "schedules", "sharing"))
    parser.add_argument("--synthesised", type=int, default=8, metavar="LANES")
    parser.add_argument("--effort", choices=("quick", "normal", "high"), default="quick")
    parser.add_argument("--sbox", default=CoreConfig().sbox)
    asked = parser.parse_args()
    console = Console(width=140)
    if asked.what != "sharing":
        console.print((engines if asked.what == "engines" else schedules)(asked.effort, asked.sbox))
        return 0
    table, percent = sharing(asked.effort, asked.synthesised, asked.sbox)
    console.print(table)
    return 0 if percent >= GOAL_PERCENT else 1


if __name__ == "__main__":
    sys.exit(main())
