# SPDX-License-Identifier: Apache-2.0
"""What `gcmforge sbox` shows: the figures of an S-box and those of the paper."""

import textwrap
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gcmforge.circuit import Circuit, Cost, Proof, cost, pipeline, pipeline_ge, prove
from gcmforge.leaf.published import PUBLISHED_SBOXES, SboxRow
from gcmforge.leaf.sbox import PAPER_ROW, sbox_leaf

MOST_STAGES = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Cut:
    """An S-box in so many stages: its slowest stage, registers between stages, area with them."""

    stages: int
    period_ta: float
    register_bits: int
    area_ge: float


@dataclass(frozen=True, kw_only=True, slots=True)
class SboxFigures:
    """One S-box of the library."""

    name: str
    source: str
    notes: tuple[str, ...]
    cost: Cost
    cuts: tuple[Cut, ...]
    paper: SboxRow | None
    proof: Proof

    def to_mapping(self) -> dict[str, Any]:
        """For JSON; Mozaffari 2012's row is null where it has none."""
        counted = asdict(self.cost)
        area_ge, delay_ta = counted.pop("ge"), counted.pop("delay")
        path = {"t_a": counted.pop("depth_and"), "t_x": counted.pop("depth_xor")}
        return {
            "name": self.name,
            "source": self.source,
            "notes": list(self.notes),
            "gates": {kind.rstrip("_"): n for kind, n in counted.items()},
            "area_ge": area_ge,
            "delay_ta": delay_ta,
            "slowest_path": path,
            "stages": [asdict(cut) for cut in self.cuts],
            "mozaffari_2012": None if self.paper is None else asdict(self.paper),
            "proof": {
                "kind": self.proof.kind,
                "passed": self.proof.passed,
                "cases": self.proof.cases,
            },
        }


def sbox_figures(name: str, most_stages: int = MOST_STAGES) -> SboxFigures:
    """Make an S-box, count it, cut it, and prove it for all 256 inputs."""
    leaf = sbox_leaf(name)
    most_stages = 1 if leaf.as_memory else most_stages  # where a memory is cut, nobody chooses
    return SboxFigures(
        name=name,
        source=leaf.source,
        notes=leaf.notes,
        cost=cost(leaf.circuit),
        cuts=tuple(_cut(leaf.circuit, stages) for stages in range(1, most_stages + 1)),
        paper=PUBLISHED_SBOXES[PAPER_ROW[name]] if name in PAPER_ROW else None,
        proof=prove(leaf.circuit, leaf.spec, leaf.proof_kind),
    )


def _cut(circuit: Circuit, stages: int) -> Cut:
    pipelined = pipeline(circuit, stages)
    return Cut(
        stages=stages,
        period_ta=pipelined.period,
        register_bits=pipelined.registers,
        area_ge=pipeline_ge(pipelined),
    )


# ---- as text, at most 100 columns

_HEAD = (
    f"{'':24}{'':>8}{'delay':>8} {'slowest':8}{'gates':^28}{'proof':>7}{'Mozaffari 2012':>16}\n"
    f"{'sbox':24}{'GE':>8}{'T_A':>8} {'path':8}{'XOR':>5}{'AND':>5}{'NAND':>6}{'MUX':>5}{'NOT':>5}"
    f"{'':2}{'':>7}{'GE':>9}{'ns':>7}"
)


def sbox_table(rows: Sequence[SboxFigures]) -> str:
    """One line an S-box."""
    lines = [_HEAD, *map(_line, rows)]
    lines.append(
        "XOR counts XNOR, AND counts OR, NAND counts NOR. GE: NAND 1, AND 1.25, NOT 0.75, MUX 2, "
        "XOR 2.25;\ndelay: XOR and MUX 1.99 T_A. Mozaffari 2012: Table 1, STM 65 nm. More of one: "
        "gcmforge sbox NAME"
    )
    return "\n".join(lines)


def _line(row: SboxFigures) -> str:
    c = row.cost
    paper = f"{row.paper.area_ge:9.1f}{row.paper.delay_ns:7.2f}" if row.paper else ""
    return (
        f"{row.name:24}{c.ge:8.2f}{c.delay:8.2f} {c.path:8}{c.xor + c.xnor:5}{c.and_ + c.or_:5}"
        f"{c.nand + c.nor:6}{c.mux:5}{c.not_:5}  {'proven' if row.proof.passed else 'FAILED':>7}"
        f"{paper}"
    ).rstrip()


def _wrapped(note: str) -> list[str]:
    return textwrap.wrap(note, 100, initial_indent=" " * 11, subsequent_indent=" " * 13)


def sbox_details(row: SboxFigures) -> str:
    """All that is known of one S-box."""
    lines = [
        row.name,
        f"  source   {row.source}",
        *(line for note in row.notes for line in _wrapped(note)),
        f"  gates    {row.cost.summary()}",
    ]
    for cut in row.cuts:
        head = "stages" if cut.stages == 1 else ""
        lines.append(
            f"  {head:6}   {cut.stages}: slowest {cut.period_ta:.2f} T_A, {cut.register_bits} "
            f"register bits, {cut.area_ge:,.2f} GE with them"
        )
    if row.paper and row.paper.average_uw is not None:
        change = row.paper.peak_transition
        where = f" at {change[0]:02X} -> {change[1]:02X}" if change else ""
        lines.append(
            f"  power    Mozaffari 2012 Table 2: {row.paper.average_uw} uW on average, peak "
            f"{row.paper.peak_mw} mW{where}"
        )
    verdict = "equal to FIPS 197 for" if row.proof.passed else f"FAILED ({row.proof.detail}) of"
    lines.append(f"  proof    circuit {verdict} all {row.proof.cases} inputs")
    lines.append(f"           its text too: gcmforge prove aes_sbox/{row.name}")
    lines.append(f"  use      gcmforge build --set sbox={row.name} --out core")
    return "\n".join(lines)
