# SPDX-License-Identifier: Apache-2.0
"""Write docs/reference/bound.md: the throughput per gate that no core of these leaves can pass.

gcmforge-study pages bound [--target osu018]... [--effort normal] [--out FILE]

A core that takes a block a lane and cycle has at least: the rounds and the registers between them,
a register of state for every place in the AES, round keys, a multiplier a lane, and a register at
each end; text need not wait while the AES works (slots=ahead). All of that is counted here and
nothing else: no command, no counter, no key expansion, no mask of bytes, no length, no queue, no
second key. A stage takes at least its part of a round's path, as if it could be cut anywhere into
equal parts at no more than 128 wires a block; and once more with the registers that the narrowest
cuts of the S-box take. Each part is mapped by itself and timed from register to register, with
ideal wires, as every figure of `gcmforge measure`.
"""

import argparse
import csv
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from gcmforge import leaf
from gcmforge.circuit import cost, pipeline
from gcmforge.circuit.pipeline import stage_delays
from gcmforge.config import CoreConfig
from gcmforge.engines.counting import sbox_tail
from gcmforge.measure.subject import find_subject, part_subject
from gcmforge.netlist.targets import find_target, library_of
from gcmforge.sta.timing import analyse
from gcmforge.study.checkout import REFERENCE, ROOT, write_page
from gcmforge.study.papers.measured import Figures, Measured, Need, NotMeasuredError
from gcmforge.study.papers.per_gate import RIVALS
from gcmforge.study.papers.rules import FLOWS
from gcmforge.synth.scripts import Effort, Goal
from gcmforge.synth.synthesis import synthesise

PAGE = REFERENCE / "bound.md"
SEARCHED = {
    "examples/per-gate-four-lanes.toml": Path(__file__).parent / "data" / "per_gate_four_lanes.csv"
}
"""Spaces, and what was measured of each."""
PER_GATE = "kbit_per_s_per_gate"
SBOXES = ("small", "medium", "fast", "faster")
MIX_COLUMNS = ("small", "depth3")
MULTIPLIERS = ("ko5_small", "ko4_small", "mixed_15_small")
SLACKS = (0, 10, 25, 40, 60, 100)
"""Percent, of aes_slack."""
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
    contexts: int = 1
    """Round keys and powers of H are kept for each; choosing among them is not counted."""

    @property
    def rounds(self) -> int:
        return self.key_bits // 32 + 6

    @property
    def rounds_built(self) -> int:
        """Of one block; rounds 1 and 2 as if lanes could share them whole (`counter_sharing`)."""
        return self.lanes * (self.rounds - 2) + 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Bound:
    """The best for a number of stages a round; `wires` are those of a byte that its cuts within a
    round cross, `slack` by how many percent its stages are longer than the shortest."""

    stages: int
    ghash_stages: int
    parts: str
    wires: int
    slack: int
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
        load_ff=target.load_ff, clock_slew_ns=target.clock_transition_ns,
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
def rounds(flow: Flow) -> tuple[tuple[CoreConfig, Part], ...]:
    """Rounds without their registers, by S-box, MixColumns and goal."""
    found: list[tuple[CoreConfig, Part]] = []
    for sbox in SBOXES:
        for mix in MIX_COLUMNS:
            config = CoreConfig(sbox=sbox, mix_columns=mix)
            texts = part_subject("a core", config, "gcm_aes").texts
            own = [text for name, text in texts.items() if name in ROUND_FILES]
            what = f"sbox={sbox} mix_columns={mix}"
            parts = logic(what, "one_round", "".join([*own, ROUND]), flow)
            found += [(config, part) for part in parts]
    return tuple(found)


@dataclass(frozen=True, kw_only=True, slots=True)
class Cut:
    """A round in stages: the longest as a part of the whole, and the wires that a byte's cuts
    cross."""

    share: float
    wires: int
    slack: int = 0


@cache
def real_cuts(sbox: str, mix: str, stages: int) -> tuple[Cut, ...]:
    """At the narrowest places that the S-box's circuit has, for each slack."""
    config = CoreConfig(sbox=sbox, mix_columns=mix)
    circuit, tail = leaf.sbox(sbox).circuit, sbox_tail(config)
    whole = cost(circuit).delay + tail
    found = [pipeline(circuit, stages, tail, margin=slack / 100) for slack in SLACKS]
    return tuple(
        Cut(share=max(stage_delays(cut)) / whole, wires=cut.registers, slack=slack)
        for slack, cut in zip(SLACKS, found, strict=True)
    )


