# SPDX-License-Identifier: Apache-2.0
"""What GHASH costs: every architecture with every multiplier, counted, or mapped part by part.

    python bench/ghash.py                        the table of counts, with the papers' laws
    python bench/ghash.py --lanes 4 8 --stages 1 2 --multipliers ko4_small fft
    python bench/ghash.py --mapped --lanes 1 4 8 --multipliers ko5_small ko6
    python bench/ghash.py --around --architectures dot aggregated --multipliers ko6
    python bench/ghash.py --json                 any of the first three as JSON, {"rows": [...]}

AND and XOR are those of the multipliers and of the sums outside them (NAND counts as AND, XNOR as
XOR; area NAND 1, AND 1.25, XOR 2.25 GE), without multiplexers and control; "key stored" is the area
with the key's side kept in evaluated form, in key_bits_stored bits a lane.  Depth is that of the
multiplier, or of the sum of products.  Registers are all flip-flops of the engine for one key, its
powers of H and the multipliers' stages included; Yosys counts them in the engine's SystemVerilog.

Cycles are those from the first beat of a packet (its text, and the length block) to its digest, by
the law of the engine's descriptor, which tests/laws holds to simulation. They are exact but for
shared_reduction, where a packet of fewer beats than stages has its digest earlier; the paper's are
by the paper's law, which counts from the first product.

--mapped: GE of the whole engine. The products are counted in their circuits, cut into stages as a
core has them; all else, multiplexers and control too, is the engine's own text mapped on `ge`.
--around: the same, but only what there is around the products of the lanes: in `dot` the registers,
tables and the multiplier of the running sums, in `aggregated` the registers and the choice of
powers. The lanes' products could be of either kind in both.
"""

import argparse
import itertools
import json
import math
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from gcmforge.circuit import cost, pipeline
from gcmforge.circuit.cost import GE_DFF, pipeline_ge
from gcmforge.config import MULTIPLIERS, CoreConfig
from gcmforge.config.engine import GhashEngine
from gcmforge.config.installed import ghash_engine
from gcmforge.emit.leaves import leaf_modules, leaf_pipeline
from gcmforge.emit.package import gcm_pkg
from gcmforge.emit.parts import parts as bound_parts
from gcmforge.emit.rtl import gather, handwritten
from gcmforge.emit.texts import gcm_ghash
from gcmforge.leaf import dot, key, multiplier, squares, stored_dot
from gcmforge.leaf.reduction import DEGREE
from gcmforge.leaf.scheme import TABLE_5
from gcmforge.netlist.targets import find_target
from gcmforge.study.searches.parts import area, gates_of, parts
from gcmforge.synth.synthesis import synthesise
from gcmforge.tools import run_yosys

PACKETS = (64, 1_500, 9_000)
"""Bytes of text; no additional data."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Architecture:
    """An engine, and its paper's law over q lanes, p stages and n blocks."""

    name: str
    paper: str = ""
    shared: bool = False
    """One gf128_dot, and not so many gf128_mul."""
    paper_cycles: Callable[[int, int, int], float | None] = lambda q, p, n: None
    """(q, p, n): the paper's own law."""
    stored: bool = False
    """The lanes' keys are kept in evaluated form; one gf128_mul takes the running sums."""
    least_lanes: int = 1
    options: Mapping[str, str] = field(default_factory=dict)
    """Without which a configuration refuses it."""

    @property
    def engine(self) -> GhashEngine:
        return ghash_engine(self.name)

    @property
    def staged(self) -> bool:
        return self.engine.staged

    @property
    def most_lanes(self) -> int:
        return 1 if self.engine.one_block else 16


