# SPDX-License-Identifier: Apache-2.0
"""What GHASH of q lanes and p stages costs in GE: `dot` and `aggregated`, part by part.

python bench/ghash_area.py [--json] [--lanes 1 4 8] [--stages 1 2] [--contexts 1]
[--multipliers ko6]: the products are counted in their circuits, cut into stages as a core has them;
all else is the engine's own text mapped on `ge`, with products that are left out of the figure.

--beside: only what there is beside the products of the lanes: in `dot` the registers, tables and
the multiplier of the running sums, in `aggregated` the registers and the choice of powers. The
lanes' products could be of either kind in both.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from gcmforge.circuit import cost
from gcmforge.circuit.cost import GE_DFF, pipeline_ge
from gcmforge.config import CoreConfig
from gcmforge.emit.leaves import leaf_modules, leaf_pipeline
from gcmforge.emit.rtl import gather, handwritten
from gcmforge.emit.texts import gcm_ghash
from gcmforge.netlist.targets import find_target
from gcmforge.synth.synthesis import synthesise

STUB = """\
module {module} (
  input  logic clk,
  input  logic [{top}:0] a_i,
  input  logic [{top}:0] b_i,
  output logic [127:0] c_o
);
  logic [{top}:0] both_q;
  always_ff @(posedge clk) both_q <= a_i ^ b_i;
  always_comb begin
    c_o = '0;
    for (int l = 0; l < {lanes}; l++) c_o = c_o ^ both_q[128*l+:128];
  end
endmodule
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Area:
    """One engine; areas in GE, flip-flops at 5.5 GE each counted in both *_registers."""

    architecture: str
    lanes: int
    stages: int
    contexts: int
    multiplier: str
    products: int
    """How many of its leaf there are."""
    product_gates_ge: float
    product_registers: int
    other_gates_ge: float
    other_registers: int
    depth: str
    """Of the leaf."""

    @property
    def total_ge(self) -> float:
        registers = self.product_registers + self.other_registers
        return self.product_gates_ge + self.other_gates_ge + GE_DFF * registers

    @property
    def ge_per_lane(self) -> float:
        return self.total_ge / self.lanes


@dataclass(frozen=True, kw_only=True, slots=True)
class Beside:
    """An engine without the products; and how many of them it has, of which leaf."""

    module: str
    products: int
    gates_ge: float
    registers: int


def beside(config: CoreConfig) -> Beside:
    """The GHASH of that configuration without its products."""
    (module,) = {"gf128_mul", "gf128_dot"} & {*leaf_modules(config)}
    lanes = config.lanes if module == "gf128_dot" else 1
    stub = STUB.format(module=module, top=128 * lanes - 1, lanes=lanes)
    written = {name: path.read_text() for name, path in handwritten().items()}
    generated = {"gcm_ghash": lambda: gcm_ghash(config), module: lambda: stub}
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, text in gather("gcm_ghash", generated, written).items():
            files.append(Path(folder) / f"{name}.sv")
            files[-1].write_text(text)
        found = synthesise(files, find_target("ge"), top="gcm_ghash", effort="quick", jobs=1)
    leaf = found.modules[module]
    registers = found.flip_flops - leaf.instances * leaf.flip_flops
    return Beside(
        module=module,
        products=leaf.instances,
        gates_ge=found.area_ge - leaf.instances * leaf.area_ge - GE_DFF * registers,
        registers=registers,
    )


def area(config: CoreConfig) -> Area:
    """The GHASH of that configuration."""
    other = beside(config)
    pipelined = leaf_pipeline(config, other.module)
    counted = cost(pipelined.circuit)
    return Area(
        architecture=config.ghash,
        lanes=config.lanes,
        stages=config.ghash_stages,
        contexts=config.contexts,
        multiplier=config.multiplier,
        products=other.products,
        product_gates_ge=other.products * counted.ge,
        product_registers=other.products * pipelined.registers,
        other_gates_ge=other.gates_ge,
        other_registers=other.registers,
        depth=counted.path,
    )


def beside_the_lanes(config: CoreConfig) -> tuple[float, float]:
    """GE beside the lanes' products: of the engine itself, and of multipliers that no lane has."""
    other = beside(config)
    more = other.products - (1 if other.module == "gf128_dot" else config.lanes)
    own = other.gates_ge + GE_DFF * other.registers
    return own, more * pipeline_ge(leaf_pipeline(config, other.module)) if more else 0.0


def configurations(asked: argparse.Namespace) -> Iterator[CoreConfig]:
    for contexts in asked.contexts:
        for lanes in asked.lanes:
            for stages in asked.stages:
                for multiplier in asked.multipliers:
                    for ghash in asked.architectures:
                        yield CoreConfig(
                            lanes=lanes, ghash_stages=stages, contexts=contexts,
                            multiplier=multiplier, ghash=ghash,
                        )  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lanes", type=int, nargs="+", default=[1, 4, 8])
    parser.add_argument("--stages", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--contexts", type=int, nargs="+", default=[1])
    parser.add_argument("--multipliers", nargs="+", default=["ko6"])
    parser.add_argument("--architectures", nargs="+", default=["dot", "aggregated"])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--beside", action="store_true")
    asked = parser.parse_args()
    if asked.beside:
        for config in configurations(asked):
            own, more = beside_the_lanes(config)
            print(
                f"{config.ghash:12} {config.lanes:3} {config.ghash_stages:2} {config.contexts:2} "
                f"{own + more:10,.0f} = {own:8,.0f} + {more:6,.0f}", flush=True,
            )  # fmt: skip
        return 0
    rows = []
    if not asked.json:
        print("architecture   q  p  C  multiplier   GE/lane = gates of products + other gates"
              " + flip-flops in products + others, a lane", flush=True)  # fmt: skip
    for config in configurations(asked):
        row = area(config)
        rows.append(asdict(row) | {"total_ge": row.total_ge, "ge_per_lane": row.ge_per_lane})
        if not asked.json:
            print(line(row), flush=True)
    if asked.json:
        print(json.dumps({"rows": rows}, indent=2))
    return 0


def line(row: Area) -> str:
    parts = (
        row.product_gates_ge, row.other_gates_ge, GE_DFF * row.product_registers,
        GE_DFF * row.other_registers,
    )  # fmt: skip
    each = " + ".join(f"{part / row.lanes:6,.0f}" for part in parts)
    return (
        f"{row.architecture:12} {row.lanes:3} {row.stages:2} {row.contexts:2}  {row.multiplier:11} "
        f"{row.ge_per_lane:8,.0f} = {each}  {row.products} x {row.depth}"
    )


if __name__ == "__main__":
    sys.exit(main())
