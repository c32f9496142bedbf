# SPDX-License-Identifier: Apache-2.0
"""Leaves for the simulator: the proven function of a file in place of its thousands of gates.

A C++ compiler needs minutes for the gates of a pipelined core, and simulates them slowly. So each
leaf file of a core is first read by Yosys and proven, gate by gate as it stands there, to compute
its specification with its latency on every path; then the simulator is given a module with the same
ports, latency and function. A file that cannot be proven is simulated as it is, gates and all:
a wrong gate is never hidden. The S-box is not even replaced by its specification: its table is read
out of the file's own gates.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from gcmforge.cache import cached, digest, program_digest
from gcmforge.config import CoreConfig
from gcmforge.config.architecture import dot_lanes
from gcmforge.engines.counting import sbox_stages
from gcmforge.leaf import key_bits
from gcmforge.sim import gadgets
from gcmforge.sim.gadgets import GADGETS, gadget_as_function
from gcmforge.tools import ToolError, yosys_version

if TYPE_CHECKING:
    from gcmforge.circuit import Circuit


@dataclass(frozen=True, kw_only=True, slots=True)
class SimulatedLeaf:
    """How one leaf is simulated: `text` is the module for the simulator, None for the gates;
    `why` is what was proven, or what was not."""

    module: str
    text: str | None
    why: str


def simulated_leaf(source: Path, config: CoreConfig) -> SimulatedLeaf | None:
    """The module to simulate instead of a leaf's file, if it is proven; None for other files.

    What was proven is kept in the cache: many cores have the same leaf.
    """
    if source.stem in GADGETS:
        key, make = _gadget_key(source), lambda: gadget_as_function(source)
    elif source.stem in _LEAVES:
        key, make = _key(source, config), lambda: _proven_leaf(source, config)
    else:
        return None
    try:
        made = cached("simulated", key, make)
    except (ToolError, ValueError) as error:
        return SimulatedLeaf(module=source.stem, text=None, why=f"gates: {error}")
    return SimulatedLeaf(module=source.stem, text=made["text"], why=made["why"])


def with_proven(
    sources: Sequence[Path], config: CoreConfig | None, folder: Path
) -> tuple[list[Path], dict[str, str]]:
    """The sources, with every proven leaf's file replaced by one in the folder when there is a
    configuration; and of each leaf what was proven, or what was not."""
    result, notes = [], {}
    for source in sources:
        leaf = simulated_leaf(source, config) if config is not None else None
        if leaf is not None:
            notes[leaf.module] = leaf.why
        if leaf is not None and leaf.text is not None:
            source = folder / source.name
            source.write_text(leaf.text, encoding="utf-8")
        result.append(source)
    return result, notes


def _gadget_key(source: Path) -> str:
    """The same of a gadget, which no configuration changes."""
    own = Path(gadgets.__file__).read_text(encoding="utf-8")
    text = source.read_text(encoding="utf-8")
    return digest(program_digest(), own, yosys_version(), source.stem, text)


def _key(source: Path, config: CoreConfig) -> str:
    """Everything that decides whether the file is proven and how it is simulated then."""
    kind = _LEAVES[source.stem]
    ports = (kind.inputs(config), kind.output(config), kind.latency(config))
    texts = [file.read_text(encoding="utf-8") for file in _files(source)]
    own = Path(__file__).read_text(encoding="utf-8")
    return digest(program_digest(), own, yosys_version(), source.stem, repr(ports), *texts)


def _proven_leaf(source: Path, config: CoreConfig) -> dict[str, str]:
    """Text and reason of a leaf; ValueError for one that is not proven."""
    kind = _LEAVES[source.stem]
    circuit, why = _proven(source, kind, config)
    return {"text": kind.text(circuit, config), "why": why}


def _proven(source: Path, kind: "_Kind", config: CoreConfig) -> tuple["Circuit", str]:
    """The circuit in the file and what was proven; ValueError if it is wrong."""
    from gcmforge.circuit import prove

    back = whole = _circuit_of(source, source.read_text(encoding="utf-8"), config)
    if source.stem in _KEYED:
        whole = _keyed(*((f, f.read_text(encoding="utf-8")) for f in _files(source)), config)
    proof = prove(whole, kind.specification(), kind.proof)
    if not proof.passed:
        raise ValueError(f"not proven ({proof.detail})")
    return back, f"{proof.kind}: {proof.detail}"


@cache
def _circuit_of(source: Path, text: str, config: CoreConfig) -> "Circuit":
    """The circuit in that text of a leaf's file."""
    from gcmforge.circuit import Builder, read_systemverilog

    kind = _LEAVES[source.stem]
    builder = Builder(source.stem)
    inputs = [builder.input(name, width) for name, width in kind.inputs(config)]
    name, width = kind.output(config)
    builder.output(name, (inputs[0] * (width // len(inputs[0]) + 1))[:width])
    ports = builder.build()
    return read_systemverilog(ports, text, kind.latency(config), controls=kind.controls)


_KEYED = ("gf128_key", "gf128_dot_stored")
"""Leaves that have a meaning only together: either both are simulated as functions or neither."""


def _files(source: Path) -> tuple[Path, ...]:
    """The files that the proof of a leaf is about."""
    if source.stem not in _KEYED:
        return (source,)
    return tuple(source.with_name(f"{module}.sv") for module in _KEYED)


@cache
def _keyed(key: tuple[Path, str], stored: tuple[Path, str], config: CoreConfig) -> "Circuit":
    from gcmforge.leaf.dot import keyed

    return keyed(_circuit_of(*key, config), _circuit_of(*stored, config))


# ---- the leaves ----------------------------------------------------------------------------------

Inputs = tuple[tuple[str, int], ...]
"""Input buses: name, width."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Kind:
    """Ports, proof, latency and simulation text of one kind of leaf."""

    controls: tuple[str, ...]
    inputs: Callable[[CoreConfig], Inputs]
    output: Callable[[CoreConfig], tuple[str, int]]
    proof: str
    latency: Callable[[CoreConfig], int]
    specification: Callable[[], Callable[..., int]]
    text: Callable[["Circuit", CoreConfig], str]


def _sbox_specification() -> Callable[..., int]:
    from gcmforge.leaf import sbox

    return sbox("table").spec


def _mix_columns_specification() -> Callable[..., int]:
    from gcmforge.leaf import mix_columns

    return mix_columns("small").spec


def _multiplier_specification() -> Callable[..., int]:
    from gcmforge.leaf import multiplier

    return multiplier("schoolbook").spec


def _dot_specification() -> Callable[..., int]:
    from gcmforge.leaf.dot import dot_product

    return dot_product


def _sbox_text(circuit: "Circuit", config: CoreConfig) -> str:
    from gcmforge.circuit import call

    latency = sbox_stages(config) - 1
    values = ", ".join(f"8'h{call(circuit, x_i=x)['y_o']:02x}" for x in range(256))
    return f"""\
module aes_sbox (
  input  logic       clk,
  input  logic       en_i,
  input  logic [7:0] x_i,
  output logic [7:0] y_o
);
  localparam logic [7:0] Table [256] = '{{{values}}};
{_delayed("x_i", 8, latency, "if (en_i) ")}
  assign y_o = Table[x_i_{latency}];
endmodule
"""


def _mix_columns_text(_: "Circuit", __: CoreConfig) -> str:
    return """\
module aes_mix_column (
  input  logic [31:0] x_i,
  output logic [31:0] y_o
);
  wire [31:0] next = {x_i[23:0], x_i[31:24]};
  wire [31:0] sum = x_i ^ next;
  wire [31:0] carry = (sum >> 7) & 32'h01010101;
  wire [31:0] twice = ((sum & 32'h7f7f7f7f) << 1) ^ (carry * 32'h1b);
  wire [31:0] far = {next[23:0], next[31:24]};
  assign y_o = twice ^ next ^ far ^ {far[23:0], far[31:24]};
endmodule
"""


def _multiplier_text(_: "Circuit", config: CoreConfig) -> str:
    latency = config.ghash_stages - 1
    return f"""\
module gf128_mul (
  input  logic         clk,
  input  logic [127:0] a_i,
  input  logic [127:0] b_i,
  output logic [127:0] c_o
);
  import "DPI-C" function void gcmforge_gf128_mul(
    input bit [127:0] a, input bit [127:0] b, output bit [127:0] c);
{_delayed("a_i", 128, latency, "")}
{_delayed("b_i", 128, latency, "")}
  always_comb gcmforge_gf128_mul(a_i_{latency}, b_i_{latency}, c_o);
endmodule
"""


def _dot_text(_: "Circuit", config: CoreConfig) -> str:
    return _sum_of_products("gf128_dot", "b_i", 128, config)


def _stored_dot_text(_: "Circuit", config: CoreConfig) -> str:
    """The sum of products of keys that `_key_text` left as they are."""
    return _sum_of_products("gf128_dot_stored", "k_i", key_bits(config.multiplier), config)


def _sum_of_products(module: str, second: str, bits: int, config: CoreConfig) -> str:
    """The second operand has that name and so many bits a lane, the factor in the low 128."""
    lanes, latency = dot_lanes(config), config.ghash_stages - 1
    return f"""\
module {module} (
  input  logic         clk,
  input  logic [{128 * lanes - 1}:0] a_i,
  input  logic [{bits * lanes - 1}:0] {second},
  output logic [127:0] c_o
);
  import "DPI-C" function void gcmforge_gf128_mul(
    input bit [127:0] a, input bit [127:0] b, output bit [127:0] c);
  logic [127:0] product, sum;
  always_comb begin
    sum = '0;
    for (int l = 0; l < {lanes}; l++) begin
      gcmforge_gf128_mul(a_i[128*l+:128], {second}[{bits}*l+:128], product);
      sum = sum ^ product;
    end
  end
{_delayed("sum", 128, latency, "")}
  assign c_o = sum_{latency};
endmodule
"""


def _key_text(_: "Circuit", config: CoreConfig) -> str:
    """The key itself in its low bits: whoever takes it evaluated is simulated as a function."""
    bits, latency = key_bits(config.multiplier), config.ghash_stages - 1
    return f"""\
module gf128_key (
  input  logic         clk,
  input  logic [127:0] a_i,
  output logic [{bits - 1}:0] k_o
);
{_delayed("a_i", 128, latency, "")}
  assign k_o = {bits}'(a_i_{latency});
endmodule
"""


def _delayed(name: str, width: int, latency: int, condition: str) -> str:
    """Signals NAME_0 to NAME_latency, each a clock after the one before."""
    lines = [f"  wire [{width - 1}:0] {name}_0 = {name};"]
    for step in range(1, latency + 1):
        lines.append(f"  logic [{width - 1}:0] {name}_{step};")
        lines.append(f"  always_ff @(posedge clk) {condition}{name}_{step} <= {name}_{step - 1};")
    return "\n".join(lines)


_LEAVES = {
    "aes_sbox": _Kind(
        controls=("clk", "en_i"),
        inputs=lambda config: (("x_i", 8),),
        output=lambda config: ("y_o", 8),
        proof="exhaustive",
        latency=lambda config: sbox_stages(config) - 1,
        specification=_sbox_specification,
        text=_sbox_text,
    ),
    "aes_mix_column": _Kind(
        controls=(),
        inputs=lambda config: (("x_i", 32),),
        output=lambda config: ("y_o", 32),
        proof="linear",
        latency=lambda config: 0,
        specification=_mix_columns_specification,
        text=_mix_columns_text,
    ),
    "gf128_mul": _Kind(
        controls=("clk",),
        inputs=lambda config: (("a_i", 128), ("b_i", 128)),
        output=lambda config: ("c_o", 128),
        proof="bilinear",
        latency=lambda config: config.ghash_stages - 1,
        specification=_multiplier_specification,
        text=_multiplier_text,
    ),
    "gf128_dot": _Kind(
        controls=("clk",),
        inputs=lambda config: (
            ("a_i", 128 * dot_lanes(config)),
            ("b_i", 128 * dot_lanes(config)),
        ),
        output=lambda config: ("c_o", 128),
        proof="dot",
        latency=lambda config: config.ghash_stages - 1,
        specification=_dot_specification,
        text=_dot_text,
    ),
    "gf128_dot_stored": _Kind(
        controls=("clk",),
        inputs=lambda config: (
            ("a_i", 128 * config.ghash_lanes),
            ("k_i", key_bits(config.multiplier) * config.ghash_lanes),
        ),
        output=lambda config: ("c_o", 128),
        proof="dot",
        latency=lambda config: config.ghash_stages - 1,
        specification=_dot_specification,
        text=_stored_dot_text,
    ),
    "gf128_key": _Kind(
        controls=("clk",),
        inputs=lambda config: (("a_i", 128),),
        output=lambda config: ("k_o", key_bits(config.multiplier)),
        proof="dot",
        latency=lambda config: config.ghash_stages - 1,
        specification=_dot_specification,
        text=_key_text,
    ),
}