ARCHITECTURES = (
    Architecture(name="serial", paper="Yang 2005, section 3.2", paper_cycles=lambda q, p, n: n),
    Architecture(
        name="serial_length_first", paper="Yang 2005, eq. (3); not GCM",
        paper_cycles=lambda q, p, n: n, options={"iv": "96", "tags_not_of_gcm": "yes"},
    ),
    Architecture(
        name="interleaved", paper="Satoh 2007, eq. (6)", least_lanes=2,
        paper_cycles=lambda q, p, n: math.ceil(n / q) + q - 1,
    ),
    Architecture(
        name="log_tail", paper="Mozaffari 2012, Table 3", least_lanes=2,
        paper_cycles=lambda q, p, n: math.ceil(n / q) + round(math.log2(q)),
    ),
    Architecture(
        name="dot", paper="Satoh 2007, eq. (7)", paper_cycles=lambda q, p, n: math.ceil(n / q)
    ),
    Architecture(name="evaluated", shared=True, stored=True),
    Architecture(
        name="shared_reduction", paper="Abdellatif 2012, eq. (6)", shared=True,
        paper_cycles=lambda q, p, n: math.ceil(n / q) + p,
    ),
    Architecture(name="aggregated", shared=True),
)  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One engine with one multiplier; areas in GE a lane."""

    architecture: str
    multiplier: str
    lanes: int
    stages: int
    and_: int
    xor: int
    depth: str
    ge_per_lane: float
    ge_per_lane_key_stored: float
    key_bits_stored: int
    registers: int
    cycles_64: int
    cycles_1500: int
    cycles_9000: int
    paper: str
    paper_ge_per_lane: float | None
    paper_depth: str | None
    paper_cycles_64: float | None
    paper_cycles_1500: float | None
    paper_cycles_9000: float | None


# ---- an engine -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Engine:
    """What Yosys finds outside the leaves."""

    flip_flops: int
    xors: int
    multipliers: int


@cache
def engine(name: str, lanes: int, stages: int, key_bits: int = 0) -> Engine:
    """The SystemVerilog of an engine for one key, the leaves left out; key_bits are those of an
    evaluated key, where it keeps such keys."""
    config = CoreConfig(lanes=lanes, ghash_stages=stages, contexts=1)
    stubs = {
        "gf128_mul": _stub("gf128_mul", 1),
        "gf128_dot": _stub("gf128_dot", lanes),
        "gf128_squares": _squares_stub(lanes),
        **(_stored_stubs(lanes, key_bits) if key_bits else {}),
        "gcm_pkg": gcm_pkg(config),
    }
    top = f"ghash_{name}"
    with tempfile.TemporaryDirectory(prefix="gcmforge-") as folder:
        written = _written(top, stubs, bound_parts(config), Path(folder))
        files = " ".join(path.name for path in written)
        parameters = {"Lanes": lanes, "Stages": stages, "Contexts": 1}
        if _by_name(name).most_lanes == 1:
            del parameters["Lanes"]
        if not _by_name(name).staged:
            del parameters["Stages"]
        if key_bits:
            parameters["KeyBits"] = key_bits
        chosen = " ".join(f"-set {key} {value}" for key, value in parameters.items())
        run_yosys(
            [
                f"read_verilog -sv {files}",
                f"chparam {chosen} {top}",
                f"hierarchy -check -top {top}",
                "proc",
                "flatten",
                "opt -full",
                "memory_collect",
                "memory_map",
                "opt_clean",
                "simplemap",
                "opt_merge",
                "opt_clean",
                "write_json engine.json",
            ],
            time_limit_s=300,
            cwd=Path(folder),
        )
        design = json.loads((Path(folder) / "engine.json").read_text("utf-8"))
    kinds = Counter(cell["type"] for cell in design["modules"][top]["cells"].values())
    return Engine(
        flip_flops=sum(n for kind, n in kinds.items() if "DFF" in kind),
        xors=kinds["$_XOR_"] + kinds["$_XNOR_"],
        multipliers=kinds["gf128_mul"] + kinds["gf128_dot"] + kinds["gf128_dot_stored"],
    )


def _written(
    top: str, texts: Mapping[str, str], made: Mapping[str, Callable[[], str]], folder: Path
) -> list[Path]:
    """Files of `top` and of all that it needs, in the folder; `texts` are those of other modules
    than the hand-written ones, `made` makes the parts that a configuration chooses."""
    written = {name: path.read_text("utf-8") for name, path in handwritten().items()}
    files = []
    for name, text in gather(top, made, {**written, **texts}).items():
        files.append(folder / f"{name}.sv")
        files[-1].write_text(text, encoding="utf-8")
    return files


def _stub(module: str, lanes: int) -> str:
    width = lanes * DEGREE
    return (
        f"(* blackbox *) module {module} (input logic clk, input logic [{width - 1}:0] a_i, "
        f"input logic [{width - 1}:0] b_i, output logic [{DEGREE - 1}:0] c_o); endmodule"
    )


def _stored_stubs(lanes: int, key_bits: int) -> dict[str, str]:
    return {
        "gf128_dot_stored": f"(* blackbox *) module gf128_dot_stored (input logic clk, "
        f"input logic [{lanes * DEGREE - 1}:0] a_i, input logic [{lanes * key_bits - 1}:0] k_i, "
        f"output logic [{DEGREE - 1}:0] c_o); endmodule",
        "gf128_key": f"(* blackbox *) module gf128_key (input logic clk, "
        f"input logic [{DEGREE - 1}:0] a_i, output logic [{key_bits - 1}:0] k_o); endmodule",
    }


def _squares_stub(lanes: int) -> str:
    width = DEGREE * max(1, round(math.log2(lanes)))
    return (
        f"(* blackbox *) module gf128_squares (input logic [{DEGREE - 1}:0] a_i, "
        f"output logic [{width - 1}:0] c_o); endmodule"
    )


def _by_name(name: str) -> Architecture:
    return next(one for one in ARCHITECTURES if one.name == name)


def row(architecture: Architecture, variant: str, lanes: int, stages: int) -> Row:
    """All figures of one engine with one multiplier."""
    part = parts(variant)
    found = engine(architecture.name, lanes, stages, part.key_bits * architecture.stored)
    products = lanes + architecture.stored if architecture.shared else found.multipliers
    tails = 1 + architecture.stored if architecture.shared else products
    keys = 2 if architecture.stored else products
    outside = found.xors + (lanes - 1) * part.width * architecture.shared
    if architecture.name == "log_tail":
        outside += gates_of(squares(f"cascade{round(math.log2(lanes))}").circuit)[1]
    gates = [
        products * (part.evaluate[i] + part.products[i])
        + keys * part.evaluate_key[i]
        + tails * part.combine[i]
        + i * outside
        for i in (0, 1)
    ]
    total = area((gates[0], gates[1]), part.nands)
    stored = total - (0 if architecture.stored else keys) * area(part.evaluate_key, part.nands)
    extra_levels = math.ceil(math.log2(lanes)) if architecture.shared else 0
    steps = int(variant[2]) if variant.startswith("ko") and variant[2] < "7" else 0
    karatsuba = variant.startswith("ko") and steps
    printed = TABLE_5[steps] if karatsuba or variant in ("quadratic", "mastrovito") else None
    cycles = [_cycles(architecture, lanes, stages, size) for size in PACKETS]
    theirs = [architecture.paper_cycles(lanes, stages, _blocks(size)) for size in PACKETS]
    return Row(
        architecture=architecture.name,
        multiplier=variant,
        lanes=lanes,
        stages=stages,
        and_=gates[0],
        xor=gates[1],
        depth=f"A+{part.whole.depth_xor + extra_levels}X",
        ge_per_lane=round(total / lanes, 2),
        ge_per_lane_key_stored=round(stored / lanes, 2),
        key_bits_stored=part.key_bits,
        registers=found.flip_flops + _stage_registers(architecture, variant, lanes, stages, found),
        cycles_64=cycles[0],
        cycles_1500=cycles[1],
        cycles_9000=cycles[2],
        paper=architecture.paper,
        paper_ge_per_lane=printed[0] if printed else None,
        paper_depth=f"A+{printed[1]}X" if printed else None,
        paper_cycles_64=theirs[0],
        paper_cycles_1500=theirs[1],
        paper_cycles_9000=theirs[2],
    )


def _blocks(size: int) -> int:
    return math.ceil(size / 16) + 1


def _cycles(architecture: Architecture, lanes: int, stages: int, size: int) -> int:
    """By the law of the engine's descriptor. A message that the next one waits for less than for
    the longest tail has its own digest as much earlier."""
    engine = architecture.engine
    config = CoreConfig(
        ghash=architecture.name, lanes=lanes, ghash_stages=stages, contexts=1,
        **architecture.options,
    )  # fmt: skip
    waits = [engine.wait_cycles(config, text) for text in range(2 * lanes)]
    blocks = _blocks(size)
    earlier = max(waits) - engine.wait_cycles(config, blocks - 1)
    return math.ceil(blocks / lanes) - 1 + engine.latency_cycles(config) - earlier


@cache
def _leaf_registers(variant: str, lanes: int, stages: int) -> int:
    leaf = dot(variant, lanes) if lanes else multiplier(variant)
    return pipeline(leaf.circuit, stages).registers


def _stage_registers(
    architecture: Architecture, variant: str, lanes: int, stages: int, found: Engine
) -> int:
    if stages == 1:
        return 0
    if architecture.stored:
        shared = (stored_dot(variant, lanes), key(variant), multiplier(variant))
        return sum(pipeline(leaf.circuit, stages).registers for leaf in shared)
    if architecture.shared:
        return _leaf_registers(variant, lanes, stages)
    return found.multipliers * _leaf_registers(variant, 0, stages)


def rows(
    multipliers: Iterable[str],
    lane_counts: Iterable[int],
    stage_counts: Iterable[int],
    architectures: Iterable[str] = tuple(one.name for one in ARCHITECTURES),
) -> Iterator[Row]:
    for architecture in map(_by_name, architectures):
        fits = [q for q in lane_counts if architecture.least_lanes <= q <= architecture.most_lanes]
        for lanes in fits or [1] * (architecture.most_lanes == 1):
            for stages in stage_counts if architecture.staged else (1,):
                for variant in multipliers:
                    yield row(architecture, variant, lanes, stages)


# ---- mapped, part by part --------------------------------------------------------------------

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
class Mapped:
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
class Around:
    """An engine without the products; and how many of them it has, of which leaf."""

    module: str
    products: int
    gates_ge: float
    registers: int


def around(config: CoreConfig) -> Around:
    """The GHASH of that configuration without its products."""
    (module,) = {"gf128_mul", "gf128_dot"} & {*leaf_modules(config)}
    lanes = config.lanes if module == "gf128_dot" else 1
    stub = STUB.format(module=module, top=128 * lanes - 1, lanes=lanes)
    texts = {"gcm_ghash": gcm_ghash(config), module: stub}
    with tempfile.TemporaryDirectory(prefix="gcmforge-") as folder:
        files = _written("gcm_ghash", texts, bound_parts(config), Path(folder))
        found = synthesise(files, find_target("ge"), top="gcm_ghash", effort="quick", jobs=1)
    leaf = found.modules[module]
    registers = found.flip_flops - leaf.instances * leaf.flip_flops
    return Around(
        module=module,
        products=leaf.instances,
        gates_ge=found.area_ge - leaf.instances * leaf.area_ge - GE_DFF * registers,
        registers=registers,
    )


def mapped(config: CoreConfig) -> Mapped:
    """The GHASH of that configuration."""
    other = around(config)
    pipelined = leaf_pipeline(config, other.module)
    counted = cost(pipelined.circuit)
    return Mapped(
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


def around_the_lanes(config: CoreConfig) -> tuple[float, float]:
    """GE around the lanes' products: of the engine itself, and of multipliers that no lane has."""
    other = around(config)
    more = other.products - (1 if other.module == "gf128_dot" else config.lanes)
    own = other.gates_ge + GE_DFF * other.registers
    return own, more * pipeline_ge(leaf_pipeline(config, other.module)) if more else 0.0


