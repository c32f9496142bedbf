# SPDX-License-Identifier: Apache-2.0
"""Every GHASH architecture with every multiplier, and the papers' figures beside them.

    python bench/ghash.py                        the table
    python bench/ghash.py --json                 the same as JSON, {"rows": [...]}
    python bench/ghash.py --lanes 4 8 --stages 1 2 --multipliers ko4_small fft
    python bench/ghash.py --papers               Mozaffari 2012 Tables 4 and 5, row by row

AND and XOR are those of the multipliers and of the sums outside them (NAND counts as AND, XNOR as
XOR; area NAND 1, AND 1.25, XOR 2.25 GE), without multiplexers and control; "key stored" is the area
with the key's side kept in evaluated form, in key_bits_stored bits a lane.  Depth is that of the
multiplier, or of the sum of products.  Registers are all flip-flops of the engine for one key, its
powers of H and the multipliers' stages included; Yosys counts them in the engine's SystemVerilog.

Cycles are those from the first beat of a packet (its text, and the length block) to its digest, by
the law that stands in the header of the engine and that tests/laws shows to be exact; the paper's
are by the paper's law, which counts from the first product.
"""

import argparse
import json
import math
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from rich.console import Console
from rich.table import Table

from gcmforge.circuit import cost, pipeline
from gcmforge.config import MULTIPLIERS, CoreConfig
from gcmforge.emit.package import gcm_pkg
from gcmforge.emit.rtl import handwritten
from gcmforge.leaf import dot, key, multiplier, squares, stored_dot
from gcmforge.leaf.reduction import DEGREE
from gcmforge.leaf.scheme import TABLE_5
from gcmforge.study.searches.parts import area, gates_of, parts
from gcmforge.tools import run_yosys

PACKETS = (64, 1_500, 9_000)
"""Bytes of text; no additional data."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Architecture:
    """An engine: laws over q lanes, p stages and n blocks, c of them in the last beat."""

    name: str
    paper: str
    shared: bool
    """One gf128_dot, and not so many gf128_mul."""
    latency: Callable[[int, int, int, int], int]
    """(q, p, n, c): cycles from the last beat to the digest."""
    paper_cycles: Callable[[int, int, int], float | None] = lambda q, p, n: None
    """(q, p, n): the paper's own law."""
    staged: bool = False
    stored: bool = False
    """The lanes' keys are kept in evaluated form; one gf128_mul takes the running sums."""
    least_lanes: int = 1
    most_lanes: int = 16


def _interleaved_tail(q: int, n: int, c: int) -> int:
    return max(min(c, q - 1), min(n, q - 1) - 1)