def equal_cuts(stages: int) -> tuple[Cut, ...]:
    """In equal parts, wherever that is, at 8 wires a byte."""
    return (Cut(share=1 / stages, wires=8 * (stages - 1)),)


@cache
def products(flow: Flow) -> tuple[Part, ...]:
    """Multipliers without their registers."""
    found: list[Part] = []
    for name in MULTIPLIERS:
        texts = find_subject(f"gf128_mul/{name}").texts
        found += logic(name, "one_product", "".join([*texts.values(), PRODUCT]), flow)
    return tuple(found)


def bounds(case: Case, enabled: bool, real: bool = False) -> Iterator[Bound]:
    """For each number of stages the best choice of parts, and with real cuts of the S-box."""
    for stages in STAGES[real:]:
        yield max(choices(case, enabled, stages, real), key=lambda one: one.kbit_per_s_per_gate)


def choices(case: Case, enabled: bool, stages: int, real: bool) -> Iterator[Bound]:
    """All rounds, their cuts, and multipliers."""
    bit = register(case.flow, enabled).area_ge
    nothing = register(case.flow, False).delay_ns
    for config, a_round in rounds(case.flow):
        own = real_cuts(config.sbox, config.mix_columns, stages) if real else equal_cuts(stages)
        for cut, product in itertools.product(own, products(case.flow)):
            delay = nothing + (a_round.delay_ns - nothing) * cut.share
            cuts = max(1, math.ceil((product.delay_ns - nothing) / (delay - nothing)))
            bits = BLOCK * case.lanes * (case.rounds + 1 + 2)  # state, text at both ends
            # Cuts within a round; the bound of 8 wires a byte has none shared by lanes.
            blocks = case.rounds_built if real else case.lanes * case.rounds
            bits += 16 * cut.wires * blocks
            bits += BLOCK * case.contexts * (case.rounds + 1 + case.lanes * cuts)  # keys, powers
            bits += BLOCK * (case.lanes * cuts + 1)  # cuts of the product, the sum
            logic_ge = case.rounds_built * a_round.area_ge + case.lanes * product.area_ge
            yield Bound(
                stages=stages, ghash_stages=cuts, parts=f"{a_round.name}; {product.name}",
                wires=cut.wires, slack=cut.slack, delay_ns=delay,
                area_ge=logic_ge + bits * bit, gbit_per_s=BLOCK * case.lanes / delay,
            )  # fmt: skip


def page(cases: Sequence[Case]) -> Iterator[str]:
    yield "# What the leaves allow\n"
    yield "Written by `gcmforge-study pages bound`. A core that takes a block a lane and cycle has"
    yield "at least its rounds, a register of state for each place in the AES, round keys, a"
    yield "multiplier a lane, and a register at each end; text need not wait while the AES works"
    yield "(`slots=ahead`). Only that is counted here, rounds"
    yield "1 and 2 once for all lanes, as far as `counter_sharing` could ever go: no command, no"
    yield "counter, no key expansion, no mask of bytes, no length, no queue, no second key. A stage"
    yield "takes its part of a round's path, as if it could be cut anywhere into equal parts, at no"
    yield "more than 128 wires a block. So no core of these leaves is above these figures, whatever"
    yield "its control; parts are mapped alone, with ideal wires. The last round is counted with"
    yield "MixColumns like the others, which is one percent of the area too much.\n"
    yield "Every stage of a stream with backpressure can be held back. Plain registers are then"
    yield "those with a gated clock (targets with `-gated`), the gates for nothing; those with an"
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
    yield from with_real_cuts(case)
    yield from compared(case)


