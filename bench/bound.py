# SPDX-License-Identifier: Apache-2.0
"""Write docs/reference/bound.md: the throughput per gate that no core of these leaves can pass.

python bench/bound.py [--target osu018]... [--effort normal] [--out FILE]

A core that takes a block a lane and cycle has at least: the rounds and the registers between them,
a register of state for every place in the AES, round keys, a multiplier a lane, and a register at
each end; text need not wait beside the AES (slots=ahead). All of that is counted here and nothing
else: no command, no counter, no key expansion, no mask of bytes, no length, no queue, no second
key. A stage takes at least its part of a round's path, as if it could be cut anywhere into equal
parts at no more than 128 wires a block. Each part is mapped by itself and timed from register to
register, with ideal wires, as every figure of `gcmforge measure`.
"""

import argparse
import csv
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from gcmforge.config import CoreConfig
from gcmforge.measure.scripts import Effort, Goal
from gcmforge.measure.subject import find_subject, part_subject
from gcmforge.measure.synthesis import synthesise
from gcmforge.measure.targets import find_target, library_of
from gcmforge.measure.timing import analyse
from gcmforge.papers.measured import Figures, NotMeasuredError
from gcmforge.papers.per_gate import RIVALS

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "reference" / "bound.md"
SEARCHED = {
    "examples/per-gate.toml": ROOT / "bench" / "per_gate.csv",
    "examples/per-gate-four-lanes.toml": ROOT / "bench" / "per_gate_four_lanes.csv",
}
"""Spaces, and what was measured of each."""
PER_GATE = "kbit_per_s_per_gate"
SBOXES = ("small", "medium", "fast", "faster")
MIX_COLUMNS = ("small", "depth3")
MULTIPLIERS = ("ko5_small", "ko4_small", "mixed_15_small")
GOALS: tuple[Goal, ...] = ("area", "balanced", "delay")
STAGES = (1, 2, 3, 4)
BLOCK = 128
ROUND_FILES = frozenset(
    f"{name}.sv"
    for name in ("aes_sbox", "aes_sub_shift", "aes_mix_column", "aes_mix_columns", "aes_round")
)

REGISTERS = """\
module registers (input clk, input en, input [127:0] d, output reg [127:0] q);
  reg [127:0] first;
  always @(posedge clk) {condition} begin first <= d; q <= first; end
endmodule
"""
ROUND = """\
module one_round (input clk, input [127:0] s, input [127:0] k, output reg [127:0] q);
  reg [127:0] state, key;
  wire [127:0] next;
  aes_round u_round (.clk(clk), .en_i(1'b1), .state_i(state), .key_i(key), .state_o(next));
  always @(posedge clk) begin state <= s; key <= k; q <= next; end
endmodule
"""
PRODUCT = """\
module one_product (input clk, input [127:0] a, input [127:0] h, output reg [127:0] sum);
  reg [127:0] block, power;
  wire [127:0] product;
  gf128_mul u_mul (.a_i(block), .b_i(power), .c_o(product));
  always @(posedge clk) begin block <= a; power <= h; sum <= product; end
endmodule
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """A mapped part: its area, and the path from register to register."""

    name: str
    area_ge: float
    delay_ns: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Flow:
    """Where parts are mapped to, and with how many scripts."""

    target: str
    effort: Effort


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """What is bounded: cores of that many lanes for one key size."""

    flow: Flow
    lanes: int
    key_bits: int

    @property
    def rounds(self) -> int:
        return self.key_bits // 32 + 6

    @property
    def rounds_built(self) -> int:
        """Of one block; rounds 1 and 2 as if lanes could share them whole (`counter_sharing`)."""
        return self.lanes * (self.rounds - 2) + 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Bound:
    """The best for a number of stages a round."""

    stages: int
    ghash_stages: int
    parts: str
    delay_ns: float
    area_ge: float
    gbit_per_s: float

    @property
    def kbit_per_s_per_gate(self) -> float:
        return 1e6 * self.gbit_per_s / self.area_ge


CASES = {"osu018": (1, 128), "ihp-sg13g2": (4, 256)}
"""Lanes and key size of the papers' cores that are compared on these targets."""


def mapped(name: str, text: str, flow: Flow, goal: Goal = "area") -> Part:
    """That module of a text, with its registers."""
    target = find_target(flow.target)
    found = synthesise(text, target, top=name, effort=flow.effort, goal=goal)
    timing = analyse(
        found.netlist, library_of(target), driving_cell=target.driving_cell,
        load_ff=target.load_ff,
    )  # fmt: skip
    return Part(name=goal, area_ge=found.area_ge, delay_ns=timing.groups["register to register"])