ARCHITECTURES = (
    Architecture(
        name="serial", paper="Yang 2005, section 3.2", shared=False, most_lanes=1,
        latency=lambda q, p, n, c: 2, paper_cycles=lambda q, p, n: n,
    ),
    Architecture(
        name="serial_length_first", paper="Yang 2005, eq. (3); not GCM", shared=False, most_lanes=1,
        latency=lambda q, p, n, c: 2, paper_cycles=lambda q, p, n: n,
    ),
    Architecture(
        name="interleaved", paper="Satoh 2007, eq. (6)", shared=False, least_lanes=2,
        latency=lambda q, p, n, c: _interleaved_tail(q, n, c) + 2,
        paper_cycles=lambda q, p, n: math.ceil(n / q) + q - 1,
    ),
    Architecture(
        name="log_tail", paper="Mozaffari 2012, Table 3", shared=False, least_lanes=2,
        latency=lambda q, p, n, c: round(math.log2(q)) + 2,
        paper_cycles=lambda q, p, n: math.ceil(n / q) + round(math.log2(q)),
    ),
    Architecture(
        name="dot", paper="Satoh 2007, eq. (7)", shared=False, staged=True,
        latency=lambda q, p, n, c: 2 * p + 2, paper_cycles=lambda q, p, n: math.ceil(n / q),
    ),
    Architecture(
        name="evaluated", paper="", shared=True, staged=True, stored=True,
        latency=lambda q, p, n, c: 2 * p + 2,
    ),
    Architecture(
        name="shared_reduction", paper="Abdellatif 2012, eq. (6)", shared=True, staged=True,
        latency=lambda q, p, n, c: min(math.ceil(n / q), p) + p + 1,
        paper_cycles=lambda q, p, n: math.ceil(n / q) + p,
    ),
    Architecture(
        name="aggregated", paper="", shared=True, staged=True,
        latency=lambda q, p, n, c: 2 * p + (q * p >= (16 if p >= 5 else 32)),
    ),
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


# ---- parts of a multiplier -----------------------------------------------------------------------


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
    leaves = [_stub("gf128_mul", 1), _stub("gf128_dot", lanes), _squares_stub(lanes)]
    leaves += _stored_stubs(lanes, key_bits) if key_bits else []
    written = handwritten()
    with tempfile.TemporaryDirectory(prefix="gcmforge-") as folder:
        for source in ("gcm_ram", "ghash_deal", "ghash_sums", f"ghash_{name}"):
            path = written[source]
            (Path(folder) / path.name).write_text(path.read_text("utf-8"), encoding="utf-8")
        package = gcm_pkg(CoreConfig(lanes=lanes, contexts=1))
        (Path(folder) / "gcm_pkg.sv").write_text(package, encoding="utf-8")
        (Path(folder) / "leaves.sv").write_text("\n".join(leaves), encoding="utf-8")
        parameters = {"Lanes": lanes, "Stages": stages, "Contexts": 1}
        if _by_name(name).most_lanes == 1:
            del parameters["Lanes"]
        if not _by_name(name).staged:
            del parameters["Stages"]
        if key_bits:
            parameters["KeyBits"] = key_bits
        chosen = " ".join(f"-set {key} {value}" for key, value in parameters.items())
        top = f"ghash_{name}"
        run_yosys(
            [
                "read_verilog -sv leaves.sv gcm_pkg.sv gcm_ram.sv ghash_deal.sv ghash_sums.sv "
                + f"{top}.sv",
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


def _stub(module: str, lanes: int) -> str:
    width = lanes * DEGREE
    return (
        f"(* blackbox *) module {module} (input logic clk, input logic [{width - 1}:0] a_i, "
        f"input logic [{width - 1}:0] b_i, output logic [{DEGREE - 1}:0] c_o); endmodule"
    )


def _stored_stubs(lanes: int, key_bits: int) -> list[str]:
    return [
        f"(* blackbox *) module gf128_dot_stored (input logic clk, "
        f"input logic [{lanes * DEGREE - 1}:0] a_i, input logic [{lanes * key_bits - 1}:0] k_i, "
        f"output logic [{DEGREE - 1}:0] c_o); endmodule",
        f"(* blackbox *) module gf128_key (input logic clk, input logic [{DEGREE - 1}:0] a_i, "
        f"output logic [{key_bits - 1}:0] k_o); endmodule",
    ]


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
    blocks = _blocks(size)
    beats = math.ceil(blocks / lanes)
    last = blocks - (beats - 1) * lanes
    return beats - 1 + architecture.latency(lanes, stages, blocks, last)


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
    multipliers: Iterable[str], lane_counts: Iterable[int], stage_counts: Iterable[int]
) -> Iterator[Row]:
    for architecture in ARCHITECTURES:
        fits = [q for q in lane_counts if architecture.least_lanes <= q <= architecture.most_lanes]
        for lanes in fits or [1] * (architecture.most_lanes == 1):
            for stages in stage_counts if architecture.staged else (1,):
                for variant in multipliers:
                    yield row(architecture, variant, lanes, stages)


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


def show_papers(console: Console) -> None:
    """Tables 4 and 5 of Mozaffari 2012 beside the leaves here."""
    table = Table(
        "form", "paper, XOR", "depth", "ours, XOR", "depth", title="Table 4: H^2, H^4, H^8"
    )
    for form, printed in (("cascade", (594, 9)), ("parallel", (1_099, 5)), ("hybrid", (1_062, 6))):
        now = cost(squares(f"{form}3").circuit)
        table.add_row(form, f"{printed[0]:,}", str(printed[1]), f"{now.xor:,}", str(now.depth_xor))
    console.print(table)
    table = Table("row", "paper, GE", "depth", "ours, GE", "depth", "multiplier", title="Table 5")
    for steps, (area_ge, depth_xor) in enumerate(TABLE_5):
        name = f"KO{steps}" if steps else "quadratic"
        for variant in MULTIPLIERS:
            same = variant.startswith(f"ko{steps}") if steps else variant in MULTIPLIERS[:3]
            now = cost(multiplier(variant).circuit) if same else None
            if now is not None:
                table.add_row(
                    name, f"{area_ge:,}", f"A+{depth_xor}X", f"{now.ge:,.0f}", now.path, variant
                )
    for variant in MULTIPLIERS:
        if variant.startswith("mixed"):
            now = cost(multiplier(variant).circuit)
            table.add_row("", "", "", f"{now.ge:,.0f}", now.path, variant)
    console.print(table)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--papers", action="store_true")
    parser.add_argument("--lanes", nargs="+", type=int, default=(4, 8))
    parser.add_argument("--stages", nargs="+", type=int, default=(1,))
    parser.add_argument("--multipliers", nargs="+", choices=MULTIPLIERS, default=MULTIPLIERS)
    asked = parser.parse_args()
    console = Console(width=220)
    if asked.papers:
        show_papers(console)
        return 0
    found = list(rows(asked.multipliers, asked.lanes, asked.stages))
    if asked.json:
        json.dump({"rows": [asdict(one) for one in found]}, sys.stdout, indent=1)
        print()
    else:
        show(found, console)
    return 0


if __name__ == "__main__":
    sys.exit(main())