def with_real_cuts(case: Case) -> Iterator[str]:
    """The same with the registers that cuts of the S-box's circuit take."""
    best = max(measured_cores(case), key=lambda one: one.per_gate)
    more = sum(best.ours.blocks_ge.get(name, 0.0) for name in ("buffers", "control"))
    yield "Within an S-box more than 8 wires a byte cross a cut. Here stages end at the narrowest"
    yield "places of its circuit, found as minimum cuts, and may be longer by `aes_slack`"
    yield "percent; nothing is computed twice. The last column adds the buffers and the control of"
    yield f"the best measured core below, {more:,.0f} GE; it has {best.per_gate:.0f} of the"
    yield f"{best.goal:.0f} that are its goal.\n"
    heads = ("stages a round", "aes_slack", "wires a byte", "ns", "Gbit/s", "GE",
             "kbit/s a gate", "with control", "parts")  # fmt: skip
    yield f"| {' | '.join(heads)} |"
    yield f"|{' ---: |' * (len(heads) - 1)} --- |"
    for one in bounds(case, enabled=False, real=True):
        cells = (
            str(one.stages), str(one.slack), str(one.wires), f"{one.delay_ns:.2f}",
            f"{one.gbit_per_s:.1f}", f"{one.area_ge:,.0f}", f"{one.kbit_per_s_per_gate:.0f}",
            f"{1e6 * one.gbit_per_s / (one.area_ge + more):.0f}", one.parts,
        )  # fmt: skip
        yield f"| {' | '.join(cells)} |"
    yield ""


def compared(case: Case) -> Iterator[str]:
    """The measured cores on that target, and how each differs from its bound."""
    yield "Measured cores and the bound. Buffers, control and key expansion are what the bound"
    yield "leaves out; the key schedule has the round keys, too, which it counts. The engines alone"
    yield "are AES, key schedule and GHASH as they are in that core, at its clock: what it would"
    yield "have without a gate of control, and without a bit of text waiting anywhere.\n"
    heads = ("core", "ns", "GE", "kbit/s a gate", "goal", "engines alone", "bound", "its ns",
             "its GE", "buffers", "key schedule", "control")  # fmt: skip
    yield f"| {' | '.join(heads)} |"
    yield f"| --- |{' ---: |' * (len(heads) - 1)}"
    for one in measured_cores(case):
        stages = CoreConfig().with_settings(one.need.settings).aes_substages
        gated = one.need.target != case.flow.target
        limit = next(b for b in bounds(case, not gated) if b.stages == stages)
        buffers, keys, control = (one.ours.blocks_ge.get(name, 0.0) for name in heads[-3:])
        assert one.ours.area_ge is not None
        alone = one.per_gate * one.ours.area_ge / (one.ours.area_ge - buffers - control)
        cells = (
            f"`{one.need.name}`", f"{one.ours.delay_ns:.2f}", f"{one.ours.area_ge:,.0f}",
            f"{one.per_gate:.0f}", f"{one.goal:.0f}", f"{alone:.0f}",
            f"{limit.kbit_per_s_per_gate:.0f}", f"{limit.delay_ns:.2f}",
            f"{limit.area_ge:,.0f}", *(f"{area:,.0f}" for area in (buffers, keys, control)),
        )  # fmt: skip
        yield f"| {' | '.join(cells)} |"
    yield ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Compared:
    """A rival's core on a case's target."""

    need: Need
    ours: Measured
    per_gate: float
    goal: float


def measured_cores(case: Case) -> Iterator[Compared]:
    figures = Figures()
    for rival in RIVALS:
        ideal = [one.need(flow) for one in rival.contenders for flow in FLOWS if not flow.placed]
        for need in (*ideal, *(core[0] for core in rival.cores if len(core) == 1)):
            if need.target not in (case.flow.target, f"{case.flow.target}-gated"):
                continue
            try:
                ours = figures.get(need)
            except NotMeasuredError:
                continue
            yield Compared(need=need, ours=ours, per_gate=rival.ours([ours]), goal=rival.goal)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", choices=CASES, action="append")
    parser.add_argument("--effort", choices=["quick", "normal", "high"], default="normal")
    parser.add_argument("--out", type=Path, default=PAGE)
    asked = parser.parse_args(arguments)
    cases = [
        Case(flow=Flow(target=name, effort=asked.effort), lanes=lanes, key_bits=bits)
        for name, (lanes, bits) in CASES.items()
        if not asked.target or name in asked.target
    ]
    write_page(asked.out, page(cases), "gcmforge-study pages bound")
    return 0