@cache
def register(flow: Flow, enabled: bool) -> Part:
    """A bit of a register, and the time that a stage of nothing takes."""
    text = REGISTERS.replace("{condition}", "if (en)" if enabled else "")
    found = mapped("registers", text, flow)
    return replace(found, area_ge=found.area_ge / (2 * BLOCK))


def logic(what: str, name: str, text: str, flow: Flow) -> Iterator[Part]:
    """What stands between the three registers of a text's module, for each goal."""
    registers = 3 * BLOCK * register(flow, False).area_ge
    for goal in GOALS:
        part = mapped(name, text, flow, goal)
        yield replace(part, name=f"{what}, {goal}", area_ge=part.area_ge - registers)


@cache
def rounds(flow: Flow) -> tuple[Part, ...]:
    """Rounds without their registers, by S-box, MixColumns and goal."""
    found: list[Part] = []
    for sbox in SBOXES:
        for mix in MIX_COLUMNS:
            config = CoreConfig(sbox=sbox, mix_columns=mix)
            texts = part_subject("a core", config, "gcm_aes").texts
            own = [text for name, text in texts.items() if name in ROUND_FILES]
            what = f"sbox={sbox} mix_columns={mix}"
            found += logic(what, "one_round", "".join([*own, ROUND]), flow)
    return tuple(found)


@cache
def products(flow: Flow) -> tuple[Part, ...]:
    """Multipliers without their registers."""
    found: list[Part] = []
    for name in MULTIPLIERS:
        texts = find_subject(f"gf128_mul/{name}").texts
        found += logic(name, "one_product", "".join([*texts.values(), PRODUCT]), flow)
    return tuple(found)


def bounds(case: Case, enabled: bool) -> Iterator[Bound]:
    """For each number of stages the best choice of parts."""
    bit = register(case.flow, enabled).area_ge
    nothing = register(case.flow, False).delay_ns
    for stages in STAGES:
        best: Bound | None = None
        for a_round in rounds(case.flow):
            delay = nothing + (a_round.delay_ns - nothing) / stages
            for product in products(case.flow):
                cuts = max(1, math.ceil((product.delay_ns - nothing) / (delay - nothing)))
                places = case.rounds * stages + 1
                bits = case.lanes * (places + 2)  # state, text at both ends
                bits += case.rounds + 1  # round keys
                bits += case.lanes * cuts * 2 + 1  # powers, cuts of the product, the sum
                logic_ge = case.rounds_built * a_round.area_ge + case.lanes * product.area_ge
                area = logic_ge + BLOCK * bits * bit
                found = Bound(
                    stages=stages, ghash_stages=cuts, parts=f"{a_round.name}; {product.name}",
                    delay_ns=delay, area_ge=area,
                    gbit_per_s=BLOCK * case.lanes / delay,
                )  # fmt: skip
                if best is None or found.kbit_per_s_per_gate > best.kbit_per_s_per_gate:
                    best = found
        assert best is not None
        yield best


def page(cases: Sequence[Case]) -> Iterator[str]:
    yield "# What the leaves allow\n"
    yield "Written by `python bench/bound.py`. A core that takes a block a lane and cycle has at"
    yield "least its rounds, a register of state for each place in the AES, round keys, a"
    yield "multiplier a lane, and a register at each end; text need not wait beside the AES"
    yield "(`slots=ahead`). Only that is counted here, rounds"
    yield "1 and 2 once for all lanes, as far as `counter_sharing` could ever go: no command, no"
    yield "counter, no key expansion, no mask of bytes, no length, no queue, no second key. A stage"
    yield "takes its part of a round's path, as if it could be cut anywhere into equal parts, at no"
    yield "more than 128 wires a block. So no core of these leaves is above these figures, whatever"
    yield "its control; parts are mapped alone, with ideal wires. The last round is counted with"
    yield "MixColumns like the others, which is one percent of the area too much.\n"
    yield "Every stage of a stream with backpressure can be held back. Plain registers are then"
    yield "those behind a clock gate (targets with `-gated`), the gates for nothing; those with an"
    yield "enable have a multiplexer each.\n"
    for case in cases:
        yield from of_case(case)
    yield "## Spaces, measured\n"
    for space, file in SEARCHED.items():
        yield from searched(space, file)


