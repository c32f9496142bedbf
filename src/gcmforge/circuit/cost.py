# SPDX-License-Identifier: Apache-2.0
"""Area in gate equivalents and delay in T_A and T_X (the built-in `ge` target).

GE as counted by Mozaffari 2012: NAND2/NOR2 1, AND2/OR2 1.25, XOR2/XNOR2 2.25, MUX2 2, INV 0.75.
Delay: AND, NAND, OR, NOR one T_A; XOR, XNOR one T_X = 1.99 T_A. A MUX counts as one T_X (it is two
levels of simple gates). A NOT counts no delay (it disappears into the polarity of the gate next
to it) but does count its area. Delays are kept in hundredths of T_A, so that sums are exact.
"""

from __future__ import annotations

from dataclasses import dataclass

from gcmforge.circuit.ir import Circuit, Net, Op, PipelinedCircuit

T_A = 100  # in hundredths of T_A
T_X = 199

GE = {
    Op.XOR: 2.25,
    Op.XNOR: 2.25,
    Op.AND: 1.25,
    Op.NAND: 1.0,
    Op.OR: 1.25,
    Op.NOR: 1.0,
    Op.NOT: 0.75,
    Op.MUX: 2.0,
}
GE_DFF = 5.5

DELAY = {
    Op.XOR: T_X,
    Op.XNOR: T_X,
    Op.AND: T_A,
    Op.NAND: T_A,
    Op.OR: T_A,
    Op.NOR: T_A,
    Op.NOT: 0,
    Op.MUX: T_X,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Cost:
    """Gates by kind, area in GE, and the slowest path as depth_and T_A + depth_xor T_X."""

    xor: int
    xnor: int
    and_: int
    nand: int
    or_: int
    nor: int
    not_: int
    mux: int
    ge: float
    depth_and: int
    depth_xor: int
    delay: float  # T_A

    @property
    def gates(self) -> int:
        """All gates."""
        return (
            self.xor + self.xnor + self.and_ + self.nand
            + self.or_ + self.nor + self.not_ + self.mux
        )  # fmt: skip

    @property
    def path(self) -> str:
        """The slowest path as papers write it: A+18X."""
        parts = [(self.depth_and, "A"), (self.depth_xor, "X")]
        text = "+".join(f"{n if n > 1 else ''}{unit}" for n, unit in parts if n)
        return text or "0"

    def summary(self) -> str:
        """One line: gates by kind that occur, GE, path, delay."""
        kinds = [
            (self.xor, "XOR"), (self.xnor, "XNOR"), (self.and_, "AND"), (self.nand, "NAND"),
            (self.or_, "OR"), (self.nor, "NOR"), (self.not_, "NOT"), (self.mux, "MUX"),
        ]  # fmt: skip
        counts = ", ".join(f"{n:,} {kind}" for n, kind in kinds if n) or "no gates"
        return f"{counts}; {self.ge:,.2f} GE; {self.path} = {self.delay:.2f} T_A"


def arrival_times(c: Circuit) -> list[int]:
    """For each net, the slowest path from an input to it, in hundredths of T_A."""
    times = [0] * c.net_count
    for net, gate in enumerate(c.gates, c.first_gate):
        times[net] = DELAY[gate.op] + max(times[arg] for arg in gate.args)
    return times


def cost(c: Circuit) -> Cost:
    """Count c's gates and follow its slowest path (the one with most T_X among equals)."""
    count = dict.fromkeys(Op, 0)
    for gate in c.gates:
        count[gate.op] += 1
    depth_and, depth_xor = _slowest_path(c)
    return Cost(
        xor=count[Op.XOR],
        xnor=count[Op.XNOR],
        and_=count[Op.AND],
        nand=count[Op.NAND],
        or_=count[Op.OR],
        nor=count[Op.NOR],
        not_=count[Op.NOT],
        mux=count[Op.MUX],
        ge=sum(GE[op] * n for op, n in count.items()),
        depth_and=depth_and,
        depth_xor=depth_xor,
        delay=(depth_and * T_A + depth_xor * T_X) / T_A,
    )


def pipeline_ge(pipe: PipelinedCircuit) -> float:
    """Area of a pipelined circuit in GE: its gates and 5.5 GE a flip-flop."""
    return cost(pipe.circuit).ge + GE_DFF * pipe.registers


def _slowest_path(c: Circuit) -> tuple[int, int]:
    """(T_A gates, T_X gates) on the slowest path to an output."""
    times = arrival_times(c)
    ends: tuple[Net, ...] = c.output_nets
    if not ends:
        return 0, 0
    net = max(ends, key=lambda n: times[n])
    depth_and = depth_xor = 0
    while net >= c.first_gate:
        gate = c.gates[net - c.first_gate]
        depth_and += DELAY[gate.op] == T_A
        depth_xor += DELAY[gate.op] == T_X
        net = max(gate.args, key=lambda n: times[n])
    return depth_and, depth_xor