def configurations(asked: argparse.Namespace) -> Iterator[CoreConfig]:
    for contexts, lanes, stages, variant, name in itertools.product(
        asked.contexts, asked.lanes, asked.stages, asked.multipliers, asked.architectures
    ):
        if _by_name(name).least_lanes <= lanes <= _by_name(name).most_lanes:
            yield CoreConfig(
                lanes=lanes, ghash_stages=stages, contexts=contexts, multiplier=variant, ghash=name
            )


# ---- printing ------------------------------------------------------------------------------------


def show(found: Iterable[Row], console: Console) -> None:
    columns = (
        "architecture", "multiplier", "q", "p", "AND", "XOR", "depth", "GE a lane", "key stored",
        "registers", "64 B", "1,500 B", "9,000 B", "paper", "its cycles", "its GE", "its depth",
    )  # fmt: skip
    table = Table(*columns, title="GHASH engines; cycles from the first beat to the digest")
    for one in found:
        theirs = (one.paper_cycles_64, one.paper_cycles_1500, one.paper_cycles_9000)
        table.add_row(
            one.architecture, one.multiplier, str(one.lanes), str(one.stages),
            f"{one.and_:,}", f"{one.xor:,}", one.depth, f"{one.ge_per_lane:,.0f}",
            f"{one.ge_per_lane_key_stored:,.0f}", f"{one.registers:,}", str(one.cycles_64),
            str(one.cycles_1500), str(one.cycles_9000), one.paper,
            "" if theirs[0] is None else " / ".join(map(str, theirs)),
            "" if one.paper_ge_per_lane is None else f"{one.paper_ge_per_lane:,.0f}",
            one.paper_depth or "",
        )  # fmt: skip
    console.print(table)