def searched(space: str, measured: Path) -> Iterator[str]:
    """The cores of a space, each of them measured, the best first."""
    with measured.open(newline="") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: -float(row[PER_GATE]))
    target, size = rows[0]["target"], rows[0]["packet_bytes"]
    yield f"All {len(rows)} cores of `{space}` on {target}, effort normal: `gcmforge explore"
    yield f"{space} --depth measure --target {target} --effort normal --goal balanced"
    yield f"--packet-bytes {size} --csv {measured.relative_to(ROOT)}`.\n"
    heads = ("sbox", "aes_substages", "aes_slack", "ghash_stages")
    yield f"| {' | '.join(heads)} | MHz | Gbit/s | GE | kbit/s a gate |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for row in rows:
        mhz, rate, area = (float(row[name]) for name in ("fmax_mhz", "gbit_per_s", "area_ge"))
        cells = (*(row[name] for name in heads), f"{mhz:.0f}", f"{rate:.1f}", f"{area:,.0f}")
        yield f"| {' | '.join(cells)} | {float(row[PER_GATE]):.0f} |"
    yield ""


def of_case(case: Case) -> Iterator[str]:
    plain, enabled = register(case.flow, False), register(case.flow, True)
    lanes = f"{case.lanes} lane{'s' * (case.lanes > 1)}"
    yield f"## {lanes}, AES-{case.key_bits}, {case.flow.target}\n"
    yield f"A bit of a register: {plain.area_ge:.2f} GE, {enabled.area_ge:.2f} GE with an enable;"
    yield f"{plain.delay_ns:.3f} ns from clock to the next register.\n"
    heads = ("registers", "stages a round", "of the product", "ns", "Gbit/s", "GE", "kbit/s a gate")
    yield f"| {' | '.join(heads)} | parts |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |"
    for name, with_enable in (("plain", False), ("with enable", True)):
        for one in bounds(case, with_enable):
            cells = (
                name, str(one.stages), str(one.ghash_stages), f"{one.delay_ns:.2f}",
                f"{one.gbit_per_s:.1f}", f"{one.area_ge:,.0f}", f"{one.kbit_per_s_per_gate:.0f}",
                one.parts,
            )  # fmt: skip
            yield f"| {' | '.join(cells)} |"
    yield ""
    yield from beside(case)


def beside(case: Case) -> Iterator[str]:
    """The measured cores on that target, and how each differs from its bound."""
    yield "Measured cores beside it. Buffers, control and key expansion are what the bound leaves"
    yield "out; the key schedule has the round keys, too, which it counts. The engines alone are"
    yield "AES, key schedule and GHASH as they are in that core, at its clock: what it would have"
    yield "without a gate of control, and without a bit of text waiting anywhere.\n"
    heads = ("core", "ns", "GE", "kbit/s a gate", "goal", "engines alone", "bound", "its ns",
             "its GE", "buffers", "key schedule", "control")  # fmt: skip
    yield f"| {' | '.join(heads)} |"
    yield f"| --- |{' ---: |' * (len(heads) - 1)}"
    figures = Figures()
    for rival in RIVALS:
        for core in rival.cores:
            (need, *more) = core
            gated = need.target == f"{case.flow.target}-gated"
            if more or (need.target != case.flow.target and not gated):
                continue
            try:
                ours = figures.get(need)
            except NotMeasuredError:
                continue
            stages = CoreConfig().with_settings(need.settings).aes_substages
            limit = next(b for b in bounds(case, not gated) if b.stages == stages)
            buffers, keys, control = (ours.blocks_ge.get(name, 0.0) for name in heads[-3:])
            per_gate = rival.ours([ours])
            alone = per_gate * ours.area_ge / (ours.area_ge - buffers - control)
            cells = (
                f"`{need.name}`", f"{ours.delay_ns:.2f}", f"{ours.area_ge:,.0f}",
                f"{per_gate:.0f}", f"{rival.goal:.0f}", f"{alone:.0f}",
                f"{limit.kbit_per_s_per_gate:.0f}", f"{limit.delay_ns:.2f}",
                f"{limit.area_ge:,.0f}", *(f"{area:,.0f}" for area in (buffers, keys, control)),
            )  # fmt: skip
            yield f"| {' | '.join(cells)} |"
    yield ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", choices=CASES, action="append")
    parser.add_argument("--effort", choices=["quick", "normal", "high"], default="normal")
    parser.add_argument("--out", type=Path, default=PAGE)
    asked = parser.parse_args()
    cases = [
        Case(flow=Flow(target=name, effort=asked.effort), lanes=lanes, key_bits=bits)
        for name, (lanes, bits) in CASES.items()
        if not asked.target or name in asked.target
    ]
    asked.out.write_text("\n".join(page(cases)).rstrip() + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
