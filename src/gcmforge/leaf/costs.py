# SPDX-License-Identifier: Apache-2.0
"""What the leaves of a core cost, from their circuits: gates by kind, registers, slowest stage.

Making and cutting a multiplier takes seconds, so what was found is kept: in data/leaf_costs.json
for the library as it is shipped, in the cache for the rest. A sum of products is made for one and
two lanes only: its gates and registers grow by as many with each further lane, and its depth by one
XOR with each doubling.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from gcmforge.cache import cached, digest, program_digest
from gcmforge.circuit.cost import T_A, T_X
from gcmforge.config.names import MEMORY_SBOXES, MULTIPLIERS

if TYPE_CHECKING:
    from gcmforge.circuit import Circuit
    from gcmforge.leaf.base import Leaf

AND_DELAY = 1.0
"""T_A."""

XOR_DELAY = T_X / T_A
"""T_X in T_A."""

SBOX_HEAD = XOR_DELAY
"""T_A before an S-box in stages: a bit of the state drives a whole layer of XORs, which takes as
long as one more."""

DATA = "leaf_costs.json"
DOT_TAIL = 2 * (AND_DELAY + XOR_DELAY)
"""T_A after a sum of products that is cut into stages: the sum is masked and joined with the
accumulator, masked for its lane and joined with it."""


def dot_head(stages: int) -> float:
    """T_A before a sum of products in so many stages, for the reason of SBOX_HEAD; where there are
    few stages it makes no difference."""
    return XOR_DELAY if stages >= 5 else 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class LeafCost:
    """One leaf in stages: gates in GE by kind, register bits, its slowest stage in T_A."""

    xor_ge: float
    gate_ge: float
    """AND, NAND, OR, NOR and NOT."""
    mux_ge: float
    registers: float
    period_ta: float
    """With what follows in the last stage."""
    first_ta: float
    """The first stage."""

    @property
    def ge(self) -> float:
        """Gates without registers."""
        return self.xor_ge + self.gate_ge + self.mux_ge


def sbox_cost(variant: str, stages: int, tail_ta: float, slack: int = 0) -> LeafCost:
    """An S-box followed by `tail_ta` in its last stage, cut with aes_slack=`slack`."""
    return _sbox(variant, stages, round(100 * tail_ta), slack if stages > 1 else 0)


def column_cost(variant: str) -> LeafCost:
    """One column of MixColumns."""
    return _column(variant)


def product_cost(scheme: str, lanes: int, stages: int, head_ta: float = 0.0) -> LeafCost:
    """The sum of `lanes` products of a multiplier's scheme, with `head_ta` before it in its first
    stage."""
    one = _product(scheme, 1, stages, head_ta)
    return one if lanes == 1 else _summed(one, _product(scheme, 2, stages, head_ta), lanes, stages)


def _summed(one: LeafCost, two: LeafCost, lanes: int, stages: int) -> LeafCost:
    """A sum of so many products, from those of one and of two."""
    more = lanes - 1
    levels = math.ceil(math.log2(lanes)) * XOR_DELAY / stages
    return LeafCost(
        xor_ge=one.xor_ge + more * (two.xor_ge - one.xor_ge),
        gate_ge=one.gate_ge + more * (two.gate_ge - one.gate_ge),
        mux_ge=0.0,
        registers=one.registers + more * (two.registers - one.registers),
        period_ta=one.period_ta + levels,
        first_ta=one.first_ta + levels,
    )


def stored_product_cost(scheme: str, lanes: int, stages: int) -> LeafCost:
    """gf128_dot_stored: the sum of so many products whose keys are evaluated already."""
    one = _from_circuit("stored", scheme, 1, stages)
    if lanes == 1:
        return one
    return _summed(one, _from_circuit("stored", scheme, 2, stages), lanes, stages)


def key_cost(scheme: str, stages: int) -> LeafCost:
    """gf128_key: what evaluates a key."""
    return _from_circuit("key", scheme, 1, stages)


def residues_cost() -> LeafCost:
    """gf128_residues: the residues of a block."""
    return _from_circuit("residues", "", 1, 1)


def from_residues_cost(lanes: int) -> LeafCost:
    """gf128_from_residues: what the tables of so many lanes give, put together."""
    return _from_circuit("from_residues", "", lanes, 1)


def squares_cost(variant: str) -> LeafCost:
    """The squarers of ghash=log_tail, as cascade3 or parallel2."""
    return _squares(variant)


@cache
def _sbox(variant: str, stages: int, tail: int, slack: int) -> LeafCost:
    from gcmforge.leaf import sbox

    circuit = sbox(variant).circuit
    if variant in MEMORY_SBOXES:  # whole in its first stage; in cells it is multiplexers
        whole = _cost(circuit, 1, 0.0)
        return replace(whole, registers=8.0 * (stages - 1))
    return _cost(circuit, stages, tail / 100, head_ta=SBOX_HEAD, margin=slack / 100)


@cache
def _column(variant: str) -> LeafCost:
    from gcmforge.leaf import mix_columns

    return _cost(mix_columns(variant).circuit, 1, 0.0)


@cache
def _squares(variant: str) -> LeafCost:
    from gcmforge.leaf import squares

    return _cost(squares(variant).circuit, 1, 0.0)


@cache
def _product(scheme: str, lanes: int, stages: int, head_ta: float) -> LeafCost:
    kept = None if head_ta else _shipped().get(f"{scheme} {lanes} {stages}")
    if kept is None:
        asked = scheme, lanes, stages, head_ta
        key = digest("leaf cost", program_digest(), *map(str, asked))
        kept = cached("leaf_cost", key, lambda: asdict(make_product(*asked)))
    return LeafCost(**kept)


@cache
def _from_circuit(leaf: str, scheme: str, lanes: int, stages: int) -> LeafCost:
    """Of a leaf that is not kept with the library; made once on a machine."""
    asked = (leaf, scheme, lanes, stages)
    key = digest("leaf cost", program_digest(), *map(str, asked))
    return LeafCost(**cached("leaf_cost", key, lambda: asdict(_made(*asked))))


def _made(leaf: str, scheme: str, lanes: int, stages: int) -> LeafCost:
    from gcmforge.leaf import from_residues, key, residues, stored_dot

    makers: dict[str, Callable[[], Leaf]] = {
        "stored": lambda: stored_dot(scheme, lanes),
        "key": lambda: key(scheme),
        "residues": residues,
        "from_residues": lambda: from_residues(lanes),
    }
    tail = DOT_TAIL if leaf == "stored" and stages > 1 else 0.0
    return _cost(makers[leaf]().circuit, stages, tail)


def make_product(scheme: str, lanes: int, stages: int, head_ta: float = 0.0) -> LeafCost:
    """From the circuit itself; takes seconds for many stages."""
    from gcmforge.leaf import dot

    tail = DOT_TAIL if stages > 1 else 0.0
    return _cost(dot(scheme, lanes).circuit, stages, tail, head_ta=head_ta)


def _cost(
    circuit: Circuit, stages: int, tail_ta: float, *, head_ta: float = 0.0, margin: float = 0.0
) -> LeafCost:
    from gcmforge.circuit import cost, pipeline
    from gcmforge.circuit.cost import GE
    from gcmforge.circuit.ir import Op
    from gcmforge.circuit.pipeline import stage_delays

    count = cost(circuit)
    xor_ge = GE[Op.XOR] * count.xor + GE[Op.XNOR] * count.xnor
    mux_ge = GE[Op.MUX] * count.mux
    plain = LeafCost(
        xor_ge=xor_ge,
        gate_ge=count.ge - xor_ge - mux_ge,
        mux_ge=mux_ge,
        registers=0,
        period_ta=count.delay + tail_ta,
        first_ta=count.delay + tail_ta,
    )
    if stages == 1:
        return plain
    cut = pipeline(circuit, stages, tail_ta, head_delay=head_ta, margin=margin)
    return replace(
        plain, registers=cut.registers, period_ta=cut.period, first_ta=stage_delays(cut)[0]
    )


@cache
def _shipped() -> dict[str, dict[str, float]]:
    import json

    file = files("gcmforge.leaf") / "data" / DATA
    found: dict[str, dict[str, float]] = json.loads(file.read_text()) if file.is_file() else {}
    return found


SHIPPED_STAGES = {
    **dict.fromkeys(MULTIPLIERS, 3),
    **dict.fromkeys(["ko2", "ko4", "ko5", "ko6", "ko4_small", "ko5_small", "mixed_15_small"], 4),
}
"""Stages up to which costs are kept with the library: those of every core that the estimates are
calibrated with, so that the first estimate on a machine does not wait for circuits."""


def shippable() -> Iterator[tuple[str, int, int]]:
    """(scheme, lanes, stages) of every product whose cost is kept with the library."""
    for scheme in MULTIPLIERS:
        for lanes in (1, 2):
            for stages in range(1, SHIPPED_STAGES[scheme] + 1):
                yield scheme, lanes, stages