def line(row: Mapped) -> str:
    parts = (
        row.product_gates_ge, row.other_gates_ge, GE_DFF * row.product_registers,
        GE_DFF * row.other_registers,
    )  # fmt: skip
    each = " + ".join(f"{part / row.lanes:6,.0f}" for part in parts)
    return (
        f"{row.architecture:12} {row.lanes:3} {row.stages:2} {row.contexts:2}  {row.multiplier:11} "
        f"{row.ge_per_lane:8,.0f} = {each}  {row.products} x {row.depth}"
    )


def show_mapped(configs: Iterable[CoreConfig]) -> None:
    """A line as soon as it is known: mapping takes a while."""
    print("architecture   q  p  C  multiplier   GE/lane = gates of products + other gates"
          " + flip-flops in products + others, a lane", flush=True)  # fmt: skip
    for config in configs:
        print(line(mapped(config)), flush=True)


def show_around(configs: Iterable[CoreConfig]) -> None:
    for config in configs:
        own, more = around_the_lanes(config)
        print(
            f"{config.ghash:12} {config.lanes:3} {config.ghash_stages:2} {config.contexts:2} "
            f"{own + more:10,.0f} = {own:8,.0f} + {more:6,.0f}", flush=True,
        )  # fmt: skip


def main() -> int:
    names = [one.name for one in ARCHITECTURES]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--mapped", action="store_true")
    what.add_argument("--around", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--lanes", nargs="+", type=int, default=(4, 8))
    parser.add_argument("--stages", nargs="+", type=int, default=(1,))
    parser.add_argument("--contexts", nargs="+", type=int, default=(1,), help="of --mapped")
    parser.add_argument("--multipliers", nargs="+", choices=MULTIPLIERS, default=MULTIPLIERS)
    parser.add_argument("--architectures", nargs="+", choices=names)
    asked = parser.parse_args()
    by_text = asked.mapped or asked.around
    if asked.architectures is None:
        asked.architectures = ["dot", "aggregated"] if by_text else names
    if by_text and (odd := {"evaluated", "serial_length_first"} & {*asked.architectures}):
        parser.error(f"--mapped and --around do not know {odd.pop()}: leave it out")
    if asked.around:
        show_around(configurations(asked))
    elif asked.json:
        found: Iterable[Row | Mapped] = (
            map(mapped, configurations(asked))
            if asked.mapped
            else rows(asked.multipliers, asked.lanes, asked.stages, asked.architectures)
        )
        json.dump({"rows": [to_mapping(one) for one in found]}, sys.stdout, indent=1)
        print()
    elif asked.mapped:
        show_mapped(configurations(asked))
    else:
        found = rows(asked.multipliers, asked.lanes, asked.stages, asked.architectures)
        show(found, Console(width=220))
    return 0


def to_mapping(one: Row | Mapped) -> dict[str, Any]:
    if isinstance(one, Row):
        return asdict(one)
    return asdict(one) | {"total_ge": one.total_ge, "ge_per_lane": one.ge_per_lane}


if __name__ == "__main__":
    sys.exit(main())
